//! Cutting one JSON document: shares, records, strings, and the notice that tells what is missing.

mod blob;
mod cut;
mod document;
mod fill;
mod list;
mod marks;
mod records;
mod render;
mod select;
mod sort;
mod text;
mod view;

pub(crate) use document::{deliver_json, is_cut, prune_record, salvage};
pub(crate) use marks::is_marked;
pub(crate) use select::{nothing_selected, select, select_any};
pub(crate) use sort::{compare, value_at};
