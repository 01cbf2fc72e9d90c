//! The excerpt that a pointer shows.

use alloc::string::String;

use crate::deliver::{Format, Keep};
use crate::error::Error;
use crate::measure::Budget;

pub(crate) fn preview(_text: &str, _format: Format, _budget: &Budget<'_>, _keep: Keep) -> Result<String, Error> {
    Ok(String::new())
}
