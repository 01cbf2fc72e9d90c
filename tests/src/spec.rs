//! Options as owned data: what a vector, a generator or a report of a broken law can hold.

use haversack::measure::Recording;
use haversack::{
    Account, Ansi, Budget, DeliverOptions, Delivery, Envelope, Error, Format, Keep, Limits, NoticePlace, OnInvalid,
    Oversize, Share, SourceState, TokenCounter, Unit,
};
use serde_json::{Map, Value, json};

use crate::words::Words;

static WORDS: Words = Words;

/// Options of one delivery, owned.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Unit of the budget.
    pub unit: Unit,
    /// The budget.
    pub limit: usize,
    /// Name of the counter, for tokens.
    pub counter: String,
    /// `None` is `auto`.
    pub format: Option<Format>,
    /// Pointers of `select`.
    pub select: Vec<String>,
    /// Pointer of `sort_by`.
    pub sort_by: Option<String>,
    /// Order of `sort_by`.
    pub descending: bool,
    /// Share policy.
    pub share: Share,
    /// Pointers served first.
    pub priority: Vec<String>,
    /// Which end is kept; `None` is the default of the format.
    pub keep: Option<Keep>,
    /// What happens to records larger than their list's share.
    pub oversize: Oversize,
    /// When a root array is wrapped.
    pub envelope: Envelope,
    /// The page asked for.
    pub cursor: Option<String>,
    /// The reading tool.
    pub reader: Option<String>,
    /// The host's line.
    pub hint: Option<String>,
    /// Whether JSON in strings is opened.
    pub nested: bool,
    /// What happens to input that is broken under a format given by name.
    pub on_invalid: OnInvalid,
    /// Lines kept first.
    pub prefer: Vec<String>,
    /// ANSI sequences.
    pub ansi: Ansi,
    /// Whether equal lines are folded.
    pub collapse: bool,
    /// Whether the host has the original.
    pub source: Option<SourceState>,
    /// Where the notice of text formats goes.
    pub notice: NoticePlace,
    /// The books of an earlier cut.
    pub earlier: Option<Account>,
    /// Limits.
    pub limits: Limits,
}

impl Spec {
    /// Everything at its default but the budget.
    pub fn new(unit: Unit, limit: usize) -> Self {
        Spec {
            unit,
            limit,
            counter: "words".into(),
            format: None,
            select: vec![],
            sort_by: None,
            descending: false,
            share: Share::Fair,
            priority: vec![],
            keep: None,
            oversize: Oversize::Shrink,
            envelope: Envelope::WhenCut,
            cursor: None,
            reader: None,
            hint: None,
            nested: true,
            on_invalid: OnInvalid::Error,
            prefer: vec![],
            ansi: Ansi::Keep,
            collapse: false,
            source: None,
            notice: NoticePlace::Text,
            earlier: None,
            limits: Limits::DEFAULT,
        }
    }

    /// The same with another budget.
    #[must_use]
    pub fn limit(&self, limit: usize) -> Self {
        Spec { limit, ..self.clone() }
    }

    /// The same for another page.
    #[must_use]
    pub fn page(&self, cursor: &str) -> Self {
        Spec { cursor: Some(cursor.into()), ..self.clone() }
    }

    /// The same for a format given by name.
    #[must_use]
    pub fn named(&self, format: Format) -> Self {
        Spec { format: Some(format), ..self.clone() }
    }

    /// True with no option but budget, unit, counter, format and share policy (law 18).
    pub fn is_plain(&self) -> bool {
        let plain = Spec {
            format: self.format,
            share: self.share,
            counter: self.counter.clone(),
            ..Spec::new(self.unit, self.limit)
        };
        self.to_json() == plain.to_json()
    }

    /// The counter named.
    pub fn token_counter(&self) -> Option<&'static dyn TokenCounter> {
        match self.counter.as_str() {
            "words" => Some(&WORDS),
            name => haversack::measure::named(name).ok(),
        }
    }

    /// The budget; `None` when its counter is not in this build.
    pub fn budget(&self) -> Option<Budget<'static>> {
        Some(match self.unit {
            Unit::Bytes => Budget::bytes(self.limit),
            Unit::Chars => Budget::chars(self.limit),
            Unit::Utf16 => Budget::utf16(self.limit),
            Unit::Tokens => Budget::tokens(self.limit, self.token_counter()?),
        })
    }

    /// The size of `text` in this unit, counted here and not by the library.
    pub fn size(&self, text: &str) -> usize {
        match self.unit {
            Unit::Bytes => text.len(),
            Unit::Chars => text.chars().count(),
            Unit::Utf16 => text.encode_utf16().count(),
            Unit::Tokens => match self.counter.as_str() {
                "words" => Words::tokens(text),
                _ => self.token_counter().and_then(|c| c.count(text).ok()).expect("a counter of this build"),
            },
        }
    }

    /// Calls `f` with these options for the library.
    pub fn with<R>(&self, budget: Budget<'_>, f: impl FnOnce(DeliverOptions<'_>) -> R) -> R {
        let select: Vec<&str> = self.select.iter().map(String::as_str).collect();
        let priority: Vec<&str> = self.priority.iter().map(String::as_str).collect();
        let prefer: Vec<&str> = self.prefer.iter().map(String::as_str).collect();
        let mut o = DeliverOptions::new(budget)
            .select(&select)
            .descending(self.descending)
            .share(self.share)
            .priority(&priority)
            .oversize(self.oversize)
            .envelope(self.envelope)
            .nested(self.nested)
            .on_invalid(self.on_invalid)
            .prefer(&prefer)
            .ansi(self.ansi)
            .collapse(self.collapse)
            .notice(self.notice)
            .limits(self.limits);
        if let Some(format) = self.format {
            o = o.format(format);
        }
        if let Some(pointer) = &self.sort_by {
            o = o.sort_by(pointer);
        }
        if let Some(keep) = self.keep {
            o = o.keep(keep);
        }
        if let Some(cursor) = &self.cursor {
            o = o.cursor(cursor);
        }
        if let Some(reader) = &self.reader {
            o = o.reader(reader);
        }
        if let Some(hint) = &self.hint {
            o = o.hint(hint);
        }
        if let Some(source) = self.source {
            o = o.source(source);
        }
        if let Some(account) = &self.earlier {
            o = o.earlier(account);
        }
        f(o)
    }

    /// Delivers `payload`.
    ///
    /// # Panics
    /// When the counter is not in this build.
    pub fn deliver(&self, payload: &[u8]) -> Result<Delivery, Error> {
        self.with(self.budget().expect("a counter of this build"), |o| haversack::deliver(payload, o))
    }

    /// Delivers `payload` with the words counter and says how often, and over how many bytes, it was asked.
    pub fn deliver_recorded(&self, payload: &[u8]) -> (Result<Delivery, Error>, usize, usize) {
        let counter = Recording::new(Words);
        let answer = self.with(Budget::tokens(self.limit, &counter), |o| haversack::deliver(payload, o));
        (answer, counter.calls(), counter.bytes())
    }

    /// The options as a vector writes them: only what is not the default.
    pub fn to_json(&self) -> Value {
        let mut o = Map::new();
        let mut put = |name: &str, value: Value| {
            o.insert(name.into(), value);
        };
        put(self.unit.name(), json!(self.limit));
        if self.unit == Unit::Tokens {
            put("counter", json!(self.counter));
        }
        if let Some(x) = self.format {
            put("format", json!(x.name()));
        }
        for (name, list) in [("select", &self.select), ("priority", &self.priority), ("prefer", &self.prefer)] {
            if !list.is_empty() {
                put(name, json!(list));
            }
        }
        for (name, text) in
            [("sort_by", &self.sort_by), ("cursor", &self.cursor), ("reader", &self.reader), ("hint", &self.hint)]
        {
            if let Some(text) = text {
                put(name, json!(text));
            }
        }
        for (name, set, value) in [
            ("descending", self.descending, json!(true)),
            ("share", self.share != Share::Fair, json!(self.share.name())),
            ("oversize", self.oversize != Oversize::Shrink, json!(self.oversize.name())),
            ("envelope", self.envelope != Envelope::WhenCut, json!(self.envelope.name())),
            ("nested", !self.nested, json!(false)),
            ("on_invalid", self.on_invalid != OnInvalid::Error, json!(self.on_invalid.name())),
            ("ansi", self.ansi != Ansi::Keep, json!(self.ansi.name())),
            ("collapse", self.collapse, json!(true)),
            ("notice", self.notice != NoticePlace::Text, json!(self.notice.name())),
        ] {
            if set {
                put(name, value);
            }
        }
        if let Some(keep) = self.keep {
            put("keep", json!(keep.name()));
        }
        if let Some(source) = self.source {
            put("source", json!(source.name()));
        }
        if let Some(account) = &self.earlier {
            put("earlier", serde_json::to_value(account).unwrap_or_default());
        }
        let (l, d) = (self.limits, Limits::DEFAULT);
        if l != d {
            put(
                "limits",
                json!({"depth": l.depth, "nested_strings": l.nested_strings, "notice_pointer": l.notice_pointer,
                       "entries": l.entries, "entry_bytes": l.entry_bytes, "needle_bytes": l.needle_bytes}),
            );
        }
        Value::Object(o)
    }

    /// Reads the options of a vector; every name that is no option of `deliver` is handed to `other`.
    ///
    /// # Errors
    /// A name or a value that there is not.
    pub fn from_json(options: &Value, mut other: impl FnMut(&str, &Value) -> bool) -> Result<Spec, String> {
        let options = options.as_object().ok_or("options are no object")?;
        let mut spec = Spec::new(Unit::Bytes, 0);
        let mut units = 0;
        for (name, value) in options {
            let bad = || format!("{name} has the value {value}");
            let text = || value.as_str().map(str::to_owned).ok_or_else(bad);
            let flag = || value.as_bool().ok_or_else(bad);
            let number = || value.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(bad);
            let texts = || {
                let list = value.as_array().ok_or_else(bad)?;
                list.iter().map(|x| x.as_str().map(str::to_owned).ok_or_else(bad)).collect::<Result<Vec<_>, _>>()
            };
            match name.as_str() {
                "bytes" | "chars" | "utf16" | "tokens" => {
                    let all = [Unit::Bytes, Unit::Chars, Unit::Utf16, Unit::Tokens];
                    spec.unit = all.into_iter().find(|u| u.name() == name).ok_or_else(bad)?;
                    spec.limit = number()?;
                    units += 1;
                }
                "counter" => spec.counter = text()?,
                "format" if text()? == "auto" => spec.format = None,
                "format" => spec.format = Some(Format::named(&text()?).ok_or_else(bad)?),
                "select" => spec.select = texts()?,
                "priority" => spec.priority = texts()?,
                "prefer" => spec.prefer = texts()?,
                "sort_by" => spec.sort_by = Some(text()?),
                "cursor" => spec.cursor = Some(text()?),
                "reader" => spec.reader = Some(text()?),
                "hint" => spec.hint = Some(text()?),
                "descending" => spec.descending = flag()?,
                "nested" => spec.nested = flag()?,
                "collapse" => spec.collapse = flag()?,
                "share" => spec.share = Share::named(&text()?).ok_or_else(bad)?,
                "keep" => spec.keep = Some(Keep::named(&text()?).ok_or_else(bad)?),
                "oversize" => spec.oversize = Oversize::named(&text()?).ok_or_else(bad)?,
                "envelope" => spec.envelope = Envelope::named(&text()?).ok_or_else(bad)?,
                "on_invalid" => spec.on_invalid = OnInvalid::named(&text()?).ok_or_else(bad)?,
                "ansi" => spec.ansi = Ansi::named(&text()?).ok_or_else(bad)?,
                "source" => spec.source = Some(SourceState::named(&text()?).ok_or_else(bad)?),
                "notice" => spec.notice = NoticePlace::named(&text()?).ok_or_else(bad)?,
                "earlier" => spec.earlier = Some(account(value)?),
                "limits" => {
                    for (limit, n) in value.as_object().ok_or_else(bad)? {
                        let n = n.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(bad)?;
                        match limit.as_str() {
                            "depth" => spec.limits.depth = n,
                            "nested_strings" => spec.limits.nested_strings = n,
                            "notice_pointer" => spec.limits.notice_pointer = n,
                            "entries" => spec.limits.entries = n,
                            "entry_bytes" => spec.limits.entry_bytes = n,
                            "needle_bytes" => spec.limits.needle_bytes = n,
                            _ => return Err(format!("no limit {limit}")),
                        }
                    }
                }
                _ if other(name, value) => {}
                _ => return Err(format!("no option {name}")),
            }
        }
        if units != 1 {
            return Err(format!("{units} units in {options:?}"));
        }
        Ok(spec)
    }
}

/// Reads an account, in the shape of `Account` or in that of `Delivery::to_json`.
fn account(value: &Value) -> Result<Account, String> {
    if let Ok(account) = serde_json::from_value(value.clone()) {
        return Ok(account);
    }
    let mut records = Map::new();
    for name in ["total", "kept", "shrunk", "offloaded", "omitted"] {
        records.insert(name.into(), value.get(name).cloned().unwrap_or(json!(0)));
    }
    let zero = json!({"total": 0, "kept": 0, "shrunk": 0, "offloaded": 0, "omitted": 0});
    let shape = json!({"records": records, "bytes": value.get("bytes").cloned().unwrap_or(zero),
        "fields_removed": value.get("fields_removed").cloned().unwrap_or(json!(0)),
        "claimed": value.get("claimed").cloned().unwrap_or(Value::Null)});
    serde_json::from_value(shape).map_err(|e| format!("earlier is no account: {e}"))
}
