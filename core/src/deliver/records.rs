//! What lines and rows have in common: pass through, read an earlier cut's statement, select, page, keep the books.

use alloc::string::String;
use alloc::vec::Vec;

use crate::account::{Account, ListAccount};
use crate::deliver::cursor;
use crate::deliver::delivery::Delivery;
use crate::deliver::draft::Draft;
use crate::deliver::notice::{Kind, Teller};
use crate::deliver::options::{Ansi, DeliverOptions, Format, Oversize};
use crate::deliver::parts::{Asked, Parts, past_end};
use crate::deliver::select::Selection;
use crate::deliver::snip;
use crate::deliver::source::{self, Split};
use crate::error::Error;
use crate::measure::{Budget, settle};
use crate::wording;

/// Delivers the records of `text`, whole ones first, with a notice on its own first line. `malformed_at`: they are what
/// was salvaged of a longer input, which broke off there; that is always said, so such a text never passes as it is.
pub(crate) fn deliver_records(
    text: &str,
    split: Split,
    format: Format,
    options: &DeliverOptions<'_>,
    malformed_at: Option<usize>,
) -> Result<Delivery, Error> {
    let budget = options.budget;
    let nothing = match options.ansi {
        Ansi::Keep => is_blank(text),
        Ansi::Strip => text.split_inclusive('\n').all(|line| is_blank(&snip::strip_ansi(line))),
    };
    if nothing {
        return no_output(format, budget, options);
    }
    let mut parts = Parts::read(text, split, options);
    if malformed_at.is_some() {
        (parts.malformed_at, parts.placed, parts.broken_here) = (malformed_at, false, true);
    }
    let passes = options.cursor.is_none() && !parts.broken_here;
    let whole = if passes { whole_text(text, split, options)? } else { None };
    if let Some((text, size)) = whole {
        return Ok(parts.unchanged(text, size, format, budget));
    }
    let words = (options.reader, options.hint, options.source);
    let cursor = options.cursor.map(|c| parts.asked(c)).transpose()?;
    let teller = Teller::new(parts.listed(), budget, words, options.notice)?;
    teller.headless.set(parts.headless);
    let short = teller.short();
    // With `ansi="strip"` the header is a row like any other.
    let header = source::shown(parts.header, split, options);
    let marked = parts.source.marked;
    let mut selection = Selection {
        source: &mut parts.source,
        teller: &teller,
        short: &short,
        places: &parts.places,
        budget,
        header: &header,
        keep: parts.keep,
        oversize: options.oversize,
        prefer: options.prefer,
        shrunk_before: if marked { 0 } else { parts.shrunk_before },
        had_shrunk: parts.shrunk_before > 0,
        reserves: [None; 20],
    };
    let draft = match &cursor {
        Some(asked) => page_draft(&mut selection, asked)?,
        None => first_draft(&mut selection, passes.then_some(text), options)?,
    };
    let size = budget.size(&draft.text)?;
    Ok(parts.answer(draft, size, cursor.as_ref(), format, budget))
}

/// White space only, a byte order mark included.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}

/// Silence becomes a statement.
fn no_output(format: Format, budget: Budget<'_>, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    if let Some(text) = options.cursor {
        for gap in cursor::parse(text)?.gaps {
            if gap.from > 0 {
                return Err(past_end(gap.from, 0));
            }
        }
    }
    let text = String::from(wording::NO_OUTPUT);
    let Some(size) = budget.fits(&text)? else {
        return Err(Error::budget_too_small(budget.size(&text)?, budget.limit(), budget.unit()));
    };
    Ok(Delivery {
        text,
        size,
        unit: budget.unit(),
        format,
        account: Account::default(),
        lists: alloc::vec![ListAccount::default()],
        next: None,
        notice: None,
        warnings: Vec::new(),
        plan: Vec::new(),
    })
}

/// The input as it would be delivered uncut, when that fits.
fn whole_text(text: &str, split: Split, options: &DeliverOptions<'_>) -> Result<Option<(String, usize)>, Error> {
    let budget = options.budget;
    if options.ansi == Ansi::Keep {
        let whole = budget.fits(text)?.map(|n| (String::from(text), n));
        if whole.is_some() || split != Split::Ndjson {
            return Ok(whole);
        }
    }
    // Sequences and white space can be any number of bytes: taken out piece by piece until it is too long to fit.
    let most = budget.limit().saturating_mul(32).saturating_add(1024);
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        if split == Split::Ndjson && is_blank(line) {
            continue;
        }
        out.push_str(&source::shown(line, split, options));
        if out.len() > most {
            return Ok(None);
        }
    }
    Ok(budget.fits(&out)?.map(|n| (out, n)))
}

/// `whole`: the text as it would pass if it fitted.
fn first_draft(
    selection: &mut Selection<'_, '_>,
    whole: Option<&str>,
    options: &DeliverOptions<'_>,
) -> Result<Draft, Error> {
    let budget = options.budget;
    let lone =
        selection.teller.list.kind == Kind::Lines && selection.teller.list.total == 1 && selection.source.total == 1;
    let smallest = selection.smallest();
    let least = budget.size(&smallest.text)?;
    if least > budget.limit() {
        // The whole may be as small, and smaller yet without white space.
        let (mut needed, mut passes, mut most) = (least, false, Some(least));
        while let (Some(limit), Some(text)) = (most, whole) {
            let options = DeliverOptions { budget: budget.with_limit(limit), ..options.clone() };
            let Some((_, n)) = whole_text(text, selection.source.split, &options)? else { break };
            (needed, passes, most) = (n, true, n.checked_sub(1));
        }
        if options.oversize == Oversize::Error && !passes {
            fill(selection, &budget.with_limit(needed), lone)?;
        }
        return Err(Error::budget_too_small(needed, budget.limit(), budget.unit()));
    }
    let found = fill(selection, &budget, lone)?;
    Ok(found.map_or(smallest, |(draft, _)| draft))
}

fn fill(selection: &mut Selection<'_, '_>, budget: &Budget<'_>, lone: bool) -> Result<Option<(Draft, usize)>, Error> {
    if lone { settle(budget, |goal| selection.lone(goal)) } else { settle(budget, |goal| selection.fill(goal)) }
}

fn page_draft(selection: &mut Selection<'_, '_>, asked: &Asked) -> Result<Draft, Error> {
    let budget = selection.budget;
    let mut smallest = selection.smallest_page((asked.span, asked.start), &asked.left)?;
    let mut least = budget.size(&smallest.text)?;
    if least > budget.limit() && !selection.header.is_empty() {
        // Whoever pages has seen the header; a page without it is better than none, and says so.
        let header = selection.leave_out_header();
        let bare = selection.smallest_page((asked.span, asked.start), &asked.left)?;
        let size = budget.size(&bare.text)?;
        if size < least {
            (smallest, least) = (bare, size);
        } else {
            selection.restore_header(header);
        }
    }
    if least > budget.limit() {
        return Err(Error::budget_too_small(least, budget.limit(), budget.unit()));
    }
    if asked.span.0 >= asked.span.1 {
        return Ok(smallest);
    }
    let found = settle(&budget, |goal| selection.page((asked.span, asked.start), &asked.left, goal))?;
    Ok(found.map_or(smallest, |(draft, _)| draft))
}
