//! Memories drawn at random against a slow list, and what must hold of them: labels above all.

use arbitrary::{Arbitrary, Result, Unstructured};
use haversack::{
    Answer, Budget, Error, Evidence, Memory, OnFull, RememberOptions, Remembered, Source, SourceKind, Timing, Trust,
    grounds,
};

use crate::ledgers::{hostile, nothing_hides};
use crate::words::Words;

/// A step of a run.
#[derive(Clone, Debug)]
pub enum Step {
    /// Text, source, importance, time.
    Add(String, String, u8, u64),
    /// A source.
    Forget(String),
    /// Through JSON.
    Reload,
    /// Merged into a new memory.
    Merge,
}

/// A run of a memory.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happens.
    pub steps: Vec<Step>,
    /// A cap, and what happens there.
    pub cap: Option<(usize, OnFull)>,
    /// A budget to try, in characters.
    pub limit: usize,
    /// When the slice is taken.
    pub now: u64,
}

const SOURCES: [&str; 10] =
    ["user", "system", "agent", "tool:c1", "page:https://a.b/c", "page:x", "email", "file:n.txt", "", "User"];

impl<'a> Arbitrary<'a> for Run {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut steps = vec![];
        for _ in 0..u.int_in_range(0..=20)? {
            let source =
                if u.ratio(9, 10)? { (*u.choose(&SOURCES)?).to_owned() } else { format!("page:{}", hostile(u)?) };
            steps.push(match u.int_in_range(0..=11)? {
                0 => Step::Forget(source),
                1 => Step::Reload,
                2 => Step::Merge,
                _ => {
                    let text = if u.arbitrary()? {
                        format!("note {}", u.int_in_range(0..=5)?)
                    } else {
                        format!("x{}", hostile(u)?)
                    };
                    Step::Add(text, source, u.int_in_range(0..=9)?, u.int_in_range(0..=20)?)
                }
            });
        }
        let cap = if u.ratio(1, 3)? { Some((u.int_in_range(0..=6)?, *u.choose(OnFull::ALL)?)) } else { None };
        Ok(Run { steps, cap, limit: u.int_in_range(0..=700)?, now: u.int_in_range(0..=25)? })
    }
}

fn trimmed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whatever happens to it: a text keeps the sources that said it and gets no other, the rank is the stated one, a slice
/// is a prefix of it within its budget, content never stands where the user's own words of that rank are left out,
/// books close, and going on from stored state is going on (L21).
///
/// # Errors
/// What does not hold.
pub fn memory_holds(run: &Run) -> std::result::Result<(), String> {
    let show = |e: Error| e.to_string();
    let mut here = match run.cap {
        Some((cap, on_full)) => Memory::capped(cap, on_full),
        None => Memory::new(),
    };
    let mut there = here.clone();
    // Every source that ever said a text, and has not been forgotten since.
    let mut said: Vec<(String, Source)> = vec![];
    for step in &run.steps {
        match step {
            Step::Add(text, source, importance, at) => {
                let options = RememberOptions::new().source(source).importance(*importance).at(*at);
                let options = options.timing(Timing::ALL[usize::from(*importance) % Timing::ALL.len()]);
                let (a, b) = (here.add(text, options), there.add(text, options));
                match (&a, &b) {
                    (Ok(a), Ok(b)) if a == b => {
                        if a.outcome != Remembered::Refused {
                            said.push((trimmed(text), Source::parse(source)));
                        }
                    }
                    (Err(a), Err(b)) if a.kind() == b.kind() => {}
                    _ => return Err(format!("{a:?} and {b:?}")),
                }
            }
            Step::Forget(source) => {
                if here.forget(source) != there.forget(source) {
                    return Err("forgetting differs after a reload".into());
                }
                let source = Source::parse(source);
                said.retain(|(_, other)| !other.is_of(&source));
                if here
                    .items()
                    .any(|item| item.source.is_of(&source) || item.also.iter().any(|s| s.source.is_of(&source)))
                {
                    return Err(format!("something of {source:?} is left"));
                }
            }
            Step::Reload => there = Memory::from_json(&there.to_json()).map_err(show)?,
            Step::Merge => {
                // Into an empty one: all of it, with new numbers and new books.
                let merged = Memory::new().merge(&here).map_err(show)?;
                let texts = |m: &Memory| m.items().map(|i| (i.text, i.source, i.importance, i.at)).collect::<Vec<_>>();
                if texts(&merged) != texts(&here) {
                    return Err("merging changes what is there".into());
                }
            }
        }
        if here.to_json() != there.to_json() {
            return Err(format!("the states differ: {} and {}", here.to_json(), there.to_json()));
        }
        let counts = here.counts();
        if !counts.closes() || counts.held != here.len() as u64 {
            return Err(format!("{counts:?} of {}", here.len()));
        }
        if let Some((cap, on_full)) = run.cap
            && on_full != OnFull::Report
            && here.len() > cap
        {
            return Err(format!("{} in a cap of {cap}", here.len()));
        }
    }
    let items: Vec<_> = here.items().collect();
    for item in &items {
        let text = trimmed(&item.text);
        let sources: Vec<&Source> = std::iter::once(&item.source).chain(item.also.iter().map(|s| &s.source)).collect();
        let by = |source: &Source| said.iter().any(|(t, s)| *t == text && s == source);
        if let Some(alien) = sources.iter().find(|source| !by(source)) {
            return Err(format!("{alien:?} never said {text:?}"));
        }
        // What only content said is of no other trust, whatever happened to it.
        let stated = said.iter().any(|(t, s)| *t == text && s.trust() == Trust::Stated);
        if !stated && sources.iter().any(|s| s.trust() == Trust::Stated) {
            return Err(format!("a label is lost: {item:?}"));
        }
        if grounds("act", &[Evidence::from(item)]).answer != Answer::Ask {
            return Err("a memory is taken for permission".into());
        }
    }
    let rank = |i: &haversack::MemoryItem| {
        (9 - i.importance, i.source.trust(), u64::MAX - i.at, i.text.clone(), i.source.clone())
    };
    if !items.is_sorted_by_key(rank) {
        return Err(format!("another rank: {items:?}"));
    }
    for budget in [Budget::chars(run.limit), Budget::bytes(run.limit), Budget::tokens(run.limit / 4, &Words)] {
        slice_holds(&here, run.now, budget)?;
    }
    let whole = here.slice(u64::MAX, None).map_err(show)?;
    nothing_hides(whole.text())?;
    if whole.text().split('\n').count() != items.len().max(1) + 1 || !whole.complete() {
        return Err(format!("not one line a memory: {}", whole.text()));
    }
    for (line, item) in whole.text().split('\n').skip(1).zip(&items) {
        if !line.starts_with("- \"") || !line.contains(&format!("\" ({}", item.source.kind().name())) {
            return Err(format!("the source is not named: {line}"));
        }
    }
    for item in &items {
        let hits = here.search(&item.text).map_err(show)?;
        if item.text.chars().any(|c| c.is_ascii_alphanumeric()) && !hits.iter().any(|hit| hit.item == *item) {
            return Err(format!("search does not find {:?}", item.text));
        }
    }
    Ok(())
}

fn slice_holds(mem: &Memory, now: u64, budget: Budget<'_>) -> std::result::Result<(), String> {
    let slice = match mem.slice(now, Some(budget)) {
        Ok(slice) => slice,
        Err(e) => return e.needed().filter(|n| *n > budget.limit()).map(drop).ok_or_else(|| e.to_string()),
    };
    let size = budget.size(slice.text()).map_err(|e| e.to_string())?;
    if size > budget.limit() {
        return Err(format!("{size} for {budget:?}: {}", slice.text()));
    }
    let (records, bytes) = (slice.account().records(), slice.account().bytes());
    if !records.closes() || !bytes.closes() || records.total != mem.len() as u64 {
        return Err(format!("{records:?} {bytes:?}"));
    }
    let lines: Vec<&str> = slice.text().split('\n').skip(1).filter(|line| line.starts_with("- \"")).collect();
    if lines.len() as u64 != records.kept {
        return Err(format!("{} lines, {records:?}", lines.len()));
    }
    // A prefix of what was known then: nothing of lower rank is there in the place of something of higher rank.
    let known = mem.items().filter(|i| i.at <= now || i.also.iter().any(|s| s.at <= now));
    for (line, item) in lines.iter().zip(known) {
        let kind = item.source.kind();
        let label = if kind == SourceKind::Unknown { "unknown" } else { kind.name() };
        if !line.contains(&format!("\" ({label}")) || !line.ends_with(&format!("importance {})", item.importance)) {
            return Err(format!("{line} stands in the place of {item:?}"));
        }
    }
    Ok(())
}
