//! CSV and TSV: rows that never end inside quotes, and cells that shrink by fair share.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memchr2};

use crate::deliver::delivery::Delivery;
use crate::deliver::options::{DeliverOptions, Format, Keep, OnInvalid};
use crate::deliver::records;
use crate::deliver::shorten::{Cut, Line, find_mark};
use crate::deliver::source::{Split, content};
use crate::error::{Error, ErrorKind};
use crate::measure::Budget;

/// Delivers rows under their header.
///
/// # Errors
/// `invalid_csv` with the offset of a quote that is never closed, or of a missing header; `budget_too_small` when the
/// header does not fit (under `auto` the caller then takes lines).
pub(crate) fn deliver_csv(text: &str, format: Format, options: &DeliverOptions<'_>) -> Result<Delivery, Error> {
    let delimiter = delimiter_of(format);
    if let Some(offset) = open_quote(text, delimiter) {
        // The whole rows before the break: the header at least.
        let whole = &text[..last_row(text, delimiter)];
        if options.on_invalid == OnInvalid::Salvage && !records::is_blank(whole) {
            return records::deliver_records(whole, Split::Rows(delimiter), format, options, Some(offset));
        }
        let message = alloc::format!("invalid {}: the quote at byte {offset} is never closed", format.name());
        return Err(Error::new(ErrorKind::InvalidCsv, message).at(offset).expecting("a closing quote"));
    }
    records::deliver_records(text, Split::Rows(delimiter), format, options, None)
}

/// `,` or tab.
pub(crate) const fn delimiter_of(format: Format) -> u8 {
    if let Format::Tsv = format { b'\t' } else { b',' }
}

/// Where the row that starts at byte `at` ends, line end included.
pub(crate) fn row_end(text: &str, at: usize, delimiter: u8) -> usize {
    let mut at = at;
    loop {
        let cell = cell_end(text, at, delimiter);
        match text.as_bytes().get(cell.end) {
            None => return text.len(),
            Some(b'\n') => return cell.end + 1,
            Some(_) => at = cell.end + 1,
        }
    }
}

/// Bytes of a byte order mark: white space, no part of the first cell.
fn mark_len(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Where the last row starts.
fn last_row(text: &str, delimiter: u8) -> usize {
    let (mut start, mut end) = (0, mark_len(text));
    while end < text.len() {
        start = end;
        end = row_end(text, start, delimiter);
    }
    start
}

/// Offset of a quote that opens a cell and is never closed.
pub(crate) fn open_quote(text: &str, delimiter: u8) -> Option<usize> {
    let mut at = mark_len(text);
    while at < text.len() {
        let cell = cell_end(text, at, delimiter);
        if cell.open {
            return Some(at);
        }
        at = cell.end + 1;
    }
    None
}

/// Where a cell ends, and how it is quoted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellEnd {
    /// Place of the delimiter, of `\n`, or the end of the text.
    pub(crate) end: usize,
    /// Quoted, and never closed.
    pub(crate) open: bool,
    /// A quote where none belongs: inside an unquoted cell, or text after the closing one.
    pub(crate) stray: bool,
}

/// The cell that starts at byte `at`.
pub(crate) fn cell_end(text: &str, at: usize, delimiter: u8) -> CellEnd {
    let bytes = text.as_bytes();
    let mut from = at;
    let quoted = bytes.get(at) == Some(&b'"');
    if quoted {
        from = at + 1;
        loop {
            let Some(i) = memchr(b'"', bytes.get(from..).unwrap_or_default()) else {
                return CellEnd { end: text.len(), open: true, stray: false };
            };
            from += i + 1;
            if bytes.get(from) != Some(&b'"') {
                break;
            }
            from += 1;
        }
    }
    let rest = bytes.get(from..).unwrap_or_default();
    let end = memchr2(delimiter, b'\n', rest).map_or(text.len(), |i| from + i);
    let left = text.get(from..end).unwrap_or_default();
    let at_row_end = bytes.get(end) != Some(&delimiter);
    let left = if at_row_end { left.strip_suffix('\r').unwrap_or(left) } else { left };
    let stray = if quoted { !left.is_empty() } else { left.contains('"') };
    CellEnd { end, open: false, stray }
}

/// The cells of one row as they stand in it, quotes included; the line end is not part of the last.
pub(crate) fn cells(row: &str, delimiter: u8) -> Vec<&str> {
    let row = content(row);
    let mut out = Vec::new();
    let mut at = 0;
    loop {
        let cell = cell_end(row, at, delimiter);
        // A lone line break inside an unquoted last cell cannot be: the row ended there.
        out.push(&row[at..cell.end]);
        if cell.end >= row.len() {
            return out;
        }
        at = cell.end + 1;
    }
}

/// What a cell says: without quotes, `""` as `"`.
pub(crate) fn value(cell: &str) -> Cow<'_, str> {
    let Some(inner) = cell.strip_prefix('"').and_then(|c| c.strip_suffix('"')) else { return Cow::Borrowed(cell) };
    if inner.contains('"') { Cow::Owned(inner.replace("\"\"", "\"")) } else { Cow::Borrowed(inner) }
}

/// The size of a cell; of one that fits into no budget only that it is larger than that, since a counter is dear.
fn weigh(cell: &str, budget: &Budget<'_>) -> Result<usize, Error> {
    Ok(budget.fits(cell)?.unwrap_or_else(|| budget.limit().saturating_mul(2).saturating_add(2)))
}

/// A row that can be shortened cell by cell, never in their number.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    cells: Vec<&'a str>,
    end: &'a str,
    delimiter: u8,
    marked: bool,
    keep: Keep,
}

impl<'a> Row<'a> {
    pub(crate) fn new(raw: &'a str, delimiter: u8, marked: bool, keep: Keep) -> Self {
        let end = &raw[content(raw).len()..];
        Row { cells: cells(raw, delimiter), end, delimiter, marked, keep }
    }

    /// In at most `room` units: small cells stay whole, the others share what is left equally.
    pub(crate) fn cut(&self, room: usize, budget: &Budget<'_>) -> Result<Option<Cut>, Error> {
        let mut sizes = Vec::new();
        let mut floors = Vec::new();
        for cell in &self.cells {
            let size = weigh(cell, budget)?;
            let floor = self.cell(cell, None, budget)?.map_or(size, |(_, n)| n.min(size));
            sizes.push(size);
            floors.push(floor);
        }
        let Some(least) = self.smallest(budget)? else { return Ok(None) };
        if least.1 > room {
            return Ok(None);
        }
        let frame = budget.size(self.end)? + self.cells.len().saturating_sub(1);
        let mut space = room.saturating_sub(frame);
        for _ in 0..8 {
            let cost = |level: usize| -> usize {
                sizes.iter().zip(&floors).map(|(s, f)| (*s).min(level.max(*f))).fold(0, usize::saturating_add)
            };
            if cost(0) > space {
                break;
            }
            let (mut low, mut high) = (0, space);
            while low < high {
                let middle = low + (high - low).div_ceil(2);
                if cost(middle) <= space { low = middle } else { high = middle - 1 }
            }
            let out = self.at_level(Some(low), &sizes, budget)?;
            let n = budget.size(&out)?;
            if n <= room {
                return Ok(Some((out, n)));
            }
            space = space.saturating_sub(n - room).saturating_sub(1);
        }
        Ok(Some(least))
    }

    /// Every cell in its smallest form; `None` when none gets shorter.
    pub(crate) fn smallest(&self, budget: &Budget<'_>) -> Result<Option<Cut>, Error> {
        let sizes = self.cells.iter().map(|c| weigh(c, budget)).collect::<Result<Vec<_>, _>>()?;
        let out = self.at_level(None, &sizes, budget)?;
        let whole: usize = self.cells.iter().map(|c| c.len()).sum::<usize>() + self.cells.len().saturating_sub(1);
        if out.len() >= whole + self.end.len() {
            return Ok(None);
        }
        let n = budget.size(&out)?;
        Ok(Some((out, n)))
    }

    fn at_level(&self, level: Option<usize>, sizes: &[usize], budget: &Budget<'_>) -> Result<String, Error> {
        let mut out = String::new();
        for (i, (cell, size)) in self.cells.iter().zip(sizes).enumerate() {
            if i > 0 {
                out.push(char::from(self.delimiter));
            }
            let whole = level.is_some_and(|l| *size <= l);
            let cut = if whole { None } else { self.cell(cell, level, budget)? };
            match cut {
                Some((text, n)) if n < *size => out.push_str(&text),
                _ => out.push_str(cell),
            }
        }
        out.push_str(self.end);
        Ok(out)
    }

    /// A cell in at most `room` units or, where that is less than its smallest form, in that.
    fn cell(&self, cell: &str, room: Option<usize>, budget: &Budget<'_>) -> Result<Option<Cut>, Error> {
        let text = value(cell);
        // A quote in an unquoted cell is legal to few readers: what is left of such a cell is quoted.
        let quoted = text.len() != cell.len() || cell.contains('"');
        let mark = if self.marked { find_mark(&text) } else { None };
        let line = Line::cell(&text, mark, self.keep);
        let quote = |(text, n): Cut| -> Result<Cut, Error> {
            if !quoted {
                return Ok((text, n));
            }
            let text = alloc::format!("\"{}\"", text.replace('"', "\"\""));
            let n = budget.size(&text)?;
            Ok((text, n))
        };
        let Some(smallest) = line.smallest(budget)? else { return Ok(None) };
        let smallest = quote(smallest)?;
        let mut space = match room {
            Some(room) => room.saturating_sub(if quoted { 2 } else { 0 }),
            None => return Ok(Some(smallest)),
        };
        let room = room.unwrap_or(0);
        // Quotes inside cost twice: less room until it fits.
        for _ in 0..8 {
            let Some(cut) = line.cut(space, budget)? else { break };
            let (text, n) = quote(cut)?;
            if n <= room {
                return Ok(Some((text, n)));
            }
            space = space.saturating_sub(n - room);
        }
        Ok(Some(smallest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_end_outside_quotes() {
        let text = "a,b\n1,\"x\ny\"\"z\n\"\r\n2,5\" pipe\n3,";
        let mut at = 0;
        let mut rows = Vec::new();
        while at < text.len() {
            let end = row_end(text, at, b',');
            rows.push(&text[at..end]);
            at = end;
        }
        assert_eq!(rows, ["a,b\n", "1,\"x\ny\"\"z\n\"\r\n", "2,5\" pipe\n", "3,"]);
        assert_eq!(cells(rows[1], b','), ["1", "\"x\ny\"\"z\n\""]);
        assert_eq!(value(cells(rows[1], b',')[1]), "x\ny\"z\n");
        assert_eq!(cells("3,", b','), ["3", ""]);
        assert_eq!(open_quote("a,b\n1,\"x\n", b','), Some(6));
        assert_eq!(open_quote(text, b','), None);
    }

    #[test]
    fn cells_shrink_and_their_number_stays() {
        let long = "x".repeat(300);
        let quoted = alloc::format!("\"{}\"", "say \"\"hi\"\" ".repeat(40));
        let row = alloc::format!("7,{long},{quoted},ok\r\n");
        for room in 80..400 {
            let Some((text, n)) = Row::new(&row, b',', false, Keep::Both).cut(room, &Budget::chars(room)).unwrap()
            else {
                assert!(room < 100);
                continue;
            };
            assert!(n <= room && n == text.chars().count());
            let now = cells(&text, b',');
            assert_eq!((now.len(), now[0], now[3]), (4, "7", "ok"));
            assert!(text.ends_with("ok\r\n") && open_quote(&text, b',').is_none());
        }
    }
}
