//! Cutting one JSON document: shares, records, strings, and the notice that tells what is missing.

mod blob;
mod books;
mod cut;
mod document;
mod envelope;
mod fill;
mod index;
mod list;
mod marks;
mod page;
mod records;
mod render;
mod salvage;
mod select;
mod sort;
mod stated;
mod string_gap;
mod string_page;
mod text;
mod told;
mod view;
mod warn;
mod whole;

pub(crate) use document::{check_document, deliver_json, prune_record};
pub(crate) use marks::{Marks, is_marked};
pub(crate) use salvage::{Break, salvage};
pub(crate) use select::{nothing_selected, select, select_any};
pub(crate) use sort::{compare, value_at};
