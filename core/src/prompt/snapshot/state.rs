//! Snapshots as JSON: written between two processes, read back with nothing taken on trust.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::{Details, Digest, Digester, Known, Print, Snapshot, short};
use crate::error::Error;
use crate::offload::{digest_from_hex, hex};
use crate::prompt::digest::{CHUNK, Fingerprint};
use crate::prompt::piece::{Layer, PieceKind};
use crate::prompt::volatile::VolatileKind;
use crate::state::{Object, check_head, invalid, offset_of};

const NAME: &str = "snapshot";
const VERSION: u32 = 1;
/// Numbers of JSON up to here are exact in every language.
const LARGEST: usize = if usize::BITS > 53 { 1 << 53 } else { usize::MAX };

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    haversack: Cow<'a, str>,
    version: u32,
    /// Over everything else, so that a damaged snapshot compares with nothing.
    check: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<Cow<'a, str>>,
    pieces: Vec<PieceJson<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PieceJson<'a> {
    name: Cow<'a, str>,
    layer: Cow<'a, str>,
    kind: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    message: bool,
    bytes: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tokens: Option<usize>,
    sha256: Cow<'a, str>,
    /// Absent where it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    canonical: Option<Cow<'a, str>>,
    /// Absent but where a list of one text block is the same as its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plain: Option<Cow<'a, str>>,
    /// 16 hex digits for every 256 bytes.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    chunks: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    volatile: Vec<(usize, Cow<'a, str>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    masked: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shape: Option<Cow<'a, str>>,
}

impl Snapshot {
    /// The snapshot as compact JSON, version 1, without any text of the prompt but the names of its pieces.
    ///
    /// Cost: linear in the texts, which are looked through for volatile values; about 200 bytes a piece and 17 for
    /// every 256 bytes of it.
    pub fn to_json(&self) -> String {
        let mut state = State {
            haversack: Cow::Borrowed(NAME),
            version: VERSION,
            check: Cow::Borrowed(""),
            key: self.key_check.map(|check| Cow::Owned(short_hex(check))),
            pieces: self.pieces.iter().map(|piece| write(piece, &self.digester)).collect(),
        };
        state.check = Cow::Owned(check_of(&state));
        json(&state)
    }

    /// Reads what [`to_json`](Snapshot::to_json) wrote.
    ///
    /// # Errors
    /// [`InvalidState`](crate::ErrorKind::InvalidState): no such JSON (`offset`), another version, a piece that no
    /// snapshot has (`index`, `piece`), or one that was changed since it was written.
    pub fn from_json(text: &str) -> Result<Snapshot, Error> {
        check_head(text, NAME, VERSION, "a snapshot")?;
        let Object::<State<'_>>(mut state) = serde_json::from_str(text).map_err(|e| {
            let offset = offset_of(text, &e);
            invalid(&alloc::format!("not a snapshot: wrong at byte {offset}")).at(offset)
        })?;
        let told = core::mem::take(&mut state.check);
        if check_of(&state) != told {
            return Err(invalid("the snapshot was changed since it was written"));
        }
        let key_check = match &state.key {
            Some(key) => Some(from_short_hex(key).ok_or_else(|| invalid("the check of the key is none"))?),
            None => None,
        };
        let mut pieces: Vec<Print> = Vec::with_capacity(state.pieces.len());
        for (index, json) in state.pieces.into_iter().enumerate() {
            let name = String::from(&*json.name);
            let piece = read(json).ok_or_else(|| {
                let shown = crate::wording::quoted_part(&name);
                invalid(&alloc::format!("piece {index} ({shown}) is none of a snapshot")).numbered(index).of_piece(name)
            })?;
            pieces.push(piece);
        }
        // The key itself is not here: what is computed anew needs a text, and there is none.
        Ok(Snapshot { pieces, digester: Digester::new(None), key_check })
    }
}

fn json(state: &State<'_>) -> String {
    // Strings, numbers and lists of them: nothing that can fail.
    crate::state::written(state)
}

/// The check over a state whose own is empty.
fn check_of(state: &State<'_>) -> String {
    short_hex(short(&Digester::new(None).digest(json(state).as_bytes())))
}

fn short_hex(value: u64) -> String {
    hex(&value.to_be_bytes())
}

fn from_short_hex(text: &str) -> Option<u64> {
    let good = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    good.then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

fn write<'a>(piece: &'a Print, digester: &Digester) -> PieceJson<'a> {
    let details = piece.details(digester);
    let other = |digest: &Digest| Cow::Owned(hex(digest));
    PieceJson {
        name: Cow::Borrowed(&piece.name),
        layer: Cow::Borrowed(piece.layer.name()),
        kind: Cow::Borrowed(piece.kind.name()),
        message: piece.is_message,
        bytes: piece.bytes,
        tokens: piece.tokens,
        sha256: other(&piece.sent.whole),
        canonical: (piece.canonical != piece.sent.whole).then(|| other(&piece.canonical)),
        plain: piece.plain.as_ref().map(other),
        chunks: Cow::Owned(piece.sent.prefixes.iter().map(|chunk| short_hex(*chunk)).collect()),
        volatile: details.volatile.iter().map(|(at, kind)| (*at, Cow::Borrowed(kind.name()))).collect(),
        masked: details.masked.as_ref().map(other),
        shape: details.shape.map(|shape| Cow::Owned(short_hex(shape))),
    }
}

/// A piece that a snapshot can have written.
fn read(json: PieceJson<'_>) -> Option<Print> {
    let digest = |text: &str| digest_from_hex(text);
    let whole = digest(&json.sha256)?;
    let canonical = match &json.canonical {
        Some(text) => digest(text).filter(|canonical| *canonical != whole)?,
        None => whole,
    };
    let hex_chunks = json.chunks.as_bytes().chunks(16);
    let prefixes =
        hex_chunks.map(|chunk| from_short_hex(core::str::from_utf8(chunk).ok()?)).collect::<Option<Vec<_>>>()?;
    let volatile = json.volatile.iter().map(|(at, kind)| Some((*at, VolatileKind::named(kind)?)));
    let volatile = volatile.collect::<Option<Vec<_>>>()?;
    let masked = match &json.masked {
        Some(text) => Some(digest(text)?),
        None => None,
    };
    let plain = match &json.plain {
        Some(text) => Some(digest(text)?),
        None => None,
    };
    let shape = match &json.shape {
        Some(text) => Some(from_short_hex(text)?),
        None => None,
    };
    let good = json.bytes <= LARGEST
        && json.tokens.is_none_or(|tokens| tokens <= LARGEST)
        && prefixes.len() == json.bytes / CHUNK
        && volatile.iter().all(|(at, _)| *at < json.bytes)
        && volatile.is_empty() == masked.is_none();
    good.then_some(())?;
    Some(Print {
        layer: Layer::named(&json.layer)?,
        kind: PieceKind::named(&json.kind)?,
        name: Arc::from(json.name),
        is_message: json.message,
        bytes: json.bytes,
        tokens: json.tokens,
        sent: Fingerprint { whole, prefixes },
        canonical,
        plain,
        known: Known::Details(Details { volatile, masked, shape }),
    })
}
