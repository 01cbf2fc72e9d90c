//! The keyword `limits`.

use haversack::Limits;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{self, Given};

/// A dict from the name of a limit to its number.
pub(crate) fn read_limits(given: Given<'_, '_>) -> PyResult<Option<Limits>> {
    let Some(value) = given else { return Ok(None) };
    let Ok(dict) = value.cast::<PyDict>() else { return Err(arguments::wrong("limits", "a dict of numbers", value)) };
    let mut limits = Limits::DEFAULT;
    for (name, number) in dict {
        let name =
            arguments::text("limits", Some(&name))?.ok_or_else(|| arguments::wrong("limits", "a dict", value))?;
        let place = match &*name {
            "depth" => &mut limits.depth,
            "nested_strings" => &mut limits.nested_strings,
            "notice_pointer" => &mut limits.notice_pointer,
            "entries" => &mut limits.entries,
            "entry_bytes" => &mut limits.entry_bytes,
            "needle_bytes" => &mut limits.needle_bytes,
            _ => {
                let known = "depth, nested_strings, notice_pointer, entries, entry_bytes, needle_bytes";
                return Err(arguments::wrong(
                    "limits",
                    &format!("a dict with the keys {known}"),
                    &name.into_pyobject(value.py())?.into_any(),
                ));
            }
        };
        *place = arguments::number("limits", Some(&number))?.unwrap_or(*place);
    }
    Ok(Some(limits))
}
