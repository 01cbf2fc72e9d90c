//! Results that are made smaller inside steps that have to stay, the largest first.

use alloc::string::String;
use alloc::vec::Vec;

use super::super::History;
use super::choose::Chosen;
use super::measure::Measure;
use super::places::{Places, parts_of};
use super::plan::{Plan, Rewritten};
use super::protect::Range;
use super::{KeepAtMost, Reduced};
use crate::deliver::{DeliverOptions, Format, deliver};
use crate::error::{Error, ErrorKind};
use crate::json::{Children, Kind, Node, check, push_token, unescape, write_escaped};
use crate::limits::Limits;
use crate::measure::{Budget, settle};
use crate::wire::{PartKind, Span};

/// Attempts at a level: counts of parts only estimate the count of the whole.
const ROUNDS: usize = 8;

/// A text inside a result.
struct Leaf {
    index: usize,
    path: String,
    /// Where it stands in the history's text.
    span: Span,
    /// JSON as it is instead of a string that holds a text.
    is_json: bool,
    /// What it says: the string without its escapes, or the JSON.
    says: String,
    said: usize,
    size: usize,
    /// The smallest that can be made of it, and its size.
    floor: (String, usize),
}

/// Reduces results among the messages of `kept`, which do not fit as they are.
///
/// None when nothing is left out and nothing can be reduced.
///
/// # Errors
/// `budget_too_small` with the size that would do.
pub(super) fn to_fit(
    history: &History<'_>,
    places: &Places,
    measure: Measure<'_>,
    index: usize,
    kept: Vec<Range>,
) -> Result<Option<Chosen>, Error> {
    let whole = kept.iter().map(|&(from, to)| to - from).sum::<usize>() == history.len();
    let plan_of = |rewritten: &Rewritten| Plan::of(history, places, &kept, rewritten);
    let size_of = |plan: &Plan| measure.list(&plan.texts(history));
    let as_it_is = size_of(&plan_of(&Rewritten::new()))?;
    let KeepAtMost::Size(budget) = measure.0 else {
        return if whole { Ok(None) } else { Err(measure.too_small(as_it_is)) };
    };
    let leaves = leaves(history, &kept, &budget)?;
    if leaves.is_empty() {
        return if whole { Ok(None) } else { Err(measure.too_small(as_it_is)) };
    }
    let smallest: Vec<Option<&str>> = leaves.iter().map(|leaf| Some(leaf.floor.0.as_str())).collect();
    let rewritten = rewrite(history, &leaves, &smallest);
    let floor = plan_of(&rewritten);
    let floor_size = size_of(&floor)?;
    if floor_size > budget.limit() {
        return Err(measure.too_small(floor_size));
    }
    let fixed = as_it_is.saturating_sub(leaves.iter().map(|leaf| leaf.size).sum());
    let mut best = None;
    let mut room = budget.limit().saturating_sub(fixed);
    for _ in 0..ROUNDS {
        let level = level(&leaves, room);
        let texts = texts_at(&leaves, level, &budget)?;
        let drafts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
        let plan = plan_of(&rewrite(history, &leaves, &drafts));
        let size = size_of(&plan)?;
        if size <= budget.limit() {
            let better = best.as_ref().is_none_or(|&(_, _, known)| size > known);
            if better {
                best = Some((plan, texts, size));
            }
            let left = budget.limit() - size;
            if !better || left <= budget.limit() / 50 {
                break;
            }
            room = room.saturating_add(left);
        } else if best.is_some() {
            break;
        } else {
            room = room.saturating_sub(size - budget.limit()).min(room.saturating_sub(1));
        }
    }
    let (mut plan, mut texts, mut size) = match best {
        Some(found) => found,
        None => (floor, leaves.iter().map(|leaf| Some(leaf.floor.0.clone())).collect(), floor_size),
    };
    // Records are whole: what a level leaves free goes to one leaf after the other, the largest first.
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    order.sort_by_key(|&at| core::cmp::Reverse(leaves[at].size));
    for at in order.into_iter().filter(|&at| texts[at].is_some()).take(ROUNDS).collect::<Vec<_>>() {
        let left = budget.limit() - size;
        if left <= budget.limit() / 50 {
            break;
        }
        let now = texts[at].as_deref().map_or(Ok(0), |text| budget.size(text))?;
        let mut more = texts.clone();
        more[at] = text_at(&leaves[at], now.saturating_add(left), &budget)?;
        let drafts: Vec<Option<&str>> = more.iter().map(Option::as_deref).collect();
        let larger = plan_of(&rewrite(history, &leaves, &drafts));
        let grown = size_of(&larger)?;
        if grown > size && grown <= budget.limit() {
            (plan, texts, size) = (larger, more, grown);
        }
    }
    let mut reduced = Vec::new();
    for (leaf, text) in leaves.iter().zip(texts) {
        let Some(text) = text else { continue };
        let after = budget.size(&text)?;
        reduced.push(Reduced { index: leaf.index, path: leaf.path.clone(), before: leaf.size, after });
    }
    Ok(Some(Chosen { index, kept, plan, size, reduced }))
}

/// The size above which leaves are cut so that all together have `room`: the largest give first, down to the next.
fn level(leaves: &[Leaf], room: usize) -> usize {
    let sizes: Vec<(usize, usize)> = leaves.iter().map(|leaf| (leaf.size, leaf.floor.1)).collect();
    let at =
        |level: usize| sizes.iter().map(|&(size, floor)| size.min(level.max(floor))).fold(0, usize::saturating_add);
    let (mut low, mut high) = (0, sizes.iter().map(|&(size, _)| size).max().unwrap_or_default());
    // The highest level whose sum is within the room: sums grow with the level.
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if at(middle) <= room {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// What becomes of each leaf at this level; none for those that are not above it.
fn texts_at(leaves: &[Leaf], level: usize, budget: &Budget<'_>) -> Result<Vec<Option<String>>, Error> {
    leaves.iter().map(|leaf| text_at(leaf, level, budget)).collect()
}

fn text_at(leaf: &Leaf, level: usize, budget: &Budget<'_>) -> Result<Option<String>, Error> {
    Ok(if leaf.size <= level {
        None
    } else if level <= leaf.floor.1 {
        Some(leaf.floor.0.clone())
    } else {
        let budget = budget.with_limit(level);
        let found = settle(&budget, |goal| match cut_down(leaf, budget.with_limit(goal)) {
            Err(e) if e.kind() == ErrorKind::BudgetTooSmall => Ok(None),
            answer => answer.map(Some),
        })?;
        Some(found.map_or_else(|| leaf.floor.0.clone(), |(text, _)| text))
    })
}

/// The leaf within a budget, as JSON.
fn cut_down(leaf: &Leaf, budget: Budget<'_>) -> Result<String, Error> {
    // Its escapes take their share of the room.
    let room = budget.limit() as u128 * leaf.said as u128 / leaf.size.max(1) as u128;
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    reduced_text(&leaf.says, leaf.is_json, budget.with_limit(room.min(budget.limit())))
}

fn reduced_text(says: &str, is_json: bool, budget: Budget<'_>) -> Result<String, Error> {
    let mut options = DeliverOptions::new(budget).limits(Limits { depth: usize::MAX, ..Limits::DEFAULT });
    if is_json {
        options = options.format(Format::Json);
    }
    let delivered = deliver(says, options)?;
    if is_json {
        return Ok(delivered.into_text());
    }
    Ok(quoted(delivered.text()))
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    out.push('"');
    write_escaped(text, &mut out);
    out.push('"');
    out
}

/// The texts inside the results of these messages that can be made smaller.
fn leaves(history: &History<'_>, kept: &[Range], budget: &Budget<'_>) -> Result<Vec<Leaf>, Error> {
    let mut leaves = Vec::new();
    for i in kept.iter().flat_map(|&(from, to)| from..to) {
        for (at, part) in parts_of(history, i).iter().enumerate() {
            let (true, Some(body)) = (matches!(part.kind, PartKind::Result { .. }), part.body) else { continue };
            let mut path = path_of(history, i, at);
            let name = history.text.get(..body.start).and_then(member_before);
            push_token(&mut path, name.unwrap_or("\"content\""));
            texts_inside(history, i, &path, body, budget, &mut leaves)?;
        }
    }
    Ok(leaves)
}

/// The member name (with quotes) of the value that starts where `before` ends.
fn member_before(before: &str) -> Option<&str> {
    let key = before.trim_end().strip_suffix(':')?.trim_end();
    let inside = key.strip_suffix('"')?;
    let start = inside.rfind('"')?;
    key.get(start..)
}

/// Where part `at` of message `index` stands.
fn path_of(history: &History<'_>, index: usize, at: usize) -> String {
    use crate::wire::WireFormat;
    match history.format() {
        WireFormat::OpenAiChat | WireFormat::OpenAiResponses => alloc::format!("/{index}"),
        WireFormat::Anthropic => alloc::format!("/{index}/content/{at}"),
        WireFormat::Gemini => alloc::format!("/{index}/parts/{at}/functionResponse"),
        WireFormat::Bedrock => alloc::format!("/{index}/content/{at}/toolResult"),
    }
}

/// A string is a text; in a list the texts of its blocks are, in an object the values of its members.
fn texts_inside(
    history: &History<'_>,
    index: usize,
    path: &str,
    body: Span,
    budget: &Budget<'_>,
    leaves: &mut Vec<Leaf>,
) -> Result<(), Error> {
    let text = body.of(&history.text);
    let Ok(scan) = check(text, usize::MAX) else { return Ok(()) };
    let mut take = |path: String, node: &Node| -> Result<(), Error> {
        let span = Span { start: body.start + node.start, end: body.start + node.end };
        leaves.extend(leaf(history, index, path, span, budget)?);
        Ok(())
    };
    match scan.root.kind(text) {
        Kind::String => take(path.into(), &scan.root)?,
        Kind::Object => {
            for member in Children::new(text, &scan, &scan.root) {
                let mut path = String::from(path);
                push_token(&mut path, member.key_raw(text));
                take(path, &member.node)?;
            }
        }
        Kind::Array => {
            for (at, block) in Children::new(text, &scan, &scan.root).enumerate() {
                for member in Children::new(text, &scan, &block.node) {
                    let key = member.key_raw(text);
                    // A block's kind, its ids and its media are not texts.
                    if !matches!(key, "\"text\"" | "\"stdout\"" | "\"stderr\"" | "\"json\"") {
                        continue;
                    }
                    let mut path = alloc::format!("{path}/{at}");
                    push_token(&mut path, key);
                    take(path, &member.node)?;
                }
            }
        }
        Kind::Scalar => {}
    }
    Ok(())
}

/// The leaf at `span`, if anything smaller can be made of it.
fn leaf(
    history: &History<'_>,
    index: usize,
    path: String,
    span: Span,
    budget: &Budget<'_>,
) -> Result<Option<Leaf>, Error> {
    let raw = span.of(&history.text);
    let is_json = match raw.as_bytes().first() {
        Some(b'"') => false,
        Some(b'{' | b'[') => true,
        _ => return Ok(None),
    };
    let says: String = if is_json { raw.into() } else { unescape(raw).map(|(_, _, c)| c).collect() };
    let size = budget.size(raw)?;
    let said = if is_json { size } else { budget.size(&says)? };
    let text = match reduced_text(&says, is_json, budget.with_limit(0)) {
        Err(e) => match e.needed().filter(|_| e.kind() == ErrorKind::BudgetTooSmall) {
            Some(needed) => reduced_text(&says, is_json, budget.with_limit(needed)).ok(),
            None if e.kind() == ErrorKind::CounterFailed => return Err(e),
            None => None,
        },
        Ok(_) => None,
    };
    let Some(text) = text else { return Ok(None) };
    let floor = budget.size(&text)?;
    Ok((floor < size).then_some(Leaf { index, path, span, is_json, says, said, size, floor: (text, floor) }))
}

/// The messages with these texts in place of their leaves; none leaves one as it is.
fn rewrite(history: &History<'_>, leaves: &[Leaf], texts: &[Option<&str>]) -> Rewritten {
    let mut messages = Rewritten::new();
    let changed = leaves.iter().zip(texts).filter_map(|(leaf, text)| Some((leaf, (*text)?)));
    let mut open: Option<(usize, String, usize)> = None;
    let close = |open: Option<(usize, String, usize)>, messages: &mut Rewritten| {
        if let Some((index, mut out, from)) = open {
            let end = history.body.messages.get(index).map_or(from, |message| message.span.end);
            out.push_str(history.text.get(from..end).unwrap_or_default());
            messages.insert(index, out);
        }
    };
    for (leaf, text) in changed {
        if open.as_ref().is_none_or(|&(index, ..)| index != leaf.index) {
            close(open.take(), &mut messages);
            let start = history.body.messages.get(leaf.index).map_or(leaf.span.start, |message| message.span.start);
            open = Some((leaf.index, String::new(), start));
        }
        if let Some((_, out, from)) = &mut open {
            out.push_str(history.text.get(*from..leaf.span.start).unwrap_or_default());
            out.push_str(text);
            *from = leaf.span.end;
        }
    }
    close(open, &mut messages);
    messages
}
