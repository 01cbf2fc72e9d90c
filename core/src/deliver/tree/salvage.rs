//! Broken JSON: the whole records before the break.

use alloc::string::String;

use crate::json::check;

/// Salvages broken JSON: the whole records before the break, with everything that was open closed again.
pub(crate) fn salvage(text: &str, fault: &crate::json::Fault) -> Option<String> {
    let at = fault.open.iter().position(|o| !o.is_object).unwrap_or(fault.open.len().checked_sub(1)?);
    let last = fault.open.get(at)?;
    let mut out = String::from(text.get(..last.whole_end)?);
    if out.starts_with('\u{feff}') {
        out.remove(0);
    }
    for open in fault.open.get(..=at)?.iter().rev() {
        out.push(if open.is_object { '}' } else { ']' });
    }
    check(&out, usize::MAX).is_ok().then_some(out)
}
