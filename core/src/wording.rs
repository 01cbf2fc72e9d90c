//! Every text of ours that can enter a prompt. Changing one is a breaking change.

/// What stands in for text of white space only: "no output" is a statement, silence is none.
pub(crate) const NO_OUTPUT: &str = "(no output)";
