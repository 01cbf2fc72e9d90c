//! Marks that a provider refuses: a request with one of them is answered with an error, and nothing is cached.

use alloc::format;
use alloc::string::String;

use super::blocks::{Block, Layout};
use super::predict::may_carry;
use super::rules::{Level, Rule};
use crate::error::{Error, ErrorKind};
use crate::prompt::request::tool_name;
use crate::prompt::strip::Source;

/// Refuses a request whose marks its provider refuses: on a block that may carry none, more of them than there may be,
/// one that asks for a longer life than one before it.
pub(super) fn check_marks(doc: &Source, rule: &Rule, layout: &Layout<'_>) -> Result<(), Error> {
    let refuse = |block: &Block<'_>, why: &str| {
        let piece = piece_of(doc, block);
        let shown = crate::wording::quoted_part(&piece);
        Err(Error::new(ErrorKind::ForbiddenMark, format!("{shown} carries a cache mark {why}")).of_piece(piece))
    };
    // The mark of the whole request is one of the four. What a provider marks by itself is not: of the others beside it
    // the latest are written, and the earlier ones only read.
    let most = if rule.marks_last_message { usize::MAX } else { rule.max_marks };
    let mut count = usize::from(layout.automatic.is_some());
    let mut shortest = u64::MAX;
    for block in layout.unseen.iter().chain(&layout.blocks) {
        let Some(life) = &block.mark else { continue };
        // A cache point closes what stands before it, blank or not: Bedrock takes that.
        let is_blank = block.is_blank() && rule.mark == Some("cache_control");
        if is_blank || !may_carry(rule, block) {
            return refuse(block, "where none may stand");
        }
        count += 1;
        if count > most {
            return refuse(block, &format!("too many: {} may have {most}", rule.name));
        }
        if let Some(life) = rule.life(life.as_deref()) {
            if life.seconds > shortest {
                return refuse(block, "that asks for a longer life than one before it");
            }
            shortest = life.seconds;
        }
    }
    // The mark of the whole request stands behind all others.
    let automatic = layout.automatic.as_ref().and_then(|life| rule.life(life.as_deref()));
    if let (Some(life), Some(last)) = (automatic, layout.blocks.last())
        && life.seconds > shortest
    {
        return refuse(last, "for the whole request that asks for a longer life than one before it");
    }
    Ok(())
}

/// The piece of the prompt that a block belongs to.
fn piece_of(doc: &Source, block: &Block<'_>) -> String {
    match block.message {
        Some(message) => format!("message {message}"),
        None if block.is_tool => {
            let tool = doc.tape.value_at(block.span.0);
            format!("tools/{}", tool_name(doc, &tool))
        }
        None if block.level == Level::Messages => String::from("message 0"),
        None => String::from("system"),
    }
}
