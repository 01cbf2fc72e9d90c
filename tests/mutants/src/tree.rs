//! The copy under `target/mutants` in which the mutants stand, and the compiler's word on them.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::list::Mutant;
use crate::place::{File, Out};

pub struct Tree {
    pub top: PathBuf,
    pub build: PathBuf,
}

/// An executable that cargo built, and the folder it runs in.
#[derive(Clone)]
pub struct Program {
    pub path: PathBuf,
    pub folder: PathBuf,
}

impl Tree {
    /// A copy of what the tests need of the project at `project`, with room for the choices.
    pub fn copy(project: &Path, place: &Path) -> io::Result<Self> {
        let tree = Tree { top: place.join("tree"), build: place.join("build") };
        for part in ["Cargo.toml", "Cargo.lock", "core", "tests", "fuzz/regressions", "README.md"] {
            copy(&project.join(part), &tree.top.join(part))?;
        }
        let here = project.join("tests/mutants/inside");
        for name in ["units.rs", "answers.rs"] {
            write(&tree.top.join("tests/examples").join(name), &fs::read_to_string(here.join(name))?)?;
        }
        write(&tree.top.join("core/src/mutant.rs"), &fs::read_to_string(here.join("mutant.rs"))?)?;
        let manifest = fs::read_to_string(project.join("Cargo.toml"))?;
        let line = |l: &str| match l.split(' ').next() {
            Some("members") => "members = [\"core\", \"tests\"]\n".to_owned(),
            _ => format!("{l}\n"),
        };
        write(&tree.top.join("Cargo.toml"), &manifest.lines().map(line).collect::<String>())?;
        let library = fs::read_to_string(project.join("core/src/lib.rs"))?;
        let library = library
            .replace("#![forbid(unsafe_code)]", "")
            .replace("extern crate alloc", "#[macro_use]\nextern crate alloc");
        write(&tree.top.join("core/src/lib.rs"), &(library + "\n#[doc(hidden)]\npub mod mutant;\n"))?;
        Ok(tree)
    }

    fn cargo(&self, arguments: &str) -> Command {
        let mut cargo = Command::new("nice");
        cargo.args(["-n", "5", "cargo"]).args(arguments.split_whitespace()).arg("--message-format=json");
        cargo.current_dir(&self.top).env("CARGO_TARGET_DIR", &self.build).env("RUSTFLAGS", "--cap-lints allow");
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").stderr(Stdio::null());
        cargo
    }

    /// Writes `files` again and again without the mutants that the compiler refuses, until it refuses none.
    pub fn settle(&self, files: &mut [File], out: &mut HashMap<u32, Out>) -> io::Result<()> {
        for round in 1.. {
            for file in files.iter_mut() {
                write(&self.top.join(&file.path), &file.write())?;
            }
            let (_, errors) = self.messages("check -p haversack --lib")?;
            if errors.is_empty() {
                return Ok(());
            }
            let before = out.len();
            let mut changed = false;
            for e in &errors {
                let Some(file) = files.iter_mut().find(|f| f.path == e.file) else { continue };
                let (blamed, value) = file.blame(e.bytes.clone());
                changed |= !blamed.is_empty();
                // Types that do not fit would not fit in the source either; whatever else it is may be our doing.
                let types = matches!(e.code.as_str(), "E0277" | "E0308" | "E0369" | "E0599" | "E0368" | "E0600");
                for number in blamed.into_iter().filter(|n| *n != 0) {
                    out.entry(number).or_insert(if types || value { Out::Unviable } else { Out::NotPlaced });
                }
            }
            println!("compiled, round {round}: {} errors, {} mutants out", errors.len(), out.len() - before);
            if !changed {
                for e in &errors {
                    println!("{}", e.text);
                }
                return Err(io::Error::other("errors that belong to no mutant"));
            }
        }
        Ok(())
    }

    /// The programs that run tests: the pieces of vectors and laws, then cargo's own.
    pub fn programs(&self) -> io::Result<(Program, Vec<Program>)> {
        let mut units = self.built("build -p haversack-tests --example units", &self.top)?;
        let tests = self.built("test --no-run -p haversack --lib --tests", &self.top.join("core"))?;
        Ok((units.remove(0), tests))
    }

    /// The program that looks for calls whose answer a mutant changes.
    pub fn answers(&self) -> io::Result<Program> {
        Ok(self.built("build -p haversack-tests --example answers", &self.top)?.remove(0))
    }

    fn built(&self, arguments: &str, folder: &Path) -> io::Result<Vec<Program>> {
        let (programs, errors) = self.messages(arguments)?;
        if let Some(e) = errors.first() {
            return Err(io::Error::other(e.text.clone()));
        }
        if programs.is_empty() {
            return Err(io::Error::other(format!("cargo {arguments} built nothing")));
        }
        Ok(programs.into_iter().map(|path| Program { path, folder: folder.into() }).collect())
    }

    fn messages(&self, arguments: &str) -> io::Result<(Vec<PathBuf>, Vec<Refusal>)> {
        let output = self.cargo(arguments).output()?;
        let (mut programs, mut errors) = (vec![], vec![]);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
            programs.extend(message["executable"].as_str().map(PathBuf::from));
            if message["message"]["level"] == "error" {
                errors.extend(refusals(&message["message"]));
            }
        }
        Ok((programs, errors))
    }
}

/// An error of the compiler.
struct Refusal {
    code: String,
    file: String,
    bytes: Range<usize>,
    text: String,
}

fn refusals(message: &Value) -> Vec<Refusal> {
    let spans = message["spans"].as_array().into_iter().flatten().filter(|s| s["is_primary"] == true);
    let byte = |s: &Value, name: &str| s[name].as_u64().unwrap_or_default() as usize;
    spans
        .map(|s| Refusal {
            code: message["code"]["code"].as_str().unwrap_or_default().into(),
            file: s["file_name"].as_str().unwrap_or_default().into(),
            bytes: byte(s, "byte_start")..byte(s, "byte_end"),
            text: message["rendered"].as_str().unwrap_or_default().into(),
        })
        .collect()
}

/// The files that hold mutants, and the mutants that cannot stand in them. Numbers count from one.
pub fn place(project: &Path, mutants: &[Mutant], out: &mut HashMap<u32, Out>) -> io::Result<Vec<File>> {
    let mut by_file: Vec<(&str, Vec<(u32, &Mutant)>)> = vec![];
    for (i, mutant) in mutants.iter().enumerate() {
        let i = u32::try_from(i + 1).map_err(io::Error::other)?;
        match by_file.iter_mut().find(|(file, _)| *file == mutant.file) {
            Some((_, list)) => list.push((i, mutant)),
            None => by_file.push((&mutant.file, vec![(i, mutant)])),
        }
    }
    by_file.iter().map(|(path, list)| Ok(File::new(path, fs::read_to_string(project.join(path))?, list, out))).collect()
}

/// Writes only what is new, so that cargo builds only what it must.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        let bytes = fs::read(from)?;
        if fs::read(to).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        return fs::write(to, bytes);
    }
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        copy(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}
