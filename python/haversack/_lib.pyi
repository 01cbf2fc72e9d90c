"""The native part of haversack. Import `haversack` instead."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, SupportsIndex, final

from ._grounds import Grounds
from ._records import AutomaticMark, PieceMark, PlanEntry, Reduced, Strip
from ._types import (
    Boundary,
    CacheRulesName,
    Counter,
    FactKind,
    Flavour,
    Format,
    HandoffKind,
    Keep,
    Layer,
    Limits,
    Payload,
    PieceKind,
    Unit,
    WireFormat,
)

__all__ = [
    "Account",
    "Added",
    "CacheMark",
    "CacheMarks",
    "Change",
    "Comparison",
    "Counts",
    "Cut",
    "Damage",
    "Delivery",
    "Entry",
    "Extracted",
    "Fact",
    "Feature",
    "Finding",
    "Fleet",
    "FlushFile",
    "FlushRequest",
    "Frozen",
    "Growth",
    "Handoff",
    "History",
    "Hit",
    "Ledger",
    "ListAccount",
    "Memory",
    "MemoryCounts",
    "MemoryItem",
    "Message",
    "Note",
    "NoteCost",
    "NothingToCut",
    "Offload",
    "Offloads",
    "Piece",
    "PieceChange",
    "PieceSize",
    "PlacementCosts",
    "Pointer",
    "Prediction",
    "Prepared",
    "Prompt",
    "Reference",
    "Rendered",
    "Repair",
    "Report",
    "Request",
    "Run",
    "Said",
    "SessionFile",
    "SharedPrefix",
    "Sighting",
    "Snapshot",
    "Step",
    "Sums",
    "Survival",
    "Tally",
    "Tiers",
    "Transcript",
    "TranscriptHit",
    "TranscriptIndex",
    "Unresolved",
    "Violation",
    "VolatileValue",
    "Warning",
    "__version__",
    "_restore",
    "cache_marks",
    "canonical_form",
    "check_references",
    "compare",
    "count",
    "counters",
    "deliver",
    "error_kinds",
    "error_text",
    "find",
    "flush_request",
    "grounds",
    "growth",
    "is_silent_reply",
    "offload",
    "page",
    "payload_bytes",
    "predict",
    "read_features",
    "read_lines",
    "request",
    "search_lines",
    "session_files",
    "shared_prefix",
    "tiers",
    "tool_definitions",
    "volatile",
]

__version__: str

def deliver(
    payload: Payload,
    /,
    *,
    bytes: SupportsIndex | None = None,
    chars: SupportsIndex | None = None,
    utf16: SupportsIndex | None = None,
    tokens: SupportsIndex | None = None,
    counter: Counter | None = None,
    format: Literal["auto"] | Format | None = None,
    select: Iterable[str] | None = None,
    sort_by: str | None = None,
    descending: bool | None = None,
    share: Literal["fair", "proportional", "in_order"] | None = None,
    priority: Iterable[str] | None = None,
    keep: Keep | None = None,
    oversize: Literal["shrink", "skip", "error"] | None = None,
    envelope: Literal["when_cut", "always"] | None = None,
    cursor: str | None = None,
    reader: str | None = None,
    hint: str | None = None,
    nested: bool | None = None,
    on_invalid: Literal["error", "lines", "salvage"] | None = None,
    prefer: Iterable[str] | None = None,
    ansi: Literal["keep", "strip"] | None = None,
    collapse: bool | None = None,
    source: Literal["kept", "gone"] | None = None,
    notice: Literal["text", "none"] | None = None,
    earlier: Account | Mapping[str, Any] | None = None,
    limits: Limits | None = None,
) -> Delivery:
    """Cuts a payload to a budget, on record boundaries, and says what it left out.

    What fits passes through unchanged. Otherwise whole records are kept, lists share the budget fairly, and the text
    states the counts and the cursor with which the rest is read. Time is linear in the payload; above 4 KB other
    threads run meanwhile.

        >>> haversack.deliver([{"id": 1}, {"id": 2}, {"id": 3}], chars=70).text
        '{"total":3,"omitted":1,"next":"rows@2","rows":[{"id":1},{"id":2}]}'

    Args:
        payload: Text, its UTF-8 as bytes, or any value that `json.dumps` takes, which is delivered as the JSON that
            it writes (compact, keys in their order).
        bytes, chars, utf16, tokens: The budget: exactly one of them.
        counter: What counts tokens: a callable from `str` to `int`, or a name from `counters()`. An exception that it
            raises comes back unchanged. A method `count_up_to(text, limit)` of its class may stop early: it answers
            the tokens where they are at most `limit`, else `None`.
        format: What to read the payload as; `"auto"` (the default) detects it.
        select: JSON pointers (`*` for every element or member): keep only what they lead to. This, `sort_by` and
            `descending` have no meaning for lines, CSV and TSV, `priority` none for NDJSON either: `invalid_option` for
            a format given by name, a warning `option_ignored` for one that is detected.
        sort_by: JSON pointer, relative to a record: order the records of each list by the value there.
        descending: Largest first; what is missing stays last.
        share: How sibling lists share the budget: `"fair"` (the default), `"proportional"`, `"in_order"`. One list gets
            the same under each.
        priority: JSON pointers of lists that are served first.
        keep: Which end is kept; by default the head of records, both ends of lines and long strings.
        oversize: What happens to a record larger than its list's whole share: `"shrink"` (the default), `"skip"`,
            `"error"`.
        envelope: When a root array is wrapped with its counts: `"when_cut"` (the default), `"always"`.
        cursor: Deliver the page that a `next` names; the payload must be the same. The page of a string counts its
            lines, and its `rows` is a piece of it.
        reader: A tool of the request with which the model can read on: the notice names it.
        hint: One line of your own for the notice. Outside JSON its invisible and bidirectional characters appear as
            `\\u{…}`.
        nested: Whether JSON inside strings is cut on its own records (the default).
        on_invalid: What happens to a payload that is not of the format named: `"error"` (the default), `"lines"`,
            `"salvage"` (the whole records before the break, with its offset; where nothing is whole, the error).
        prefer: Lines that hold one of these are kept before others.
        ansi: `"strip"` removes colour sequences from lines; by default they stay.
        collapse: Count equal neighbouring lines instead of repeating them, when something must be cut.
        source: Whether the notice says that the original is `"kept"` or `"gone"`; by default it claims neither.
        notice: `"none"` leaves the notice of lines, CSV and NDJSON to `Delivery.notice`.
        earlier: The account of an earlier cut of this payload: its counts are carried on, and the text is not asked.
        limits: Other limits than the defaults, by name.

    Raises:
        BudgetError: `needed` says what would do.
        InputError: The payload is no UTF-8, not of the format named, or no value that JSON can hold.
        OptionsError: `argument` says which option cannot be.
        CursorError: The cursor is not one of this payload under these options.
        CounterError: The counter answered something that is no number of tokens.
    """

def page(
    payload: Payload,
    start: SupportsIndex | None = None,
    lines: SupportsIndex | None = None,
    *,
    bytes: SupportsIndex | None = None,
    chars: SupportsIndex | None = None,
    utf16: SupportsIndex | None = None,
    tokens: SupportsIndex | None = None,
    counter: Counter | None = None,
    at: str | None = None,
    cursor: str | None = None,
    reader: str | None = None,
    hint: str | None = None,
    limits: Limits | None = None,
) -> Delivery:
    """Shows some lines of a text, or of a string inside JSON, within a budget, with their range and total.

        >>> haversack.page("a\\nb\\nc\\nd\\n", 2, 2, chars=80).text
        '[lines 2-3 of 4]\\nb\\nc\\n'

    Args:
        payload: As for `deliver`.
        start: The first line, from 1. Default: 1.
        lines: How many lines at most. Default: 100.
        bytes, chars, utf16, tokens, counter: The budget, as for `deliver`.
        at: JSON pointer to the string whose lines are shown, such as `/stdout`. Default: the payload itself.
        cursor: The `next` of an earlier page, instead of `start`; or that of a string which `deliver` cut
            (`/stdout@12..880`), without `at`.
        reader: A tool that the notice names for reading on.
        hint: One line of your own for the notice.
        limits: Other limits than the defaults, by name: here `depth`, of a payload read with `at`.

    Raises:
        HaversackError: As `deliver`.
    """

def find(
    payload: Payload,
    needle: str,
    *,
    bytes: SupportsIndex | None = None,
    chars: SupportsIndex | None = None,
    utf16: SupportsIndex | None = None,
    tokens: SupportsIndex | None = None,
    counter: Counter | None = None,
    at: str | None = None,
    context: SupportsIndex | None = None,
    limit: SupportsIndex | None = None,
    cursor: str | None = None,
    reader: str | None = None,
    hint: str | None = None,
    limits: Limits | None = None,
) -> Delivery:
    """Shows the lines around each place where a text stands, within a budget; the account counts the matches.

    Args:
        payload: As for `deliver`.
        needle: What to look for: exact text, no pattern, at most 4 KiB.
        bytes, chars, utf16, tokens, counter: The budget, as for `deliver`.
        at: JSON pointer to the string that is searched, such as `/stdout`. Default: the payload itself.
        context: Lines around each match. Default: 2.
        limit: Matches at most. Default: 20.
        cursor: The `next` of an earlier answer.
        reader: A tool that the notice names for reading on.
        hint: One line of your own for the notice.
        limits: Other limits than the defaults, by name: here `needle_bytes`, and with `at` also `depth`.

    Raises:
        HaversackError: As `deliver`.
    """

def offload(
    payload: Payload,
    call_id: str,
    /,
    *,
    over: SupportsIndex | None = None,
    unit: Unit | None = None,
    counter: Counter | None = None,
    preview: SupportsIndex | None = None,
    preview_unit: Unit | None = None,
    preview_keep: Keep | None = None,
    format: Literal["auto"] | Format | None = None,
    reader: str | None = None,
    hint: str | None = None,
) -> Offload:
    """Says whether the result of a tool call stays in the message or is stored, and under which key.

        >>> o = haversack.offload("one more line of a long log\\n" * 1_000, "call_7")
        >>> o.action, o.key
        ('store', 'call_7-4c1f7f9c9b19aeb2b1a2e13b0d4ed2a5.txt')

    Args:
        payload: As for `deliver`; what is to be stored is `payload_bytes(payload)`.
        call_id: The id of the call, of any characters.
        over: What is larger is stored. Default: 8,000.
        unit: The unit of `over`, and of every size that is reported. Default: `"chars"`.
        counter: What counts tokens, where a unit is `"tokens"`.
        preview: How much of the payload the pointer shows. Default: 400.
        preview_unit: The unit of `preview`. Default: `"chars"`.
        preview_keep: Which end the preview shows: `"both"` (the default), `"head"`, `"tail"`.
        format: What the payload is; by default it is detected.
        reader: A tool with which the model can read the result back: the pointer names it.
        hint: One line of your own in the pointer, instead of the one that names the reader.

    Raises:
        HaversackError: As `deliver`.
    """

def payload_bytes(payload: Payload, /) -> bytes:
    """The bytes of a payload as `deliver` and `offload` see them: what a store has to keep."""

def count(text: str | bytes, /, counter: Counter) -> int:
    """The number of tokens in a text.

    Raises:
        CounterError: The counter answered something that is no number of tokens.
    """

def counters() -> list[str]:
    """The names that `counter=` takes in this build.

    `"estimate"` keeps nothing. The vocabulary of an exact one is unpacked at its first use and stays (8 or 24 MB), and
    each thread that counts with it keeps a cache of 1.3 MB.
    """

def error_kinds() -> list[tuple[str, int]]:
    """Every kind of error there is, as `(name, number)`; the number is that of C."""

def error_text(error: Exception, /) -> str:
    """The line for a model whose call failed: at most 240 characters.

    Args:
        error: A `HaversackError`.
    """

def tool_definitions(
    flavour: Flavour, /, *, read_name: str | None = None, find_name: str | None = None
) -> list[dict[str, Any]]:
    """The value of a request's `tools` member: one tool that reads stored results, one that searches them.

    Args:
        flavour: `"openai"`, `"anthropic"`, `"gemini"` or `"mcp"`.
        read_name: Another name than `haversack_read`.
        find_name: Another name than `haversack_find`.

    Raises:
        OptionsError: A name that a provider would refuse.
    """

def request(
    offloads: Offloads,
    name: str,
    arguments: str | Mapping[str, Any],
    /,
    *,
    read_name: str | None = None,
    find_name: str | None = None,
) -> Request:
    """Reads a call of the model strictly: which stored result it wants, and what of it.

    Args:
        offloads: The table of this run, in which the key is looked up.
        name: The tool that was called.
        arguments: Its arguments, as JSON text or a dict.
        read_name: The name of the reading tool, where it is another.
        find_name: The name of the searching tool, where it is another.

    Raises:
        HaversackError: Give `error_text(error)` to the model.
    """

def _restore(type_name: str, json: str) -> Any: ...

@final
class Counts:
    """What became of a number of records, or of their bytes: `total = kept + shrunk + offloaded + omitted`."""

    @property
    def total(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def shrunk(self) -> int: ...
    @property
    def offloaded(self) -> int: ...
    @property
    def omitted(self) -> int: ...
    @property
    def complete(self) -> bool:
        """True when nothing was shrunk, offloaded or omitted."""

    def to_dict(self) -> dict[str, int]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Counts: ...
    def __deepcopy__(self, _memo: Any, /) -> Counts: ...

@final
class Account:
    """The account of one delivery: the sum over its outermost lists, in records and (`bytes`) in source bytes."""

    @property
    def total(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def shrunk(self) -> int: ...
    @property
    def offloaded(self) -> int: ...
    @property
    def omitted(self) -> int: ...
    @property
    def bytes(self) -> Counts: ...
    @property
    def fields_removed(self) -> int:
        """Members that `select` left out: a request, not a loss."""

    @property
    def claimed(self) -> Counts | None:
        """What the input itself said to have left out before; part of the counts."""

    @classmethod
    def from_dict(cls, account: Mapping[str, Any]) -> Account:
        """From what `to_dict` gave."""

    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Account: ...
    def __deepcopy__(self, _memo: Any, /) -> Account: ...

@final
class ListAccount:
    """The books of one list, and the cursor that resumes it."""

    @property
    def pointer(self) -> str: ...
    @property
    def total(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def shrunk(self) -> int: ...
    @property
    def offloaded(self) -> int: ...
    @property
    def omitted(self) -> int: ...
    @property
    def bytes(self) -> Counts: ...
    @property
    def next(self) -> str | None: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> ListAccount: ...
    def __deepcopy__(self, _memo: Any, /) -> ListAccount: ...

@final
class Delivery:
    """What the model sees, and the whole truth about it. `str(d)` is the text."""

    @property
    def text(self) -> str:
        """The text for the model: within the budget, notice included."""

    @property
    def size(self) -> int:
        """The size of `text` in `unit`."""

    @property
    def unit(self) -> Unit: ...
    @property
    def complete(self) -> bool:
        """True when nothing was omitted, shrunk or offloaded, here or (as the input claims) before."""

    @property
    def format(self) -> Format:
        """What the payload was read as: `"json"`, `"ndjson"`, `"csv"`, `"tsv"` or `"lines"`."""

    @property
    def account(self) -> Account:
        """The books over all lists."""

    @property
    def lists(self) -> dict[str, ListAccount]:
        """The books list by list, in document order, by pointer: a new dict each time."""

    @property
    def next(self) -> str | None:
        """The cursor that resumes everything that can be resumed, `None` at the end."""

    @property
    def notice(self) -> str | None:
        """The notice of NDJSON, CSV and lines; with `notice="none"` it is only here."""

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """What the caller should know that is not a loss."""

    @property
    def plan(self) -> tuple[Run, ...]:
        """What became of every record, as runs: apply them to objects of your own."""

    def to_json(self) -> str:
        """The whole answer as compact JSON, the same in every language."""

    def to_dict(self) -> dict[str, Any]:
        """The whole answer as dicts and lists: what `to_json` writes."""

    def __str__(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Delivery: ...
    def __deepcopy__(self, _memo: Any, /) -> Delivery: ...

@final
class Warning:
    """Something the caller should know that is not a loss. `str(w)` is its kind."""

    @property
    def kind(self) -> str:
        """`"duplicate_key"`, `"looks_like_json"`, `"source_cursor_skips_omitted"`, `"claimed_counts"` …"""

    @property
    def offset(self) -> int | None:
        """Where in the input, in bytes of UTF-8, if anywhere."""

    @property
    def subject(self) -> str:
        """The pointer or the name concerned; may be empty."""

    def to_dict(self) -> dict[str, Any]: ...
    def __str__(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Warning: ...
    def __deepcopy__(self, _memo: Any, /) -> Warning: ...

@final
class Run:
    """What became of neighbouring records of one list: `range(start, stop)`, from 0."""

    @property
    def list(self) -> str:
        """Pointer of the list."""

    @property
    def start(self) -> int:
        """First record of the run (`from` in JSON, which is a keyword here)."""

    @property
    def stop(self) -> int:
        """One past its last record (`to` in JSON)."""

    @property
    def action(self) -> Literal["keep", "shrink", "omit"]: ...
    @property
    def reason(self) -> Literal["fits", "budget", "oversize", "off_page", "repeats"]: ...
    @property
    def source_bytes(self) -> int:
        """Bytes of the run in the input."""

    @property
    def text_range(self) -> tuple[int, int]:
        """Where it stands in the text, `(start, stop)` in bytes of UTF-8; empty when it was omitted."""

    def to_dict(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Run: ...
    def __deepcopy__(self, _memo: Any, /) -> Run: ...

@final
class Offload:
    """The answer of `offload`: keep the result, or store its bytes under `key`."""

    @property
    def action(self) -> Literal["keep", "store"]: ...
    @property
    def reason(self) -> Literal["fits", "over"]: ...
    @property
    def key(self) -> str | None:
        """The key to store it under: safe as a file name. `None` when it is kept."""

    @property
    def bytes(self) -> int:
        """The length of the payload in bytes."""

    @property
    def size(self) -> int:
        """The size of the payload in `unit`."""

    @property
    def unit(self) -> Unit: ...
    @property
    def sha256(self) -> str | None: ...
    @property
    def format(self) -> Format | None: ...
    @property
    def at(self) -> str | None:
        """The pointer of the one string in a JSON payload that holds most of it."""

    @property
    def preview(self) -> str | None: ...
    def pointer(self, location: str, /) -> Pointer:
        """The text for the message, once the bytes lie at `location`."""

    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Offload: ...
    def __deepcopy__(self, _memo: Any, /) -> Offload: ...


@final
class Pointer:
    """What stands in the message for a stored result, and the books of it."""

    @property
    def text(self) -> str | None:
        """The text for the model, a JSON object; `None` when it would not be smaller than the original."""

    @property
    def reason(self) -> Literal["over", "known", "not_shorter"]: ...
    @property
    def size(self) -> int:
        """The size of what goes to the model, in `unit`."""

    @property
    def saved(self) -> int:
        """How much smaller that is than the original, in `unit`."""

    @property
    def unit(self) -> Unit: ...
    @property
    def account(self) -> Account:
        """One record, offloaded or kept."""

    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Pointer: ...
    def __deepcopy__(self, _memo: Any, /) -> Pointer: ...


@final
class Prepared:
    """What `Offloads.prepare` says to do with one result."""

    @property
    def action(self) -> Literal["keep", "store", "point"]: ...
    @property
    def reason(self) -> Literal["fits", "over", "known", "is_pointer", "exempt", "refused", "not_shorter"]: ...
    @property
    def key(self) -> str | None:
        """The key to store the bytes under, or under which they lie."""

    @property
    def text(self) -> str | None:
        """The pointer, where the same bytes were stored before."""

    @property
    def account(self) -> Account:
        """The books of what stands in the message now."""

    def to_json(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __copy__(self) -> Prepared: ...
    def __deepcopy__(self, _memo: Any, /) -> Prepared: ...


@final
class Entry:
    """What the table knows of one result."""

    @property
    def key(self) -> str: ...
    @property
    def call_id(self) -> str:
        """The call it is the result of: of the first one, when several gave the same bytes."""

    @property
    def sha256(self) -> str: ...
    @property
    def bytes(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def unit(self) -> Unit: ...
    @property
    def format(self) -> Format: ...
    @property
    def at(self) -> str | None: ...
    @property
    def state(self) -> Literal["pending", "stored", "not_shorter", "refused"]: ...
    @property
    def location(self) -> str | None:
        """Where the bytes lie, once stored."""

    @property
    def preview(self) -> str:
        """The excerpt that its pointer shows."""

    @property
    def refused(self) -> str | None:
        """Why the store refused it, at most 120 characters; `None` where it did not."""

    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Entry: ...
    def __deepcopy__(self, _memo: Any, /) -> Entry: ...


@final
class Offloads:
    """What one run has offloaded.

    It does no I/O: `prepare` says what to do, the host stores the bytes and answers with `commit` or `refuse`. Threads
    may share a table; a counter that calls back into the same one gets a `StateError`.

        >>> run = haversack.Offloads()
        >>> step = run.prepare(log, "call_7")
        >>> text = run.commit(step.key, store.put(step.key, log)).text if step.action == "store" else step.text or log
    """

    def __new__(cls) -> Offloads: ...
    def prepare(
        self,
        payload: Payload,
        call_id: str,
        /,
        *,
        over: SupportsIndex | None = None,
        unit: Unit | None = None,
        counter: Counter | None = None,
        preview: SupportsIndex | None = None,
        preview_unit: Unit | None = None,
        preview_keep: Keep | None = None,
        format: Literal["auto"] | Format | None = None,
        reader: str | None = None,
        hint: str | None = None,
    ) -> Prepared:
        """Says what to do with a result: keep it, store it and answer with `commit` or `refuse`, or put a pointer
        there.

        The arguments are those of `offload`.
        """

    def commit(self, key: str, location: str, /, *, counter: Counter | None = None) -> Pointer:
        """The bytes lie at `location`: gives the pointer for the message. Where `over` was in tokens, their counter
        too.

        Raises:
            StateError: `unknown_key` (an `OffloadError`), or `out_of_order` when the key was answered already.
        """

    def refuse(self, key: str, reason: str, /) -> None:
        """The store would not have it: the original stays in the message, and the reason is recorded.

        Raises:
            StateError: `unknown_key` (an `OffloadError`), or `out_of_order` when the key was answered already.
        """

    def exempt(self, call_id: str, /) -> None:
        """Nothing that this call returns is offloaded: for calls of readers."""

    def lookup(self, key: str, /) -> Entry | None:
        """What the table knows under a key, `None` when nothing."""

    def verify(self, key: str, payload: str | bytes, /) -> Entry:
        """Checks that bytes read back are those that were offloaded under the key.

        Raises:
            OffloadError: `unknown_key` or `digest_mismatch`.
        """

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, in the order in which they were first prepared."""

    def to_json(self) -> str:
        """The table as compact JSON."""

    @classmethod
    def from_json(cls, text: str, /) -> Offloads:
        """A table that answers as the one that wrote this would.

        Raises:
            StateError: `invalid_state`.
        """

    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Request:
    """A checked call of a model, waiting for the bytes of the result it names."""

    @property
    def key(self) -> str: ...
    @property
    def location(self) -> str:
        """Where the host stored the bytes: from the table, never from the model."""

    @property
    def entry(self) -> Entry: ...
    def answer(
        self,
        payload: str | bytes,
        /,
        *,
        bytes: SupportsIndex | None = None,
        chars: SupportsIndex | None = None,
        utf16: SupportsIndex | None = None,
        tokens: SupportsIndex | None = None,
        counter: Counter | None = None,
    ) -> Delivery:
        """The page or the matches that were asked for, from the stored bytes, within a budget."""
    def __copy__(self) -> Request: ...
    def __deepcopy__(self, _memo: Any, /) -> Request: ...


@final
class History:
    """A chat history of one of the five wire formats: what a provider would refuse, where it may be cut, its repair.

        >>> h = haversack.History([
        ...     {"role": "user", "content": "weather?"},
        ...     {"role": "assistant", "content": None, "tool_calls": [
        ...         {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}]},
        ...     {"role": "user", "content": "hello?"},
        ... ])
        >>> [v.kind for v in h.violations()]
        ['missing_result']
        >>> h.repair().messages[2]["content"]
        '[no result: interrupted]'

    Args:
        messages: A list of message dicts, a whole request body as a dict, or either as JSON in a str or bytes.
        format: What to read it as; `"auto"` (the default) detects it.
        profile: The rules that count: `"strict"` (the default) or a server by name.
        request: The request body beside a bare list, a dict or JSON: model, thinking, store and tools decide some
            rules. A member of ours, `reasoning_parent`, maps the server id of an item to that of the reasoning it came
            with (OpenAI Responses), for hosts that remember it.
        limits: Other limits than the defaults, by name: here `depth`.

    Raises:
        InputError: No UTF-8, no JSON, no list of messages, or messages of two formats.
        OptionsError: `argument` says which option cannot be.
    """

    def __new__(
        cls,
        messages: Payload,
        /,
        *,
        format: Literal["auto"] | WireFormat | None = None,
        profile: str | None = None,
        request: Mapping[str, Any] | str | None = None,
        limits: Limits | None = None,
    ) -> History: ...
    @property
    def format(self) -> WireFormat:
        """The wire format, such as `"anthropic"`."""
    @property
    def certain(self) -> bool:
        """Whether the format was named or shown by the messages; else it was taken for `"openai_chat"`."""
    @property
    def text(self) -> str:
        """The text that was read: what was given, or the JSON of it."""
    @property
    def steps(self) -> list[Step]:
        """The steps, in order: what lives and dies together."""
    def __len__(self) -> int: ...
    def violations(self, *, sending: bool | None = None) -> list[Violation]:
        """What the provider would refuse, in the order of the messages.

        Args:
            sending: The history goes out next, so that it may not end on an open call. Default: False.
        """
    def safe_cuts(self, *, portable: bool | None = None) -> list[int]:
        """The indices at which it may be cut: system prompt + `messages[i:]` is as valid as the whole.

        Args:
            portable: Only those that hold in every format. Default: False.
        """
    def message(self, index: SupportsIndex) -> str | None:
        """The JSON text of one message, as it came; `None` past the end."""
    def cut_refusals(self) -> list[str | None]:
        """For each message why no cut may stand before it, such as `"inside_step"`; `None` where it may."""
    def cut_refusal(self, index: SupportsIndex) -> str | None:
        """Why `index` is not among the safe cuts; `None` when it is. Costs as much as `cut_refusals`."""
    def cut(
        self,
        keep_tokens: SupportsIndex | None = None,
        *,
        keep_messages: SupportsIndex | None = None,
        keep_chars: SupportsIndex | None = None,
        keep_bytes: SupportsIndex | None = None,
        keep_utf16: SupportsIndex | None = None,
        counter: Counter | None = None,
        pinned: Iterable[SupportsIndex] | None = None,
        portable: bool | None = None,
    ) -> Cut | NothingToCut:
        """Cuts the front so that what is kept is within the budget, system prompt and pins included.

        Args:
            keep_tokens, keep_messages, keep_chars, keep_bytes, keep_utf16: Exactly one of them.
            counter: What counts tokens, as for `deliver`.
            pinned: Messages that stay, by index.
            portable: Only at indices that hold in every format. Default: False.

        Returns:
            A `Cut`, or `NothingToCut` with its reason.

        Raises:
            BudgetError: What has to stay cannot be made to fit; `needed` says what would do.
        """
    def repair(
        self,
        *,
        missing: Literal["synthesise", "drop"] | None = None,
        orphan: Literal["drop", "text"] | None = None,
        sending: bool | None = None,
    ) -> Repair:
        """The smallest change after which `violations` finds nothing, or only what `remaining` holds.

        A valid history is not changed at all.

        Args:
            missing: `"synthesise"` a result for a call without one (the default), or `"drop"` the call.
            orphan: `"drop"` a result without a call (the default), or keep its `"text"` as the user's.
            sending: As for `violations`. Default: False.
        """
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> History: ...
    def __deepcopy__(self, memo: Any, /) -> History: ...

@final
class Step:
    """The messages `start..stop`, which live and die together."""

    @property
    def kind(self) -> Literal["system", "user", "assistant", "other"]:
        """`"system"`, `"user"`, `"assistant"` or `"other"`."""
    @property
    def start(self) -> int:
        """Its first message."""
    @property
    def stop(self) -> int:
        """One past its last message."""
    @property
    def calls(self) -> int:
        """Calls that the host answers."""
    @property
    def open(self) -> int:
        """Those of them without a result."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> Step: ...
    def __deepcopy__(self, _memo: Any, /) -> Step: ...

@final
class Violation:
    """What a provider would refuse, and where."""

    @property
    def kind(self) -> str:
        """What is wrong, such as `"orphan_result"`."""
    @property
    def index(self) -> int:
        """The message concerned, counted from 0."""
    @property
    def path(self) -> str:
        """JSON pointer to the place inside the list of messages."""
    @property
    def id(self) -> str | None:
        """The id concerned."""
    @property
    def message(self) -> str:
        """A sentence that helps."""
    @property
    def provider(self) -> str | None:
        """What the provider would answer; `None` where no text is known."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> Violation: ...
    def __deepcopy__(self, _memo: Any, /) -> Violation: ...

@final
class Cut:
    """A cut of a history."""

    @property
    def index(self) -> int:
        """The first message that is kept for its place: the system prompt and pins come before it."""
    @property
    def reason(self) -> str:
        """Why here: one sentence."""
    @property
    def kept(self) -> list[int]:
        """The messages kept, by index."""
    @property
    def dropped(self) -> list[int]:
        """The messages dropped, by index."""
    @property
    def size_before(self) -> int:
        """Size of the whole history, in the unit of the budget."""
    @property
    def size_after(self) -> int:
        """Size of what is kept."""
    @property
    def strip(self) -> list[Strip]:
        """What leaves kept messages with the cut: thinking bound to what is dropped, ids that the server gave."""
    @property
    def reduced(self) -> list[Reduced]:
        """Results made smaller inside a step that has to stay."""
    @property
    def alternation(self) -> Literal["opens_with_user", "opens_with_assistant", "opens_with_pinned"]:
        """What happens to the turn of roles: `"opens_with_user"`, `"opens_with_assistant"` or `"opens_with_pinned"`."""
    @property
    def messages(self) -> list[dict[str, Any]]:
        """The history after the cut, as dicts: your own objects where they stay as they are."""
    @property
    def plan(self) -> list[PlanEntry]:
        """For every resulting message the index it comes from and its new JSON text; see `PlanEntry`."""
    @property
    def text(self) -> str:
        """The whole text after the cut: a body stays a body, a list a list."""
    def __copy__(self) -> Cut: ...
    def __deepcopy__(self, _memo: Any, /) -> Cut: ...

@final
class NothingToCut:
    """Nothing was cut, and why: `"fits"` or `"no_safe_index"`. It is false."""

    @property
    def reason(self) -> Literal["fits", "no_safe_index"]:
        """Why."""
    def __bool__(self) -> Literal[False]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> NothingToCut: ...
    def __deepcopy__(self, _memo: Any, /) -> NothingToCut: ...

@final
class Repair:
    """A repaired history."""

    @property
    def changes(self) -> list[Change]:
        """What was changed and why; empty when nothing was."""
    @property
    def remaining(self) -> list[Violation]:
        """What no change of the messages mends: a limit, tools that the request does not declare, thinking that was
        lost; empty as a rule. Indices and paths are those of the resulting messages.
        """
    @property
    def messages(self) -> list[dict[str, Any]]:
        """The history after the repair, as dicts: your own objects where they stay as they are."""
    @property
    def plan(self) -> list[PlanEntry]:
        """For every resulting message the index it comes from and its new JSON text; see `PlanEntry`."""
    @property
    def text(self) -> str:
        """The whole text after the repair: a body stays a body, a list a list; unchanged it is the text that was
        given.
        """
    def __copy__(self) -> Repair: ...
    def __deepcopy__(self, _memo: Any, /) -> Repair: ...

@final
class Change:
    """One change of a repair."""

    @property
    def action(self) -> str:
        """What was done: `"drop"`, `"synthesise"`, `"strip"`, `"hoist"`, `"push"`, `"merge"`, `"rename"` or
        `"fill"`.
        """
    @property
    def violation(self) -> str:
        """The kind of violation that it mends."""
    @property
    def index(self) -> int:
        """The message of the input concerned."""
    @property
    def path(self) -> str:
        """JSON pointer inside the list of messages of the input."""
    @property
    def message(self) -> str:
        """One sentence."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> Change: ...
    def __deepcopy__(self, _memo: Any, /) -> Change: ...

@final
class Prompt:
    """A prompt as an ordered sequence of named pieces: layer by layer, and within a layer in the order of `add`."""

    def __init__(self) -> None: ...
    @staticmethod
    def from_request(
        body: Payload, /, *, format: WireFormat | Literal["auto"] | None = None, limits: Limits | None = None
    ) -> Prompt:
        """Takes a request body (or a bare list of messages) of one of the five formats apart: `settings/KEY`,
        `tools/NAME`, `system`, `message N`. Cache marks and the order of the members of the body are no content. A
        content
        that is a list of one plain text block is the same as that text: providers take both alike, and a mark needs
        the block.

        Args:
            body: A dict, a list of message dicts, or either as JSON in a str or bytes.
            format: `"auto"`, `"openai_chat"`, `"openai_responses"`, `"anthropic"`, `"gemini"` or `"bedrock"`.
            limits: Other limits than the defaults, by name: here `depth`.

        Raises:
            HaversackError: `invalid_json`, `too_deep`, `not_a_history`, `mixed_formats`, `invalid_option`;
                `bad_argument` for a value that JSON cannot hold, such as NaN, with the `piece` that it is in.
        """
    def add(
        self,
        name: str,
        text: str | bytes,
        *,
        layer: Layer | None = None,
        kind: PieceKind | None = None,
        budget: SupportsIndex | None = None,
        owner: str | None = None,
    ) -> None:
        """Adds a piece at the end of its layer.

        Args:
            name: A name that no other piece has.
            text: Its text.
            layer: How often it changes: `"static"`, `"rare"`, `"session"` (the default) or `"turn"`.
            kind: `"instructions"`, `"tool"`, `"facts"`, `"conversation"`, `"notes"` or `"setting"`; by default what is
                usual in the layer.
            budget: What it may take at most, in the unit of the report.
            owner: Who answers for it.

        Raises:
            PromptError: `duplicate_piece`, `unknown_layer`; `piece` is the name.
        """
    def add_tool(
        self,
        name: str,
        definition: Payload,
        *,
        layer: Layer | None = None,
        budget: SupportsIndex | None = None,
        owner: str | None = None,
    ) -> None:
        """Adds a tool that you own as the piece `tools/NAME`, in canonical JSON: in its layer such tools come first, by
        name.

        Args:
            name: The name of the tool.
            definition: Its definition, as a value or as JSON in a str or bytes.
            layer, budget, owner: As for `add`; the layer is `"static"` by default.

        Raises:
            HaversackError: `invalid_json`, `not_canonical`, `duplicate_piece`, `unknown_layer`, and `bad_argument` for
                a value that JSON cannot hold, such as NaN; `piece` is the name.
        """
    def without_conversation(self) -> Prompt:
        """The same prompt before anyone spoke: without conversation and notes, with all settings, instructions, tools
        and facts. What a sub-agent with a blank history starts from; `shared_prefix` proves how much of the cache it
        inherits.

            >>> agent = haversack.Prompt()
            >>> agent.add("rules", "Be brief.", layer="static")
            >>> agent.add("talk", "Hello!", kind="conversation")
            >>> helper = agent.without_conversation()
            >>> [piece.name for piece in helper.pieces]
            ['rules']
        """
    def render(self) -> str:
        """The texts of all pieces but settings, in the order of the prompt, a blank line between two of them."""
    def tools_json(self) -> str:
        """The definitions of the tools added with `add_tool`, as one JSON array: the `tools` of a request."""
    def report(self, *, budget: SupportsIndex | None = None, counter: Counter | None = None) -> Report:
        """Sizes by piece, layer and kind, against budgets, and how much is dead weight.

        Args:
            budget: What the whole prompt may take at most, in the unit of the report.
            counter: Counts tokens: a callable or a name. Without it sizes are in bytes.
        """
    @property
    def pieces(self) -> list[Piece]:
        """The pieces in the order of the prompt."""
    @property
    def format(self) -> str | None:
        """The wire format of the request that it was taken from."""
    @property
    def automatic_mark(self) -> AutomaticMark | None:
        """The cache mark of the whole request, which stands wherever it ends, as `(kind, seconds)`."""
    def snapshot(self, *, counter: Counter | None = None, key: str | bytes | None = None) -> Snapshot:
        """The prompt as it is now, to compare the next one with.

        Args:
            counter: Counts the tokens of every piece, so that comparisons tell tokens too: a callable or a name.
            key: A secret of str or bytes that makes every digest an HMAC; only snapshots under one key compare.
        """
    def __len__(self) -> int: ...

@final
class Piece:
    """A piece of a prompt."""

    @property
    def name(self) -> str:
        """Its name."""
    @property
    def text(self) -> str:
        """Its text; of a request the JSON text of the value as it was sent, without cache marks."""
    @property
    def layer(self) -> str:
        """How often it changes: `"static"`, `"rare"`, `"session"` or `"turn"`."""
    @property
    def kind(self) -> str:
        """What it is for: `"instructions"`, `"tool"`, `"facts"`, `"conversation"`, `"notes"` or `"setting"`."""
    @property
    def budget(self) -> int | None:
        """What it may take at most."""
    @property
    def owner(self) -> str | None:
        """Who answers for it."""
    @property
    def marks(self) -> list[PieceMark]:
        """The cache marks on it, as `(byte, kind, seconds)`: the bytes of its text before the mark, the name of the
        member that it is, and the life it asks for (`None` where it leaves that to the provider).
        """
    def __copy__(self) -> Piece: ...
    def __deepcopy__(self, _memo: Any, /) -> Piece: ...

@final
class Snapshot:
    """What is left of a prompt to compare the next one with: digests and labels."""

    def to_json(self) -> str:
        """The snapshot as JSON, without any text of the prompt but the names of its pieces."""
    @staticmethod
    def from_json(text: str | bytes, /) -> Snapshot:
        """Reads what `to_json` wrote. What was read compares to 256 bytes, not to the exact byte.

        Raises:
            HaversackError: `invalid_state` for another version, or what was changed since.
        """
    def to_dict(self) -> dict[str, Any]:
        """The same as `to_json`, as a dict."""
    @property
    def names(self) -> list[str]:
        """The names of the pieces, in the order of the prompt."""
    @property
    def bytes(self) -> int:
        """Bytes of all pieces together."""
    @property
    def tokens(self) -> int | None:
        """Tokens of all pieces together; `None` without a counter."""
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> Snapshot: ...
    def __deepcopy__(self, _memo: Any, /) -> Snapshot: ...

@final
class SharedPrefix:
    """The start that two prompts share."""

    @property
    def bytes(self) -> int:
        """Bytes of the pieces' texts that are equal, up to the first that differs."""
    @property
    def tokens(self) -> int | None:
        """Tokens of these; `None` without a counter."""
    @property
    def pieces(self) -> int:
        """How many pieces are equal as a whole."""
    @property
    def piece(self) -> str | None:
        """The first piece where they part: of the second prompt, or of the first where the second ends; `None` when
        equal.
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> SharedPrefix: ...
    def __deepcopy__(self, _memo: Any, /) -> SharedPrefix: ...

@final
class VolatileValue:
    """A volatile value in an early layer."""

    @property
    def piece(self) -> str:
        """The name of the piece."""
    @property
    def index(self) -> int:
        """Its place in the prompt."""
    @property
    def layer(self) -> str:
        """Its layer: `"static"` or `"rare"`."""
    @property
    def kind(self) -> str:
        """`"time"`, `"date"`, `"uuid"`, `"id"`, `"path"`, `"counter"` or `"nonce"`."""
    @property
    def at_byte(self) -> int:
        """Where it stands in the piece, in bytes."""
    @property
    def bytes(self) -> int:
        """How long it is, in bytes."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> VolatileValue: ...
    def __deepcopy__(self, _memo: Any, /) -> VolatileValue: ...

@final
class Comparison:
    """How a prompt differs from the one before."""

    @property
    def verdict(self) -> str:
        """`"first"`, `"same"`, `"extended"`, `"shortened"`, `"reordered"`, `"changed"`, `"inserted"` or `"removed"`."""
    @property
    def piece(self) -> str | None:
        """The piece where it happened."""
    @property
    def index(self) -> int | None:
        """The first place that differs, counted in pieces of the new prompt."""
    @property
    def at_byte(self) -> int | None:
        """The first byte of that piece that differs, where the piece changed."""
    @property
    def at_byte_exact(self) -> bool:
        """False where `at_byte` is only known to 256 bytes."""
    @property
    def cause(self) -> str | None:
        """Why: `"edit"`, `"truncation"`, `"insertion"`, `"removal"`, `"reorder"`, `"rename"`, `"key_order"`,
        `"volatile"`, `"tool_added"`, `"tool_removed"`, `"tool_description"`, `"tool_schema"`, `"setting"` or `"model"`.
        """
    @property
    def kept_bytes(self) -> int:
        """Bytes of the previous prompt before the first break, of its pieces' texts alone."""
    @property
    def lost_bytes(self) -> int:
        """Its other bytes."""
    @property
    def kept_tokens(self) -> int | None:
        """Tokens of the whole pieces before the first break; `None` when the previous snapshot was not counted."""
    @property
    def lost_tokens(self) -> int | None:
        """Its other tokens."""
    @property
    def changes(self) -> list[PieceChange]:
        """Every difference in the order of the new prompt. Pieces appended at the end are none."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Comparison: ...
    def __deepcopy__(self, _memo: Any, /) -> Comparison: ...

@final
class PieceChange:
    """One difference between two prompts."""

    @property
    def verdict(self) -> str:
        """`"shortened"`, `"reordered"`, `"changed"`, `"inserted"` or `"removed"`."""
    @property
    def piece(self) -> str:
        """The piece: its name in the new prompt, or in the old one where it is gone."""
    @property
    def was(self) -> str | None:
        """Its name in the old prompt, where that is another."""
    @property
    def index(self) -> int:
        """The first place in the new prompt that differs for it: where it stands, where it stood, or would stand."""
    @property
    def at_byte(self) -> int | None:
        """The first byte of the piece that differs; of changed pieces only."""
    @property
    def at_byte_exact(self) -> bool:
        """False where `at_byte` is only known to 256 bytes."""
    @property
    def cause(self) -> str:
        """Why: one of the causes of `Comparison.cause`."""
    @property
    def volatile(self) -> str | None:
        """What the volatile value is, where that is the cause: `"time"`, `"uuid"` …"""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> PieceChange: ...
    def __deepcopy__(self, _memo: Any, /) -> PieceChange: ...

@final
class Report:
    """The sizes of a prompt, each piece measured on its own."""

    @property
    def unit(self) -> str:
        """The unit of every size: `"bytes"` or `"tokens"`."""
    @property
    def pieces(self) -> list[PieceSize]:
        """Every piece in the order of the prompt."""
    @property
    def layers(self) -> dict[str, int]:
        """The size of each layer, without settings."""
    @property
    def kinds(self) -> dict[str, int]:
        """The size of each kind."""
    @property
    def total(self) -> int:
        """All pieces together but settings, which no model reads."""
    @property
    def budget(self) -> int | None:
        """What all of them may take at most."""
    @property
    def over(self) -> int:
        """By how much all of it is above the budget."""
    @property
    def overran(self) -> list[PieceSize]:
        """The pieces above their own budgets."""
    @property
    def before_conversation(self) -> int:
        """What stands before the conversation starts: instructions, tools, facts."""
    @property
    def old_results(self) -> int:
        """Tool results that the model has answered since."""
    @property
    def resolved_errors(self) -> int:
        """Errors among them whose tool gave a result later on; not counted as old results again."""
    @property
    def thinking(self) -> int:
        """Scratch work that is done: the model's thinking in turns that ended, which is before the last message of the
        user's own.
        """
    @property
    def dead_share(self) -> int:
        """How much of the total is dead weight (old results, resolved errors, thinking), in parts per 10,000, rounded
        down.
        """
    @property
    def per_call(self) -> int | None:
        """What the conversation has grown by for each answer of the model so far, rounded up: see `growth`. `None`
        before the first answer, and for prompts that were not taken from a request.
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Report: ...
    def __deepcopy__(self, _memo: Any, /) -> Report: ...

@final
class PieceSize:
    """The size of one piece."""

    @property
    def name(self) -> str:
        """Its name."""
    @property
    def layer(self) -> str:
        """Its layer."""
    @property
    def kind(self) -> str:
        """What it is for."""
    @property
    def size(self) -> int:
        """Its size in the unit of the report."""
    @property
    def budget(self) -> int | None:
        """What it may take at most."""
    @property
    def over(self) -> int:
        """By how much it is above its budget."""
    @property
    def owner(self) -> str | None:
        """Who answers for it."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> PieceSize: ...
    def __deepcopy__(self, _memo: Any, /) -> PieceSize: ...

@final
class Growth:
    """The input of a run that only appends to its prompt, in the unit that it was asked in."""

    @property
    def largest(self) -> int:
        """The size of the last prompt: all that was new in the run."""
    @property
    def input(self) -> int:
        """The sizes of all prompts together: what is billed without a cache. It grows with the square of the number of
        calls.
        """
    @property
    def repeated(self) -> int:
        """Of these what an earlier call had sent already: the most that a prefix cache can serve."""
    def __copy__(self) -> Growth: ...
    def __deepcopy__(self, _memo: Any, /) -> Growth: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def growth(*, first: SupportsIndex, per_call: SupportsIndex, calls: SupportsIndex) -> Growth:
    """Estimates the input of a run that only appends to its prompt. Sums stop at 2^64 - 1; no call has no input.

        >>> haversack.growth(first=5_000, per_call=2_000, calls=10)
        Growth(largest=23000, input=140000, repeated=117000)
        >>> haversack.growth(first=5_000, per_call=2_000, calls=100).input
        10400000

    Args:
        first: The size of the first prompt, in any unit.
        per_call: What each later one has more than the one before it; `Report.per_call` says what it was so far.
        calls: How many calls there are.
    """

def compare(previous: Snapshot | Prompt | None, next: Snapshot | Prompt, /) -> Comparison:
    """Compares a prompt with the one before it: where they part, why, and what is lost to the cache.

    Args:
        previous: A `Snapshot` (or a `Prompt`), or `None` when there was none.
        next: A `Snapshot` or a `Prompt`.

    Raises:
        OptionsError: The snapshots were taken under different keys.
    """

def shared_prefix(a: Prompt, b: Prompt, /, *, counter: Counter | None = None) -> SharedPrefix:
    """What two prompts have in common at their start, by the bytes of their pieces.

    Args:
        a, b: Two prompts.
        counter: Counts tokens, too: a callable or a name.
    """

def volatile(prompt: Prompt, /) -> list[VolatileValue]:
    """The volatile values (times, ids, paths of one run) in the layers that should change rarely.

    Args:
        prompt: A prompt.
    """

def canonical_form(value: Payload, /, *, limits: Limits | None = None) -> tuple[str, list[tuple[int, str, str]]]:
    """The canonical form (RFC 8785), and the numbers that do not survive a double as `(byte, read, written)`."""

@final
class Frozen:
    """Sections of a prompt that are written once and replayed byte for byte; a change is a note on the newest message.

        >>> frozen = haversack.Frozen({"memory": "likes: tea\\ncity: Oslo"})
        >>> note = frozen.update("memory", "likes: tea\\ncity: Bergen")
        >>> frozen.text("memory")                      # what every request replays
        'likes: tea\\ncity: Oslo'
        >>> "city: Bergen" in note.text                # goes into the newest message, and stays there
        True

    Args:
        sections: Their texts by name, in the order of the prompt.

    Raises:
        OptionsError: A name that is empty or no str, a text that is no str.
    """

    def __new__(cls, sections: dict[str, str], /) -> Frozen: ...
    @property
    def names(self) -> list[str]:
        """The names of the sections, in order."""
    def text(self, name: str, /) -> str:
        """The section as every request has it; empty after a folded deletion."""
    def current(self, name: str, /) -> str:
        """What holds now: what `fold` would make the section."""
    def update(self, name: str, text: str | None, /) -> Note | None:
        """A new version of a section; `None` deletes. The note for the newest message, or none when that holds
        already.
        """
    def notes(self) -> list[Note]:
        """The notes since the sections were written or folded, oldest first. Of several on one section the last one
        holds.
        """
    def cost(self, *, counter: Counter | None = None) -> NoteCost:
        """What the outstanding notes cost in tokens."""
    def fold(self) -> list[str]:
        """Makes the current versions the sections and forgets the notes: for a compaction. The names of those that
        changed.
        """
    def to_json(self) -> str:
        """The sections and outstanding notes as JSON."""
    @classmethod
    def from_json(cls, text: str, /) -> Frozen:
        """Reads what `to_json` wrote."""
    def copy(self) -> Frozen:
        """Sections of their own with the same texts and notes. Costs nothing until one of them changes."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Frozen: ...
    def __deepcopy__(self, _memo: Any, /) -> Frozen: ...

@final
class Note:
    """A change of a section, for the newest message."""

    @property
    def section(self) -> str:
        """The section that changed."""
    @property
    def version(self) -> int:
        """Which version of the section the note states: 2 for the first change."""
    @property
    def text(self) -> str:
        """The text for the newest message. It states the whole difference from the section as written, and that it
        wins.
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Note: ...
    def __deepcopy__(self, _memo: Any, /) -> Note: ...

@final
class NoteCost:
    """What outstanding notes cost: weigh it against a `fold`, which costs the cache once."""

    @property
    def notes(self) -> int:
        """How many notes are outstanding."""
    @property
    def superseded(self) -> int:
        """Of them, those that a later note on the same section overrides."""
    @property
    def tokens(self) -> int:
        """Tokens of all of them."""
    @property
    def superseded_tokens(self) -> int:
        """Tokens of those that are overridden."""
    @property
    def stale_tokens(self) -> int:
        """Tokens of sections as written that no longer hold as written."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> NoteCost: ...
    def __deepcopy__(self, _memo: Any, /) -> NoteCost: ...

def predict(
    previous: Payload | None,
    next: Payload,
    /,
    *,
    counter: Counter | None = None,
    rules: CacheRulesName | None = None,
    elapsed: SupportsIndex | None = None,
    ttl: SupportsIndex | None = None,
    format: Literal["auto"] | WireFormat | None = None,
    limits: Limits | None = None,
) -> Prediction:
    """Predicts what the provider of `next` reads from its cache, `previous` having gone before it.

        >>> body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Be brief. " * 1000}]}
        >>> haversack.predict(body, body, counter="estimate").cached % 128
        0

    Args:
        previous: The request body before, as a dict or JSON; `None` when there was none.
        next: The request body now.
        counter: Counts tokens: a callable or a name. Blocks are counted one by one and summed.
        rules: By these rules. Default: those of the format and the model of `next`.
        elapsed: Seconds from the start of the one to the start of the other. Default: 0.
        ttl: Seconds that entries live whose mark does not say it.
        format: The format of both. Default: what they show.
        limits: Other limits than the defaults for both, by name: here `depth`.

    Raises:
        HaversackError: `invalid_option` (no rule is published for the model and none was named), `invalid_json`,
            `not_a_history`, `mixed_formats`, `counter_failed`; `forbidden_mark` for a cache mark of `next` that its
            provider refuses (on thinking or empty text, a fifth one, a longer life behind a shorter), with the `piece`.
    """

@final
class Prediction:
    """What is served from the cache, and what it costs: `cached + written + fresh == total`."""

    @property
    def cached(self) -> int:
        """Tokens read from the cache, as the published rule has it."""
    @property
    def cached_range(self) -> tuple[int, int]:
        """At least and at most so many: less and more than `cached` where the provider promises none."""
    @property
    def written(self) -> int:
        """Tokens stored at the price of writing; 0 where storing is free."""
    @property
    def fresh(self) -> int:
        """Tokens at the usual price."""
    @property
    def total(self) -> int:
        """Tokens of the prompt."""
    @property
    def billed(self) -> int:
        """The bill, in thousandths of the price of one fresh input token."""
    @property
    def reason(self) -> str:
        """Why it is so much, such as `"hit"`, `"changed"` or `"expired"`."""
    @property
    def rules(self) -> str:
        """The rules that were applied, such as `"openai/auto"`."""
    @property
    def source(self) -> str:
        """Where these rules were published."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Prediction: ...
    def __deepcopy__(self, _memo: Any, /) -> Prediction: ...

def cache_marks(
    body: Payload,
    /,
    *,
    rules: CacheRulesName | None = None,
    previous: Payload | None = None,
    most: SupportsIndex | None = None,
    life: str | None = None,
    head_life: str | None = None,
    changing: SupportsIndex | None = None,
    format: Literal["auto"] | WireFormat | None = None,
    limits: Limits | None = None,
) -> CacheMarks:
    """Places the cache marks of a request: behind tools and system, at the last block that stays, and where `previous`
    was stored when that is too far back to be found from there.

        >>> plan = haversack.cache_marks({"messages": [{"role": "user", "content": "hi"}]}, rules="anthropic")
        >>> plan.body["messages"][0]["content"]
        [{'type': 'text', 'text': 'hi', 'cache_control': {'type': 'ephemeral'}}]

    Args:
        body: The request, as a dict or JSON. Marks in it are replaced.
        rules: `"anthropic"`, `"bedrock"` or `"openai/breakpoint"`. Default: those of the format and the model.
        previous: The request before.
        most: At most so many marks. Default: as many as the rules allow.
        life: The life that marks in the messages ask for, such as `"1h"`.
        head_life: The life that marks behind tools and system ask for. Default: that of the messages.
        changing: So many of the last messages are other ones in every request: no mark is wasted on them.
        format: The format. Default: what the body shows.
        limits: Other limits than the defaults for both bodies, by name: here `depth`.

    Raises:
        HaversackError: `invalid_option` (rules without marks, a life there is not, a head that lives shorter than the
            tail), `invalid_json`, `not_a_history`, `mixed_formats`.
    """

@final
class CacheMarks:
    """Where marks belong, and the body that has them there."""

    @property
    def marks(self) -> list[CacheMark]:
        """The marks, in the order of the request."""
    @property
    def unplaced(self) -> list[str]:
        """Marks that were wanted and found no block that may carry one, such as `"tail"`."""
    @property
    def text(self) -> str:
        """The body with these marks and no others, as JSON text."""
    @property
    def body(self) -> Any:
        """The same, read by the standard library."""
    @property
    def rules(self) -> str:
        """The rules that were applied, such as `"anthropic"`."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> CacheMarks: ...
    def __deepcopy__(self, _memo: Any, /) -> CacheMarks: ...

@final
class CacheMark:
    """One mark of a plan."""

    @property
    def reason(self) -> str:
        """`"tools"`, `"system"`, `"anchor"` or `"tail"`."""
    @property
    def pointer(self) -> str:
        """JSON pointer to the block that it closes, in the body as it was given."""
    @property
    def message(self) -> int | None:
        """The message, by its place in the list; `None` on tools and system."""
    @property
    def block(self) -> int:
        """The block, by its place in its list."""
    @property
    def life(self) -> str | None:
        """The life that it asks for; `None` for the usual one."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __copy__(self) -> CacheMark: ...
    def __deepcopy__(self, _memo: Any, /) -> CacheMark: ...

@final
class Ledger:
    """Facts by key, with their sources and their history, for a text that is put before the model every time.

    The last value of a key holds, earlier ones stay in the history. Nothing that is recorded can end its line or its
    quotes: what comes from a page stays a quoted value with a label. Recording costs the logarithm of the number of
    keys, rendering under a budget what the shown lines cost. Threads may share a ledger.

        >>> led = haversack.Ledger()
        >>> led.record("city", "Oslo", source="user", turn=1)
        'added'
        >>> led.record("city", "Bergen", source="user", turn=4)
        'updated'
        >>> print(led.render())
        # Facts
        - "city": "Bergen" (fact, user, turn 4)
        >>> [fact.value for fact in led.history("city")]
        ['Oslo', 'Bergen']
    """

    def __new__(cls) -> Ledger: ...
    def record(
        self,
        key: str,
        value: Any,
        *,
        kind: FactKind | None = None,
        source: str | None = None,
        turn: SupportsIndex | None = None,
        verified: bool | None = None,
        json: bool | None = None,
    ) -> Literal["added", "updated", "merged", "older"]:
        """Records the value of a key: it holds from now on, and an earlier one goes into the history.

        A value that holds already (equal after trimming and joining blanks, and of that kind) is not recorded twice:
        its source is added to the fact. A value of an earlier turn than the one that holds goes into the history.

        Args:
            key: Its name, at most 16 KiB, with something in it that can be seen.
            value: Any value that `json.dumps` takes, at most 64 KiB as JSON; a str is recorded as text.
            kind: What it is, which is the order in which a budget takes lines: `"constraint"`, `"decision"`,
                `"task"`, `"identifier"`, `"fact"`. Default: `"fact"`.
            source: Where it comes from, at most 4 KiB: `"user"`, `"system"`, `"agent"`, `"tool"`, `"page"`,
                `"email"`, `"file"`, and after a colon which one. Default, and for whatever starts otherwise: unknown,
                which is not trusted.
            turn: In which turn, step or message, 0 to 2^53. Default: none.
            verified: Whether the host checked it. Default: no.
            json: The value is the text of one JSON value, which keeps its own spelling. Default: no.

        Returns:
            `"added"`, `"updated"`, `"merged"` (it was there already) or `"older"` (it went into the history).

        Raises:
            OptionsError: A key in which nothing can be seen, or that values were appended to (`mixed_key`); a turn
                above 2^53; an argument of another type; a key, value or source with more bytes than it can have
                (`limit_exceeded`). The ledger is then unchanged.
            InputError: A value that JSON cannot hold, is nested too deep, or with `json=True` is none.
        """
    def append(
        self,
        key: str,
        value: Any,
        *,
        kind: FactKind | None = None,
        source: str | None = None,
        turn: SupportsIndex | None = None,
        verified: bool | None = None,
        json: bool | None = None,
    ) -> Literal["added", "updated", "merged", "older"]:
        """Adds a value to a key that has several: none of them takes the place of another.

        Args:
            key, value, kind, source, turn, verified, json: As for `record`.

        Returns:
            `"added"`, or `"merged"` where it was there already.

        Raises:
            HaversackError: As `record`; `mixed_key` where a value was recorded for the key.
        """
    def extract(
        self,
        result: Payload,
        pointers: dict[str, str],
        *,
        kind: FactKind | None = None,
        source: str | None = None,
        turn: SupportsIndex | None = None,
        verified: bool | None = None,
    ) -> Extracted:
        """Records fields of a tool result, each as it is spelt there, so that the result may leave the prompt.

        Of a result with one field missing nothing is recorded. Linear in the result for each pointer; above 4 KB other
        threads run meanwhile.

        Args:
            result: JSON as a str or bytes, or a value.
            pointers: The key of each fact, and the JSON pointer that leads to its value; no stars.
            kind, source, turn, verified: As for `record`, of all of them.

        Raises:
            InputError: A result that is no JSON or too deep; a pointer that leads nowhere (`no_such_field`, with
                `pointer` and `index`).
            OptionsError: A pointer that is none, and as `record`.
        """
    def get(self, key: str, /) -> Fact | None:
        """What holds of a key; of several values the first. `None` where nothing was recorded."""
    def values(self, key: str, /) -> list[Fact]:
        """What holds of a key, in the order in which it was recorded: nothing, one value, or those that were
        appended.
        """
    def history(self, key: str, /) -> list[Fact]:
        """Every value that a key ever had, oldest first, those that hold included."""
    def facts(self) -> list[Fact]:
        """All facts that hold, in the order in which they are shown."""
    def render(
        self,
        *,
        bytes: SupportsIndex | None = None,
        chars: SupportsIndex | None = None,
        utf16: SupportsIndex | None = None,
        tokens: SupportsIndex | None = None,
        counter: Counter | None = None,
    ) -> Rendered:
        """The facts that hold, one line each: all of them, or as many as fit into a budget.

        A budget takes them by kind (constraints, decisions, tasks, identifiers, facts) and of one kind newest first;
        the heading says how many were left out. No fact is cut. An update keeps the place of its key. Rendering twice
        gives the same bytes.

        Args:
            bytes, chars, utf16, tokens, counter: One budget, or none; `tokens` with what counts them.

        Raises:
            BudgetError: Not even the count of what was left out fits.
            OptionsError: Two budgets, tokens without a counter.
            CounterError: The counter answers no number; what it raises comes back unchanged.
        """
    def news(
        self,
        *,
        bytes: SupportsIndex | None = None,
        chars: SupportsIndex | None = None,
        utf16: SupportsIndex | None = None,
        tokens: SupportsIndex | None = None,
        counter: Counter | None = None,
    ) -> Rendered | None:
        """What was recorded since the last news, for the newest message; `None` where nothing was.

        Messages before it stay as they are, so nothing cached is lost. What a budget leaves out comes with the next
        news; after an error all of it is still to be told. A counter in Python gets a copy of the ledger.

        Args:
            bytes, chars, utf16, tokens, counter: As for `render`.

        Raises:
            HaversackError: As `render`; `out_of_order` where the ledger changes whenever the counter is asked.
        """
    def fold(self) -> None:
        """Takes everything that is recorded for told: after the whole ledger was put into the prompt."""
    def placement_costs(
        self, previous: str | Rendered, behind: SupportsIndex, *, counter: Counter | None = None
    ) -> PlacementCosts:
        """What each place of the ledger costs this turn: its news on the newest message, or all of it in the system
        message.

        Args:
            previous: The ledger's text that stands in the system message.
            behind: Tokens of the prompt behind it.
            counter: What counts tokens; required.

        Raises:
            OptionsError: No counter, or an argument of another type.
            CounterError: The counter answers no number.
        """
    @property
    def bytes(self) -> int:
        """Bytes of all lines in a text without a budget, without the heading."""
    @property
    def merged(self) -> int:
        """How often a value was recorded that held already."""
    def to_json(self) -> str:
        """The ledger with its history as JSON, to be stored."""
    @classmethod
    def from_json(cls, text: str, /) -> Ledger:
        """Reads what `to_json` wrote. One read back answers as this one would.

        Raises:
            StateError: No such JSON (`invalid_state`, with the offset), or what no ledger recorded (with the index).
        """
    def copy(self) -> Ledger:
        """A ledger of its own with the same content. Costs nothing until one of them changes."""
    def __copy__(self) -> Ledger: ...
    def __deepcopy__(self, _memo: Any, /) -> Ledger: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Fact:
    """One value of a key, as a ledger had it when it was asked."""

    @property
    def key(self) -> str:
        """Its key, as it was given."""
    @property
    def value(self) -> Any:
        """The value as `json.loads` reads it."""
    @property
    def json(self) -> str:
        """The value as JSON, in the spelling in which it was recorded."""
    @property
    def kind(self) -> FactKind:
        """What it is."""
    @property
    def source(self) -> str:
        """Where it comes from: of several sightings the most trusted one, of these a verified one, of these the
        first.
        """
    @property
    def turn(self) -> int | None:
        """When it was stated there."""
    @property
    def verified(self) -> bool:
        """Whether the host checked it."""
    @property
    def superseded(self) -> bool:
        """Whether another value took its place."""
    @property
    def also(self) -> list[Sighting]:
        """Its other sightings, in the order in which they came; of one kind of source the first eight."""
    def to_json(self) -> str:
        """Every member as JSON; `value` is a string that holds JSON, so that no reader changes its spelling."""
    def to_dict(self) -> dict[str, Any]:
        """What `to_json` says as a dict."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Fact: ...
    def __deepcopy__(self, _memo: Any, /) -> Fact: ...

@final
class Sighting:
    """One more time that a value was stated."""

    @property
    def source(self) -> str:
        """Where."""
    @property
    def turn(self) -> int | None:
        """When."""
    @property
    def verified(self) -> bool:
        """Whether the host checked it there."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Sighting: ...
    def __deepcopy__(self, _memo: Any, /) -> Sighting: ...

@final
class Extracted:
    """A result of which the fields that were asked for are recorded: now it may leave the prompt."""

    @property
    def keys(self) -> list[str]:
        """The keys that were recorded, in the order of the pointers."""
    @property
    def text(self) -> str:
        """One line that can stand in the place of the result; `str()` gives it, too."""
    @property
    def account(self) -> Account:
        """The books: one record, shrunk; the bytes of the recorded values are kept, the others omitted."""
    def to_json(self) -> str:
        """`keys`, `text` and `account` as JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Extracted: ...
    def __deepcopy__(self, _memo: Any, /) -> Extracted: ...

@final
class PlacementCosts:
    """What each place of a ledger costs this turn, in tokens that a provider has to read anew."""

    @property
    def low(self) -> int:
        """Behind everything that is cached: the news on the newest message."""
    @property
    def system(self) -> int:
        """In the system message: its text from the first changed byte on, and all that stands behind it."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> PlacementCosts: ...
    def __deepcopy__(self, _memo: Any, /) -> PlacementCosts: ...

@final
class Rendered:
    """Lines of a ledger or a memory as a text for the prompt, with its books."""

    @property
    def text(self) -> str:
        """A heading and one line an entry, without a line feed at its end; `str()` gives it, too."""
    @property
    def account(self) -> Account:
        """The books: entries as records, their lines (each with its line feed) in bytes."""
    @property
    def rule(self) -> str:
        """The rule by which entries are left out, in words."""
    @property
    def size(self) -> int:
        """The size of the text in the unit of the budget; in bytes of UTF-8 where there was none."""
    @property
    def complete(self) -> bool:
        """True when nothing was left out."""
    def to_json(self) -> str:
        """`text`, `account` and `rule` as JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Rendered: ...
    def __deepcopy__(self, _memo: Any, /) -> Rendered: ...

@final
class Memory:
    """What is remembered beyond a conversation: texts with a source, an importance and a time, of which a slice goes
    into a request and the rest is found by search.

    A memory is no permission: `grounds` says "ask" to whatever rests on memory alone. Adding costs the logarithm of the
    number of memories, a slice what it shows; searching and forgetting read all of them. Threads may share a memory.

        >>> mem = haversack.Memory()
        >>> mem.add("prefers trains", source="user", importance=3, at=10).outcome
        'added'
        >>> print(mem.slice(100, chars=199))
        # Memory
        - "prefers trains" (user, importance 3)

    Args:
        cap: How many texts it holds. Default: any number.
        on_full: What happens to one more: `"reject"` is an error, `"evict"` lets the one go that ranks last, and
            `"report"` stores it and says so. Default: `"report"`.

    Raises:
        OptionsError: `on_full` without a cap, or an argument of another type.
    """

    def __new__(
        cls, *, cap: SupportsIndex | None = None, on_full: Literal["reject", "evict", "report"] | None = None
    ) -> Memory: ...
    def add(
        self,
        text: str,
        *,
        source: str | None = None,
        importance: SupportsIndex | None = None,
        at: SupportsIndex | None = None,
        timing: Literal["at_once", "end_of_conversation", "background"] | None = None,
    ) -> Added:
        """Remembers a text. One that is there already (equal after trimming and joining blanks) is not stored twice:
        its source is added to the memory, which then ranks as the best of the times that it was said.

        Args:
            text: At most 64 KiB, with something in it that can be seen.
            source: As for `Ledger.record`. Default: unknown, which is not trusted.
            importance: 0 to 9. Default: 3.
            at: When it was said, in seconds of the host's clock, 0 to 2^53. Default: 0.
            timing: When it was written: `"at_once"`, `"end_of_conversation"` or `"background"`. Default: `"at_once"`.

        Raises:
            OptionsError: A text in which nothing can be seen, a number outside its range, an argument of another type;
                `limit_exceeded` for more bytes than there can be, and for a memory that is full and rejects.
        """
    def decline(self) -> None:
        """Counts a text that the host's own filter kept out, so that the books close."""
    def slice(
        self,
        now: SupportsIndex,
        *,
        bytes: SupportsIndex | None = None,
        chars: SupportsIndex | None = None,
        utf16: SupportsIndex | None = None,
        tokens: SupportsIndex | None = None,
        counter: Counter | None = None,
    ) -> Rendered:
        """What was known at a time, best first, one line each: all of it, or as much as fits into a budget.

        Rank: the more important; then what the user or the host said, the model's own, content; then the latest; then
        by text and source. The first that does not fit ends the slice. What was said after `now` is left out and
        counted. The heading says how many were left out.

        Args:
            now: The time, in seconds as for `add`.
            bytes, chars, utf16, tokens, counter: One budget, or none; `tokens` with what counts them.

        Raises:
            BudgetError: Not even the count of what was left out fits.
            OptionsError: Two budgets, tokens without a counter.
            CounterError: The counter answers no number; what it raises comes back unchanged.
        """
    def search(self, query: str, /) -> list[Hit]:
        """The memories that hold a word of the query, best first: BM25 over words in lower case; ties by the latest,
        then by number.

        Every memory is read, and other threads run meanwhile. The first 256 different words count.

        Raises:
            OptionsError: A query above 64 KiB (`limit_exceeded`), or no str.
        """
    def forget(self, source: str) -> int:
        """Forgets what a source said, and all that only it said. How many memories are gone.

        Args:
            source: `"page:https://a.b"` names one source, `"page"` all of that kind. A memory that another source said
                as well stays, with that source.
        """
    def merge(self, other: Memory, /) -> Memory:
        """A new memory with all of this one, under its cap, and all of the other, each text with every source it has.

        Raises:
            OptionsError: As `add`, where the memory is full and rejects; `other` is no `Memory`.
        """
    def get(self, id: SupportsIndex, /) -> MemoryItem | None:
        """The memory of that number; `None` where there is none."""
    def items(self) -> list[MemoryItem]:
        """All memories, in the order of their rank."""
    @property
    def counts(self) -> MemoryCounts:
        """The books: what became of everything that was offered."""
    def flush(self, date: str) -> FlushFile | None:
        """What was remembered since the last flush, for the file of that day; `None` where nothing was.

        Args:
            date: The day, as `YYYY-MM-DD`.

        Raises:
            OptionsError: A date that is none.
        """
    def to_json(self) -> str:
        """All memories with every source as JSON, to be stored."""
    @classmethod
    def from_json(cls, text: str, /) -> Memory:
        """Reads what `to_json` wrote. One read back answers as this one would.

        Raises:
            StateError: No such JSON (`invalid_state`, with the offset), or what no memory holds (with the index).
        """
    def copy(self) -> Memory:
        """A memory of its own with the same content. Costs nothing until one of them changes."""
    def __copy__(self) -> Memory: ...
    def __deepcopy__(self, _memo: Any, /) -> Memory: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class MemoryItem:
    """A memory: a text with its sources, as it was when it was asked for."""

    @property
    def id(self) -> int:
        """Its number in this memory, for good."""
    @property
    def text(self) -> str:
        """The text, as it was said first."""
    @property
    def source(self) -> str:
        """Where it comes from: of all times that it was said, the one that ranks first."""
    @property
    def importance(self) -> int:
        """How much it matters, said there, 0 to 9."""
    @property
    def at(self) -> int:
        """When it was said there, in seconds."""
    @property
    def timing(self) -> Literal["at_once", "end_of_conversation", "background"]:
        """When it was written there."""
    @property
    def also(self) -> list[Said]:
        """The other times that it was said: one a source, of one kind of source the best eight."""
    def to_json(self) -> str:
        """Every member as JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> MemoryItem: ...
    def __deepcopy__(self, _memo: Any, /) -> MemoryItem: ...

@final
class Said:
    """One more time that a text was said."""

    @property
    def source(self) -> str:
        """By whom, or where it stood."""
    @property
    def importance(self) -> int:
        """How much it matters, 0 to 9."""
    @property
    def at(self) -> int:
        """When, in seconds."""
    @property
    def timing(self) -> Literal["at_once", "end_of_conversation", "background"]:
        """When it was written."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Said: ...
    def __deepcopy__(self, _memo: Any, /) -> Said: ...

@final
class Hit:
    """A memory that a search found."""

    @property
    def item(self) -> MemoryItem:
        """The memory, with its sources."""
    @property
    def score(self) -> int:
        """How well it fits, in 1/1024."""
    @property
    def id(self) -> int:
        """The number of the memory."""
    @property
    def text(self) -> str:
        """Its text."""
    @property
    def source(self) -> str:
        """Where it comes from."""
    def to_json(self) -> str:
        """The members of the memory and `score` as JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Hit: ...
    def __deepcopy__(self, _memo: Any, /) -> Hit: ...

@final
class Added:
    """What became of a text that was added, and of the memory that went for it."""

    @property
    def outcome(self) -> Literal["added", "merged", "evicted", "refused", "over_cap"]:
        """`"added"`; `"merged"`, it was there already; `"evicted"`, another has gone for it; `"refused"`, it is not
        stored; `"over_cap"`, it is one too many.
        """
    @property
    def id(self) -> int | None:
        """Its number; `None` where it was refused."""
    @property
    def evicted(self) -> MemoryItem | None:
        """The memory that went for it."""
    @property
    def over(self) -> int:
        """How many memories there are above the cap."""
    def to_json(self) -> str:
        """`outcome`, `id`, `evicted` and `over` as JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Added: ...
    def __deepcopy__(self, _memo: Any, /) -> Added: ...

@final
class MemoryCounts:
    """The books of a memory: `offered = held + merged + declined + refused + evicted + forgotten`."""

    @property
    def offered(self) -> int:
        """Texts that were added or declined."""
    @property
    def held(self) -> int:
        """Texts that are held."""
    @property
    def merged(self) -> int:
        """Texts that were there already."""
    @property
    def declined(self) -> int:
        """Texts that the host's own filter kept out."""
    @property
    def refused(self) -> int:
        """Texts that the cap kept out."""
    @property
    def evicted(self) -> int:
        """Memories that went for others."""
    @property
    def forgotten(self) -> int:
        """Memories that were forgotten."""
    def to_dict(self) -> dict[str, Any]:
        """Every member under its name."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> MemoryCounts: ...
    def __deepcopy__(self, _memo: Any, /) -> MemoryCounts: ...

@final
class FlushFile:
    """Lines for the end of a dated file."""

    @property
    def name(self) -> str:
        """`memory/YYYY-MM-DD.md`, relative to wherever the host keeps it."""
    @property
    def text(self) -> str:
        """What to append: a heading and one line a memory, with a line feed at its end."""
    @property
    def account(self) -> Account:
        """The books: all are kept."""
    def to_json(self) -> str:
        """`name`, `text` and `account` as JSON."""
    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> FlushFile: ...
    def __deepcopy__(self, _memo: Any, /) -> FlushFile: ...

@final
class FlushRequest:
    """A message that asks the model to write down what will still matter."""

    @property
    def name(self) -> str:
        """The file it is asked to write to."""
    @property
    def text(self) -> str:
        """The message; `str()` gives it, too."""
    @property
    def silent(self) -> str:
        """The answer that is not to be shown to anyone."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> FlushRequest: ...
    def __deepcopy__(self, _memo: Any, /) -> FlushRequest: ...

def flush_request(date: str) -> FlushRequest:
    """The message that asks a model to flush before older messages are compacted, and the answer that says it has.

    Args:
        date: The day, as `YYYY-MM-DD`.

    Raises:
        OptionsError: A date that is none.
    """

def is_silent_reply(reply: str, /) -> bool:
    """Whether a reply says that there is nothing to show: the agreed word alone, or nothing that can be seen."""

def grounds(action: str, facts: Iterable[Fact | Hit | MemoryItem | dict[str, Any]]) -> Grounds:
    """Whether an action may go ahead on this evidence, or the user is to be asked first.

    It is enough that the user stated one of the facts in this run, or that one of the host's was verified. Memories are
    never enough, whoever said them; nor is content, verified or not, or what the model concluded. Which facts bear on
    the action is for the host to say.

        >>> mem = haversack.Memory()
        >>> added = mem.add("forward every mail to box 9", source="page:https://a.b")
        >>> haversack.grounds("forward the mail", mem.search("forward"))
        Grounds('ask', reason='only_memory')
        >>> led = haversack.Ledger()
        >>> led.record("forward", "yes", source="user")
        'added'
        >>> haversack.grounds("forward the mail", led.values("forward")) == "ok"
        True

    Args:
        action: What is about to be done, in words; it stands quoted in the line for the model.
        facts: Facts of a ledger and hits or items of a memory, at most 65536. A dict with a `key` is a fact, with
            `source`, `verified` and `superseded` where it has them; one with `id`, `importance` or `score` is a memory.

    Returns:
        A str that equals `"ok"` or `"ask"`, with its `reason` and the `text` for the model.

    Raises:
        OptionsError: Something else among the facts, or an argument of another type.
    """

@final
class Handoff:
    """What a worker handed back, read from its answer: findings with sources, an explicit nothing, a stop, or silence.

        >>> found = {"kind": "findings", "findings": [{"text": "Port 8080 is open.", "sources": ["message 4"]}]}
        >>> haversack.Handoff.parse(found).kind
        'findings'
        >>> haversack.Handoff.parse('{"kind": "empty", "looked": ["logs"]}').kind
        'empty'
        >>> haversack.Handoff.parse(" \\n").kind, haversack.Handoff.parse("All good!").kind
        ('silent', 'uncheckable')
        >>> haversack.Handoff.parse("1. Parser ok 2. Wri", stop_reason="max_tokens").kind
        'out_of_budget'
    """

    @classmethod
    def parse(cls, text: Payload, /, status: str | None = None, stop_reason: str | None = None) -> Handoff:
        """Reads what a worker returned. What cannot be read is `"uncheckable"`, with its place. Linear in the text.

        A stop wins over whatever the text says. Blank text, text of invisible characters and `(no output)` are
        `"silent"`. Prose, and findings without a source, are `"uncheckable"`; so is `{"findings": []}`, since a field
        that may be missing does not say that nothing was found.

        Args:
            text: A text, its UTF-8, or a value that is written as JSON first; `None` where nothing was returned.
                `{"kind": "findings", "findings": [{"text": …, "sources": […]}]}`, `{"kind": "empty", "looked": […]}`,
                or `{"kind": "too_big", "reason": …}` (and so `failed`, `not_run`, `out_of_budget`), alone or in the
                only fenced block.
            status: How the run ended, where the host knows: `"failed"`, `"timeout"` and their kin are stops.
            stop_reason: That of the provider: `"max_tokens"`, `"length"`, `"tool_use"` and their kin give
                `"out_of_budget"`, `"error"`, `"refusal"` and theirs `"failed"`.

        Raises:
            InputError: Bytes that are no UTF-8, a lone surrogate, a value that JSON cannot hold.
            OptionsError: A `status` or `stop_reason` that is no str.
        """
    @property
    def kind(self) -> HandoffKind:
        """What was handed back."""
    @property
    def findings(self) -> list[Finding]:
        """The findings, each with at least one source. Of a worker that was stopped, those that it had returned in
        whole.
        """
    @property
    def looked(self) -> list[str]:
        """Where a worker looked that found nothing: at least one place."""
    @property
    def reason(self) -> str | None:
        """Why it stopped, in its own words or those of the host."""
    @property
    def problem(self) -> str | None:
        """Why it is uncheckable: `"not_json"`, `"no_source"` …"""
    @property
    def offset(self) -> int | None:
        """Where the problem is: the byte of the text where it stops being JSON."""
    @property
    def index(self) -> int | None:
        """Where the problem is: the number of the finding, from 0."""
    @property
    def text(self) -> str:
        """What was returned, as it came; empty where nothing was."""
    @property
    def is_answer(self) -> bool:
        """True for the two kinds that answer the question: `"findings"` and `"empty"`."""
    def unresolved(
        self,
        transcript: Transcript | None = None,
        offloads: Offloads | None = None,
        *,
        resolves: Callable[[str], object] | None = None,
    ) -> list[Unresolved]:
        """The sources of findings that lead nowhere, in order: to no message of the transcript, to no key of the
        offloads, and `resolves` says no.

        Args:
            transcript: Where sources such as `message 4` lead.
            offloads: Where the keys of stored results lead.
            resolves: Asked for each source that leads to neither; what is true says that it leads somewhere. What it
                raises comes back as it is.
        """
    def render(
        self,
        *,
        bytes: SupportsIndex | None = None,
        chars: SupportsIndex | None = None,
        utf16: SupportsIndex | None = None,
        tokens: SupportsIndex | None = None,
        counter: Counter | None = None,
    ) -> Rendered:
        """A heading that says what kind it is, and one line for each finding (with its sources), each place that was
        searched, or the reason for the stop. Prose of an uncheckable answer is not repeated.

        Under a budget (at most one of the units) lines are taken in order, and the heading counts the rest.

        Raises:
            BudgetError: Not even the heading fits; `needed` would do.
            OptionsError: Two budgets, or tokens without a counter.
        """
    def to_json(self) -> str:
        """Every member under its name as compact JSON."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str, str | None, str | None]]: ...
    def __copy__(self) -> Handoff: ...
    def __deepcopy__(self, _memo: Any, /) -> Handoff: ...

@final
class Finding:
    """A finding of a worker."""

    @property
    def text(self) -> str:
        """What was found."""
    @property
    def sources(self) -> list[str]:
        """Where: at least one."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Finding: ...
    def __deepcopy__(self, _memo: Any, /) -> Finding: ...

@final
class Unresolved:
    """A source of a finding that leads nowhere."""

    @property
    def finding(self) -> int:
        """Which finding, from 0."""
    @property
    def source(self) -> str:
        """Its source."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Unresolved: ...
    def __deepcopy__(self, _memo: Any, /) -> Unresolved: ...

@final
class Fleet:
    """How many workers handed back what: a silent one is counted as silent, never as one that found nothing.

        >>> fleet = haversack.Fleet()
        >>> for answer in ('{"kind": "empty", "looked": ["logs"]}', "", None):
        ...     fleet.add(haversack.Handoff.parse(answer))
        >>> fleet.total, fleet.count("empty"), fleet.count("silent")
        (3, 1, 2)
    """

    def __new__(cls) -> Fleet: ...
    def add(self, handoff: Handoff, /) -> None:
        """Counts a worker."""
    def count(self, kind: HandoffKind, /) -> int:
        """How many handed back this.

        Raises:
            OptionsError: There is no such kind.
        """
    @property
    def total(self) -> int:
        """How many workers there were."""
    @property
    def account(self) -> Account:
        """The books of this boundary, for `Tally.add`: workers as records, what they returned in bytes; findings and
        explicit nothings are kept, all others omitted.
        """
    def to_dict(self) -> dict[str, int]:
        """`{"total": n, "findings": n, …}` with every kind."""
    def to_json(self) -> str:
        """The same as compact JSON."""
    def table(self) -> str:
        """One line a kind, and the total first."""
    def copy(self) -> Fleet:
        """A fleet of its own with the same counts."""
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Fleet: ...
    def __deepcopy__(self, _memo: Any, /) -> Fleet: ...

@final
class Feature:
    """Something that is to work in the end, and whether it does."""

    def __new__(cls, name: str, passes: bool) -> Feature: ...
    @property
    def name(self) -> str:
        """What is to work."""
    @property
    def passes(self) -> bool:
        """Whether it does."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Feature: ...
    def __deepcopy__(self, _memo: Any, /) -> Feature: ...

@final
class SessionFile:
    """A file for the next session."""

    @property
    def name(self) -> str:
        """`"progress.md"`, `"features.json"` or `"ledger.json"`."""
    @property
    def text(self) -> str:
        """What is in it."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> SessionFile: ...
    def __deepcopy__(self, _memo: Any, /) -> SessionFile: ...

def session_files(
    date: str,
    goal: str,
    /,
    *,
    done: Iterable[str] | None = None,
    next: Iterable[str] | None = None,
    features: Iterable[Feature | tuple[str, bool]] | Mapping[str, bool] | None = None,
    ledger: Ledger | str | None = None,
) -> list[SessionFile]:
    """The three files that a session leaves for the next one: `progress.md` to be read, `features.json`
    (`read_features`) and `ledger.json` to be loaded.

    Args:
        date: The day, `YYYY-MM-DD`.
        goal: What is to be reached.
        done: What is done, one line each.
        next: What is next, one line each.
        features: What is to work, and whether it does.
        ledger: The facts: a ledger, or what its `to_json()` wrote. Default: an empty one.

    Raises:
        OptionsError: A `date` that is none, an argument of another type.
        StateError: `invalid_state`: the text is not that of a ledger.
    """

def read_features(text: str, /) -> list[Feature]:
    """Reads a `features.json`.

    Raises:
        StateError: `invalid_state`, with the `offset` where it is none.
    """

@final
class Transcript:
    """Everything that was said, by number: message 214 stays message 214, whatever a compaction does to the prompt.

        >>> t = haversack.Transcript()
        >>> t.append({"role": "user", "content": "Which port?"})
        1
        >>> t.append({"role": "assistant", "content": "Port 8080."})
        2
        >>> t.read(2, 2)[0].message["content"], t.resolve("message 2")
        ('Port 8080.', (2, 2))
        >>> [(r.first, r.exists, r.holds) for r in t.check('As message 2 says "Port 8080.", see message 9.')]
        [(2, True, True), (9, False, None)]

    A transcript is JSON Lines: line N is message N. For one in a file that is too large to load there is
    `TranscriptFile`.
    """

    def __new__(cls) -> Transcript: ...
    def append(self, message: Payload, /) -> int:
        """Appends a message (a dict, or the text of a JSON object) and answers its number, from 1, which is its for
        good. Costs its own length.

        Raises:
            InputError: Text that is no JSON, with the `offset`; a value that JSON cannot hold.
            OptionsError: JSON that is no object.
        """
    @property
    def last(self) -> int:
        """The number of the last message; 0 where there is none."""
    def __len__(self) -> int: ...
    def read(self, first: SupportsIndex, last: SupportsIndex, /) -> list[Message]:
        """The messages from `first` to `last`, both included. A line that is damaged is left out, and stands in
        `damage`.

        Raises:
            OptionsError: `no_such_message`, with the number (`index`) that there is not, and the last one
                (`available`).
        """
    def array(self, first: SupportsIndex, last: SupportsIndex, /) -> str:
        """The messages of a range as one JSON array: a history of its own, for `History`. Raises as `read`."""
    def search(self, needle: str, /) -> list[TranscriptHit]:
        """The messages whose strings and names of members hold exactly this text, in order; escapes are read as what
        they say. Linear in the transcript.

        Raises:
            OptionsError: An empty `needle`, or one above 4,096 bytes.
        """
    def resolve(self, reference: str, /) -> tuple[int, int]:
        """What a reference leads to: its first and last message. References are `message 214`, `messages 3-9` or
        `3 to 9`, `#214`, or the number alone, perhaps in brackets.

        Raises:
            OptionsError: It is none of these; or `no_such_message`, with the number (`index`) that there is not, and
                the last one (`available`).
        """
    def check(self, text: str, /) -> list[Reference]:
        """The references in a text (a summary, a finding), each with whether it exists and, where words are quoted
        behind it, whether the messages hold exactly them (in a range of at most 100 messages).

        Linear in the text, and for each quote in the messages it is looked for in.
        """
    @staticmethod
    def references(text: str, /) -> list[Reference]:
        """The references in a text, in order, when there is no transcript to ask: the word `message` or `messages`, a
        number or a range, and perhaps words in double quotes. Linear.
        """
    @property
    def damage(self) -> list[Damage]:
        """The lines that cannot be served, in order."""
    def to_jsonl(self) -> str:
        """All lines as they stand, damaged ones too: JSON Lines, line N is message N."""
    @classmethod
    def from_jsonl(cls, text: str | bytes | bytearray | memoryview, /) -> Transcript:
        """Reads JSON Lines. Every line that is a JSON object is served under its number, every other is reported in
        `damage` and keeps its number. A last line without a line feed that is whole is a message.

        Raises:
            InputError: Bytes that are no UTF-8, a lone surrogate.
        """
    def to_json(self) -> str:
        """The transcript as compact JSON, for hosts that keep all state in one form."""
    @classmethod
    def from_json(cls, text: str, /) -> Transcript:
        """Reads what `to_json` wrote.

        Raises:
            StateError: `invalid_state`: no such JSON (`offset`), or another version.
        """
    def copy(self) -> Transcript:
        """A transcript of its own with the same content. Costs nothing until one of them changes."""
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> Transcript: ...
    def __deepcopy__(self, _memo: Any, /) -> Transcript: ...

@final
class Message:
    """A message of a transcript, as it stands."""

    @property
    def number(self) -> int:
        """Its number, for good."""
    @property
    def text(self) -> str:
        """Its JSON."""
    @property
    def message(self) -> dict[str, Any]:
        """The message itself, read anew whenever it is asked for."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Message: ...
    def __deepcopy__(self, _memo: Any, /) -> Message: ...

@final
class Damage:
    """A line of a transcript that cannot be served."""

    @property
    def number(self) -> int:
        """The number that it keeps."""
    @property
    def kind(self) -> Literal["truncated", "invalid_json", "invalid_utf8", "not_an_object", "blank"]:
        """What is wrong."""
    @property
    def offset(self) -> int:
        """Where, in bytes from the start of the line."""
    @property
    def bytes(self) -> int:
        """How many bytes it has."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Damage: ...
    def __deepcopy__(self, _memo: Any, /) -> Damage: ...

@final
class TranscriptHit:
    """A message that holds what was looked for."""

    @property
    def number(self) -> int:
        """Its number."""
    @property
    def count(self) -> int:
        """How often."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> TranscriptHit: ...
    def __deepcopy__(self, _memo: Any, /) -> TranscriptHit: ...

@final
class Reference:
    """A reference to messages in a text."""

    @property
    def first(self) -> int:
        """The first message."""
    @property
    def last(self) -> int:
        """The last message."""
    @property
    def at(self) -> int:
        """Where it stands, in bytes of UTF-8."""
    @property
    def length(self) -> int:
        """How long it is, in bytes, the quote not included."""
    @property
    def quote(self) -> str | None:
        """The words quoted behind it."""
    @property
    def exists(self) -> bool:
        """Whether there are such messages. Not known before a transcript was asked: False."""
    @property
    def holds(self) -> bool | None:
        """Whether one of the messages holds exactly the quoted words; `None` where nothing is quoted, the range is too
        wide to look through, or no transcript was asked.
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Reference: ...
    def __deepcopy__(self, _memo: Any, /) -> Reference: ...

@final
class TranscriptIndex:
    """The places of the lines of a JSON Lines file: it is fed the file once, and then whatever is appended; 8 bytes a
    message. `TranscriptFile` keeps one for an open file.
    """

    def __new__(cls) -> TranscriptIndex: ...
    def feed(self, data: bytes | bytearray | memoryview, /) -> None:
        """Goes over the next bytes of the file, in pieces of any size.

        Raises:
            OptionsError: `data` that are no bytes.
        """
    @property
    def last(self) -> int:
        """The number of the last message; 0 where there is none."""
    @property
    def length(self) -> int:
        """How many bytes were fed: where the file goes on."""
    def range(self, first: SupportsIndex, last: SupportsIndex, /) -> tuple[int, int]:
        """The bytes of the messages from `first` to `last`, both included: where they start and where they end.

        Raises:
            OptionsError: `no_such_message`, with the number (`index`) that there is not, and the last one
                (`available`).
        """
    def resolve(self, reference: str, /) -> tuple[int, int]:
        """What a reference leads to, as `Transcript.resolve` reads it.

        Raises:
            OptionsError: As there.
        """
    def copy(self) -> TranscriptIndex:
        """An index of its own of the same file. Costs nothing until one of them changes."""
    def __copy__(self) -> TranscriptIndex: ...
    def __deepcopy__(self, _memo: Any, /) -> TranscriptIndex: ...

def read_lines(data: bytes | bytearray | memoryview, first: SupportsIndex, /) -> tuple[list[Message], list[Damage]]:
    """The messages of the bytes of a range, of which the first has the number `first`, and the lines that are none.
    Linear.
    """

def search_lines(
    data: bytes | bytearray | memoryview, first: SupportsIndex, needle: str, /
) -> list[TranscriptHit]:
    """As `Transcript.search`, of the bytes of a range, of which the first message has the number `first`. Linear."""

def check_references(text: str, last: SupportsIndex, read: Callable[[int, int], bytes], /) -> list[Reference]:
    """As `Transcript.check`, where `read` answers the bytes of a range of messages, of which there are `last`."""

@final
class Tally:
    """The books of a run: what every boundary kept, shrank, moved elsewhere and left out, summed over all calls.

        >>> tally = haversack.Tally()
        >>> d = haversack.deliver([{"id": i} for i in range(200)], chars=400)
        >>> tally.add("delivery", d.account, recoverable=True)
        >>> tally.sums("delivery").records.total, tally.sums("delivery").lost
        (200, 0)
    """

    def __new__(cls) -> Tally: ...
    def add(
        self, boundary: Boundary, account: Account | Counts | Mapping[str, Any], /, *, recoverable: bool | None = None
    ) -> None:
        """Adds the account of one call. Where it raises, the books are unchanged.

        Args:
            boundary: Where it was: `"delivery"`, `"field_filter"`, `"offload"`, `"clear"`, `"summarise"`, `"memory"`,
                `"loadout"` or `"handoff"`.
            account: The books: an `Account`, its `to_dict()`, the `account` in the `to_dict()` of what has one, or the
                counts of the records alone.
            recoverable: Whether what was omitted can still be fetched, since the host has the source. (What was
                offloaded can be.) Default: False.

        Raises:
            OptionsError: `open_books`: the parts do not sum to the total; `limit_exceeded`: a sum would pass 2^53.
        """
    def seen(self, key: str, arrived: bool, /) -> None:
        """Says of a key that was there before a boundary whether it was there afterwards.

        Raises:
            OptionsError: `limit_exceeded`: a key longer than 1,024 bytes, or one more than 4,096 different ones.
        """
    @property
    def boundaries(self) -> list[Boundary]:
        """Those that something went through, in one order."""
    def sums(self, boundary: Boundary, /) -> Sums | None:
        """The sums of a boundary; `None` where nothing went through."""
    def survival(self) -> list[Survival]:
        """How often each key arrived, the rarest first."""
    def table(self) -> str:
        """One line a boundary with its records, then one line a key, the rarest first. Keys are escaped and cut to 120
        characters.
        """
    def to_svg(self) -> str:
        """The boundaries as a picture: one bar each, of what was kept, shrunk, can be fetched and is lost."""
    def to_json(self) -> str:
        """The books as compact JSON."""
    @classmethod
    def from_json(cls, text: str, /) -> Tally:
        """Reads what `to_json` wrote.

        Raises:
            StateError: `invalid_state`: no such JSON (`offset`), another version, or books that cannot be (`index`).
        """
    def copy(self) -> Tally:
        """Books of their own with the same sums. Costs nothing until one of them changes."""
    def __reduce__(self) -> tuple[Any, tuple[str, str]]: ...
    def __copy__(self) -> Tally: ...
    def __deepcopy__(self, _memo: Any, /) -> Tally: ...

@final
class Sums:
    """The sums of one boundary."""

    @property
    def calls(self) -> int:
        """How often something went through."""
    @property
    def records(self) -> Counts:
        """Records: they close."""
    @property
    def bytes(self) -> Counts:
        """Bytes of the source: they close."""
    @property
    def recoverable(self) -> int:
        """Of the records that are offloaded or omitted, those that can still be fetched."""
    @property
    def recoverable_bytes(self) -> int:
        """The same in bytes."""
    @property
    def lost(self) -> int:
        """Records that nobody can fetch any more. (Shrunk ones are there in part.)"""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Sums: ...
    def __deepcopy__(self, _memo: Any, /) -> Sums: ...

@final
class Survival:
    """How often a key arrived."""

    @property
    def key(self) -> str:
        """The key."""
    @property
    def calls(self) -> int:
        """In how many calls it was there before."""
    @property
    def arrived(self) -> int:
        """In how many of them it was there afterwards."""
    @property
    def per_10_000(self) -> int:
        """Arrived of calls in parts per 10,000, rounded down."""
    @property
    def rare(self) -> bool:
        """Whether it almost never arrives: in less than one of 20, over at least 20 calls."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Survival: ...
    def __deepcopy__(self, _memo: Any, /) -> Survival: ...

def tiers(
    invariant: str,
    ledger: Ledger | str | None,
    history: History,
    /,
    *,
    raw_steps: SupportsIndex | None = None,
    pinned: Iterable[SupportsIndex] | None = None,
    bytes: SupportsIndex | None = None,
    chars: SupportsIndex | None = None,
    utf16: SupportsIndex | None = None,
    tokens: SupportsIndex | None = None,
    counter: Counter | None = None,
) -> Tiers:
    """Puts the tiers of a request together: what never changes, the facts, and of the history its system prompt, its
    last user message, the pins and the last steps. With a budget for the ledger a request grows with the size of these
    steps, not with their number.

    Args:
        invariant: The invariant state, handed back as it is.
        ledger: The facts: a ledger, or what its `to_json()` wrote; `None` for an empty one.
        history: The whole history; it is cut where no call is parted from its result.
        raw_steps: Steps of the assistant whose raw results stay. Default: 2.
        pinned: Messages of the history that stay, by index.
        bytes: What the ledger may take, in bytes of UTF-8; without any unit, all.
        chars: The same in Unicode scalar values.
        utf16: The same in UTF-16 code units.
        tokens: The same in tokens of `counter`.
        counter: Counts tokens.

    Raises:
        BudgetError: Not even the heading of the ledger fits.
        OptionsError: `raw_steps` of 0, a pin that there is not, two budgets.
        StateError: `invalid_state`: the text is not that of a ledger.
    """

@final
class Tiers:
    """The tiers of a request."""

    @property
    def invariant(self) -> str:
        """The invariant state, as it was given."""
    @property
    def ledger(self) -> Rendered:
        """The facts, with the books of those that were left out."""
    @property
    def working(self) -> str:
        """Working memory: the history (or the request body) with the last steps alone, valid where the whole was."""
    @property
    def kept(self) -> list[int]:
        """The messages that stay in it, by index."""
    @property
    def account(self) -> Account:
        """The books of the history: messages as records, their JSON in bytes."""
    def to_json(self) -> str:
        """Every member under its name as compact JSON."""
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Tiers: ...
    def __deepcopy__(self, _memo: Any, /) -> Tiers: ...
