//! One JSON document, whole or cut: the root decides the shape, everything below is shares and records.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::cut::{ListCut, ObjectCut, Piece};
use super::fill::{Cutter, Place};
use super::marks::Marks;
use super::render::{Entry, Writer, notice_of, patterns, patterns_in, source_bytes};
use super::text;
use super::view::View;
use crate::account::{Account, Counts, ListAccount};
use crate::deliver::cursor::{self, Gap};
use crate::deliver::delivery::{Delivery, Warning, WarningKind};
use crate::deliver::options::{DeliverOptions, Envelope, Format};
use crate::error::{Error, ErrorKind};
use crate::json::{Child, Children, Kind, Node, Pattern, Scan, check, resolve};
use crate::limits::SHORT_FORMS_BELOW;
use crate::measure::settle;
use crate::wording;

/// What a page shows of one list.
#[derive(Clone, Debug)]
struct Page {
    /// Raw path; `None` for the root array.
    path: Option<String>,
    node: Node,
    is_map: bool,
    /// Positions in this text.
    from: usize,
    to: usize,
    /// Gaps handed on.
    rest: Vec<Gap>,
}

/// A root that is cut as a list: what an envelope says around it.
#[derive(Clone, Debug, Default)]
struct Frame {
    list: Option<String>,
    total: Option<usize>,
    omitted: usize,
    shrunk: usize,
    from: usize,
    next: Option<String>,
    hint: Option<String>,
    source: Option<&'static str>,
    notice: String,
    select: Option<String>,
    malformed_at: Option<usize>,
}

impl Frame {
    fn head(&self) -> String {
        let mut out = String::from("{");
        if let Some(list) = &self.list {
            let _ = write!(out, "\"list\":\"{list}\",");
        }
        match (self.total, self.malformed_at) {
            (Some(total), None) => {
                let _ = write!(out, "\"total\":{total},\"omitted\":{}", self.omitted);
            }
            (_, at) => {
                let _ = write!(out, "\"total\":null,\"omitted\":null,\"malformed_at\":{}", at.unwrap_or(0));
            }
        }
        if self.shrunk > 0 {
            let _ = write!(out, ",\"shrunk\":{}", self.shrunk);
        }
        if self.from > 0 {
            let _ = write!(out, ",\"from\":{}", self.from);
        }
        if let Some(next) = &self.next {
            let _ = write!(out, ",\"next\":\"{next}\"");
        }
        if let Some(hint) = &self.hint {
            out.push_str(",\"hint\":\"");
            crate::json::write_escaped(hint, &mut out);
            out.push('"');
        }
        if let Some(source) = self.source {
            let _ = write!(out, ",\"source\":\"{source}\"");
        }
        if !self.notice.is_empty() {
            let _ = write!(out, ",\"_omitted\":{{{}}}", self.notice);
        }
        if let Some(select) = &self.select {
            let _ = write!(out, ",\"select\":{select}");
        }
        out.push_str(",\"rows\":");
        out
    }
}

/// The cut document before it is text.
enum Root<'a> {
    Object(ObjectCut<'a>),
    Map(ListCut<'a>),
    Rows(ListCut<'a>),
    Text,
}

/// Text and the tree it came from.
struct Draft<'a> {
    text: String,
    runs: Vec<crate::deliver::delivery::Run>,
    entries: Vec<Entry>,
    next: Option<String>,
    root: Root<'a>,
}

impl AsRef<str> for Draft<'_> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Everything about one call that does not change from round to round.
struct Job<'a, 'o> {
    view: &'a View<'a>,
    options: &'o DeliverOptions<'o>,
    priority: &'o [Pattern],
    marks: &'o Marks,
    page: Option<Page>,
    /// The root is an envelope of ours: its rows are the document.
    stated: Option<super::marks::Stated>,
    malformed_at: Option<usize>,
    tag: Option<String>,
}

/// Delivers checked JSON. `malformed_at` says where salvaged input broke off.
///
/// # Errors
/// As [`deliver`](crate::deliver()).
pub(crate) fn deliver_json(
    text: &str,
    scan: &Scan,
    options: &DeliverOptions<'_>,
    malformed_at: Option<usize>,
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
        if options.earlier.is_some() || malformed_at.is_some() { (None, none) } else { statements(&view) };
    if marks.claimed.is_some() {
        warnings.push(Warning { kind: WarningKind::ClaimedCounts, offset: None, subject: String::new() });
    }
    if let Some(key) = duplicate_key(&view) {
        warnings.push(Warning { kind: WarningKind::DuplicateKey, offset: Some(key.0), subject: key.1 });
    }
    if malformed_at.is_some() {
        warnings.push(Warning { kind: WarningKind::Malformed, offset: malformed_at, subject: String::new() });
    }
    let mut job =
        Job { view: &view, options, priority: &priority, marks: &marks, page: None, stated, malformed_at, tag };
    if let Some(given) = options.cursor {
        job.page = Some(job.find_page(given)?);
    }
    let plain = job.page.is_none();
    if plain
        && malformed_at.is_none()
        && let Some(d) = job.whole(fields_removed, &warnings)?
    {
        return Ok(d);
    }
    let draft = job.cut()?;
    let mut d = job.delivery(draft, fields_removed, warnings)?;
    if d.account.records.omitted > 0
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

/// Whether a document is an earlier answer of ours.
pub(crate) fn is_cut(text: &str, scan: &Scan) -> bool {
    is_stated(&View::new(text, scan, crate::Budget::bytes(0)))
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
    let (stated, marks) = statements(view);
    let options = DeliverOptions { hint: None, reader: None, source: None, ..outer.options.clone() };
    let job = Job::inside(view, &options, &marks, stated);
    match job.draft(usize::MAX, true)? {
        Some(least) => Ok(Some(view.budget().size(&least.text)?)),
        None => Ok(None),
    }
}

fn statements(view: &View<'_>) -> (Option<super::marks::Stated>, Marks) {
    match Marks::read_envelope(view) {
        Some((stated, marks)) => (Some(stated), marks),
        None => (None, Marks::read(view)),
    }
}

impl<'a, 'o> Job<'a, 'o> {
    /// The job of a document that stands in a string.
    fn inside(
        view: &'a View<'a>,
        options: &'o DeliverOptions<'o>,
        marks: &'o Marks,
        stated: Option<super::marks::Stated>,
    ) -> Self {
        Job { view, options, priority: &[], marks, page: None, stated, malformed_at: None, tag: None }
    }

    /// The whole document, as it came or minified, when that fits.
    fn whole(&self, fields_removed: u64, warnings: &[Warning]) -> Result<Option<Delivery>, Error> {
        let (view, budget) = (self.view, self.view.budget());
        let root = view.scan.root;
        let always = self.options.envelope == Envelope::Always && root.kind(view.text) == Kind::Array;
        let mut text = None;
        if self.options.sort_by.is_some()
            && self.stated.is_none()
            && matches!(root.kind(view.text), Kind::Array | Kind::Object)
        {
            if let Some(sorted) = self.sorted_whole(always)?
                && let Some(n) = budget.fits(&sorted)?
            {
                text = Some((sorted, n));
            }
        } else if always {
            let frame = self.frame_for(root.count, root.count, 0, 0, None, String::new());
            let mut out = frame.head();
            view.write(&root, &mut out);
            out.push('}');
            if let Some(n) = budget.fits(&out)? {
                text = Some((out, n));
            }
        } else if let Some(n) = budget.fits(view.text)? {
            text = Some((String::from(view.text), n));
        } else if root.blanks > 0 || root.end - root.start < view.text.len() {
            // A scalar value has at most four bytes: what is longer cannot fit and is not copied.
            let bytes = root.end - root.start - root.blanks;
            let hopeless = if budget.is_counted() { bytes / 64 } else { bytes / 4 } > budget.limit();
            if !hopeless {
                let mut out = String::new();
                view.write(&root, &mut out);
                if let Some(n) = budget.fits(&out)? {
                    text = Some((out, n));
                }
            }
        }
        let Some((text, size)) = text else { return Ok(None) };
        let mut books = Books::default();
        match &self.stated {
            Some(_) => books.stated(self.marks),
            None => self.books_whole(&mut books),
        }
        if let (Some(claimed), None) = (self.marks.claimed, &self.stated) {
            books.records.total += claimed.omitted;
            books.records.omitted += claimed.omitted;
            books.records.kept = books.records.kept.saturating_sub(claimed.shrunk);
            books.records.shrunk += claimed.shrunk;
        }
        Ok(Some(self.finish(text, size, &books, Vec::new(), None, Vec::new(), fields_removed, warnings.to_vec())))
    }

    /// The whole document with its outermost lists in the order asked for; `None` where it cannot fit.
    fn sorted_whole(&self, always: bool) -> Result<Option<String>, Error> {
        let view = self.view;
        let root = view.scan.root;
        let bytes = root.end - root.start - root.blanks;
        let each = if view.is_counted() { 64 } else { 4 };
        if bytes / each > self.view.budget().limit() {
            return Ok(None);
        }
        let mut out = String::new();
        if root.kind(view.text) == Kind::Array {
            if always {
                out.push_str(&self.frame_for(root.count, root.count, 0, 0, None, String::new()).head());
            }
            self.write_sorted(&root, &mut out)?;
            if always {
                out.push('}');
            }
            return Ok(Some(out));
        }
        out.push('{');
        let mut stack = alloc::vec![(Children::new(view.text, view.scan, &root), true)];
        while let Some((children, first)) = stack.last_mut() {
            let Some(child) = children.next() else {
                out.push('}');
                stack.pop();
                continue;
            };
            if !core::mem::take(first) {
                out.push(',');
            }
            view.write_span(child.key.0, child.key.1, &mut out);
            out.push(':');
            match child.node.kind(view.text) {
                Kind::Array => self.write_sorted(&child.node, &mut out)?,
                Kind::Object => {
                    out.push('{');
                    stack.push((Children::new(view.text, view.scan, &child.node), true));
                }
                _ => view.write(&child.node, &mut out),
            }
        }
        Ok(Some(out))
    }

    fn write_sorted(&self, list: &Node, out: &mut String) -> Result<(), Error> {
        let (view, by) = (self.view, self.options.sort_by.unwrap_or_default());
        let children = Children::new(view.text, view.scan, list);
        out.push('[');
        for (i, child) in super::sort::sorted(view, children, by, self.options.descending, None)?.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            view.write(&child.node, out);
        }
        out.push(']');
        Ok(())
    }

    fn cut(&self) -> Result<Draft<'a>, Error> {
        let budget = self.view.budget();
        let unit = budget.unit();
        let least = self.draft(usize::MAX, true)?;
        let mut needed = match &least {
            Some(d) => budget.size(&d.text)?,
            None => usize::MAX,
        };
        if self.page.is_none() && self.malformed_at.is_none() && needed > budget.limit() {
            let root = self.view.scan.root;
            let mut small = needed;
            if !budget.is_counted() || (root.end - root.start) / 64 <= budget.limit().max(SHORT_FORMS_BELOW) {
                small = self.view.size(&root, usize::MAX)?;
                if self.options.envelope == Envelope::Always && root.kind(self.view.text) == Kind::Array {
                    let frame = self.frame_for(root.count, root.count, 0, 0, None, String::new());
                    small = small.saturating_add(budget.size(&frame.head())? + 1);
                }
            }
            needed = needed.min(small);
        }
        if needed > budget.limit() {
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

    fn cutter(&self, goal: usize, least: bool) -> Cutter<'a, '_> {
        Cutter {
            view: self.view,
            options: self.options,
            priority: self.priority,
            patterns: BTreeSet::new(),
            notice_room: if least { 0 } else { goal / 4 },
            marks: self.marks,
            record_marks: Vec::new(),
            least,
            malformed_at: self.malformed_at,
        }
    }

    /// One attempt at a goal; `least` builds the smallest honest text instead.
    fn draft(&self, goal: usize, least: bool) -> Result<Option<Draft<'a>>, Error> {
        let mut cutter = self.cutter(goal, least);
        let view = self.view;
        let root = view.scan.root;
        if let Some(page) = &self.page {
            return self.rows(&mut cutter, page.clone(), goal, least);
        }
        if let Some(s) = &self.stated {
            let held = Children::new(view.text, view.scan, &s.rows).count();
            let page =
                Page { path: s.list.clone(), node: s.rows, is_map: s.is_map, from: 0, to: held, rest: Vec::new() };
            return self.rows(&mut cutter, page, goal, least);
        }
        match root.kind(view.text) {
            Kind::Array => {
                let page = Page { path: None, node: root, is_map: false, from: 0, to: root.count, rest: Vec::new() };
                self.rows(&mut cutter, page, goal, least)
            }
            Kind::Object => {
                let share = if least { usize::MAX / 4 } else { goal };
                if let Some((object, _)) = cutter.fill_object(&root, share, &Place::root())? {
                    let by_frame = self.render_object(object, goal, least);
                    if !least || root.count <= super::fill::MAP_MEMBERS {
                        return Ok(Some(by_frame));
                    }
                    // The smallest text of a large object is that of a map, unless its frame is smaller still.
                    let by_members = self.draft_map(goal, least)?;
                    let budget = view.budget();
                    return Ok(match by_members {
                        Some(m) if budget.size(&m.text)? < budget.size(&by_frame.text)? => Some(m),
                        _ => Some(by_frame),
                    });
                }
                if root.count > super::fill::MAP_MEMBERS || self.marks.total("").is_some() {
                    return self.draft_map(goal, least);
                }
                Ok(None)
            }
            Kind::String => {
                let cap = if least { text::floor(&cutter, &root, usize::MAX)? } else { goal };
                let cut = text::cut(&mut cutter, &root, cap)?;
                Ok(cut.map(|(t, _)| Draft {
                    text: t.json.clone(),
                    runs: Vec::new(),
                    entries: Vec::new(),
                    next: None,
                    root: Root::Text,
                }))
            }
            Kind::Scalar => Ok(None),
        }
    }

    fn draft_map(&self, goal: usize, least: bool) -> Result<Option<Draft<'a>>, Error> {
        let mut cutter = self.cutter(goal, least);
        let root = self.view.scan.root;
        let ours = self.marks.is_ours(self.view, &root, &Place::root());
        let name = super::fill::free_name(self.view, &root, ours);
        let head = self.view.size_of_ours(&alloc::format!("\"{name}\":{{}},{}", wording::hint_widest(self.options)));
        let Some(share) = goal.checked_sub(head) else { return Ok(None) };
        let mut map = cutter.fill_map(&root, share, &Place::root(), false)?;
        map.notice = Some(name);
        let mut writer = Writer::new(self.view, self.tag.clone());
        let mut entries = alloc::vec![writer.entry(&map)];
        entries.extend(self.stated_entries(&writer, &Tree::List(&map), &entries));
        let mut notice = notice_of(&entries);
        let next = writer.cursor(&map);
        self.add_hint(&mut notice, next.as_deref(), goal, least);
        writer.list(&map, &notice);
        Ok(Some(Draft { text: writer.out, runs: writer.runs, entries, next, root: Root::Map(map) }))
    }

    fn render_object(&self, object: ObjectCut<'a>, goal: usize, least: bool) -> Draft<'a> {
        let mut writer = Writer::new(self.view, self.tag.clone());
        let stars = self.marks.stars();
        let mut entries = writer.entries(&object, "", stars);
        let there = Tree::Object(&object);
        entries.extend(self.stated_entries(&writer, &there, &entries));
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
        cursors(&writer, &object, &mut nexts);
        let next = join(&nexts, self.tag.as_deref());
        let mut notice = notice_of(&entries);
        if !notice.is_empty() {
            self.add_hint(&mut notice, next.as_deref(), goal, least);
        }
        writer.object(&object, &notice);
        Draft { text: writer.out, runs: writer.runs, entries, next, root: Root::Object(object) }
    }

    /// Entries for what an earlier cut said of lists that are here as that text had them.
    fn stated_entries(&self, writer: &Writer<'_>, tree: &Tree<'_, '_>, entries: &[Entry]) -> Vec<Entry> {
        let mut found = Vec::new();
        for (path, total, shrunk) in self.marks.lists() {
            if path.is_empty() {
                continue;
            }
            let Some(names) = Pattern::parse(path, "earlier").ok() else { continue };
            let Some(names) = names.names() else { continue };
            let raw = raw_path(self.view, &names);
            if entries.iter().any(|e| e.path == raw) {
                continue;
            }
            let Some(node) = still_there(self.view, tree, &names) else { continue };
            let held = Children::new(self.view.text, self.view.scan, &node).count();
            let bytes = super::render::content(&node);
            let next = (total > held && writer.view.level() == 0).then(|| {
                let mut next = alloc::format!("{}@{held}", wording::cursor_name(&raw));
                if let Some(tag) = &self.tag {
                    next.push(';');
                    next.push_str(tag);
                }
                next
            });
            found.push(Entry {
                path: raw,
                total,
                kept: held.saturating_sub(shrunk),
                shrunk,
                next,
                bytes: (bytes, bytes, 0),
                ..Entry::default()
            });
        }
        for (path, star) in self.marks.stars() {
            if let Some(entry) = self.stated_sum(tree, path, star, entries) {
                found.push(entry);
            }
        }
        found
    }

    /// The sum entry of an object that is here as the earlier text had it, and so was not cut again.
    fn stated_sum(
        &self,
        tree: &Tree<'_, '_>,
        path: &str,
        star: &super::marks::Star,
        entries: &[Entry],
    ) -> Option<Entry> {
        let pattern = Pattern::parse(path, "earlier").ok()?;
        let names = pattern.names()?;
        let raw = alloc::format!("{}/*", raw_path(self.view, &names));
        if entries.iter().any(|e| e.path == raw) {
            return None;
        }
        let node = still_there(self.view, tree, &names)?;
        let mut sum = Entry { path: raw, total: star.missing, ..Entry::default() };
        for (index, child) in Children::new(self.view.text, self.view.scan, &node).enumerate() {
            if star.members.binary_search(&index).is_ok() {
                let bytes = super::render::content(&child.node);
                sum.total += child.node.count;
                sum.kept += child.node.count;
                sum.bytes.0 += bytes;
                sum.bytes.1 += bytes;
            }
        }
        Some(sum)
    }

    fn add_hint(&self, notice: &mut String, next: Option<&str>, goal: usize, least: bool) {
        if let Some(hint) = self.hint(next, goal, least) {
            notice.push_str(",\"hint\":\"");
            crate::json::write_escaped(&hint, notice);
            notice.push('"');
        }
    }

    /// The host's hint, or how to call its reader; nothing below the size of short forms.
    fn hint(&self, next: Option<&str>, goal: usize, least: bool) -> Option<String> {
        if least || goal < SHORT_FORMS_BELOW {
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

    #[allow(clippy::too_many_arguments)] // the members of the envelope
    fn frame_for(
        &self,
        total: usize,
        delivered: usize,
        shrunk: usize,
        from: usize,
        next: Option<String>,
        notice: String,
    ) -> Frame {
        Frame {
            list: None,
            total: self.malformed_at.is_none().then_some(total),
            omitted: total.saturating_sub(delivered),
            shrunk,
            from,
            next,
            hint: None,
            source: self.options.source.map(crate::deliver::options::SourceState::name),
            notice,
            select: self.select_member(),
            malformed_at: self.malformed_at,
        }
    }

    fn select_member(&self) -> Option<String> {
        if self.options.select.is_empty() || self.view.level() > 0 {
            return None;
        }
        serde_json::to_string(self.options.select).ok()
    }

    /// A root array or a page: its records in an envelope.
    fn rows(
        &self,
        cutter: &mut Cutter<'a, '_>,
        page: Page,
        goal: usize,
        least: bool,
    ) -> Result<Option<Draft<'a>>, Error> {
        let view = self.view;
        let path = page.path.clone().unwrap_or_default();
        let place = Place { path: path.clone(), rel: None, depth: path.matches('/').count() };
        let mut list = cutter.new_list(&page.node, page.is_map, &place);
        list.is_page = self.page.is_some();
        list.malformed_at = self.malformed_at;
        list.no_cursor = self.malformed_at.is_some();
        if let Some(s) = &self.stated {
            list.total = s.total;
            list.offset = s.from;
            list.lossy = true;
        }
        if let (Some(earlier), None, None) = (self.options.earlier, &self.page, &page.path) {
            // What a first cut left out belongs to the total; where it stood is not known.
            let gone = earlier.records.omitted + earlier.records.offloaded;
            list.total = list.total.saturating_add(usize::try_from(gone).unwrap_or(usize::MAX));
            list.lossy = true;
        }
        let paging = self.page.is_some();
        let short = least || goal < SHORT_FORMS_BELOW;
        let name = if page.path.is_some() { &*path } else { "rows" };
        let widest_next = {
            let mut next = alloc::format!("{}@{}..{}", wording::cursor_name(name), list.total, list.total);
            for gap in &page.rest {
                next.push(',');
                next.push_str(&cursor::render(core::slice::from_ref(gap), None).unwrap_or_default());
            }
            if let Some(tag) = &self.tag {
                next.push(';');
                next.push_str(tag);
            }
            next
        };
        let from = if paging { page.from + list.offset } else { list.offset };
        let mut widest = self.frame_for(list.total, 0, 0, from, Some(widest_next), String::new());
        widest.list.clone_from(&page.path);
        if !short {
            widest.hint = Some(wording::hint_widest(self.options));
        }
        let cost = view.size_of_ours(&widest.head()) + 3;
        let room = if least { 0 } else { goal.saturating_sub(cost) };
        let has_records = page.from < page.to;
        if !least && goal < cost {
            return Ok(None);
        }
        // Brackets are part of the cost; what follows counts records and commas alone.
        cutter.order_records(&mut list, Some((page.from, page.to)), room.max(1))?;
        if !least {
            // The notice of patterns is opened by the first record that needs it.
            cutter.take(&mut list, room)?;
            let mut left = room.saturating_sub(list.used);
            let mut holder = ObjectCut {
                node: page.node,
                cuts: Vec::new(),
                star: false,
                notice: None,
                skip_first: false,
                stated: Vec::new(),
            };
            let child = Child { key: (page.node.start, page.node.start), node: page.node };
            // Not whole: a list that is whole would not need an envelope.
            list.demand = usize::MAX;
            holder.cuts.push((0, child, Piece::List(Box::new(list))));
            cutter.grow(&mut holder, &mut left)?;
            let Some((_, _, Piece::List(grown))) = holder.cuts.pop() else { return Ok(None) };
            list = *grown;
        } else if paging && has_records {
            cutter.least = false;
            self.least_record(cutter, &mut list)?;
        }
        let moved = list.kept + list.shrunk > 0 || !list.skipped.is_empty();
        if paging && has_records && !moved {
            return Ok(None);
        }
        let mut writer = Writer::new(view, self.tag.clone());
        let mut sums = BTreeMap::new();
        patterns(&list, &mut sums);
        let (mut entries, mut notice) = (Vec::new(), String::new());
        if !least {
            for sum in sums.into_values() {
                if cutter.patterns.contains(&sum.path) {
                    let words = notice_of(core::slice::from_ref(&sum));
                    if !notice.is_empty() {
                        notice.push(',');
                    }
                    notice.push_str(&words);
                    entries.push(sum);
                }
            }
        }
        let mut next: Vec<String> = Vec::new();
        if !list.no_cursor && view.level() == 0 {
            for (a, b) in list.gaps() {
                let open = b >= list.total;
                next.push(if open {
                    alloc::format!("{}@{a}", wording::cursor_name(name))
                } else {
                    alloc::format!("{}@{a}..{b}", wording::cursor_name(name))
                });
            }
            let beyond = list.offset + list.to;
            if self.stated.is_some() && beyond < list.total {
                let at_end = next.last().is_some_and(|n| n.ends_with(&alloc::format!("..{beyond}")));
                if at_end {
                    if let Some((head, _)) = next.pop().as_deref().and_then(|n| n.rsplit_once("..")) {
                        next.push(head.into());
                    }
                } else {
                    next.push(alloc::format!("{}@{beyond}", wording::cursor_name(name)));
                }
            }
            for gap in &page.rest {
                next.push(cursor::render(core::slice::from_ref(gap), None).unwrap_or_default());
            }
        }
        let next = join(&next, self.tag.as_deref());
        let mut frame = self.frame_for(list.total, list.kept + list.shrunk, list.shrunk, from, next.clone(), notice);
        frame.list = page.path;
        frame.hint = self.hint(next.as_deref(), goal, least);
        if frame.hint.is_none() && !short && self.options.hint.is_some() {
            frame.hint = self.options.hint.map(String::from);
        }
        writer.ours(&frame.head());
        writer.list(&list, "");
        writer.out.push('}');
        let first = writer.entry(&list);
        entries.insert(0, Entry { next: next.clone(), ..first });
        Ok(Some(Draft { text: writer.out, runs: writer.runs, entries, next, root: Root::Rows(list) }))
    }

    /// The first record of a page at its smallest: whole, or pruned as far as it goes.
    fn least_record(&self, cutter: &mut Cutter<'a, '_>, list: &mut ListCut<'a>) -> Result<(), Error> {
        let Some(record) = list.records.peek_front().or_else(|| list.records.peek_back()) else { return Ok(()) };
        let size = self.view.size(&record.child.node, usize::MAX)?;
        // The smallest room in which the record can be taken, whole or pruned.
        let (mut low, mut high) = (1, size + 2);
        let place = Place::record(&list.path, list.path.matches('/').count());
        let skips = self.options.oversize != crate::deliver::options::Oversize::Shrink;
        while low < high && !skips {
            let middle = low + (high - low) / 2;
            let fits = middle > size || cutter.prune(&record.child.node, middle, &place)?.is_some();
            if fits { high = middle } else { low = middle + 1 }
        }
        let extra = self.view.size_of_ours(&wording::shrunk_widest(list.total))
            + self.view.span_size(record.child.key.0, record.child.key.1)?
            + 2;
        let room = if skips { size + 2 } else { high + extra };
        cutter.notice_room = 0;
        if skips {
            cutter.take(list, room)?;
        } else {
            cutter.take_one(list, room)?;
        }
        Ok(())
    }

    /// Reads a cursor: the list of its first gap, and the gaps after it.
    fn find_page(&self, given: &str) -> Result<Page, Error> {
        let cursor = cursor::parse(given)?;
        cursor.check_tag(self.tag.as_deref())?;
        let view = self.view;
        for (before, gap) in cursor.gaps.iter().zip(cursor.gaps.iter().skip(1)) {
            let apart = before.name != gap.name || before.to.is_some_and(|to| to <= gap.from);
            if !apart {
                return Err(Error::new(ErrorKind::InvalidCursor, "the gaps of a list overlap or are out of order")
                    .argument_named("cursor")
                    .numbered(gap.from));
            }
        }
        if cursor.gaps.iter().any(|g| g.offset.is_some()) {
            let message = "a position inside a record is for lines";
            return Err(Error::new(ErrorKind::InvalidCursor, message).argument_named("cursor"));
        }
        let mut gaps = cursor.gaps.into_iter();
        let Some(gap) = gaps.next() else {
            return Err(Error::new(ErrorKind::InvalidCursor, "empty cursor").argument_named("cursor").at(0));
        };
        let mismatch = |what: &str| {
            Error::new(ErrorKind::CursorMismatch, alloc::format!("the cursor names {what}")).argument_named("cursor")
        };
        let (node, path, offset, known, is_map);
        if let Some(s) = &self.stated {
            let own = s.list.as_deref().map_or_else(|| String::from("rows"), wording::decoded);
            if gap.name != own {
                return Err(mismatch("another list than this text holds"));
            }
            (node, path, offset, known, is_map) = (s.rows, s.list.clone(), s.from, s.total, s.is_map);
        } else if gap.name == "rows" {
            let root = view.scan.root;
            if root.kind(view.text) != Kind::Array {
                return Err(mismatch("the rows of a root array, and this is none"));
            }
            (node, path, offset, known, is_map) = (root, None, 0, root.count, false);
        } else {
            let pattern = Pattern::parse(&gap.name, "cursor")?;
            let Some(names) = pattern.names() else { return Err(mismatch("a pattern, which is no list")) };
            let found = resolve(view.text, view.scan, &names);
            let Some((found, _)) = found.filter(|f| f.1 == names.len()) else {
                return Err(mismatch("a list that is not there"));
            };
            let kind = found.kind(view.text);
            if !matches!(kind, Kind::Array | Kind::Object) {
                return Err(mismatch("a value that is no list"));
            }
            let total = self.marks.total_of(&gap.name).unwrap_or(found.count);
            let raw = raw_path(view, &names);
            (node, path, offset, known, is_map) = (found, Some(raw), 0, total, kind == Kind::Object);
        }
        let held = Children::new(view.text, view.scan, &node).count();
        let to = gap.to.unwrap_or(known).min(known);
        if gap.from > known {
            let message = alloc::format!("the cursor starts at {} of a list of {known}", gap.from);
            return Err(Error::new(ErrorKind::CursorPastEnd, message)
                .argument_named("cursor")
                .counts(gap.from, known)
                .numbered(gap.from));
        }
        let inside = gap.from >= offset && gap.from - offset <= held;
        if !inside || (gap.from - offset == held && gap.from < known) {
            return Err(Error::new(
                ErrorKind::CursorNeedsOriginal,
                alloc::format!("record {} is not in this text, which was cut before: page the original", gap.from),
            )
            .argument_named("cursor")
            .numbered(gap.from));
        }
        let mut rest: Vec<Gap> = gaps.map(|g| Gap { name: raw_name(view, &g.name), ..g }).collect();
        if to - offset > held {
            rest.insert(0, Gap::new(&raw_name(view, &gap.name), offset + held, gap.to));
        }
        Ok(Page { path, node, is_map, from: gap.from - offset, to: (to - offset).min(held), rest })
    }

    fn delivery(&self, draft: Draft<'a>, fields_removed: u64, mut warnings: Vec<Warning>) -> Result<Delivery, Error> {
        let size = self.view.budget().size(&draft.text)?;
        let mut books = Books::default();
        match &draft.root {
            Root::Rows(list) | Root::Map(list) => {
                books.list(list);
                if let (Some(earlier), None) = (self.options.earlier, &self.page)
                    && matches!(draft.root, Root::Rows(_))
                {
                    // Counted in the list's total, and added again with the rest of the first account.
                    let gone = earlier.records.omitted + earlier.records.offloaded;
                    books.records.total = books.records.total.saturating_sub(gone);
                    books.records.omitted = books.records.omitted.saturating_sub(gone);
                }
            }
            Root::Object(object) => {
                books.object(self.view, object);
                for star in self.marks.stars().values() {
                    books.records.total += star.missing as u64;
                    books.records.omitted += star.missing as u64;
                }
            }
            Root::Text => books.one_shrunk(self.view.scan.root.end - self.view.scan.root.start),
        }
        let mut lists: Vec<ListAccount> = Vec::new();
        for e in &draft.entries {
            lists.push(ListAccount {
                pointer: wording::decoded(&e.path),
                records: counts(e.total, e.kept, e.shrunk),
                bytes: counts(e.bytes.0, e.bytes.1, e.bytes.2),
                next: e.next.clone().map(|n| wording::decoded(&n)),
            });
        }
        let name = match &draft.root {
            Root::Object(object) => object.notice.as_deref(),
            Root::Map(map) => map.notice.as_deref(),
            Root::Rows(_) | Root::Text => None,
        };
        if let Some(name) = name.filter(|n| *n != wording::NOTICE && !draft.entries.is_empty()) {
            warnings.push(Warning { kind: WarningKind::NoticeRenamed, offset: None, subject: name.into() });
        }
        let next = draft.next.map(|n| wording::decoded(&n));
        Ok(self.finish(draft.text, size, &books, lists, next, draft.runs, fields_removed, warnings))
    }

    #[allow(clippy::too_many_arguments)] // the parts of a delivery
    fn finish(
        &self,
        text: String,
        size: usize,
        books: &Books,
        mut lists: Vec<ListAccount>,
        next: Option<String>,
        plan: Vec<crate::deliver::delivery::Run>,
        fields_removed: u64,
        warnings: Vec<Warning>,
    ) -> Delivery {
        // Patterns speak of lists inside records, which are in no sum; sum entries end in a star.
        let named = lists.iter().filter(|l| !l.pointer.contains('*') || l.pointer.ends_with("/*"));
        let mut rest = (books.records, books.bytes);
        for l in named {
            subtract(&mut rest.0, &l.records);
            subtract(&mut rest.1, &l.bytes);
        }
        if rest.0.total > 0 && rest.0.closes() {
            let root_array = self.view.scan.root.kind(self.view.text) == Kind::Array;
            let star = lists.iter().any(|l| l.pointer == "/*");
            let pointer = if lists.is_empty() && root_array || star { "" } else { "/*" };
            if !lists.iter().any(|l| l.pointer == pointer) {
                lists.push(ListAccount { pointer: pointer.into(), records: rest.0, bytes: rest.1, next: None });
            }
        }
        let mut account =
            Account { records: books.records, bytes: books.bytes, fields_removed, claimed: self.marks.claimed };
        if let Some(earlier) = self.options.earlier {
            carry(&mut account, earlier);
        }
        Delivery {
            text,
            size,
            unit: self.view.budget().unit(),
            format: Format::Json,
            account,
            lists,
            next,
            notice: None,
            warnings,
            plan,
        }
    }

    /// The books of a document that is there whole: its outermost lists.
    fn books_whole(&self, books: &mut Books) {
        let root = self.view.scan.root;
        if root.kind(self.view.text) == Kind::Array {
            books.whole(&root);
        } else {
            outermost(self.view, root, books);
        }
    }
}

/// The account of a first cut, handed over: what it left out stays left out.
pub(crate) fn carry(account: &mut Account, earlier: &Account) {
    let gone = earlier.records.omitted + earlier.records.offloaded;
    account.claimed = Some(earlier.records);
    account.records.total += gone;
    account.records.omitted += earlier.records.omitted;
    account.records.offloaded += earlier.records.offloaded;
    let bytes = earlier.bytes.omitted + earlier.bytes.offloaded;
    account.bytes.total += bytes;
    account.bytes.omitted += earlier.bytes.omitted;
    account.bytes.offloaded += earlier.bytes.offloaded;
}

fn counts(total: usize, kept: usize, shrunk: usize) -> Counts {
    Counts {
        total: total as u64,
        kept: kept as u64,
        shrunk: shrunk as u64,
        offloaded: 0,
        omitted: total.saturating_sub(kept + shrunk) as u64,
    }
}

fn subtract(from: &mut Counts, what: &Counts) {
    from.total = from.total.saturating_sub(what.total);
    from.kept = from.kept.saturating_sub(what.kept);
    from.shrunk = from.shrunk.saturating_sub(what.shrunk);
    from.omitted = from.omitted.saturating_sub(what.omitted);
}

#[derive(Default)]
struct Books {
    records: Counts,
    bytes: Counts,
}

impl Books {
    fn whole(&mut self, list: &Node) {
        self.records.add(&Counts::whole(list.count as u64));
        self.bytes.add(&Counts::whole(super::render::content(list) as u64));
    }

    fn list(&mut self, list: &ListCut<'_>) {
        self.records.add(&counts(list.total, list.kept, list.shrunk));
        let (kept, shrunk) = source_bytes(list);
        self.bytes.add(&counts(super::render::content(&list.node), kept, shrunk));
    }

    fn one_shrunk(&mut self, bytes: usize) {
        self.records.add(&counts(1, 0, 1));
        self.bytes.add(&counts(bytes, 0, bytes));
    }

    fn stated(&mut self, marks: &Marks) {
        if let Some(claimed) = marks.claimed {
            self.records.add(&claimed);
        }
    }

    fn object(&mut self, view: &View<'_>, object: &ObjectCut<'_>) {
        let mut cuts = object.cuts.iter().peekable();
        for (index, child) in Children::new(view.text, view.scan, &object.node).enumerate() {
            let cut = cuts.next_if(|c| c.0 == index);
            if index == 0 && object.skip_first {
                continue;
            }
            match cut {
                Some((_, _, Piece::List(list))) => self.list(list),
                Some((_, _, Piece::Object(inner))) => self.object(view, inner),
                Some((_, _, Piece::Text(t))) if t.whole => {}
                Some((_, child, Piece::Text(_))) => self.one_shrunk(child.node.end - child.node.start),
                None => match child.node.kind(view.text) {
                    Kind::Array => self.whole(&child.node),
                    Kind::Object => outermost(view, child.node, self),
                    _ => {}
                },
            }
        }
    }
}

/// Adds the outermost lists of an object that is there whole.
fn outermost(view: &View<'_>, node: Node, books: &mut Books) {
    if node.kind(view.text) != Kind::Object {
        return;
    }
    let mut stack = alloc::vec![Children::new(view.text, view.scan, &node)];
    while let Some(children) = stack.last_mut() {
        let Some(child) = children.next() else {
            stack.pop();
            continue;
        };
        match child.node.kind(view.text) {
            Kind::Array => books.whole(&child.node),
            Kind::Object => stack.push(Children::new(view.text, view.scan, &child.node)),
            _ => {}
        }
    }
}

/// What became of a value that an earlier statement names.
enum Tree<'t, 'a> {
    Object(&'t ObjectCut<'a>),
    List(&'t ListCut<'a>),
}

/// The value that the names lead to, when it stands in the output as the input has it.
pub(super) fn still_there_in(view: &View<'_>, object: &ObjectCut<'_>, names: &[&str]) -> bool {
    still_there(view, &Tree::Object(object), names).is_some()
}

/// The same for the members of a map.
pub(super) fn still_there_in_map(view: &View<'_>, map: &ListCut<'_>, names: &[&str]) -> bool {
    still_there(view, &Tree::List(map), names).is_some()
}

fn still_there(view: &View<'_>, tree: &Tree<'_, '_>, names: &[&str]) -> Option<Node> {
    let (name, rest) = names.split_first()?;
    let node = match tree {
        Tree::Object(object) => object.node,
        Tree::List(list) => list.node,
    };
    let (index, child) = Children::new(view.text, view.scan, &node)
        .enumerate()
        .find(|(_, c)| crate::json::decode_key(c.key_raw(view.text)) == **name)?;
    let piece = match tree {
        Tree::Object(object) => object.cuts.iter().find(|c| c.0 == index).map(|c| &c.2),
        Tree::List(list) => match list.in_order().find(|i| i.start() == child.key.0)? {
            super::cut::Item::Whole { .. } => None,
            super::cut::Item::Shrunk { piece, .. } => Some(piece),
        },
    };
    match piece {
        None => {
            let mut node = child.node;
            for name in rest {
                let mut children = Children::new(view.text, view.scan, &node);
                node = children.find(|c| crate::json::decode_key(c.key_raw(view.text)) == **name)?.node;
            }
            Some(node)
        }
        Some(Piece::Object(inner)) if rest.is_empty() => Some(inner.node),
        Some(Piece::Object(inner)) => still_there(view, &Tree::Object(inner), rest),
        Some(Piece::List(list)) if !rest.is_empty() && list.is_map => still_there(view, &Tree::List(list), rest),
        Some(_) => None,
    }
}

/// The cursors of all lists that can be resumed, in document order.
fn cursors(writer: &Writer<'_>, object: &ObjectCut<'_>, found: &mut Vec<String>) {
    for (_, _, piece) in &object.cuts {
        match piece {
            Piece::List(list) if !list.is_whole() => {
                if let Some(c) = writer.cursor(list) {
                    found.push(c.split(';').next().unwrap_or_default().into());
                }
            }
            Piece::Object(inner) => cursors(writer, inner, found),
            _ => {}
        }
    }
}

fn join(parts: &[String], tag: Option<&str>) -> Option<String> {
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

/// The raw path of the value that the names lead to, in the escapes of the document's own keys.
fn raw_path(view: &View<'_>, names: &[&str]) -> String {
    let mut path = String::new();
    let mut node = view.scan.root;
    for name in names {
        let mut children = Children::new(view.text, view.scan, &node);
        if node.kind(view.text) == Kind::Object {
            let Some(child) = children.find(|c| crate::json::decode_key(c.key_raw(view.text)) == **name) else { break };
            crate::json::push_token(&mut path, child.key_raw(view.text));
            node = child.node;
        } else {
            path.push('/');
            path.push_str(name);
            let Some(child) = name.parse().ok().and_then(|i| children.nth(i)) else { break };
            node = child.node;
        }
    }
    path
}

/// The name in a cursor as it is spelled inside JSON.
fn raw_name(view: &View<'_>, name: &str) -> String {
    if let Ok(pattern) = Pattern::parse(name, "cursor")
        && let Some(names) = pattern.names()
    {
        let raw = raw_path(view, &names);
        if wording::decoded(&raw) == name {
            return raw;
        }
    }
    let mut raw = String::new();
    crate::json::write_escaped(name, &mut raw);
    raw
}

/// The first key of the root object that stands there twice.
fn duplicate_key(view: &View<'_>) -> Option<(usize, String)> {
    let root = view.scan.root;
    if root.kind(view.text) != Kind::Object || root.count < 2 || root.count > 4096 {
        return None;
    }
    let mut keys: Vec<Child> = Children::new(view.text, view.scan, &root).collect();
    keys.sort_by(|a, b| {
        crate::json::cmp_unescaped(a.key_raw(view.text), b.key_raw(view.text)).then(a.key.0.cmp(&b.key.0))
    });
    keys.windows(2)
        .filter_map(|w| match w {
            [a, b] if crate::json::cmp_unescaped(a.key_raw(view.text), b.key_raw(view.text)).is_eq() => Some(b),
            _ => None,
        })
        .min_by_key(|c| c.key.0)
        .map(|c| (c.key.0, crate::json::decode_key(c.key_raw(view.text))))
}

/// Keys of a cursor, in lower case and without punctuation.
const CURSOR_KEYS: [&str; 14] = [
    "next",
    "cursor",
    "nextcursor",
    "nextpagetoken",
    "nexttoken",
    "nextpage",
    "nextlink",
    "endcursor",
    "pagetoken",
    "continue",
    "continuationtoken",
    "nextmarker",
    "nexturl",
    "offset",
];

/// A member of the root that looks like the tool's own cursor: it skips what we left out.
fn source_cursor(view: &View<'_>) -> Option<String> {
    let root = view.scan.root;
    if root.kind(view.text) != Kind::Object {
        return None;
    }
    Children::new(view.text, view.scan, &root).take(4096).find_map(|c| {
        let raw = c.key_raw(view.text);
        if raw.len() > 40 || matches!(c.node.raw(view.text), "null" | "\"\"" | "false") {
            return None;
        }
        let key = crate::json::decode_key(raw);
        let plain: String = key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        CURSOR_KEYS.contains(&plain.as_str()).then_some(key)
    })
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
    cut_before: bool,
) -> Result<Option<String>, Error> {
    let view = View::new(text, scan, options.budget);
    let marks = if cut_before { Marks::in_records() } else { Marks::none() };
    let job = Job::inside(&view, options, &marks, None);
    let mut cutter = job.cutter(cap, false);
    // Lines have no notice at the root that could sum patterns: their own marks tell.
    cutter.notice_room = 0;
    let place = Place { path: String::new(), rel: Some(String::new()), depth: 1 };
    let Some((piece, _)) = cutter.prune(&scan.root, cap, &place)? else { return Ok(None) };
    let mut writer = Writer::new(&view, None);
    writer.piece(&scan.root, &piece);
    let fits = options.budget.with_limit(cap).fits(&writer.out)?.is_some();
    Ok(fits.then_some(writer.out))
}

/// Salvages broken JSON: the whole records before the break, with everything that was open closed again.
pub(crate) fn salvage(text: &str, fault: &crate::json::Fault) -> Option<String> {
    let at = fault.open.iter().position(|o| !o.is_object).unwrap_or(fault.open.len().checked_sub(1)?);
    let last = fault.open.get(at)?;
    let mut out = String::from(text.get(..last.whole_end)?);
    if out.starts_with('\u{feff}') {
        out.remove(0);
    }
    for open in fault.open.get(..=at)?.iter().rev() {
        out.push(if open.is_object { '}' } else { ']' });
    }
    check(&out, usize::MAX).is_ok().then_some(out)
}
