//! Holds the verdicts against the real thing: a mutant written into a copy of the source, built, and tested.

use std::fs;
use std::io;
use std::path::Path;

use crate::list::{Mutant, Source};
use crate::run::{Tests, Verdict};
use crate::tree::{Tree, write};

/// Builds each of these alone and says where its verdict differs; they come with their verdicts.
pub fn compare(project: &Path, place: &Path, tests: &Tests, some: &[(&Mutant, &str)]) -> io::Result<()> {
    let (mut agree, mut last) = (0, None::<&str>);
    for (mutant, verdict) in some {
        let tree = Tree::copy(project, place)?;
        if let Some(file) = last.filter(|f| *f != mutant.file) {
            write(&tree.top.join(file), &fs::read_to_string(project.join(file))?)?;
        }
        last = Some(&mutant.file);
        let source = Source::new(fs::read_to_string(project.join(&mutant.file))?);
        let mut text = source.text.clone();
        text.replace_range(source.bytes(mutant.span), &mutant.replacement);
        write(&tree.top.join(&mutant.file), &text)?;
        let truth = match tree.programs() {
            Err(_) => "unviable",
            Ok((units, others)) => match tests.with(units, others).judge(0)? {
                Verdict::Caught(_) => "caught",
                Verdict::Timeout => "timeout",
                Verdict::Missed | Verdict::Unmet => "missed",
            },
        };
        // Which test comes first decides between a wrong answer and none.
        let killed = |v: &str| matches!(v, "caught" | "timeout");
        let same = truth == *verdict || killed(truth) && killed(verdict);
        agree += usize::from(same);
        println!("{}: {verdict}, really {truth}: {}", if same { "same" } else { "OTHER" }, mutant.name);
    }
    println!("{agree} of {} verdicts are the same when the mutant stands in the source", some.len());
    Ok(())
}
