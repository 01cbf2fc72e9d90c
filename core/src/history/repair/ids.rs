//! Ids that the provider refuses get another: a pure function of the old one, the same for the call and its result.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use super::draft::Draft;
use super::plan::Plan;
use super::{RepairAction, splice};
use crate::history::violation::ViolationKind;
use crate::wire::{IdRule, Link, Profile, Role, Span, Symbol, WireFormat};

/// Letters and digits that every provider takes.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The length that one of them wants to the character, and the others take.
const LENGTH: usize = 9;

/// Gives calls that need one a new id, and their results the same.
pub(super) fn mend(d: &mut Draft<'_>, plan: &Plan, rule: IdRule, profile: &Profile, live: usize) {
    let faults = faults(d, plan, rule, profile, live);
    if faults.is_empty() {
        return;
    }
    let mut results: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..d.body.parts.len() {
        if let Some(call) = plan.call_of(at) {
            results.entry(call).or_default().push(at);
        }
    }
    let mut names = Names::of(d);
    for (call, kind) in faults {
        let id = names.name(d, call, kind);
        let said = alloc::format!("id {} of a call and its result becomes {id}", d.id_text(call));
        d.tell_part(RepairAction::Rename, kind, call, said);
        let json = alloc::format!("\"{id}\"");
        write(d, call, &json, true);
        for &result in results.get(&call).into_iter().flatten() {
            write(d, result, &json, false);
        }
    }
}

/// The calls whose ids do not do, and why.
fn faults(d: &Draft<'_>, plan: &Plan, rule: IdRule, profile: &Profile, live: usize) -> Vec<(usize, ViolationKind)> {
    let format = d.format();
    // OpenAI itself takes an id twice; others do not, and some not even in a later turn.
    let lenient = format == WireFormat::OpenAiChat && !profile.strict;
    let unique = profile.refuses_repeated_call_id;
    let mut found = Vec::new();
    // The turn that last called by an id, and the call.
    let mut used: BTreeMap<Symbol, (usize, usize)> = BTreeMap::new();
    let mut turns: BTreeMap<usize, usize> = BTreeMap::new();
    let (mut turn, mut was_assistant) = (0, false);
    for slot in &d.slots {
        let is_assistant = slot.role == Role::Assistant;
        // A result that does not stay here, but leaves for the turn of its call or is dropped, parts no calls.
        let stays = |result| {
            plan.call_of(result)
                .is_some_and(|call| plan.result_of(call) == Some(result) && turns.get(&call) == Some(&turn))
        };
        let leaves = |block| d.result(block).is_some_and(|result| !stays(result));
        if format == WireFormat::OpenAiResponses && !is_assistant && d.blocks(slot).into_iter().all(leaves) {
            continue;
        }
        let by_message = matches!(format, WireFormat::OpenAiChat);
        turn += usize::from(is_assistant && (by_message || !was_assistant));
        was_assistant = is_assistant;
        turns.extend(d.blocks(slot).into_iter().filter_map(|block| d.call(block)).map(|call| (call, turn)));
        if !is_assistant || slot.source.is_some_and(|source| source < live) {
            continue;
        }
        for call in d.blocks(slot).into_iter().filter_map(|block| d.call(block)) {
            let Some(part) = d.part(call).filter(|part| format != WireFormat::OpenAiChat || part.family == 0) else {
                continue;
            };
            let symbol = match part.link {
                Link::Order => continue,
                Link::Bad => {
                    found.push((call, ViolationKind::BadIdCharset));
                    continue;
                }
                Link::Id(symbol) => symbol,
            };
            let text = d.body.symbols.text(d.text, symbol);
            let before = used.insert(symbol, (turn, call));
            let clashes = before.is_some_and(|(other, earlier)| {
                let open = plan.result_of(earlier).is_some_and(|result| result > call);
                unique || other == turn || format == WireFormat::OpenAiResponses && open
            });
            if clashes && !lenient {
                found.push((call, ViolationKind::DuplicateCallId));
            } else if rule.too_long(&text) {
                found.push((call, ViolationKind::IdTooLong));
            } else if rule.ill_formed(&text) {
                found.push((call, ViolationKind::BadIdCharset));
            }
        }
    }
    found
}

/// New ids that nothing else in the history has.
struct Names {
    taken: BTreeSet<String>,
    /// What an old id became: the same each time it comes back.
    known: BTreeMap<Symbol, String>,
    /// How often an id was doubled, or was not there.
    again: BTreeMap<Option<Symbol>, usize>,
}

impl Names {
    fn of(d: &Draft<'_>) -> Names {
        let ids = d.body.parts.iter().filter_map(|part| match part.link {
            Link::Id(symbol) => Some(symbol),
            Link::Order | Link::Bad => None,
        });
        let symbols: BTreeSet<Symbol> = ids.collect();
        let taken = symbols.into_iter().map(|symbol| d.body.symbols.text(d.text, symbol).into_owned()).collect();
        Names { taken, known: BTreeMap::new(), again: BTreeMap::new() }
    }

    fn name(&mut self, d: &Draft<'_>, call: usize, kind: ViolationKind) -> String {
        let old = match d.part(call).map(|part| part.link) {
            Some(Link::Id(symbol)) => Some(symbol),
            _ => None,
        };
        let doubled = kind == ViolationKind::DuplicateCallId || old.is_none();
        if let Some(known) = old.filter(|_| !doubled).and_then(|old| self.known.get(&old)) {
            return known.clone();
        }
        let text = old.map_or_else(String::new, |old| d.body.symbols.text(d.text, old).into_owned());
        let mut salt = 0;
        if doubled {
            let again = self.again.entry(old).or_default();
            *again += 1;
            salt = *again;
        }
        let mut turn = 0;
        let name = loop {
            let name = spelled(&text, salt, turn);
            if self.taken.insert(name.clone()) {
                break name;
            }
            turn += 1;
        };
        if let Some(old) = old.filter(|_| !doubled) {
            self.known.insert(old, name.clone());
        }
        name
    }
}

fn spelled(old: &str, again: usize, turn: usize) -> String {
    let mut hash = Sha256::new();
    for number in [old.len(), again, turn] {
        hash.update((number as u64).to_le_bytes());
    }
    hash.update(old.as_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let mut number = digest.iter().take(8).fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let mut out = String::with_capacity(LENGTH);
    for _ in 0..LENGTH {
        out.push(char::from(ALPHABET[(number % 62) as usize]));
        number /= 62;
    }
    out
}

/// Writes the id into a call or a result.
fn write(d: &mut Draft<'_>, at: usize, json: &str, is_call: bool) {
    let Some(part) = d.part(at) else { return };
    let inner = |name: &str| splice::member(d.text, part.span, name).filter(|span| span.of(d.text).starts_with('{'));
    let (object, name): (Option<Span>, &str) = match (d.format(), is_call) {
        (WireFormat::OpenAiChat | WireFormat::Anthropic, true) => (Some(part.span), "id"),
        (WireFormat::OpenAiChat, false) => (Some(part.span), "tool_call_id"),
        (WireFormat::OpenAiResponses, _) => (Some(part.span), "call_id"),
        (WireFormat::Anthropic, false) => (Some(part.span), "tool_use_id"),
        (WireFormat::Bedrock, true) => (inner("toolUse"), "toolUseId"),
        (WireFormat::Bedrock, false) => (inner("toolResult"), "toolUseId"),
        (WireFormat::Gemini, true) => (inner("functionCall").or_else(|| inner("function_call")), "id"),
        (WireFormat::Gemini, false) => (inner("functionResponse").or_else(|| inner("function_response")), "id"),
    };
    if let Some(object) = object {
        d.splices.set_member(d.text, object, name, json);
        d.ids.insert(at, json.into());
    }
}
