//! Judges for what is not one JSON document: lines, CSV and TSV, NDJSON.

use crate::oracle::json::{self, Kind, unescape};
use crate::oracle::judge::{Rules, judge};
use crate::oracle::markers::shortened;
use crate::oracle::stated::is_notice_key;

/// The finding.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What is wrong; empty when nothing is.
    pub problems: Vec<String>,
    /// Nothing was lost.
    pub exact: bool,
    /// Records of the source.
    pub total: u64,
    /// Delivered whole.
    pub whole: u64,
    /// Delivered in part.
    pub pruned: u64,
    /// NDJSON: an unfinished last line, which is no record, was left out.
    pub tail_gone: bool,
}

/// What of the options matters to a judge of text.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// A notice has to stand in the text.
    pub noticed: bool,
    /// Equal lines may be folded.
    pub collapse: bool,
    /// ANSI sequences are removed.
    pub strip: bool,
    /// The counts must be those of this input (false for input that was cut before).
    pub counts: bool,
    /// An earlier cut spoke in the input: where its sum closes, the marks in the records are ours.
    pub marks: bool,
    /// Records stand in the input's order.
    pub ordered: bool,
}

/// How many more times a mark of repeats says that the line above stood there.
pub fn repeats(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("[the line above repeats ")?;
    rest.strip_suffix(" more times]").or_else(|| rest.strip_suffix(" more time]"))?.parse().ok()
}

/// Lines of a text, without their line feeds; a final line feed opens no further line.
pub fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    lines
}

/// The notice of lines: how many of how many are not shown, the ranges (1-based, inclusive), whether there are more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineNotice {
    /// Not shown.
    pub gone: u64,
    /// All lines.
    pub total: u64,
    /// Which are not shown.
    pub ranges: Vec<(u64, u64)>,
    /// There are more ranges than are written.
    pub more: bool,
}

/// Reads `[270 of 933 lines not shown: 41-310; HINT]`.
pub fn line_notice(line: &str) -> Option<LineNotice> {
    let body = line.strip_prefix('[')?.strip_suffix(']')?;
    let (counts, rest) = body.split_once(" lines not shown").or_else(|| body.split_once(" line not shown"))?;
    let (gone, total) = counts.split_once(" of ")?;
    let mut notice = LineNotice { gone: gone.parse().ok()?, total: total.parse().ok()?, ranges: vec![], more: false };
    let list = rest.split("; ").next().unwrap_or("");
    if let Some(list) = list.strip_prefix(": ") {
        for range in list.split(", ") {
            if range == "…" {
                notice.more = true;
                continue;
            }
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            notice.ranges.push((from.parse().ok()?, to.parse().ok()?));
        }
    } else {
        notice.more = true;
    }
    Some(notice)
}

/// How many records the first line of a text, lines or rows, says were shortened.
fn said_shortened(first: &str) -> usize {
    let parts = first.trim_end_matches(']').split("; ").skip(1).take(3);
    parts.filter_map(|part| part.strip_suffix(" shortened")?.parse().ok()).next().unwrap_or(0)
}

fn holds_mark(record: &str) -> bool {
    record.match_indices("…[").any(|(at, open)| {
        let rest = record[at + open.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
        rest.starts_with(" chars omitted]…") && record[at + open.len()..].starts_with(|c: char| c.is_ascii_digit())
    })
}

/// Whether the marks in records are those of the earlier cut: as many hold one as it says it shortened. A line that is
/// all there is speaks for itself.
fn marks_are_ours(records: &[&str]) -> bool {
    match records {
        [line] => holds_mark(line),
        [first, below @ ..] => {
            let said = said_shortened(first);
            said > 0 && said == below.iter().filter(|r| holds_mark(r)).count()
        }
        [] => false,
    }
}

/// Judges lines: whole, in order, or cut with their count; the notice first and true.
pub fn judge_lines(source: &str, delivered: &str, reading: Reading) -> Verdict {
    let strip = |line: &str| if reading.strip { without_ansi(line) } else { line.to_owned() };
    let marked = reading.marks && marks_are_ours(&lines(source));
    let have: Vec<String> = lines(source).into_iter().map(strip).collect();
    let mut verdict = Verdict { total: have.len() as u64, ..Verdict::default() };
    if source.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
        if delivered != "(no output)" && delivered != source {
            verdict.problems.push(format!("text of white space became {delivered:?}"));
        }
        verdict.exact = true;
        verdict.total = 0;
        return verdict;
    }
    let mut got: Vec<String> = lines(delivered).into_iter().map(str::to_owned).collect();
    if delivered == source || got == have {
        verdict.exact = true;
        verdict.whole = verdict.total;
        return verdict;
    }
    let notice = got.first().and_then(|l| line_notice(l)).filter(|_| have.first() != got.first() || reading.counts);
    let mut hidden: Vec<bool> = vec![];
    if let (Some(n), true) = (&notice, reading.noticed) {
        got.remove(0);
        if reading.counts && n.total != verdict.total {
            verdict.problems.push(format!("L4 the notice says {} lines, there are {}", n.total, verdict.total));
        }
        if reading.counts && !n.more {
            hidden = vec![false; have.len()];
            for &(from, to) in &n.ranges {
                for slot in hidden
                    .iter_mut()
                    .take(usize::try_from(to).unwrap_or(0))
                    .skip(usize::try_from(from).unwrap_or(1).max(1) - 1)
                {
                    *slot = true;
                }
            }
            let sum: u64 = n.ranges.iter().map(|(a, b)| (b + 1).saturating_sub(*a)).sum();
            if sum != n.gone && !reading.collapse {
                verdict.problems.push(format!("L4 the ranges hold {sum} lines, the notice says {}", n.gone));
            }
        }
    }
    let mut at = 0;
    let mut folded = 0;
    for line in &got {
        if reading.collapse
            && at > 0
            && let Some(n) = repeats(line)
        {
            // The first line that is the same may not be the one meant: a later one stands in order, too. Unless
            // the input itself says this.
            let own = have[at..].contains(line);
            let runs_on = |a: &usize| {
                let run = have.get(*a..a.saturating_add(n)).unwrap_or_default();
                have[a - 1] == have[at - 1] && run.len() == n && run.iter().all(|l| bare(l) == bare(&have[a - 1]))
            };
            if let Some(a) = (at..have.len()).take(if own { 1 } else { usize::MAX }).find(runs_on) {
                at = a + n;
                folded += n as u64;
                continue;
            }
        }
        let open = |i: &usize| hidden.get(*i) != Some(&true);
        let whole = (at..have.len()).filter(open).find(|&i| have[i] == *line);
        let cut = || (at..have.len()).filter(open).find(|&i| shortened(&have[i], line, false, marked));
        match whole {
            Some(i) => {
                verdict.whole += 1;
                at = i + 1;
            }
            None => match cut() {
                Some(i) => {
                    verdict.pruned += 1;
                    at = i + 1;
                }
                None => {
                    let shown: String = line.chars().take(100).collect();
                    verdict.problems.push(format!("L3 a line that is none of the input's in order: {shown:?}"));
                    return verdict;
                }
            },
        }
    }
    let gone = verdict.total - verdict.whole - verdict.pruned;
    if gone > 0 && reading.noticed && reading.counts {
        match notice {
            None if gone > folded => {
                verdict.problems.push(format!("L4 {gone} lines went without a notice on the first line"))
            }
            Some(n) if n.gone != gone && n.gone != gone - folded => {
                verdict.problems.push(format!("L4 the notice says {} lines are not shown, true {gone}", n.gone));
            }
            _ => {}
        }
    }
    verdict
}

/// A line without the `\r` of its line end.
fn bare(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// A line without CSI, OSC and two-byte escape sequences.
pub fn without_ansi(line: &str) -> String {
    let mut out = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
            continue;
        }
        match chars.peek() {
            Some('[') => {
                chars.next();
                for c in chars.by_ref() {
                    if ('@'..='~').contains(&c) {
                        break;
                    }
                }
            }
            Some(']') => {
                while let Some(c) = chars.next() {
                    if c == '\u{7}' {
                        break;
                    }
                    if c == '\u{1b}' {
                        chars.next();
                        break;
                    }
                }
            }
            _ => {
                chars.next();
            }
        }
    }
    out
}

/// Raw rows of CSV, without their line ends, each as its raw cells. A quote opens at the start of a cell only; a line
/// break or delimiter inside quotes ends nothing. The flag says a quote stays open.
fn scan(text: &str, delimiter: char) -> (Vec<(&str, Vec<&str>)>, bool) {
    let (mut rows, mut cells) = (vec![], vec![]);
    let (mut row, mut cell) = (0, 0);
    let (mut quoted, mut at_start) = (false, true);
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        match c {
            '"' if quoted => {
                if chars.peek().is_some_and(|(_, n)| *n == '"') {
                    chars.next();
                } else {
                    quoted = false;
                }
            }
            _ if quoted => {}
            '"' if at_start => quoted = true,
            '\n' => {
                let end = if text[row..i].ends_with('\r') { i - 1 } else { i };
                cells.push(&text[cell..end.max(cell)]);
                rows.push((&text[row..end], std::mem::take(&mut cells)));
                (row, cell, at_start) = (i + 1, i + 1, true);
                continue;
            }
            c if c == delimiter => {
                cells.push(&text[cell..i]);
                (cell, at_start) = (i + c.len_utf8(), true);
                continue;
            }
            _ => {}
        }
        at_start = false;
    }
    if row < text.len() {
        cells.push(&text[cell..]);
        rows.push((&text[row..], cells));
    }
    (rows, quoted)
}

/// Raw rows, and whether a quote stays open.
pub fn csv_rows(text: &str, delimiter: char) -> (Vec<&str>, bool) {
    let (rows, open) = scan(text, delimiter);
    (rows.into_iter().map(|(row, _)| row).collect(), open)
}

/// Raw cells of one row.
pub fn cells(row: &str, delimiter: char) -> Vec<&str> {
    scan(row, delimiter).0.into_iter().next().map(|(_, cells)| cells).unwrap_or_default()
}

fn unquoted(cell: &str) -> String {
    match cell.strip_prefix('"').and_then(|c| c.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => cell.to_owned(),
    }
}

fn pruned_row(old: &str, new: &str, delimiter: char, marked: bool) -> bool {
    let (a, b) = (cells(old, delimiter), cells(new, delimiter));
    let cut = |x: &str, y: &str| shortened(x, y, false, marked);
    a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| x == y || cut(x, y) || cut(&unquoted(x), &unquoted(y)))
}

/// Reads `# 88 of 118 rows not shown`: how many of how many.
fn rows_notice(line: &str) -> Option<(u64, u64)> {
    let (gone, rest) = line.strip_prefix("# ")?.split_once(" of ")?;
    let total: String = rest.chars().take_while(char::is_ascii_digit).collect();
    rest[total.len()..].starts_with(" rows not shown").then_some(())?;
    Some((gone.parse().ok()?, total.parse().ok()?))
}

/// Judges CSV or TSV: the header, then whole rows in order, or rows whose cells are cut with their counts.
pub fn judge_csv(source: &str, delivered: &str, delimiter: char, reading: Reading) -> Verdict {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let delivered = delivered.strip_prefix('\u{feff}').unwrap_or(delivered);
    let (mut have, broken) = csv_rows(source, delimiter);
    if csv_rows(delivered, delimiter).0 == have {
        let total = have.len().saturating_sub(1) as u64;
        return Verdict { exact: true, total, whole: total, ..Verdict::default() };
    }
    // Input that was cut before starts with a statement of ours, when that closes against the rows below the header.
    let closes = |line: &&str| {
        let (gone, total) = rows_notice(line)?;
        (!reading.counts && gone + have.len() as u64 - 2 == total).then_some(())
    };
    let marked = reading.marks && marks_are_ours(&have);
    if have.len() >= 2 && have.first().and_then(closes).is_some() {
        have.remove(0);
    }
    let (mut got, open) = csv_rows(delivered, delimiter);
    let mut verdict = Verdict { total: have.len().saturating_sub(1) as u64, ..Verdict::default() };
    if open && !broken {
        verdict.problems.push("L3 a row is split inside quotes".into());
    }
    let notice = got.first().and_then(|l| l.strip_prefix("# ")).filter(|_| reading.noticed).map(str::to_owned);
    if notice.is_some() {
        got.remove(0);
    }
    // A byte order mark is white space.
    let plain = |row: Option<&&str>| row.map(|r| r.trim_start_matches('\u{feff}').to_owned());
    if plain(have.first()) != plain(got.first()) {
        verdict.problems.push(format!("L3 the header is gone: {:?}", got.first()));
        return verdict;
    }
    let (rows, mut at) = (&have[1..], 0);
    let mut used = vec![false; rows.len()];
    for row in &got[1..] {
        let from = if reading.ordered { at } else { 0 };
        let free = |i: &usize| !used[*i];
        let found = (from..rows.len()).filter(free).find(|&i| rows[i] == *row);
        let cut = || (from..rows.len()).filter(free).find(|&i| pruned_row(rows[i], row, delimiter, marked));
        let Some(i) = found.or_else(cut) else {
            verdict.problems.push(format!(
                "L3 a row that is none of the input's in order: {:?}",
                row.chars().take(100).collect::<String>()
            ));
            return verdict;
        };
        used[i] = true;
        at = i + 1;
        if rows[i] == *row { verdict.whole += 1 } else { verdict.pruned += 1 }
    }
    let gone = verdict.total - verdict.whole - verdict.pruned;
    if reading.noticed && reading.counts && gone > 0 {
        let said = notice.as_deref().and_then(|n| rows_notice(&format!("# {n}")));
        if said != Some((gone, verdict.total)) {
            verdict.problems.push(format!("L4 the notice {notice:?}, true {gone} of {}", verdict.total));
        }
    }
    verdict
}

/// Bytes of a last line without line end that starts as JSON and cannot be read.
fn unfinished(source: &str) -> u64 {
    let last = source.rsplit('\n').next().unwrap_or_default();
    let start = last.trim_start_matches(['\u{feff}', ' ', '\t', '\r']);
    if start.starts_with(['{', '[']) && json::parse(last).is_err() { last.len() as u64 } else { 0 }
}

/// What of broken CSV is whole: the rows above the one with the quote that stays open.
pub fn salvageable(source: &str, delimiter: char) -> String {
    let source = below_a_break(source);
    let (rows, open) = csv_rows(source, delimiter);
    let broken = if open { rows.last().map_or(0, |row| row.len()) } else { 0 };
    source[..source.len() - broken].to_owned()
}

/// The text without a first line that says where the input it was salvaged from broke off.
pub fn below_a_break(source: &str) -> &str {
    match source.split_once('\n') {
        Some((first, rest)) if first.contains("malformed at byte ") || first.contains(",\"malformed_at\":") => rest,
        _ => source,
    }
}

/// Whether the marks in the lines of NDJSON are those of its earlier cut.
fn lines_marked(source: &str) -> bool {
    let mut below = lines(source).into_iter().filter(|l| !l.trim().is_empty());
    let first = below.next().and_then(|l| json::parse(l).ok());
    let said = first.and_then(|doc| {
        let &notice = doc.children(0).first()?;
        let entry = doc.member(notice, "")?;
        doc.member(entry, "shrunk").and_then(|n| doc.number(n))
    });
    let ours = [" omitted]", "omitted\":{\"", "\"[list, ", "omitted\\\":{", "{\\\"total\\\":"];
    said.is_some_and(|said| said > 0 && below.filter(|l| ours.iter().any(|o| l.contains(o))).count() as u64 == said)
}

/// Judges NDJSON: whole lines in order, JSON lines minified or pruned, plain lines cut with their count.
pub fn judge_ndjson(source: &str, delivered: &str, reading: Reading) -> Verdict {
    let clean = |text: &str| -> Vec<String> {
        // A byte order mark is white space; that of a first line which is no JSON stays with it, below a notice too.
        lines(text)
            .into_iter()
            .map(|l| l.strip_prefix('\u{feff}').unwrap_or(l))
            .filter(|l| !l.trim().is_empty())
            .map(|l| l.strip_suffix('\r').unwrap_or(l).to_owned())
            .collect()
    };
    let (have, mut got) = (clean(source), clean(delivered));
    let plain = |line: &String| if reading.strip { without_ansi(line) } else { line.clone() };
    let mini = |line: &String| json::parse(line).map_or_else(|_| plain(line), |d| d.text);
    let mut have: Vec<String> = have.iter().map(mini).collect();
    let flat: Vec<String> = got.iter().map(mini).collect();
    let tail = unfinished(source);
    let mut verdict = Verdict { total: have.len() as u64 - u64::from(tail > 0), ..Verdict::default() };
    if flat == have {
        verdict.exact = true;
        verdict.whole = verdict.total;
        return verdict;
    }
    if tail > 0 {
        // Where all of it fits it passes, behind the records in whatever order; it has no line end, and an equal line
        // above it has one.
        verdict.tail_gone = got.last() != have.last() || delivered.ends_with('\n');
        if !verdict.tail_gone {
            got.pop();
        }
        have.pop();
    }
    let mut said = None;
    let mut said_tail = None;
    if let Some(doc) = got.first().and_then(|l| json::parse(l).ok()) {
        let sole = doc.children(0).len() == 1 && doc.kind(0) == Kind::Object;
        if sole
            && is_notice_key(&unescape(doc.key(doc.children(0)[0])))
            && reading.noticed
            && have.first() != got.first()
        {
            got.remove(0);
            let inner = doc.children(0)[0];
            let counts = |id| {
                let get = |name: &str| doc.member(id, name).and_then(|n| doc.number(n));
                Some((get("total")?, get("kept")?, get("shrunk").unwrap_or(0)))
            };
            said_tail = doc.member(inner, "incomplete_tail").and_then(|n| doc.number(n));
            said = counts(inner).or_else(|| doc.children(inner).iter().find_map(|&c| counts(c)));
            if said.is_none() && reading.counts {
                verdict.problems.push(format!(
                    "L4 the first line says no total and kept: {}",
                    doc.text.chars().take(120).collect::<String>()
                ));
            }
        }
    }
    let marked = reading.marks && lines_marked(source);
    let rules = Rules { ordered: true, counts: reading.counts, marks: marked };
    let mut used = vec![false; have.len()];
    let mut at = 0;
    for line in &got {
        let from = if reading.ordered { at } else { 0 };
        let flat = mini(line);
        let whole = (from..have.len()).find(|&i| !used[i] && have[i] == flat);
        let cut = || {
            (from..have.len()).find(|&i| {
                !used[i]
                    && match json::parse(&have[i]) {
                        // A record is pruned as an element is, so it is judged as one; a line that is a mere number or
                        // string is a plain one.
                        Ok(doc) if matches!(doc.kind(0), Kind::Object | Kind::Array) => {
                            let old = json::parse(&format!("[{}]", have[i])).ok();
                            old.is_some_and(|o| judge(&o, &format!("[{line}]"), rules).problems.is_empty())
                        }
                        _ => shortened(&have[i], line, false, marked),
                    }
            })
        };
        let Some(i) = whole.or_else(cut) else {
            verdict.problems.push(format!(
                "L3 a line that is none of the input's in order: {:?}",
                line.chars().take(100).collect::<String>()
            ));
            return verdict;
        };
        used[i] = true;
        at = i + 1;
        if whole.is_some() { verdict.whole += 1 } else { verdict.pruned += 1 }
    }
    let gone = verdict.total - verdict.whole - verdict.pruned;
    let tail = if verdict.tail_gone { tail } else { 0 };
    if (gone > 0 || tail > 0) && reading.noticed && reading.counts {
        // An unfinished last line is no record; its bytes are said.
        if said_tail.unwrap_or(0) != tail {
            verdict
                .problems
                .push(format!("L4 the first line says {said_tail:?} bytes of an unfinished line, true {tail}"));
        }
        if said != Some((verdict.total, verdict.whole, verdict.pruned)) {
            verdict.problems.push(format!(
                "L4 the first line says {said:?}, true total {} kept {} shrunk {}",
                verdict.total, verdict.whole, verdict.pruned
            ));
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::{Reading, judge_csv, judge_lines, judge_ndjson, line_notice, without_ansi};

    const PLAIN: Reading =
        Reading { noticed: true, collapse: false, strip: false, counts: true, marks: false, ordered: true };

    #[test]
    fn lines_are_held_to_their_notice() {
        let source = "a1\nb2\nc3\nd4\n";
        assert!(judge_lines(source, "[2 of 4 lines not shown: 2-3]\na1\nd4\n", PLAIN).problems.is_empty());
        for lie in [
            "a1\nd4\n",
            "[2 of 4 lines not shown: 1-2]\na1\nd4",
            "[1 of 4 lines not shown: 2]\na1\nd4",
            "[2 of 4 lines not shown: 2-3]\na1d4",
            "[3 of 5 lines not shown: 2-4]\na1\nd4",
        ] {
            assert!(!judge_lines(source, lie, PLAIN).problems.is_empty(), "{lie}");
        }
        assert_eq!(line_notice("[9 of 20 lines not shown: 1-2, 5, …; ask]").unwrap().ranges, [(1, 2), (5, 5)]);
        assert_eq!(without_ansi("\u{1b}[31mred\u{1b}[0m \u{1b}]8;;x\u{7}l"), "red l");
    }

    #[test]
    fn rows_keep_their_quotes_and_header() {
        let source = "id,text\n1,\"a\nb\"\n2,c\n";
        assert!(judge_csv(source, "# 1 of 2 rows not shown\nid,text\n1,\"a\nb\"\n", ',', PLAIN).problems.is_empty());
        for lie in [
            "id,text\n1,\"a\nb\"\n",
            "# 1 of 2 rows not shown\nid,text\n1,\"a\n",
            "# 1 of 2 rows not shown\n1,\"a\nb\"\n",
            "# 1 of 3 rows not shown\nid,text\n2,c\n",
        ] {
            assert!(!judge_csv(source, lie, ',', PLAIN).problems.is_empty(), "{lie}");
        }
    }

    #[test]
    fn records_a_line_stay_whole() {
        let source = "{\"a\": 1}\nplain\n{\"a\":2}\n";
        assert!(
            judge_ndjson(source, "{\"_omitted\":{\"\":{\"total\":3,\"kept\":2}}}\n{\"a\":1}\nplain\n", PLAIN)
                .problems
                .is_empty()
        );
        for lie in [
            "{\"a\":1}\nplain\n",
            "{\"_omitted\":{\"\":{\"total\":3,\"kept\":2}}}\n{\"a\":3}\nplain\n",
            "{\"_omitted\":{\"\":{\"total\":3,\"kept\":1}}}\n{\"a\":1}\nplain\n",
        ] {
            assert!(!judge_ndjson(source, lie, PLAIN).problems.is_empty(), "{lie}");
        }
    }
}
