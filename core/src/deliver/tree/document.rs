//! One JSON document, whole or cut: the root decides the shape, everything below is shares and records.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::cut::{ListCut, ObjectCut, Piece};
use super::fill::{Cutter, Place};
use super::marks::{Marks, RecordMarks};
use super::page::{Page, Wanted};
use super::render::{Entry, Writer, notice_of, patterns_in};
use super::salvage::{Break, Broken};
use super::sort::Order;
use super::stated::Tree;
use super::string_page::StringPage;
use super::text;
use super::view::View;
use super::warn::{duplicate_key, source_cursor};
use crate::deliver::cursor;
use crate::deliver::delivery::{Delivery, Warning, WarningKind};
use crate::deliver::options::{DeliverOptions, Envelope, Oversize};
use crate::error::Error;
use crate::json::{Fault, Kind, Pattern, Scan, check};
use crate::limits::SHORT_FORMS_BELOW;
use crate::measure::settle;
use crate::wording;

/// The cut document before it is text.
pub(super) enum Root<'a> {
    Object(ObjectCut<'a>),
    Map(ListCut<'a>),
    Rows(ListCut<'a>),
    Text,
}

/// Text and the tree it came from.
pub(super) struct Draft<'a> {
    pub(super) text: String,
    pub(super) runs: Vec<crate::deliver::delivery::Run>,
    pub(super) entries: Vec<Entry>,
    pub(super) next: Option<String>,
    pub(super) root: Root<'a>,
}

impl AsRef<str> for Draft<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Everything about one call that does not change from round to round.
pub(super) struct Job<'a, 'o> {
    pub(super) view: &'a View<'a>,
    pub(super) options: &'o DeliverOptions<'o>,
    pub(super) priority: &'o [Pattern],
    pub(super) marks: &'o Marks,
    pub(super) page: Option<Page>,
    /// The root is an envelope of ours: its rows are the document.
    pub(super) stated: Option<super::marks::Stated>,
    /// What broke off, of salvaged input.
    pub(super) broken: Option<Broken>,
    pub(super) tag: Option<String>,
}

/// Delivers checked JSON. `broke_off` says where salvaged input did.
///
/// # Errors
/// As [`deliver`](crate::deliver()).
pub(crate) fn deliver_json(
    text: &str,
    scan: &Scan,
    options: &DeliverOptions<'_>,
    broke_off: Option<&Break>,
    fields_removed: u64,
    mut warnings: Vec<Warning>,
) -> Result<Delivery, Error> {
    let budget = options.budget;
    let view = View::new(text, scan, budget);
    let mut priority = Vec::new();
    for p in options.priority {
        priority.push(Pattern::parse(p, "priority")?);
    }
    let tag = cursor::tag(options.sort_by, options.descending, options.select);
    let none = Marks::none();
    let (stated, marks) =
        if options.earlier.is_some() || broke_off.is_some() { (None, none) } else { statements(&view) };
    if marks.claimed.is_some() {
        warnings.push(Warning { kind: WarningKind::ClaimedCounts, offset: None, subject: String::new() });
    }
    if let Some(key) = duplicate_key(&view) {
        warnings.push(Warning { kind: WarningKind::DuplicateKey, offset: Some(key.0), subject: key.1 });
    }
    if let Some(broke_off) = broke_off {
        warnings.push(Warning { kind: WarningKind::Malformed, offset: Some(broke_off.at), subject: String::new() });
    }
    let broken = broke_off.map(|b| Broken::find(&view, b, options.limits.notice_pointer));
    let mut job = Job { view: &view, options, priority: &priority, marks: &marks, page: None, stated, broken, tag };
    if let Some(given) = options.cursor {
        if broke_off.is_some() {
            // As for rows and lines.
            let cursor = cursor::parse(given)?;
            return Err(cursor::no_positions(cursor.gaps.first().map_or(0, |gap| gap.from)));
        }
        match job.find_page(given)? {
            Wanted::Records(page) => job.page = Some(page),
            Wanted::Lines(page) => return job.string_page(&page, fields_removed, warnings),
        }
    }
    let plain = job.page.is_none();
    if plain
        && job.broken.is_none()
        && let Some(d) = job.whole(fields_removed, &warnings)?
    {
        return Ok(d);
    }
    if let Some(s) = job.stated.as_ref().filter(|s| s.rows.kind(text) == Kind::String) {
        let page = StringPage::again(text, s)?;
        return job.string_page(&page, fields_removed, warnings);
    }
    let draft = job.cut()?;
    let mut d = job.delivery(draft, fields_removed, warnings)?;
    // The cursor of an envelope of ours names what was left out; read or not, it is none of the tool's.
    if d.account.records.omitted > 0
        && Marks::read_envelope(&view).is_none()
        && let Some(key) = source_cursor(&view)
    {
        d.warnings.push(Warning { kind: WarningKind::SourceCursorSkipsOmitted, offset: None, subject: key });
    }
    Ok(d)
}

/// The inside of a string that holds JSON, cut to `room` units in the spelling of the payload, and whether it is whole.
///
/// # Errors
/// Those of the counter.
pub(super) fn cut_inside(
    view: &View<'_>,
    outer: &Cutter<'_, '_>,
    room: usize,
) -> Result<Option<(String, bool)>, Error> {
    let whole = view.scan.root;
    if view.size(&whole, room)? <= room {
        let mut out = String::new();
        view.write(&whole, &mut out);
        return Ok(Some((out, true)));
    }
    let (stated, marks) = if outer.marks.any() { statements(view) } else { (None, Marks::none()) };
    let options = DeliverOptions { hint: None, reader: None, source: None, ..outer.options.clone() };
    let job = Job::inside(view, &options, &marks, stated);
    let inner = view.budget().with_limit(room);
    if let Some((draft, _)) = settle(&inner, |goal| job.draft(goal, false))? {
        return Ok(Some((draft.text, false)));
    }
    Ok(match job.draft(usize::MAX, true)? {
        Some(least) if view.budget().size(&least.text)? <= room => Some((least.text, false)),
        _ => None,
    })
}

/// Checks JSON against the depth limit. An earlier cut of ours adds two levels at most, which do not count: an
/// envelope, and the mark of a record.
pub(crate) fn check_document(text: &str, depth: usize) -> Result<Scan, Fault> {
    let fault = match check(text, depth) {
        Err(fault) if fault.too_deep => fault,
        answer => return answer,
    };
    match check(text, depth.saturating_add(2)) {
        Ok(scan) if is_stated(&View::new(text, &scan, crate::Budget::bytes(0))) => Ok(scan),
        _ => Err(fault),
    }
}

/// Whether a document inside a string was cut by us before.
pub(super) fn is_stated(view: &View<'_>) -> bool {
    Marks::read_envelope(view).is_some() || Marks::read(view).any()
}

/// The size of the smallest text of a document inside a string.
///
/// # Errors
/// Those of the counter.
pub(super) fn least_inside(view: &View<'_>, outer: &Cutter<'_, '_>) -> Result<Option<usize>, Error> {
    let (stated, marks) = if outer.marks.any() { statements(view) } else { (None, Marks::none()) };
    let options = DeliverOptions { hint: None, reader: None, source: None, ..outer.options.clone() };
    let job = Job::inside(view, &options, &marks, stated);
    match job.draft(usize::MAX, true)? {
        Some(least) => Ok(Some(view.budget().size(&least.text)?)),
        None => Ok(None),
    }
}

pub(super) fn statements(view: &View<'_>) -> (Option<super::marks::Stated>, Marks) {
    match Marks::read_envelope(view) {
        Some((stated, marks)) => (Some(stated), marks),
        // A page of a string is an answer of its own, never a value inside a string.
        None => match Marks::read_string_page(view).filter(|_| view.level() == 0) {
            Some((stated, marks)) => (Some(stated), marks),
            None => (None, Marks::read(view)),
        },
    }
}

impl<'a, 'o> Job<'a, 'o> {
    /// The job of a document that stands in a string.
    pub(super) fn inside(
        view: &'a View<'a>,
        options: &'o DeliverOptions<'o>,
        marks: &'o Marks,
        stated: Option<super::marks::Stated>,
    ) -> Self {
        Job { view, options, priority: &[], marks, page: None, stated, broken: None, tag: None }
    }

    pub(super) fn cut(&self) -> Result<Draft<'a>, Error> {
        let budget = self.view.budget();
        let unit = budget.unit();
        let least = self.draft(usize::MAX, true)?;
        let mut needed = match &least {
            Some(d) => budget.size(&d.text)?,
            None => usize::MAX,
        };
        if self.page.is_none() && self.broken.is_none() && needed > budget.limit() {
            let root = self.view.scan.root;
            let mut small = needed;
            if !budget.is_counted() || (root.end - root.start) / 64 <= budget.limit().max(SHORT_FORMS_BELOW) {
                small = self.view.size(&root, usize::MAX)?;
                if self.options.envelope == Envelope::Always && root.kind(self.view.text) == Kind::Array {
                    small = small.saturating_add(budget.size(&self.whole_frame().head())? + 1);
                }
            }
            needed = needed.min(small);
        }
        if needed > budget.limit() {
            // With `oversize="error"` no budget may do that is below the whole: then the record is what is wrong.
            if self.options.oversize == Oversize::Error && least.is_some() {
                settle(&budget.with_limit(needed), |goal| self.draft(goal, false))?;
            }
            return Err(Error::budget_too_small(needed, budget.limit(), unit));
        }
        if let Some((draft, _)) = settle(budget, |goal| self.draft(goal, false))? {
            return Ok(draft);
        }
        // Counts need not add up: what was thought to fit whole may not, and no text goes out uncounted.
        let Some(draft) = least else { return Err(Error::budget_too_small(needed, budget.limit(), unit)) };
        let size = budget.size(&draft.text)?;
        if size > budget.limit() {
            return Err(Error::budget_too_small(size, budget.limit(), unit));
        }
        Ok(draft)
    }

    /// Room for the host's hint, or for the call of its reader: where there is one, and the text is not small.
    pub(super) fn may_hint(&self, goal: usize, least: bool) -> bool {
        // A round's goal may be above the budget.
        let long = goal.min(self.view.budget().limit()) >= SHORT_FORMS_BELOW;
        !least && long && (self.options.hint.is_some() || self.options.reader.is_some())
    }

    pub(super) fn cutter(&self, goal: usize, least: bool, hinted: bool) -> Cutter<'a, '_> {
        Cutter {
            view: self.view,
            options: self.options,
            priority: self.priority,
            patterns: BTreeSet::new(),
            notice_room: if least { 0 } else { goal / 4 },
            marks: self.marks,
            record_marks: Rc::new(RecordMarks::none()),
            least,
            short: least || goal < SHORT_FORMS_BELOW,
            hinted,
            said: false,
            broken: self.broken.as_ref(),
        }
    }

    /// One attempt at a goal; `least` builds the smallest honest text instead.
    pub(super) fn draft(&self, goal: usize, least: bool) -> Result<Option<Draft<'a>>, Error> {
        let hinted = self.may_hint(goal, least);
        match self.draft_with(goal, least, hinted)? {
            // No hint is worth the records that its room would take.
            None if hinted => self.draft_with(goal, least, false),
            draft => Ok(draft),
        }
    }

    fn draft_with(&self, goal: usize, least: bool, hinted: bool) -> Result<Option<Draft<'a>>, Error> {
        let mut cutter = self.cutter(goal, least, hinted);
        let view = self.view;
        let root = view.scan.root;
        if let Some(page) = &self.page {
            return self.rows(&mut cutter, page.clone(), goal, least);
        }
        if let Some(s) = &self.stated {
            let to = s.rows.count;
            let page = Page {
                path: s.list.clone(),
                node: s.rows,
                is_map: s.is_map,
                skip_first: false,
                from: 0,
                to,
                rest: Vec::new(),
            };
            return self.rows(&mut cutter, page, goal, least);
        }
        match root.kind(view.text) {
            Kind::Array => {
                let to = root.count;
                let page =
                    Page { path: None, node: root, is_map: false, skip_first: false, from: 0, to, rest: Vec::new() };
                self.rows(&mut cutter, page, goal, least)
            }
            Kind::Object => {
                let share = if least { usize::MAX / 4 } else { goal };
                if let Some((object, _)) = cutter.fill_object(&root, share, &Place::root())? {
                    let by_frame = self.render_object(object, goal, hinted);
                    if !least || root.count <= super::fill::MAP_MEMBERS {
                        return Ok(Some(by_frame));
                    }
                    // The smallest text of a large object is that of a map, unless its frame is smaller still.
                    let by_members = self.draft_map(goal, least, hinted)?;
                    let budget = view.budget();
                    return Ok(match by_members {
                        Some(m) if budget.size(&m.text)? < budget.size(&by_frame.text)? => Some(m),
                        _ => Some(by_frame),
                    });
                }
                if root.count > super::fill::MAP_MEMBERS || self.marks.total("").is_some() {
                    return self.draft_map(goal, least, hinted);
                }
                Ok(None)
            }
            Kind::String => {
                let cap = if least { text::floor(&cutter, &root, usize::MAX)? } else { goal };
                let cut = text::cut(&cutter, &root, cap)?;
                Ok(cut.map(|(t, _)| {
                    let gap = t.gap.filter(|_| view.level() == 0);
                    let next = gap.and_then(|gap| gap.cursor("", self.tag.as_deref()));
                    let entries = next.iter().map(|next| Entry::string(String::new(), &root, Some(next.clone())));
                    Draft { text: t.json, runs: Vec::new(), entries: entries.collect(), next, root: Root::Text }
                }))
            }
            Kind::Scalar => Ok(None),
        }
    }

    fn draft_map(&self, goal: usize, least: bool, hinted: bool) -> Result<Option<Draft<'a>>, Error> {
        let mut cutter = self.cutter(goal, least, hinted);
        let root = self.view.scan.root;
        let ours = self.marks.is_ours(self.view, &root, &Place::root());
        let name = super::fill::free_name(self.view, &root, ours);
        let hint = if hinted { wording::hint_widest(self.options) } else { String::new() };
        let head = self.view.size_of_ours(&alloc::format!("\"{name}\":{{}},{hint}"));
        let Some(share) = goal.checked_sub(head) else { return Ok(None) };
        let mut map = cutter.fill_map(&root, share, &Place::root())?;
        map.notice = Some(name);
        let mut writer = Writer::new(self.view, self.tag.clone(), Order::of(self.options));
        let mut entries = alloc::vec![writer.entry(&map)];
        entries.extend(self.stated_entries(&writer, Tree::List(&map), &entries));
        let mut notice = notice_of(&entries);
        let next = writer.cursor(&map);
        self.add_hint(&mut notice, next.as_deref(), hinted);
        writer.list(&map, &notice);
        Ok(Some(Draft { text: writer.out, runs: writer.runs, entries, next, root: Root::Map(map) }))
    }

    fn render_object(&self, object: ObjectCut<'a>, goal: usize, hinted: bool) -> Draft<'a> {
        let mut writer = Writer::new(self.view, self.tag.clone(), Order::of(self.options));
        let mut entries = writer.entries(&object, "", self.marks);
        self.tell_break(&writer, &object, &mut entries);
        let mut entries = self.join_twins(Tree::Object(&object), entries);
        entries.extend(self.stated_entries(&writer, Tree::Object(&object), &entries));
        let mut sums = BTreeMap::new();
        patterns_in(&object, &mut sums);
        let room = goal / 4;
        let mut spent = 0;
        for sum in sums.into_values() {
            let cost = self.view.size_of_ours(&wording::pattern_widest(&sum.path, self.view.text.len()));
            if sum.path.chars().count() <= self.options.limits.notice_pointer && spent + cost <= room {
                spent += cost;
                entries.push(sum);
            }
        }
        let mut nexts: Vec<String> = Vec::new();
        cursors(&writer, &object, "", &mut nexts);
        let next = join(&nexts, self.tag.as_deref());
        let mut notice = notice_of(&entries);
        if !notice.is_empty() {
            self.add_hint(&mut notice, next.as_deref(), hinted);
        }
        writer.object(&object, &notice);
        Draft { text: writer.out, runs: writer.runs, entries, next, root: Root::Object(object) }
    }

    fn add_hint(&self, notice: &mut String, next: Option<&str>, hinted: bool) {
        if let Some(hint) = self.hint(next, hinted) {
            notice.push_str(",\"hint\":\"");
            crate::json::write_escaped(&hint, notice);
            notice.push('"');
        }
    }

    /// The host's hint, or how to call its reader, where it has room.
    pub(super) fn hint(&self, next: Option<&str>, hinted: bool) -> Option<String> {
        if !hinted {
            return None;
        }
        if let Some(hint) = self.options.hint {
            return Some(hint.into());
        }
        let reader = self.options.reader?;
        let next = next?;
        let short = if next.len() <= wording::HINT_CURSOR { next } else { next.split(',').next().unwrap_or(next) };
        (short.len() <= wording::HINT_CURSOR).then(|| wording::call_reader(reader, short))
    }
}

/// The cursors of all lists and strings that can be resumed, in document order.
pub(super) fn cursors(writer: &Writer<'_>, object: &ObjectCut<'_>, path: &str, found: &mut Vec<String>) {
    for (_, child, piece) in &object.cuts {
        let below = || {
            let mut below = String::from(path);
            crate::json::push_token(&mut below, child.key_raw(writer.view.text));
            below
        };
        match piece {
            Piece::Text(text) if writer.view.level() == 0 => {
                found.extend(text.gap.and_then(|gap| gap.cursor(&below(), None)));
            }
            Piece::List(list) if !list.is_whole() => {
                if let Some(c) = writer.cursor(list) {
                    found.push(c.split(';').next().unwrap_or_default().into());
                }
            }
            Piece::Object(inner) => cursors(writer, inner, &below(), found),
            _ => {}
        }
    }
}

pub(super) fn join(parts: &[String], tag: Option<&str>) -> Option<String> {
    if parts.is_empty() {
        return None;
    }
    let mut out = parts.join(",");
    if let Some(tag) = tag {
        out.push(';');
        out.push_str(tag);
    }
    Some(out)
}

/// One JSON record of a text (a line of NDJSON), made to fit `cap` units with a visible mark, or `None`.
///
/// # Errors
/// Those of the counter.
pub(crate) fn prune_record(
    text: &str,
    scan: &Scan,
    cap: usize,
    options: &DeliverOptions<'_>,
    marks: &Marks,
) -> Result<Option<String>, Error> {
    let view = View::new(text, scan, options.budget);
    let job = Job::inside(&view, options, marks, None);
    let mut cutter = job.cutter(cap, false, false);
    // Lines have no notice at the root that could sum patterns: their own marks tell.
    cutter.notice_room = 0;
    let place = Place { path: String::new(), rel: Some(String::new()), depth: 1, twin: false };
    let Some((piece, _)) = cutter.prune(&scan.root, cap, &place)? else { return Ok(None) };
    let mut writer = Writer::new(&view, None, None);
    writer.piece(&piece);
    let fits = options.budget.with_limit(cap).fits(&writer.out)?.is_some();
    Ok(fits.then_some(writer.out))
}
