//! Gemini: the first call of every content of the open turn carries a signature.

use super::draft::Draft;
use super::{RepairAction, splice};
use crate::history::violation::ViolationKind;
use crate::wire::{Role, WireFormat};

/// The value that the provider takes in place of a lost signature.
const NO_SIGNATURE: &str = "\"skip_thought_signature_validator\"";

/// Puts a stand-in where a signature was lost.
pub(super) fn mend(d: &mut Draft<'_>) {
    if d.format() != WireFormat::Gemini {
        return;
    }
    let is_words = |d: &Draft<'_>, at: usize| {
        let slot = &d.slots[at];
        slot.role == Role::User && !d.blocks(slot).iter().any(|&b| d.result(b).is_some() || d.is_made_result(b))
    };
    let turn = (0..d.slots.len()).rev().find(|&at| is_words(d, at)).map_or(0, |at| at + 1);
    for at in turn..d.slots.len() {
        let slot = &d.slots[at];
        if slot.role != Role::Assistant {
            continue;
        }
        let Some(call) = d.blocks(slot).into_iter().find_map(|block| d.call(block)) else { continue };
        let Some(part) = d.part(call).filter(|part| !part.signed) else { continue };
        let text = d.text;
        let name = ["thoughtSignature", "thought_signature"]
            .into_iter()
            .find(|name| splice::member(text, part.span, name).is_some());
        match name {
            Some(name) => d.splices.set_member(text, part.span, name, NO_SIGNATURE),
            None => d.splices.append_member(text, part.span, "thoughtSignature", NO_SIGNATURE),
        }
        let said = "the signature of the first call is lost: the stand-in that the provider takes is put in".into();
        d.tell_part(RepairAction::Fill, ViolationKind::SignatureMissing, call, said);
    }
}
