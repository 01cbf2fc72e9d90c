//! The laws, one function each, by number. Property tests, fuzz targets, vectors and the corpus all call these.
//!
//! Each takes a payload and options and answers `Err` with what is wrong and the case in one line. A law says nothing
//! about a case that it does not cover (an option exempt by name, input of another format).

use std::collections::BTreeMap;

use haversack::{Action, Delivery, Envelope, Error, ErrorKind, Format, Keep, OnInvalid, Oversize, Reason, Share, Unit};
use serde::de::IgnoredAny;
use serde_json::json;

use crate::oracle::json::{Doc, Kind, parse, unescape};
use crate::oracle::judge::{self, Rules, judge};
use crate::oracle::stated::{is_envelope, is_notice_key, may_state_a_cut};
use crate::oracle::text::{self, Reading};
use crate::spec::Spec;
use crate::strings;
use crate::vectors::unbuild;

/// One law.
pub type Law = fn(&[u8], &Spec) -> Result<(), String>;

/// Every law that speaks of one delivery or of deliveries of one payload.
pub const ALL: &[(&str, Law)] = &[
    ("l1_budget", l1_budget),
    ("l2_parses", l2_parses),
    ("l3_records", l3_records),
    ("l4_books", l4_books),
    ("l5_reversal", l5_reversal),
    ("l6_idempotent", l6_idempotent),
    ("l7_pages", l7_pages),
    ("l13_any_bytes", l13_any_bytes),
    ("l15_small_values", l15_small_values),
    ("l16_scalars", l16_scalars),
    ("l17_boundaries", l17_boundaries),
    ("l18_passthrough", l18_passthrough),
    ("l19_never_larger", l19_never_larger),
    ("l20_deterministic", l20_deterministic),
    ("l21_state", l21_state),
    ("l22_full", l22_full),
];

/// Holds a case against every law.
///
/// # Errors
/// The first law that is broken.
pub fn all(payload: &[u8], spec: &Spec) -> Result<(), String> {
    ALL.iter().try_for_each(|(_, law)| law(payload, spec))
}

/// A broken law, with its case as a vector writes it.
fn broken(law: &str, payload: &[u8], spec: &Spec, what: &str) -> Result<(), String> {
    Err(format!("{law}: {what}\n  {}", json!({"input": unbuild(payload), "options": spec.to_json()})))
}

macro_rules! hold {
    ($law:literal, $payload:expr, $spec:expr, $good:expr, $($what:tt)*) => {
        if !$good {
            return broken($law, $payload, $spec, &format!($($what)*));
        }
    };
}

fn refused(e: &Error) -> bool {
    e.kind() == ErrorKind::BudgetTooSmall
}

/// The payload as the oracle reads it, when it is one JSON document within the depth limit.
fn document(payload: &[u8], spec: &Spec) -> Option<Doc> {
    parse(std::str::from_utf8(payload).ok()?).ok().filter(|d| d.depth <= spec.limits.depth)
}

/// An answer of ours may stand two levels deeper than the limit: in an envelope, and with marks in its records.
fn may_be_deeper(payload: &[u8], spec: &Spec) -> bool {
    let doc = std::str::from_utf8(payload).ok().and_then(|text| parse(text).ok());
    doc.is_some_and(|d| d.depth <= spec.limits.depth.saturating_add(2) && may_state_a_cut(&d))
}

fn blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}

/// L1: the size in the named unit is at most the budget; a refusal names what is needed, and exactly that.
pub fn l1_budget(payload: &[u8], spec: &Spec) -> Result<(), String> {
    match spec.deliver(payload) {
        Ok(d) => {
            let size = spec.size(d.text());
            hold!("L1", payload, spec, size <= spec.limit, "{size} over budget: {:?}", d.text());
            hold!(
                "L1",
                payload,
                spec,
                d.size() == size && d.unit() == spec.unit,
                "says {} {}, is {size}",
                d.size(),
                d.unit()
            );
        }
        Err(e) if refused(&e) => {
            let (needed, available) = (e.needed().unwrap_or(0), e.available());
            hold!(
                "L1",
                payload,
                spec,
                available == Some(spec.limit) && e.unit() == Some(spec.unit),
                "refused with {available:?} {:?}",
                e.unit()
            );
            hold!("L1", payload, spec, needed > spec.limit, "refused although {needed} is needed");
            let enough = spec.limit(needed).deliver(payload);
            hold!(
                "L1",
                payload,
                spec,
                enough.is_ok(),
                "asks for {needed}, and then {}",
                enough.err().map_or(String::new(), |e| e.to_string())
            );
            let less = spec.limit(needed - 1).deliver(payload);
            hold!(
                "L1",
                payload,
                spec,
                less.as_ref().is_err_and(refused),
                "asks for {needed}, but {} is enough: {:?}",
                needed - 1,
                less.map(|d| d.text().to_owned())
            );
        }
        Err(_) => {}
    }
    Ok(())
}

/// L2: what parsed parses afterwards, in the format decided; what does not parse never passes for JSON.
pub fn l2_parses(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let Ok(source) = std::str::from_utf8(payload) else { return Ok(()) };
    let doc = document(payload, spec);
    match spec.deliver(payload) {
        Ok(d) => {
            if d.format() == Format::Json {
                hold!("L2", payload, spec, parse(d.text()).is_ok(), "the output does not parse: {:?}", d.text());
                let text = d.text().trim_start_matches('\u{feff}');
                let serde: Result<IgnoredAny, _> = serde_json::from_str(text);
                hold!("L2", payload, spec, serde.is_ok(), "serde_json does not read the output: {:?}", d.text());
                let salvaged = spec.on_invalid == OnInvalid::Salvage && spec.format == Some(Format::Json);
                let honest = doc.is_some() || salvaged || may_be_deeper(payload, spec);
                hold!("L2", payload, spec, honest, "broken JSON passes for JSON");
            }
            if matches!(d.format(), Format::Csv | Format::Tsv) {
                let comma = if d.format() == Format::Csv { ',' } else { '\t' };
                let open = text::csv_rows(d.text(), comma).1 && !text::csv_rows(source, comma).1;
                hold!("L2", payload, spec, !open, "a quote stays open: {:?}", d.text());
            }
            if let (None, Some(doc)) = (spec.format, &doc) {
                let json = matches!(doc.kind(0), Kind::Object | Kind::Array | Kind::String);
                hold!(
                    "L2",
                    payload,
                    spec,
                    json == (d.format() == Format::Json),
                    "JSON is read as {}",
                    d.format().name()
                );
            }
            if let Some(format) = spec.format {
                let same = d.format() == format || (spec.on_invalid == OnInvalid::Lines && d.format() == Format::Lines);
                hold!("L2", payload, spec, same, "{} by name is read as {}", format.name(), d.format().name());
            }
        }
        Err(e) => {
            let input = [
                ErrorKind::InvalidJson,
                ErrorKind::TooDeep,
                ErrorKind::InvalidCsv,
                ErrorKind::InvalidNdjson,
                ErrorKind::InvalidUtf8,
            ];
            if input.contains(&e.kind()) {
                hold!("L2", payload, spec, spec.format.is_some(), "auto fails with {e}");
                let good = doc.is_some() && spec.format == Some(Format::Json);
                hold!("L2", payload, spec, !good, "valid JSON is refused: {e}");
                hold!("L2", payload, spec, e.offset().is_some_and(|o| o <= payload.len()), "no offset in: {e}");
            }
        }
    }
    Ok(())
}

/// What the oracle sees in a delivery.
struct Seen {
    problems: Vec<String>,
    complete: bool,
    /// Of the outermost lists: total, whole, pruned.
    books: Option<(u64, u64, u64)>,
}

/// Rows or lines of an input that broke off, now or (as its first line says) before an earlier cut.
fn salvaged(spec: &Spec, d: &Delivery) -> bool {
    let broken = d.warnings().iter().find(|w| w.kind() == haversack::WarningKind::Malformed);
    let before = |w: &haversack::Warning| w.offset().is_none() && d.account().claimed().is_none();
    d.format() != Format::Json && broken.is_some_and(|w| spec.on_invalid == OnInvalid::Salvage || before(w))
}

/// Judges a first delivery; `None` when the oracle has nothing to compare it with.
fn look(payload: &[u8], spec: &Spec, d: &Delivery) -> Option<Seen> {
    let source = std::str::from_utf8(payload).ok()?;
    if spec.cursor.is_some() || !spec.select.is_empty() || (blank(source) && d.format() != Format::Lines) {
        return None;
    }
    // Salvaged input has no total: only what stands in the text is judged, against what is whole of it.
    let salvaged = salvaged(spec, d);
    let whole = match d.format() {
        Format::Csv if salvaged => text::salvageable(source, ','),
        Format::Tsv if salvaged => text::salvageable(source, '\t'),
        _ if salvaged => text::below_a_break(source).to_owned(),
        _ => source.to_owned(),
    };
    let source = whole.as_str();
    let counts = d.account().claimed().is_none() && spec.earlier.is_none() && !salvaged;
    let ordered = spec.sort_by.is_none();
    // Handed over as a value, nothing is read from the text.
    let marks = d.account().claimed().is_some() && spec.earlier.is_none();
    let reading = Reading {
        // Where no record fits, the notice stands in the text whatever the option: no text is ever silent.
        noticed: spec.notice == haversack::NoticePlace::Text || d.notice() == Some(d.text()),
        collapse: spec.collapse,
        strip: spec.ansi == haversack::Ansi::Strip,
        counts,
        marks,
        ordered,
    };
    let text_seen = |v: text::Verdict| {
        let complete = v.exact || v.whole == v.total && !v.tail_gone;
        Seen {
            problems: v.problems,
            complete,
            books: (counts && !spec.collapse).then_some((v.total, v.whole, v.pruned)),
        }
    };
    match d.format() {
        Format::Json => {
            let doc = document(payload, spec)?;
            // In an envelope that tells of no shortened record, a mark in one is data.
            let marks = marks && (doc.member(0, "shrunk").is_some() || !is_envelope(&doc, 0));
            let v = judge(&doc, d.text(), Rules { ordered, counts, marks });
            let lost = !v.cuts.is_empty() || !v.shortened.is_empty();
            let books = (counts && v.problems.is_empty() && !doc.has_equal_keys()).then(|| outermost(&doc, &v));
            Some(Seen { problems: v.problems, complete: v.exact || !lost, books })
        }
        Format::Csv | Format::Tsv if reading.strip => None, // What that means for cells is free.
        Format::Csv => Some(text_seen(text::judge_csv(source, d.text(), ',', reading))),
        Format::Tsv => Some(text_seen(text::judge_csv(source, d.text(), '\t', reading))),
        Format::Ndjson => Some(text_seen(text::judge_ndjson(source, d.text(), reading))),
        Format::Lines => Some(text_seen(text::judge_lines(source, d.text(), reading))),
    }
}

/// The books of the outermost lists; an object whose members were cut is one, a value that was shortened outside all
/// lists is one of one.
fn outermost(doc: &Doc, v: &judge::Verdict) -> (u64, u64, u64) {
    let cuts: BTreeMap<&str, &judge::Cut> = v.cuts.iter().map(|c| (c.path.as_str(), c)).collect();
    let (mut total, mut whole, mut pruned) = (0, 0, 0);
    let mut work = vec![(0usize, String::new())];
    let mut listed = vec![];
    while let Some((id, path)) = work.pop() {
        let cut = cuts.get(path.as_str());
        if doc.kind(id) == Kind::Array || cut.is_some_and(|c| c.members) {
            let n = doc.children(id).len() as u64;
            total += cut.map_or(n, |c| c.total);
            whole += cut.map_or(n, |c| c.whole);
            pruned += cut.map_or(0, |c| c.pruned);
            listed.push(format!("{path}/"));
        } else {
            for &c in doc.children(id) {
                work.push((c, format!("{path}/{}", crate::oracle::json::segment(&unescape(doc.key(c))))));
            }
        }
    }
    let alone = v.shortened.iter().filter(|p| !listed.iter().any(|l| p.starts_with(l.as_str()))).count() as u64;
    (total + alone, whole, pruned + alone)
}

/// L3: every delivered record is an input record byte for byte, or a visible pruning of one; none is fused or invented.
pub fn l3_records(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    let Some(seen) = look(payload, spec, &d) else { return Ok(()) };
    let problem = seen.problems.iter().find(|p| !p.starts_with("L4"));
    hold!("L3", payload, spec, problem.is_none(), "{}\n  {:?}", problem.unwrap_or(&String::new()), d.text());
    Ok(())
}

/// L4: accounts close, in the answer and in the text, and say what is true.
pub fn l4_books(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    let account = d.account();
    let books =
        [account.records(), account.bytes()].into_iter().chain(d.lists().iter().flat_map(|l| [l.records(), l.bytes()]));
    for counts in books.chain(account.claimed()) {
        hold!("L4", payload, spec, counts.closes(), "books do not close: {counts:?}");
    }
    for list in d.lists() {
        let again = d.lists().iter().filter(|l| l.pointer() == list.pointer()).count();
        hold!("L4", payload, spec, again == 1, "{:?} is listed {again} times", list.pointer());
    }
    hold!(
        "L4",
        payload,
        spec,
        account.bytes().total <= payload.len() as u64 || account.claimed().is_some(),
        "more bytes than there are: {:?}",
        account.bytes()
    );
    let tail_gone = d.format() == Format::Ndjson && account.bytes().omitted > 0;
    let lost = !account.records().complete() || tail_gone || account.claimed().is_some_and(|c| !c.complete());
    // What was salvaged is not complete, however many records were whole, and an unfinished line is no record.
    let broken = d.warnings().iter().any(|w| w.kind() == haversack::WarningKind::Malformed);
    hold!("L4", payload, spec, d.complete() != (lost || broken), "complete is {}, {:?}", d.complete(), account);
    if let Some(seen) = look(payload, spec, &d) {
        let problem = seen.problems.iter().find(|p| p.starts_with("L4"));
        hold!("L4", payload, spec, problem.is_none(), "{}\n  {:?}", problem.unwrap_or(&String::new()), d.text());
        if account.claimed().is_none() && spec.earlier.is_none() && seen.problems.is_empty() {
            let salvaged = salvaged(spec, &d);
            hold!(
                "L4",
                payload,
                spec,
                salvaged || d.complete() == seen.complete,
                "complete is {}, the text is {}\n  {:?}",
                d.complete(),
                seen.complete,
                d.text()
            );
            if let Some((total, whole, pruned)) = seen.books {
                let r = account.records();
                // An object that was a map for its size, and is whole, counts its members too: no loss either way.
                let maps = r.total.saturating_sub(total);
                let may_be = maps == 0
                    || document(payload, spec).is_some_and(|p| p.nodes.iter().any(|n| n.kind == Kind::Object));
                let same = may_be && (r.total, r.kept, r.shrunk) == (total + maps, whole + maps, pruned);
                hold!(
                    "L4",
                    payload,
                    spec,
                    same,
                    "account {r:?}, true total {total} kept {whole} shrunk {pruned}\n  {:?}",
                    d.text()
                );
            }
        }
    }
    plan_is_true(payload, spec, &d)
}

/// The plan: runs lie beside each other and cover their list; what is kept stands in the text where the plan says.
fn plan_is_true(payload: &[u8], spec: &Spec, d: &Delivery) -> Result<(), String> {
    let mut ends: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for run in d.plan() {
        hold!("L4", payload, spec, run.from() < run.to(), "an empty run {run:?}");
        ends.entry(run.list()).or_default().push((run.from(), run.to()));
        let text = d.text().get(run.text_range().clone());
        hold!("L4", payload, spec, text.is_some(), "a run outside the text {run:?}");
        let text = text.unwrap_or("");
        hold!(
            "L4",
            payload,
            spec,
            (run.action() == Action::Omit) == text.is_empty() || d.format() != Format::Json,
            "{run:?} has the text {text:?}"
        );
    }
    for (list, mut runs) in ends {
        runs.sort_unstable();
        // A page speaks only of what it was asked for.
        if document(payload, spec).is_some_and(|doc| doc.has_equal_keys()) {
            continue; // Equal keys are one sibling: their positions run side by side.
        }
        // So does a text that was cut before: of the positions it holds.
        let part = spec.cursor.is_some() || d.account().claimed().is_some();
        let beside = runs.windows(2).all(|w| w[0].1 == w[1].0) && (runs[0].0 == 0 || part);
        hold!("L4", payload, spec, beside, "the runs of {list:?} have gaps or overlap: {runs:?}");
        let entry = d.lists().iter().find(|l| l.pointer() == list);
        if let (Some(entry), None, None, None) = (entry, d.account().claimed(), &spec.earlier, &spec.cursor) {
            // Bytes too, run by run, where one entry speaks of one list.
            if d.format() == Format::Json && spec.select.is_empty() {
                let b = entry.bytes();
                for (action, n) in [(Action::Keep, b.kept), (Action::Shrink, b.shrunk), (Action::Omit, b.omitted)] {
                    let runs = d.plan().iter().filter(|r| r.list() == list && r.action() == action);
                    let planned: usize = runs.map(haversack::Run::source_bytes).sum();
                    hold!(
                        "L4",
                        payload,
                        spec,
                        planned as u64 == n,
                        "{list:?}: {planned} bytes of {} by the plan, {n} by its books\n  {:?}",
                        action.name(),
                        d.plan()
                    );
                }
            }
            let total = runs.last().map_or(0, |r| r.1) as u64;
            hold!(
                "L4",
                payload,
                spec,
                entry.records().total == total,
                "{list:?} has {total} records by the plan, {:?} by its books",
                entry.records()
            );
            for (action, n) in [
                (Action::Keep, entry.records().kept),
                (Action::Shrink, entry.records().shrunk),
                (Action::Omit, entry.records().omitted),
            ] {
                let planned: usize = d
                    .plan()
                    .iter()
                    .filter(|r| r.list() == list && r.action() == action)
                    .map(|r| r.to() - r.from())
                    .sum();
                hold!(
                    "L4",
                    payload,
                    spec,
                    planned as u64 == n,
                    "{list:?}: {} {planned} by the plan, {n} by its books",
                    action.name()
                );
            }
        }
    }
    if d.format() != Format::Json || !spec.select.is_empty() {
        return Ok(());
    }
    let Some(doc) = document(payload, spec) else { return Ok(()) };
    for run in d.plan().iter().filter(|r| r.action() == Action::Keep) {
        let Some(list) = doc.at(run.list()) else { continue };
        // Under `sort_by` a run is of positions in the input, which need not stand together in the text.
        if spec.sort_by.is_some()
            || doc.kind(list) == Kind::String
            || d.account().claimed().is_some()
            || doc.has_equal_keys()
        {
            continue;
        }
        let Some(records) = doc.children(list).get(run.from()..run.to()) else {
            return broken("L4", payload, spec, &format!("{run:?} is beyond its list"));
        };
        let text = d.text()[run.text_range().clone()].trim_matches(',');
        if doc.kind(list) == Kind::Array {
            let true_text: Vec<&str> = records.iter().map(|&r| doc.raw(r)).collect();
            let written = parse(&format!("[{text}]")).map(|p| p.text).unwrap_or_default();
            hold!(
                "L4",
                payload,
                spec,
                written == format!("[{}]", true_text.join(",")),
                "{run:?} has the text {text:?}"
            );
        }
    }
    Ok(())
}

/// L5: the same records whatever the order of keys (`in_order` exempt by name).
pub fn l5_reversal(payload: &[u8], spec: &Spec) -> Result<(), String> {
    if spec.share == Share::InOrder || spec.cursor.is_some() || spec.format.is_some_and(|f| f != Format::Json) {
        return Ok(());
    }
    // Equal keys are one sibling "in document order": turning them round is another document.
    let Some(doc) = document(payload, spec).filter(|d| !d.has_equal_keys()) else { return Ok(()) };
    if !matches!(doc.kind(0), Kind::Object | Kind::Array) || says_something_was_left_out(&doc) {
        return Ok(());
    }
    let plain = spec.deliver(doc.text.as_bytes());
    for everywhere in [false, true] {
        let turned = doc.reversed(everywhere);
        if turned == doc.text {
            continue;
        }
        let other = spec.deliver(turned.as_bytes());
        match (&plain, &other) {
            (Ok(a), Ok(b)) => {
                let drop = |key: &str| is_notice_key(key);
                let canonical = |d: &Delivery| parse(d.text()).map(|p| p.canonical(&drop)).unwrap_or_default();
                let same = canonical(a) == canonical(b);
                hold!(
                    "L5",
                    payload,
                    spec,
                    same,
                    "other records when keys are reversed\n  {:?}\n  {:?}",
                    a.text(),
                    b.text()
                );
            }
            (Err(a), Err(b)) => {
                hold!(
                    "L5",
                    payload,
                    spec,
                    a.kind() == b.kind() && a.needed() == b.needed(),
                    "other refusals when keys are reversed: {a} / {b}"
                );
            }
            (a, b) => {
                let name =
                    |r: &Result<Delivery, Error>| r.as_ref().map_or_else(ToString::to_string, |d| d.text().to_owned());
                return broken(
                    "L5",
                    payload,
                    spec,
                    &format!("one order is delivered, the other refused\n  {}\n  {}", name(a), name(b)),
                );
            }
        }
    }
    Ok(())
}

/// A document that looks like one of ours: turning its keys round turns a statement into data.
fn says_something_was_left_out(doc: &Doc) -> bool {
    doc.nodes.iter().any(|n| {
        n.kind == Kind::Object
            && n.children.iter().any(|&c| is_notice_key(&unescape(doc.key(c))) || unescape(doc.key(c)) == "omitted")
    })
}

/// L6: a second pass changes nothing; a tighter second cut adds to the first one's counts.
pub fn l6_idempotent(payload: &[u8], spec: &Spec) -> Result<(), String> {
    if spec.cursor.is_some() || spec.earlier.is_some() {
        return Ok(());
    }
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    // What was salvaged says nothing that a later cut reads: its envelope counts as levels like any other.
    if spec.limits.depth < 512 && d.warnings().iter().any(|w| w.kind() == haversack::WarningKind::Malformed) {
        return Ok(());
    }
    if blank(d.text()) {
        return Ok(()); // The notice stands beside the text, and no record fits: nothing is left to pass on.
    }
    let spec2 = spec.named(d.format());
    match spec2.deliver(d.text().as_bytes()) {
        Ok(again) => {
            hold!(
                "L6",
                payload,
                spec,
                again.text() == d.text(),
                "a second pass changes the text\n  {:?}\n  {:?}",
                d.text(),
                again.text()
            );
            // Salvaged input has no total to carry on.
            if !d.complete() && d.format() == Format::Json && document(payload, spec).is_some() {
                // Members of these names that are the input's own make no envelope.
                let root_list = parse(d.text())
                    .is_ok_and(|p| ["total", "omitted", "rows"].iter().all(|name| p.member(0, name).is_some()));
                let (a, b) = (d.account().records(), again.account().records());
                hold!(
                    "L6",
                    payload,
                    spec,
                    !root_list || a.total == b.total && a.omitted == b.omitted,
                    "a second pass forgets the first: {a:?} then {b:?}\n  {:?}",
                    d.text()
                );
            }
        }
        // An option without meaning for the format decided is refused where that is given by name.
        Err(e) if ignored(&d) && e.kind() == ErrorKind::InvalidOption => {}
        Err(e) => {
            // `no output` is a statement of ours, not JSON.
            hold!(
                "L6",
                payload,
                spec,
                blank(&String::from_utf8_lossy(payload)),
                "own output is refused: {e}\n  {:?}",
                d.text()
            );
        }
    }
    let plain = d.format() == Format::Json && d.account().claimed().is_none() && spec.select.is_empty();
    // Without a statement in the text, the markers in its strings are data like any other.
    let stated =
        parse(d.text()).is_ok_and(|p| p.children(0).first().is_some_and(|&c| is_notice_key(&unescape(p.key(c)))));
    if let Some(doc) = document(payload, spec).filter(|doc| plain && stated && !doc.has_equal_keys()) {
        for limit in [d.size() * 3 / 4, d.size() / 2] {
            let Ok(second) = spec2.limit(limit).deliver(d.text().as_bytes()) else { continue };
            let good = strings::still_named(&doc, &second);
            hold!("L6", payload, spec, good.is_ok(), "{}\n  {:?}", good.unwrap_err(), d.text());
        }
    }
    if d.complete() || d.format() != Format::Json {
        return Ok(());
    }
    let root = document(payload, spec).map(|p| p.kind(0));
    if root == Some(Kind::Object) && stated {
        let Ok(second) = spec2.limit(d.size() * 3 / 4).deliver(d.text().as_bytes()) else { return Ok(()) };
        let (a, b) = (d.account().records(), second.account().records());
        // A map counts its members: a list goes with the member that holds it, and so does what was said of it.
        let out = parse(second.text()).ok();
        let is_map = |p: &str| out.as_ref().is_some_and(|o| o.at(p).is_some_and(|id| o.kind(id) == Kind::Object));
        let maps = second.lists().iter().any(|l| is_map(l.pointer()));
        hold!(
            "L6",
            payload,
            spec,
            maps || b.omitted >= a.omitted,
            "a tighter cut forgets the first: {a:?} then {b:?}\n  {:?}\n  {:?}",
            d.text(),
            second.text()
        );
    }
    if root != Some(Kind::Array) {
        return Ok(());
    }
    let Ok(second) = spec2.limit(d.size() / 2).deliver(d.text().as_bytes()) else { return Ok(()) };
    let (a, b) = (d.account().records(), second.account().records());
    hold!(
        "L6",
        payload,
        spec,
        a.total == b.total && b.omitted >= a.omitted,
        "a tighter cut forgets the first: {a:?} then {b:?}\n  {:?}\n  {:?}",
        d.text(),
        second.text()
    );
    let foreign = second.warnings().iter().any(|w| w.kind() == haversack::WarningKind::SourceCursorSkipsOmitted);
    hold!("L6", payload, spec, !foreign, "our own cursor is called the tool's\n  {:?}", d.text());
    if spec.select.is_empty()
        && let Some(doc) = document(payload, spec)
    {
        let rules = Rules { ordered: spec.sort_by.is_none(), counts: true, marks: false };
        let v = judge(&doc, second.text(), rules);
        // Marks inside records may speak of the first cut's pruning; the root's counts must be the original's.
        let problem = v
            .problems
            .iter()
            .find(|p| !p.starts_with("L4") || p.contains("envelope says total") || p.contains("envelope says omitted"));
        hold!(
            "L6",
            payload,
            spec,
            problem.is_none(),
            "after a tighter cut: {}\n  {:?}\n  {:?}",
            problem.unwrap_or(&String::new()),
            d.text(),
            second.text()
        );
    }
    Ok(())
}

/// The delivery warns of an option that has no meaning for its format.
fn ignored(d: &Delivery) -> bool {
    d.warnings().iter().any(|w| w.kind() == haversack::WarningKind::OptionIgnored)
}

/// L7: following `next` delivers every record of every list that can be resumed exactly once.
pub fn l7_pages(payload: &[u8], spec: &Spec) -> Result<(), String> {
    if spec.earlier.is_some() {
        return Ok(());
    }
    if spec.cursor.is_some() {
        let Ok(page) = spec.deliver(payload) else { return Ok(()) };
        let good = if page.format() == Format::Json { strings::page_is_true(payload, spec, &page) } else { Ok(()) };
        hold!("L7", payload, spec, good.is_ok(), "{}\n  {:?}", good.unwrap_err(), page.text());
        return Ok(());
    }
    let Ok(first) = spec.deliver(payload) else { return Ok(()) };
    if first.account().claimed().is_some() || first.complete() {
        return Ok(());
    }
    let mut seen: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut cursors: Vec<String> = vec![];
    let mut passed: Vec<(String, usize)> = vec![];
    let resumable: Vec<String> =
        first.lists().iter().filter(|l| l.next().is_some()).map(|l| l.pointer().to_owned()).collect();
    let mut page = first.clone();
    let mut pages: Vec<(String, Delivery)> = vec![];
    let doc = document(payload, spec).filter(|_| first.format() == Format::Json);
    let mut count = 0;
    loop {
        for run in page.plan() {
            let slots = seen.entry(run.list().to_owned()).or_default();
            if slots.len() < run.to() {
                slots.resize(run.to(), 0);
            }
            for (i, slot) in slots.iter_mut().enumerate().take(run.to()).skip(run.from()) {
                *slot += u32::from(run.action() != Action::Omit);
                if run.reason() == Reason::Oversize && spec.oversize == Oversize::Skip {
                    passed.push((run.list().to_owned(), i));
                }
            }
        }
        gather(&page, count == 0, &mut rows);
        let Some(next) = page.next().map(str::to_owned) else { break };
        hold!("L7", payload, spec, !cursors.contains(&next), "the cursor {next:?} comes back");
        cursors.push(next.clone());
        count += 1;
        if count > 300 {
            return Ok(());
        }
        let mut ask = spec.page(&next);
        let mut answer = ask.deliver(payload);
        if let Err(e) = &answer {
            // A page holds at least one record or is refused: what it asks for must do.
            if refused(e) {
                ask.limit = e.needed().unwrap_or(0);
                answer = ask.deliver(payload);
            }
        }
        match answer {
            Ok(p) => {
                let size = spec.size(p.text());
                hold!("L7", payload, spec, size <= ask.limit, "the page {next:?} is over budget: {size}");
                let parses = p.format() != Format::Json || parse(p.text()).is_ok();
                hold!("L7", payload, spec, parses, "the page {next:?} does not parse: {:?}", p.text());
                let good = if p.format() == Format::Json {
                    strings::page_is_true(payload, &spec.page(&next), &p)
                } else {
                    Ok(())
                };
                hold!("L7", payload, spec, good.is_ok(), "the page {next:?}: {}\n  {:?}", good.unwrap_err(), p.text());
                if doc.is_some() {
                    pages.push((next, p.clone()));
                }
                page = p;
            }
            Err(e) if e.kind() == ErrorKind::RecordTooLarge && spec.oversize == Oversize::Error => return Ok(()),
            Err(e) => {
                return broken(
                    "L7",
                    payload,
                    spec,
                    &format!("the page {next:?} is refused: {e}\n  {:?}", first.text()),
                );
            }
        }
    }
    if let Some(doc) = doc.as_ref().filter(|d| spec.select.is_empty() && !d.has_equal_keys()) {
        let good = strings::covered(doc, &first, &pages);
        hold!("L7", payload, spec, good.is_ok(), "{}\n  {:?}", good.unwrap_err(), first.text());
    }
    for list in &resumable {
        // A string: a line of it that is cut stands on two pages.
        if doc.is_some() && first.plan().iter().all(|r| r.list() != list) {
            continue;
        }
        let Some(slots) = seen.get(list) else { continue };
        // With `skip` a record may be passed over instead, and is counted.
        let skipped = |i: usize| passed.iter().any(|(l, k)| l == list && *k == i);
        for (i, n) in slots.iter().enumerate() {
            hold!(
                "L7",
                payload,
                spec,
                *n == 1 || (*n == 0 && skipped(i)),
                "record {i} of {list:?} comes {n} times over {} pages {cursors:?}\n  {:?}",
                count + 1,
                first.text()
            );
        }
    }
    if spec.select.is_empty()
        && spec.sort_by.is_none()
        && spec.oversize == Oversize::Shrink
        && matches!(spec.keep, None | Some(Keep::Head))
        && let Some(doc) = document(payload, spec).filter(|d| !d.has_equal_keys())
    {
        for (list, rows) in rows.iter().filter(|(l, _)| resumable.contains(l)) {
            let Some(id) = doc.at(list).filter(|&id| doc.kind(id) == Kind::Array) else { continue };
            let Ok(source) = parse(doc.raw(id)) else { continue };
            let v =
                judge(&source, &format!("[{}]", rows.join(",")), Rules { ordered: false, counts: false, marks: false });
            let gone = v.cuts.iter().find(|c| c.path.is_empty() && c.whole + c.pruned < c.total);
            hold!(
                "L7",
                payload,
                spec,
                v.problems.is_empty() && gone.is_none(),
                "the pages of {list:?} do not cover it: {:?} {gone:?}",
                v.problems
            );
        }
    }
    Ok(())
}

/// Adds the raw records that a page shows, by list.
fn gather(page: &Delivery, first: bool, rows: &mut BTreeMap<String, Vec<String>>) {
    let Ok(doc) = parse(page.text()) else { return };
    let mut add = |list: String, id: usize| {
        rows.entry(list).or_default().extend(doc.children(id).iter().map(|&c| doc.raw(c).to_owned()));
    };
    let envelope = doc.member(0, "total").is_some() && doc.member(0, "rows").is_some();
    if envelope && (doc.member(0, "list").is_some() || page.lists().iter().any(|l| l.pointer().is_empty())) {
        let list = doc.member(0, "list").map_or(String::new(), |l| unescape(doc.raw(l)));
        if let Some(id) = doc.member(0, "rows") {
            add(list, id);
        }
    } else if first {
        for list in page.lists() {
            if let Some(id) = doc.at(list.pointer()).filter(|&id| doc.kind(id) == Kind::Array) {
                add(list.pointer().to_owned(), id);
            }
        }
    }
}

/// L13: any bytes and any options give an answer or a typed error with what belongs to it.
pub fn l13_any_bytes(payload: &[u8], spec: &Spec) -> Result<(), String> {
    match spec.deliver(payload) {
        Ok(d) => {
            let answer: Result<serde_json::Value, _> = serde_json::from_str(&d.to_json());
            hold!("L13", payload, spec, answer.is_ok(), "to_json is no JSON: {}", d.to_json());
        }
        Err(e) => {
            let text = e.to_string();
            hold!(
                "L13",
                payload,
                spec,
                !text.is_empty() && !text.ends_with('.'),
                "an error without words: {:?}",
                e.kind()
            );
            let utf8 = std::str::from_utf8(payload);
            if let Err(bad) = utf8 {
                if e.kind() == ErrorKind::InvalidUtf8 {
                    hold!(
                        "L13",
                        payload,
                        spec,
                        e.offset() == Some(bad.valid_up_to()),
                        "bad byte at {}, says {:?}",
                        bad.valid_up_to(),
                        e.offset()
                    );
                }
            } else {
                hold!("L13", payload, spec, e.kind() != ErrorKind::InvalidUtf8, "text is called no text");
            }
            hold!("L13", payload, spec, !refused(&e) || e.needed() > e.available(), "{e}: what is needed is there");
            if e.kind() == ErrorKind::RecordTooLarge {
                hold!("L13", payload, spec, e.needed().is_none(), "{e}: no budget is said to do");
                hold!("L13", payload, spec, e.size() > e.available(), "{e}: it is not too large");
                hold!("L13", payload, spec, e.pointer().is_some() && e.index().is_some(), "{e}: which one is not said");
            }
            let argued = [ErrorKind::InvalidOption, ErrorKind::InvalidPointer, ErrorKind::LimitExceeded];
            hold!("L13", payload, spec, !argued.contains(&e.kind()) || e.argument().is_some(), "{e} names no argument");
        }
    }
    Ok(())
}

/// L15: no empty container, `null`, `false` or zero disappears on its own.
pub fn l15_small_values(payload: &[u8], spec: &Spec) -> Result<(), String> {
    if !spec.select.is_empty() || spec.cursor.is_some() {
        return Ok(());
    }
    let Some(doc) = document(payload, spec).filter(|d| d.kind(0) == Kind::Object) else { return Ok(()) };
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    if d.format() != Format::Json || d.account().claimed().is_some() {
        return Ok(());
    }
    let Ok(out) = parse(d.text()) else { return Ok(()) };
    let told = out.children(0).first().is_some_and(|&n| {
        is_notice_key(&unescape(out.key(n))) && out.children(n).iter().any(|&c| out.key(c) == "\"\"")
    });
    if told {
        return Ok(()); // The root is a map: its members are counted.
    }
    for &c in doc.children(0) {
        if matches!(doc.raw(c), "{}" | "[]" | "null" | "false" | "0" | "\"\"") {
            let there = out.children(0).iter().any(|&o| out.key(o) == doc.key(c) && out.raw(o) == doc.raw(c));
            hold!("L15", payload, spec, there, "{}:{} is gone\n  {:?}", doc.key(c), doc.raw(c), d.text());
        }
    }
    Ok(())
}

/// L16: outside values that a count marks, no scalar's text changes.
pub fn l16_scalars(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let Some(doc) = document(payload, spec) else { return Ok(()) };
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    if d.format() != Format::Json {
        return Ok(());
    }
    let Ok(out) = parse(d.text()) else { return Ok(()) };
    let scalar = |doc: &Doc, id: usize| !matches!(doc.kind(id), Kind::Object | Kind::Array);
    let mut known: Vec<&str> = (0..doc.nodes.len()).filter(|&i| scalar(&doc, i)).map(|i| doc.raw(i)).collect();
    known.sort_unstable();
    // Numbers and words of ours stand in the envelope and in notices only.
    let mut ours = vec![false; out.nodes.len()];
    let envelope = out.member(0, "rows").filter(|_| out.member(0, "total").is_some());
    for id in 0..out.nodes.len() {
        let is_ours = ours[id];
        for &c in out.children(id) {
            let key = unescape(out.key(c));
            let frame = id == 0 && envelope.is_some() && envelope != Some(c);
            let notice = out.kind(id) == Kind::Object && out.children(id).first() == Some(&c) && is_notice_key(&key);
            ours[c] = is_ours || frame || notice;
        }
    }
    // A page of a string shows a piece of it: held against it by law 7.
    let was_page =
        doc.member(0, "rows").is_some_and(|id| doc.member(0, "list").is_some() && doc.kind(id) == Kind::String);
    let piece = envelope.filter(|&id| (spec.cursor.is_some() || was_page) && out.kind(id) == Kind::String);
    for (id, is_ours) in ours.iter().enumerate() {
        if piece == Some(id) {
            continue;
        }
        if *is_ours || !scalar(&out, id) || known.binary_search(&out.raw(id)).is_ok() {
            continue;
        }
        let raw = out.raw(id);
        let marked = out.kind(id) == Kind::String
            && (raw.contains("omitted")
                || raw.contains(" items, ")
                || matches!(unescape(raw).trim_start().bytes().next(), Some(b'{' | b'[')));
        hold!("L16", payload, spec, marked, "{raw} is no scalar of the input\n  {:?}", d.text());
    }
    Ok(())
}

/// L17: nothing is merged across a line boundary (`collapse` exempt by name).
pub fn l17_boundaries(payload: &[u8], spec: &Spec) -> Result<(), String> {
    if spec.collapse || spec.ansi == haversack::Ansi::Strip {
        return Ok(());
    }
    let Ok(source) = std::str::from_utf8(payload) else { return Ok(()) };
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    if d.format() != Format::Lines || blank(source) {
        return Ok(());
    }
    let mut have = text::lines(source);
    have.sort_unstable();
    for (i, line) in text::lines(d.text()).into_iter().enumerate() {
        let ours =
            i == 0 && (text::line_notice(line).is_some() || line.starts_with("[lines ") || line.starts_with('['));
        if ours || have.binary_search(&line).is_ok() {
            continue;
        }
        let from_one =
            have.iter().any(|h| [false, true].iter().any(|&m| crate::oracle::markers::shortened(h, line, false, m)));
        hold!(
            "L17",
            payload,
            spec,
            from_one || spec.cursor.is_some() && line.contains("omitted]"),
            "no line of the input: {line:?}\n  {:?}",
            d.text()
        );
    }
    Ok(())
}

/// L18: with no option but budget, unit, counter, format and share policy, what fits comes back unchanged, and what is
/// not well formed under a format given by name is an error whether or not it fits.
pub fn l18_passthrough(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let Ok(source) = std::str::from_utf8(payload) else { return Ok(()) };
    if !spec.is_plain() {
        return Ok(());
    }
    let answer = spec.deliver(payload);
    if spec.format == Some(Format::Json) && document(payload, spec).is_none() && !may_be_deeper(payload, spec) {
        let kind = answer.as_ref().err().map(Error::kind);
        let typed = matches!(kind, Some(ErrorKind::InvalidJson | ErrorKind::TooDeep));
        hold!("L18", payload, spec, typed, "not JSON, by name: {:?}", answer.map(|d| d.text().to_owned()));
        return Ok(());
    }
    if let (Ok(d), Some(doc)) = (&answer, document(payload, spec)) {
        // Lossless before lossy: what fits once minified is minified and nothing else.
        if d.format() == Format::Json && spec.size(source) > spec.limit && spec.size(&doc.text) <= spec.limit {
            hold!("L18", payload, spec, d.text() == doc.text, "what fits once minified is cut: {:?}", d.text());
        }
    }
    if blank(source) || spec.size(source) > spec.limit {
        return Ok(());
    }
    match answer {
        Ok(d) => hold!("L18", payload, spec, d.text() == source, "what fits is changed: {:?}", d.text()),
        Err(e) => {
            let malformed = spec.format.is_some() && spec.format != Some(Format::Lines) && !refused(&e);
            hold!("L18", payload, spec, malformed, "what fits is refused: {e}");
        }
    }
    Ok(())
}

/// L19: the output is never larger than the input.
pub fn l19_never_larger(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let Ok(source) = std::str::from_utf8(payload) else { return Ok(()) };
    if blank(source) || spec.cursor.is_some() || spec.envelope == Envelope::Always {
        return Ok(());
    }
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    if spec.on_invalid == OnInvalid::Salvage
        && d.warnings().iter().any(|w| w.kind() == haversack::WarningKind::Malformed)
    {
        return Ok(()); // Salvaged: it has to say that the rest is unknown.
    }
    let (a, b) = (spec.size(source), spec.size(d.text()));
    hold!("L19", payload, spec, b <= a, "{a} became {b}: {:?}", d.text());
    Ok(())
}

/// L20: nothing depends on earlier calls.
pub fn l20_deterministic(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let show = |r: &Result<Delivery, Error>| {
        r.as_ref().map_or_else(|e| crate::vectors::error(e).to_string(), Delivery::to_json)
    };
    let first = show(&spec.deliver(payload));
    let _ = Spec::new(Unit::Bytes, 40).deliver(br#"{"a":[1,2,3,4,5,6,7,8,9,10],"b":"abcdefghijklmnopqrstuvwxyz"}"#);
    let second = show(&spec.deliver(payload));
    hold!("L20", payload, spec, first == second, "the same call gives something else\n  {first}\n  {second}");
    Ok(())
}

/// L21: books written to JSON and read back give what the books themselves give.
pub fn l21_state(payload: &[u8], spec: &Spec) -> Result<(), String> {
    offloads_state(payload, spec)?;
    if spec.cursor.is_some() || spec.earlier.is_some() {
        return Ok(());
    }
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    let written = serde_json::to_string(d.account()).unwrap_or_default();
    let Ok(read) = serde_json::from_str::<haversack::Account>(&written) else {
        return broken("L21", payload, spec, &format!("an account is not read back: {written}"));
    };
    hold!("L21", payload, spec, &read == d.account(), "an account changes on its way: {written}");
    let tighter = |account: haversack::Account| {
        let spec = Spec { earlier: Some(account), ..spec.named(d.format()).limit(d.size() / 2) };
        spec.deliver(d.text().as_bytes()).map_or_else(|e| e.to_string(), |d| d.to_json())
    };
    let (a, b) = (tighter(d.account().clone()), tighter(read));
    hold!("L21", payload, spec, a == b, "going on from stored books gives something else\n  {a}\n  {b}");
    Ok(())
}

/// A table of offloads written to JSON is read back as itself; of state that was tampered with, what is taken is taken
/// for good, and what is refused is refused with its place.
fn offloads_state(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let mut table = haversack::Offloads::new();
    let options = haversack::OffloadOptions::new()
        .over(haversack::Budget::chars(payload.len() / 8))
        .preview(haversack::Budget::chars(spec.limit))
        .reader("read_more");
    let call = spec.hint.as_deref().unwrap_or("c/1");
    let Ok(first) = table.prepare(payload, call, &options) else { return Ok(()) };
    let Some(key) = first.key() else { return Ok(()) };
    let whole = if payload.len().is_multiple_of(2) {
        table.commit(key, "dir/\u{202e}1").map(|_| ()).is_ok()
    } else {
        table.refuse(key, "disk \u{7} full").is_ok()
    };
    hold!("L21", payload, spec, whole, "a prepared key cannot be answered");
    table.exempt(call);
    let written = table.to_json();
    match haversack::Offloads::from_json(&written) {
        Ok(read) => hold!("L21", payload, spec, read.to_json() == written, "a table changes on its way: {written}"),
        Err(e) => return broken("L21", payload, spec, &format!("a table is not read back: {e}\n  {written}")),
    }
    let mut tampered = written.into_bytes();
    for (i, byte) in payload.iter().enumerate().take(16) {
        let place = (i * 7919 + usize::from(*byte) * 31) % tampered.len();
        match byte % 3 {
            0 => tampered[place] = *byte,
            1 => tampered.insert(place, b"-0\",}{[9"[i % 8]),
            _ => drop(tampered.remove(place)),
        }
        let Ok(text) = std::str::from_utf8(&tampered) else { continue };
        match haversack::Offloads::from_json(text) {
            Ok(taken) => {
                let again = haversack::Offloads::from_json(&taken.to_json()).map(|t| t.to_json());
                let same = again.is_ok_and(|t| t == taken.to_json());
                hold!("L21", payload, spec, same, "what was taken is not taken again: {text}");
            }
            Err(e) => {
                hold!("L21", payload, spec, e.kind() == ErrorKind::InvalidState, "{e}: {text}");
                let placed = e.offset().is_some()
                    || e.index().is_some()
                    || !text.contains(r#"{"haversack":"offloads","version":1,"#);
                hold!("L21", payload, spec, placed, "refused without a place: {e}: {text}");
            }
        }
    }
    Ok(())
}

/// L22: full. If a list is cut, its next record could not have been added: 64 units of slack, 2 more per cut list; in
/// tokens at least 95 % of the budget is used, or one more record would exceed it.
pub fn l22_full(payload: &[u8], spec: &Spec) -> Result<(), String> {
    l22_lines(payload, spec)?;
    if spec.cursor.is_some()
        || !spec.select.is_empty()
        || spec.sort_by.is_some()
        || !matches!(spec.keep, None | Some(Keep::Head))
    {
        return Ok(());
    }
    let Some(doc) = document(payload, spec).filter(|d| !d.has_equal_keys()) else { return Ok(()) };
    let Ok(d) = spec.deliver(payload) else { return Ok(()) };
    if d.format() != Format::Json || d.account().claimed().is_some() {
        return Ok(());
    }
    // An entry may sum several lists; the plan names each.
    let mut cut_lists: Vec<&str> =
        d.plan().iter().filter(|r| r.action() != Action::Keep).map(haversack::Run::list).collect();
    cut_lists.sort_unstable();
    cut_lists.dedup();
    let cut_lists = cut_lists.len();
    let free = spec.limit.saturating_sub(d.size());
    let room = free.saturating_sub(64 + 2 * cut_lists);
    if spec.unit == Unit::Tokens && d.size() as u128 * 100 >= spec.limit as u128 * 95 {
        return Ok(());
    }
    for run in d.plan().iter().filter(|r| r.action() == Action::Omit && r.reason() == Reason::Budget) {
        let Some(list) = doc.at(run.list()).filter(|&l| doc.kind(l) == Kind::Array) else { continue };
        let Some(&record) = doc.children(list).get(run.from()) else { continue };
        let size = spec.size(doc.raw(record)) + 1;
        hold!(
            "L22",
            payload,
            spec,
            size > room,
            "{free} left, and record {} of {:?} has {size}\n  {:?}",
            run.from(),
            run.list(),
            d.text()
        );
    }
    Ok(())
}

/// The same for lines that are kept from the front, cut once and cut again: the first line that is not there would not
/// have fitted, but for what the numbers of one more range may take.
fn l22_lines(payload: &[u8], spec: &Spec) -> Result<(), String> {
    let plain = spec.cursor.is_none()
        && spec.earlier.is_none()
        && spec.prefer.is_empty()
        && !spec.collapse
        && spec.ansi == haversack::Ansi::Keep
        && spec.unit != Unit::Tokens
        && !matches!(spec.keep, Some(Keep::Tail));
    let Some(source) = std::str::from_utf8(payload).ok().filter(|_| plain) else { return Ok(()) };
    let Ok(first) = spec.deliver(payload) else { return Ok(()) };
    if first.format() != Format::Lines {
        return Ok(());
    }
    lines_are_full(payload, spec, source, &first)?;
    let again = spec.named(Format::Lines).limit(first.size() * 3 / 4);
    match again.deliver(first.text().as_bytes()) {
        Ok(second) => lines_are_full(first.text().as_bytes(), &again, first.text(), &second),
        Err(_) => Ok(()),
    }
}

fn lines_are_full(payload: &[u8], spec: &Spec, source: &str, d: &Delivery) -> Result<(), String> {
    let stated = usize::from(d.account().claimed().is_some());
    let told = usize::from(d.account().records().omitted > 0 && spec.notice == haversack::NoticePlace::Text);
    let (have, got) = (&text::lines(source)[stated..], text::lines(d.text()));
    let got = got.get(told..).unwrap_or_default();
    let mut once: Vec<&&str> = have.iter().collect();
    once.sort_unstable();
    once.dedup();
    // Equal lines do not tell which of them is there, and a mark of repeats is one with the line above.
    let repeats = stated > 0 && have.iter().any(|line| text::repeats(line).is_some());
    if once.len() < have.len() || have.len() < 2 || repeats {
        return Ok(());
    }
    let one_range = ": -".len() + 2 * d.account().records().total.to_string().len() + 4;
    let head = have.iter().zip(got).take_while(|(a, b)| a == b).count();
    // A line that was shortened ends the head, and took what there was.
    let whole = got.iter().all(|line| once.binary_search(&line).is_ok());
    let (Some(next), true) = (have.get(head), whole && got.len() < have.len()) else { return Ok(()) };
    let free = spec.limit.saturating_sub(d.size());
    let size = spec.size(next) + 1;
    hold!("L22", payload, spec, size + one_range > free, "{free} left, and line {head} has {size}\n  {:?}", d.text());
    Ok(())
}

/// The checker takes exactly what serde_json takes (which goes no deeper than its stack allows, so depth is ours), and
/// a half surrogate is no fault.
pub fn json_check(payload: &[u8]) -> Result<(), String> {
    let mut spec = Spec::new(Unit::Bytes, usize::MAX).named(Format::Json);
    spec.limits.depth = usize::MAX;
    let Ok(source) = std::str::from_utf8(payload) else { return Ok(()) };
    // One byte order mark is white space to us and to the oracle; a second one is none.
    let text = source.strip_prefix('\u{feff}').unwrap_or(source);
    // `IgnoredAny` reads without recursion and without a limit, and looks at every byte of the grammar.
    let serde = serde_json::from_str::<IgnoredAny>(text).is_ok();
    let ours = spec.deliver(payload);
    hold!(
        "json_check",
        payload,
        &spec,
        ours.is_ok() == serde,
        "serde_json says {serde}, we say {:?}",
        ours.map(|d| d.text().to_owned())
    );
    let oracle = parse(source).is_ok();
    hold!("json_check", payload, &spec, oracle == serde, "serde_json says {serde}, the oracle {oracle}");
    Ok(())
}

/// Any text as a cursor gives a page or a typed error about the cursor.
pub fn cursors(payload: &[u8], spec: &Spec) -> Result<(), String> {
    l13_any_bytes(payload, spec)?;
    l1_budget(payload, spec)?;
    l2_parses(payload, spec)?;
    l20_deterministic(payload, spec)
}
