//! From what was returned to what it says.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Finding, Handoff, HandoffKind, HandoffProblem};
use crate::json::{Children, Kind, Node, Scan, check, key_text};
use crate::limits::Limits;
use crate::shown;
use crate::wording::NO_OUTPUT;

/// Why a provider stopped a worker before its end, by the names that providers use. A call of a tool without its result
/// is a stop as well: the loop ended in the middle.
const OUT_OF_BUDGET: [&str; 13] = [
    "max_tokens",
    "length",
    "tool_use",
    "tool_calls",
    "function_call",
    "max_output_tokens",
    "model_context_window_exceeded",
    "incomplete",
    "max_turns",
    "max_steps",
    "timeout",
    "budget",
    "out_of_budget",
];
/// The same for what failed.
const FAILED: [&str; 9] =
    ["error", "failed", "failure", "refusal", "content_filter", "safety", "cancelled", "canceled", "aborted"];

/// Why an answer is none, with the byte or the finding.
type Fault = (HandoffProblem, Option<usize>, Option<usize>);

impl Handoff {
    /// Reads what a worker returned (`None`: nothing at all), beside how its run ended, where the host knows: the
    /// `status` of the run and the provider's `stop_reason`. Never fails: what cannot be read is
    /// [uncheckable](HandoffKind::Uncheckable), with its place. Linear in the text.
    ///
    /// - A stop wins over whatever the text says: `max_tokens`, `length`, `tool_use` and their kin give
    ///   [`OutOfBudget`](HandoffKind::OutOfBudget), `error`, `failed`, `refusal` and their kin
    ///   [`Failed`](HandoffKind::Failed), in any case of letters. Other values (`end_turn`, `completed`) decide
    ///   nothing. Findings that stand complete in the text are kept.
    /// - Blank text, text of invisible characters and `(no output)` are [`Silent`](HandoffKind::Silent).
    /// - `{"kind":"findings","findings":[{"text":…,"sources":[…]}]}`: at least one finding, each with a text and a
    ///   source.
    /// - `{"kind":"empty","looked":[…]}`: at least one place.
    /// - `{"kind":"too_big","reason":…}`, and so `failed`, `not_run`, `out_of_budget`; the reason may be missing.
    /// - The object may stand in the only fenced block of a text. Members of other names are passed over.
    /// - Everything else is [`Uncheckable`](HandoffKind::Uncheckable): `{"findings":[]}`, too, since a field that may
    ///   be missing does not say that nothing was found.
    pub fn parse(text: Option<&str>, status: Option<&str>, stop_reason: Option<&str>) -> Handoff {
        let text = text.unwrap_or_default();
        let answer = answer(text);
        if let Some((kind, reason)) = stopped(stop_reason).or_else(|| stopped(status)) {
            let findings = answer.map(|read| read.findings).unwrap_or_default();
            return Handoff { findings, reason: Some(reason), ..of(kind, text) };
        }
        if shown::is_blank(text) || text.trim() == NO_OUTPUT {
            return of(HandoffKind::Silent, text);
        }
        answer.unwrap_or_else(|(problem, offset, index)| Handoff {
            problem: Some(problem),
            offset,
            index,
            ..of(HandoffKind::Uncheckable, text)
        })
    }
}

fn of(kind: HandoffKind, text: &str) -> Handoff {
    Handoff {
        kind,
        findings: Vec::new(),
        looked: Vec::new(),
        reason: None,
        problem: None,
        offset: None,
        index: None,
        text: text.into(),
    }
}

fn stopped(name: Option<&str>) -> Option<(HandoffKind, String)> {
    let name = name?;
    let is = |known: &[&str]| known.iter().any(|k| k.eq_ignore_ascii_case(name));
    let kind = if is(&OUT_OF_BUDGET) {
        HandoffKind::OutOfBudget
    } else if is(&FAILED) {
        HandoffKind::Failed
    } else {
        return None;
    };
    Some((kind, name.into()))
}

fn answer(text: &str) -> Result<Handoff, Fault> {
    let depth = Limits::DEFAULT.depth;
    let (json, scan) = match check(text, depth) {
        Ok(scan) => (text, scan),
        Err(fault) => {
            let block = fenced(text).and_then(|block| Some((block, check(block, depth).ok()?)));
            block.ok_or((HandoffProblem::NotJson, Some(fault.at), None))?
        }
    };
    let plain = |problem| (problem, None, None);
    if scan.root.kind(json) != Kind::Object {
        return Err(plain(HandoffProblem::NotAnObject));
    }
    let read = Reading { json, scan: &scan };
    let [kind, findings, looked, reason] = read.members(&scan.root, ["kind", "findings", "looked", "reason"])?;
    let kind = kind.and_then(|node| read.text(&node)).and_then(|name| HandoffKind::named(&name));
    match kind {
        Some(HandoffKind::Findings) => {
            let mut found = Vec::new();
            for (index, node) in read.elements(findings).enumerate() {
                found.push(read.finding(&node).map_err(|problem| (problem, None, Some(index)))?);
            }
            if found.is_empty() {
                return Err(plain(HandoffProblem::NoFindings));
            }
            Ok(Handoff { findings: found, ..of(HandoffKind::Findings, text) })
        }
        Some(HandoffKind::Empty) => match read.texts(looked) {
            Some(looked) => Ok(Handoff { looked, ..of(HandoffKind::Empty, text) }),
            None => Err(plain(HandoffProblem::NothingLooked)),
        },
        Some(kind @ (HandoffKind::TooBig | HandoffKind::Failed | HandoffKind::NotRun | HandoffKind::OutOfBudget)) => {
            Ok(Handoff { reason: reason.and_then(|node| read.text(&node)), ..of(kind, text) })
        }
        _ => Err(plain(HandoffProblem::UnknownKind)),
    }
}

/// The inside of the only fenced block of a text.
fn fenced(text: &str) -> Option<&str> {
    let mut fences = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            fences.push((at, at + line.len()));
        }
        if fences.len() > 2 {
            return None;
        }
        at += line.len();
    }
    match fences.as_slice() {
        [open, close] => text.get(open.1..close.0),
        _ => None,
    }
}

struct Reading<'a> {
    json: &'a str,
    scan: &'a Scan,
}

impl Reading<'_> {
    /// The values of these members; a name that stands twice says two things.
    fn members<const N: usize>(&self, object: &Node, names: [&str; N]) -> Result<[Option<Node>; N], Fault> {
        let mut out = [None; N];
        for child in Children::new(self.json, self.scan, object) {
            let key = key_text(child.key_raw(self.json));
            let Some(at) = names.iter().position(|name| *name == key) else { continue };
            if out[at].replace(child.node).is_some() {
                return Err((HandoffProblem::RepeatedMember, Some(child.key.0), None));
            }
        }
        Ok(out)
    }

    /// The elements of an array; none of anything else.
    fn elements(&self, node: Option<Node>) -> impl Iterator<Item = Node> + '_ {
        let array = node.filter(|node| node.kind(self.json) == Kind::Array);
        array.into_iter().flat_map(|node| Children::new(self.json, self.scan, &node)).map(|child| child.node)
    }

    /// A string in which something can be seen.
    fn text(&self, node: &Node) -> Option<String> {
        if node.kind(self.json) != Kind::String {
            return None;
        }
        let text = key_text(node.raw(self.json)).into_owned();
        (!shown::is_blank(&text)).then_some(text)
    }

    /// An array of such strings and nothing else, at least one.
    fn texts(&self, node: Option<Node>) -> Option<Vec<String>> {
        let texts: Vec<String> = self.elements(node).map(|node| self.text(&node)).collect::<Option<_>>()?;
        (!texts.is_empty()).then_some(texts)
    }

    fn finding(&self, node: &Node) -> Result<Finding, HandoffProblem> {
        let object = node.kind(self.json) == Kind::Object;
        let [text, sources] = if object {
            self.members(node, ["text", "sources"]).map_err(|(problem, ..)| problem)?
        } else {
            [None, None]
        };
        let text = text.and_then(|text| self.text(&text)).ok_or(HandoffProblem::NoText)?;
        let sources = self.texts(sources).ok_or(HandoffProblem::NoSource)?;
        Ok(Finding { text, sources })
    }
}
