// haversack for C++17: RAII over haversack.h, header-only.
//
//   auto d = haversack::deliver(payload, haversack::Budget::chars(6000));
//   send(d.text());
//
// Texts go in as std::string_view and are read during the call only; texts come out as std::string_view and live as
// long as the object they came from, which is why an object without a name does not give one. A failed call throws
// haversack::Error, which carries the numbers. An exception thrown by a counter of yours comes back as that exception.
// Objects are movable and not copyable; const use of one object from many threads is safe.
#ifndef HAVERSACK_HPP
#define HAVERSACK_HPP

#include "haversack.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace haversack {

using Counts = ::haversack_counts;
using Status = ::haversack_status;

/// What a size counts.
enum class Unit : std::uint32_t {
    bytes = HAVERSACK_UNIT_BYTES,
    chars = HAVERSACK_UNIT_CHARS,
    utf16 = HAVERSACK_UNIT_UTF16,
    tokens = HAVERSACK_UNIT_TOKENS,
};

/// What a payload is read as.
enum class Format : std::uint32_t {
    automatic = HAVERSACK_FORMAT_AUTO,
    json = HAVERSACK_FORMAT_JSON,
    ndjson = HAVERSACK_FORMAT_NDJSON,
    csv = HAVERSACK_FORMAT_CSV,
    tsv = HAVERSACK_FORMAT_TSV,
    lines = HAVERSACK_FORMAT_LINES,
};

/// How sibling lists share a budget.
enum class Share : std::uint32_t {
    fair = HAVERSACK_SHARE_FAIR,
    proportional = HAVERSACK_SHARE_PROPORTIONAL,
    in_order = HAVERSACK_SHARE_IN_ORDER,
};

/// Which end of a list is kept.
enum class Keep : std::uint32_t {
    by_format = HAVERSACK_KEEP_DEFAULT,
    head = HAVERSACK_KEEP_HEAD,
    tail = HAVERSACK_KEEP_TAIL,
    both = HAVERSACK_KEEP_BOTH,
};

/// What happens to a record that alone is larger than its list's whole share.
enum class Oversize : std::uint32_t {
    shrink = HAVERSACK_OVERSIZE_SHRINK,
    skip = HAVERSACK_OVERSIZE_SKIP,
    error = HAVERSACK_OVERSIZE_ERROR,
};

/// When a root array is wrapped in an envelope with its counts.
enum class Envelope : std::uint32_t {
    when_cut = HAVERSACK_ENVELOPE_WHEN_CUT,
    always = HAVERSACK_ENVELOPE_ALWAYS,
};

/// What happens to input that is not well formed in a format given by name: an error, lines, or the whole records
/// before the break with its offset (and the error where nothing is whole).
enum class OnInvalid : std::uint32_t {
    error = HAVERSACK_ON_INVALID_ERROR,
    lines = HAVERSACK_ON_INVALID_LINES,
    salvage = HAVERSACK_ON_INVALID_SALVAGE,
};

/// What happens to ANSI sequences in lines.
enum class Ansi : std::uint32_t {
    keep = HAVERSACK_ANSI_KEEP,
    strip = HAVERSACK_ANSI_STRIP,
};

/// Whether the host still has the original.
enum class Source : std::uint32_t {
    unstated = HAVERSACK_SOURCE_UNSTATED,
    kept = HAVERSACK_SOURCE_KEPT,
    gone = HAVERSACK_SOURCE_GONE,
};

/// Where the notice of NDJSON, CSV and lines goes.
enum class Notice : std::uint32_t {
    text = HAVERSACK_NOTICE_TEXT,
    none = HAVERSACK_NOTICE_NONE,
};

/// What was done with a run of records.
enum class Action : std::uint32_t {
    unknown = HAVERSACK_ACTION_UNKNOWN,
    keep = HAVERSACK_ACTION_KEEP,
    shrink = HAVERSACK_ACTION_SHRINK,
    omit = HAVERSACK_ACTION_OMIT,
};

/// Why it was done.
enum class Reason : std::uint32_t {
    unknown = HAVERSACK_REASON_UNKNOWN,
    fits = HAVERSACK_REASON_FITS,
    budget = HAVERSACK_REASON_BUDGET,
    oversize = HAVERSACK_REASON_OVERSIZE,
    off_page = HAVERSACK_REASON_OFF_PAGE,
    repeats = HAVERSACK_REASON_REPEATS,
};

/// Something the caller should know that is not a loss.
enum class WarningKind : std::uint32_t {
    unknown = HAVERSACK_WARNING_UNKNOWN,
    duplicate_key = HAVERSACK_WARNING_DUPLICATE_KEY,
    looks_like_json = HAVERSACK_WARNING_LOOKS_LIKE_JSON,
    source_cursor_skips_omitted = HAVERSACK_WARNING_SOURCE_CURSOR_SKIPS_OMITTED,
    claimed_counts = HAVERSACK_WARNING_CLAIMED_COUNTS,
    select_matched_nothing = HAVERSACK_WARNING_SELECT_MATCHED_NOTHING,
    notice_renamed = HAVERSACK_WARNING_NOTICE_RENAMED,
    malformed = HAVERSACK_WARNING_MALFORMED,
    option_ignored = HAVERSACK_WARNING_OPTION_IGNORED,
};

namespace detail {

inline std::string_view view(::haversack_str s) noexcept {
    return s.ptr == nullptr ? std::string_view() : std::string_view(s.ptr, s.len);
}

inline std::optional<std::string_view> optional_view(::haversack_str s) noexcept {
    return s.ptr == nullptr ? std::nullopt : std::optional<std::string_view>(view(s));
}

inline ::haversack_str str(std::string_view s) noexcept { return {s.data(), s.size()}; }

// Given, even when it is empty.
inline ::haversack_str given(std::string_view s) noexcept { return {s.data() == nullptr ? "" : s.data(), s.size()}; }

inline ::haversack_str given(const std::optional<std::string> &s) noexcept {
    return s ? given(std::string_view(*s)) : ::haversack_str{nullptr, 0};
}

inline std::optional<std::string> copy(::haversack_str s) {
    return s.ptr == nullptr ? std::nullopt : std::optional<std::string>(view(s));
}

template <typename Handle>
std::optional<std::size_t> number(const Handle *handle, bool (*get)(const Handle *, std::size_t *)) noexcept {
    std::size_t n = 0;
    return get(handle, &n) ? std::optional<std::size_t>(n) : std::nullopt;
}

// The views that a list of strings needs in C.
class Views {
  public:
    explicit Views(const std::vector<std::string> &texts) {
        each_.reserve(texts.size());
        for (const auto &text : texts) {
            each_.push_back(given(std::string_view(text)));
        }
    }
    ::haversack_strs strs() const noexcept { return {each_.data(), each_.size()}; }

  private:
    std::vector<::haversack_str> each_;
};

} // namespace detail

/// The name of an enumerator, the same in every language: `name(Unit::chars)` is `chars`.
inline std::string_view name(Unit unit) noexcept {
    return detail::view(::haversack_unit_name(static_cast<std::uint32_t>(unit)));
}
inline std::string_view name(Format format) noexcept {
    return detail::view(::haversack_format_name(static_cast<std::uint32_t>(format)));
}
inline std::string_view name(Action action) noexcept {
    return detail::view(::haversack_action_name(static_cast<std::uint32_t>(action)));
}
inline std::string_view name(Reason reason) noexcept {
    return detail::view(::haversack_reason_name(static_cast<std::uint32_t>(reason)));
}
inline std::string_view name(WarningKind kind) noexcept {
    return detail::view(::haversack_warning_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(Status status) noexcept { return detail::view(::haversack_status_name(status)); }

/// A failed call: what went wrong, where, and by how much.
class Error : public std::runtime_error {
  public:
    explicit Error(const ::haversack_error *error)
        : std::runtime_error(std::string(detail::view(::haversack_error_message(error)))),
          status_(::haversack_error_status(error)), kind_(detail::view(::haversack_error_name(error))),
          offset_(detail::number(error, ::haversack_error_offset)),
          expected_(detail::copy(::haversack_error_expected(error))),
          needed_(detail::number(error, ::haversack_error_needed)),
          size_(detail::number(error, ::haversack_error_size)),
          available_(detail::number(error, ::haversack_error_available)), unit_(::haversack_error_unit(error)),
          argument_(detail::copy(::haversack_error_argument(error))),
          pointer_(detail::copy(::haversack_error_pointer(error))),
          index_(detail::number(error, ::haversack_error_index)),
          piece_(detail::copy(::haversack_error_piece(error))) {}

    /// The status that the call returned.
    Status status() const noexcept { return status_; }
    /// The name of the kind, such as `budget_too_small`.
    const std::string &kind() const noexcept { return kind_; }
    /// The byte of the input, or of `argument()`, where it went wrong.
    std::optional<std::size_t> offset() const noexcept { return offset_; }
    /// What should have stood there.
    const std::optional<std::string> &expected() const noexcept { return expected_; }
    /// How much is needed, in `unit()`: as a budget, or as a limit, this much would do.
    std::optional<std::size_t> needed() const noexcept { return needed_; }
    /// How large the record is that is too large, in `unit()`.
    std::optional<std::size_t> size() const noexcept { return size_; }
    /// How much there was, in `unit()`.
    std::optional<std::size_t> available() const noexcept { return available_; }
    /// The unit of needed, size and available, where they are sizes.
    std::optional<Unit> unit() const noexcept {
        return unit_ == 0 ? std::nullopt : std::optional<Unit>(static_cast<Unit>(unit_));
    }
    /// The option or argument that is wrong.
    const std::optional<std::string> &argument() const noexcept { return argument_; }
    /// The list concerned.
    const std::optional<std::string> &pointer() const noexcept { return pointer_; }
    /// The record, row, line or list entry concerned, from 0.
    std::optional<std::size_t> index() const noexcept { return index_; }
    /// The name of the piece of a prompt concerned.
    const std::optional<std::string> &piece() const noexcept { return piece_; }

  private:
    Status status_;
    std::string kind_;
    std::optional<std::size_t> offset_;
    std::optional<std::string> expected_;
    std::optional<std::size_t> needed_;
    std::optional<std::size_t> size_;
    std::optional<std::size_t> available_;
    std::uint32_t unit_;
    std::optional<std::string> argument_;
    std::optional<std::string> pointer_;
    std::optional<std::size_t> index_;
    std::optional<std::string> piece_;
};

namespace detail {

class Call;
class CounterCall;

// Where a call writes its error, freed with this.
class Failure {
  public:
    Failure() = default;
    Failure(const Failure &) = delete;
    Failure &operator=(const Failure &) = delete;
    ~Failure() { ::haversack_error_free(error_); }
    ::haversack_error **out() noexcept { return &error_; }
    void check(::haversack_status status) const {
        if (status != HAVERSACK_OK) {
            throw Error(error_);
        }
    }

  private:
    ::haversack_error *error_ = nullptr;
};

struct OwnedString {
    OwnedString() = default;
    OwnedString(const OwnedString &) = delete;
    OwnedString &operator=(const OwnedString &) = delete;
    ~OwnedString() { ::haversack_string_free(owned); }
    ::haversack_string owned{nullptr, 0};
};

} // namespace detail

/// How tokens are counted: by a built-in counter, by its name, or by functions of yours. What these throw comes out of
/// the call that they were given to; they may call this library.
class Counter {
  public:
    /// Tokens of a text, counted on its own.
    using Count = std::function<std::size_t(std::string_view)>;
    /// The same where it is at most the limit, else nothing: it may stop early.
    using CountUpTo = std::function<std::optional<std::size_t>(std::string_view, std::size_t limit)>;

    /// Counts with a function, and with `count_up_to` where it is enough to know whether a text fits.
    template <typename F, typename = std::enable_if_t<std::is_invocable_r_v<std::size_t, F &, std::string_view>>>
    Counter(F count, CountUpTo count_up_to = nullptr) : count_(std::move(count)), count_up_to_(std::move(count_up_to)) {}
    /// The built-in counter of that name: `estimate`, and `o200k_base` and `cl100k_base` where the library has them.
    template <typename T, std::enable_if_t<std::is_convertible_v<const T &, std::string_view>, int> = 0>
    Counter(const T &name) : name_(std::string(std::string_view(name))) {}

  private:
    friend class detail::CounterCall;
    Count count_;
    CountUpTo count_up_to_;
    std::optional<std::string> name_;
};

/// How much may be delivered, in a named unit.
class Budget {
  public:
    /// At most `limit` bytes of UTF-8.
    static Budget bytes(std::size_t limit) { return {limit, Unit::bytes, std::nullopt}; }
    /// At most `limit` Unicode scalar values.
    static Budget chars(std::size_t limit) { return {limit, Unit::chars, std::nullopt}; }
    /// At most `limit` UTF-16 code units.
    static Budget utf16(std::size_t limit) { return {limit, Unit::utf16, std::nullopt}; }
    /// At most `limit` tokens as `counter` counts them: a function, or the name of a built-in counter.
    static Budget tokens(std::size_t limit, Counter counter) { return {limit, Unit::tokens, std::move(counter)}; }

    std::size_t limit() const noexcept { return limit_; }
    Unit unit() const noexcept { return unit_; }

  private:
    friend class detail::Call;
    Budget(std::size_t limit, Unit unit, std::optional<Counter> counter)
        : limit_(limit), unit_(unit), counter_(std::move(counter)) {}

    std::size_t limit_;
    Unit unit_;
    std::optional<Counter> counter_;
};

namespace detail {

// One call with a counter, or without: the counter as C wants it, and what comes back instead of an answer.
class CounterCall {
  public:
    explicit CounterCall(std::optional<Counter> counter) : counter_(std::move(counter)) {
        if (!counter_) {
            return;
        }
        c_.size = sizeof c_;
        c_.userdata = this;
        c_.name = given(counter_->name_);
        if (counter_->count_) {
            c_.count = &CounterCall::count;
        }
        if (counter_->count_up_to_) {
            c_.count_up_to = &CounterCall::count_up_to;
        }
    }
    // NULL when there is none; lives as long as this.
    const ::haversack_counter *get() const noexcept { return counter_ ? &c_ : nullptr; }
    ::haversack_error **error() noexcept { return failure_.out(); }

    // Throws what the counter threw.
    void rethrow() const {
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
    }
    // Throws when the call failed: the counter's own exception where there is one.
    void check(::haversack_status status) const {
        rethrow();
        failure_.check(status);
    }

  private:
    // No exception may cross C: it waits here until the call has returned.
    template <typename F> bool caught(F answer) noexcept {
        try {
            answer();
            return true;
        } catch (...) {
            thrown_ = std::current_exception();
            return false;
        }
    }
    static bool count(void *self, ::haversack_str text, std::size_t *out_count) noexcept {
        auto *call = static_cast<CounterCall *>(self);
        return call->caught([&] { *out_count = call->counter_->count_(view(text)); });
    }
    static bool count_up_to(void *self, ::haversack_str text, std::size_t limit, std::size_t *out_count) noexcept {
        auto *call = static_cast<CounterCall *>(self);
        return call->caught([&] {
            const auto tokens = call->counter_->count_up_to_(view(text), limit);
            *out_count = tokens ? *tokens : SIZE_MAX;
        });
    }

    std::optional<Counter> counter_;
    ::haversack_counter c_{};
    Failure failure_;
    std::exception_ptr thrown_;
};

// One call with a budget.
class Call {
  public:
    explicit Call(const Budget &budget)
        : limit_(budget.limit_), unit_(static_cast<std::uint32_t>(budget.unit_)), counting_(budget.counter_) {}
    ::haversack_budget budget() const noexcept { return {limit_, unit_, 0, counting_.get()}; }
    ::haversack_error **error() noexcept { return counting_.error(); }
    void rethrow() const { counting_.rethrow(); }
    void check(::haversack_status status) const { counting_.check(status); }

  private:
    std::size_t limit_;
    std::uint32_t unit_;
    CounterCall counting_;
};

} // namespace detail

/// The books of one delivery.
struct Account {
    Counts records{};
    Counts bytes{};
    std::uint64_t fields_removed = 0;
    std::optional<Counts> claimed;
};

/// The books of one list; its texts live as long as the delivery.
struct List {
    std::string_view pointer;
    Counts records;
    Counts bytes;
    std::optional<std::string_view> next;
};

/// A warning; its text lives as long as the delivery.
struct Warning {
    WarningKind kind;
    std::optional<std::size_t> offset;
    std::string_view subject;
};

/// What became of neighbouring records of one list; its text lives as long as the delivery.
struct Run {
    std::string_view list;
    std::size_t from;
    std::size_t to;
    Action action;
    Reason reason;
    std::size_t source_bytes;
    std::size_t text_from;
    std::size_t text_to;
};

/// What an input or an option may be at most; what is not set has its default, and `SIZE_MAX` limits nothing. A member
/// that a call has no use for changes nothing there.
struct Limits {
    std::optional<std::size_t> depth;
    std::optional<std::size_t> nested_strings;
    std::optional<std::size_t> notice_pointer;
    std::optional<std::size_t> entries;
    std::optional<std::size_t> entry_bytes;
    std::optional<std::size_t> needle_bytes;
};

namespace detail {

// Limits as C wants them.
class GivenLimits {
  public:
    explicit GivenLimits(const std::optional<Limits> &v) : given_(v.has_value()) {
        if (v) {
            c_.size = sizeof c_;
            c_.depth = of(v->depth);
            c_.nested_strings = of(v->nested_strings);
            c_.notice_pointer = of(v->notice_pointer);
            c_.entries = of(v->entries);
            c_.entry_bytes = of(v->entry_bytes);
            c_.needle_bytes = of(v->needle_bytes);
        }
    }
    const ::haversack_limits *get() const noexcept { return given_ ? &c_ : nullptr; }

  private:
    // 0 is the default in C.
    static std::size_t of(const std::optional<std::size_t> &limit) noexcept {
        return limit && *limit == 0 ? HAVERSACK_LIMIT_ZERO : limit.value_or(0);
    }

    bool given_;
    ::haversack_limits c_{};
};

} // namespace detail

/// What the model gets to see, and what it does not.
class Delivery {
  public:
    /// Takes a delivery that a C function gave.
    explicit Delivery(::haversack_delivery *owned) noexcept : handle_(owned) {}

    /// The text for the model: within the budget, notice included.
    std::string_view text() const & noexcept { return detail::view(::haversack_delivery_text(get())); }
    std::string_view text() const && = delete;
    /// The size of the text, in `unit()`.
    std::size_t size() const noexcept { return ::haversack_delivery_size(get()); }
    /// The unit of the budget.
    Unit unit() const noexcept { return static_cast<Unit>(::haversack_delivery_unit(get())); }
    /// True when nothing was omitted, shrunk or offloaded, here or (as the input claims) before.
    bool complete() const noexcept { return ::haversack_delivery_complete(get()); }
    /// What the payload was read as.
    Format format() const noexcept { return static_cast<Format>(::haversack_delivery_format(get())); }
    /// The cursor that resumes everything that can be resumed.
    std::optional<std::string_view> next() const & noexcept { return detail::optional_view(::haversack_delivery_next(get())); }
    std::optional<std::string_view> next() const && = delete;
    /// The notice of NDJSON, CSV and lines, in the text or beside it.
    std::optional<std::string_view> notice() const & noexcept {
        return detail::optional_view(::haversack_delivery_notice(get()));
    }
    std::optional<std::string_view> notice() const && = delete;
    /// The books over all lists.
    Account account() const noexcept {
        const auto a = ::haversack_delivery_account(get());
        return {a.records, a.bytes, a.fields_removed, a.has_claimed ? std::optional<Counts>(a.claimed) : std::nullopt};
    }
    /// The books list by list, in document order.
    std::vector<List> lists() const {
        std::vector<List> all;
        ::haversack_list l;
        for (std::size_t i = 0; ::haversack_delivery_list(get(), i, &l); i++) {
            all.push_back({detail::view(l.pointer), l.records, l.bytes, detail::optional_view(l.next)});
        }
        return all;
    }
    /// What the caller should know that is not a loss.
    std::vector<Warning> warnings() const {
        std::vector<Warning> all;
        ::haversack_warning w;
        for (std::size_t i = 0; ::haversack_delivery_warning(get(), i, &w); i++) {
            const auto offset = w.has_offset ? std::optional<std::size_t>(w.offset) : std::nullopt;
            all.push_back({static_cast<WarningKind>(w.kind), offset, detail::view(w.subject)});
        }
        return all;
    }
    /// Decisions as runs of records.
    std::vector<Run> plan() const {
        std::vector<Run> all;
        ::haversack_run r;
        for (std::size_t i = 0; ::haversack_delivery_run(get(), i, &r); i++) {
            all.push_back({detail::view(r.list), r.from, r.to, static_cast<Action>(r.action),
                           static_cast<Reason>(r.reason), r.source_bytes, r.text_from, r.text_to});
        }
        return all;
    }
    /// The whole answer as compact JSON.
    std::string json() const {
        detail::Failure failure;
        detail::OwnedString json;
        failure.check(::haversack_delivery_json(get(), &json.owned, failure.out()));
        return std::string(json.owned.ptr, json.owned.len);
    }
    /// The handle, for C functions; still owned by this object.
    const ::haversack_delivery *get() const noexcept { return handle_.get(); }

  private:
    struct Free {
        void operator()(::haversack_delivery *d) const noexcept { ::haversack_delivery_free(d); }
    };
    std::unique_ptr<::haversack_delivery, Free> handle_;
};

/// Options of `deliver`: what is not set has its default. They own their texts and may be used again.
class DeliverOptions {
  public:
    /// Reads the payload as this format. Default: the format is detected.
    DeliverOptions &format(Format v) { return set(options_.format, v); }
    /// Keeps only what these pointers lead to. Default: everything. This, `sort_by` and `descending` have no meaning
    /// for lines, CSV and TSV, `priority` none for NDJSON either: an `invalid_option` for a format given by name, a
    /// warning for one that is detected.
    DeliverOptions &select(std::vector<std::string> v) { return take(select_, std::move(v)); }
    /// Orders the records of each list by the value at this pointer. Default: input order.
    DeliverOptions &sort_by(std::string v) { return take(sort_by_, std::move(v)); }
    /// Reverses the order of `sort_by`'s values. Default: false.
    DeliverOptions &descending(bool v = true) { return set(options_.descending, v); }
    /// How sibling lists share the budget. Default: fair. One list gets the same under each.
    DeliverOptions &share(Share v) { return set(options_.share, v); }
    /// Lists served first, to their full demand. Default: none.
    DeliverOptions &priority(std::vector<std::string> v) { return take(priority_, std::move(v)); }
    /// Which end is kept. Default: the head of records, both ends of lines and long strings.
    DeliverOptions &keep(Keep v) { return set(options_.keep, v); }
    /// What happens to a record larger than its list's whole share. Default: shrink.
    DeliverOptions &oversize(Oversize v) { return set(options_.oversize, v); }
    /// When a root array gets an envelope. Default: when cut.
    DeliverOptions &envelope(Envelope v) { return set(options_.envelope, v); }
    /// Delivers the page that this cursor names. Default: the first.
    DeliverOptions &cursor(std::string v) { return take(cursor_, std::move(v)); }
    /// A tool of this request with which the model can read on. Default: none.
    DeliverOptions &reader(std::string v) { return take(reader_, std::move(v)); }
    /// One line of the host's own that the notice carries. Default: none.
    DeliverOptions &hint(std::string v) { return take(hint_, std::move(v)); }
    /// Whether JSON inside strings is cut on its own records. Default: true.
    DeliverOptions &nested(bool v) { return set(options_.nested, v ? HAVERSACK_NESTED_ON : HAVERSACK_NESTED_OFF); }
    /// What happens to input not well formed in the format given by name. Default: error.
    DeliverOptions &on_invalid(OnInvalid v) { return set(options_.on_invalid, v); }
    /// Lines that hold one of these texts are kept before others. Default: none.
    DeliverOptions &prefer(std::vector<std::string> v) { return take(prefer_, std::move(v)); }
    /// What happens to ANSI sequences in lines. Default: keep.
    DeliverOptions &ansi(Ansi v) { return set(options_.ansi, v); }
    /// Whether a run of equal lines becomes its first and a count, when something must be cut. Default: false.
    DeliverOptions &collapse(bool v = true) { return set(options_.collapse, v); }
    /// Says in the notice whether the host still has the original. Default: nothing is claimed.
    DeliverOptions &source(Source v) { return set(options_.source, v); }
    /// Where the notice of NDJSON, CSV and lines goes. Default: into the text.
    DeliverOptions &notice(Notice v) { return set(options_.notice, v); }
    /// The account of a first cut. Default: none, and the text is read for one.
    DeliverOptions &earlier(const Account &v) {
        earlier_ = ::haversack_account{v.records, v.bytes, v.fields_removed, v.claimed ? 1U : 0U, v.claimed.value_or(Counts{})};
        return *this;
    }
    /// Other limits. Default: those of the library.
    DeliverOptions &limits(const Limits &v) {
        limits_ = v;
        return *this;
    }

  private:
    friend Delivery deliver(std::string_view payload, const Budget &budget, const DeliverOptions &options);

    template <typename T> DeliverOptions &set(std::uint32_t &place, T value) {
        place = static_cast<std::uint32_t>(value);
        return *this;
    }
    template <typename Place, typename T> DeliverOptions &take(Place &place, T value) {
        place = std::move(value);
        return *this;
    }

    ::haversack_deliver_options options_{};
    std::vector<std::string> select_, priority_, prefer_;
    std::optional<std::string> sort_by_, cursor_, reader_, hint_;
    std::optional<::haversack_account> earlier_;
    std::optional<Limits> limits_;
};

/// Cuts `payload` to `budget` on record boundaries and says what it left out.
///
/// Throws Error, or what a counter of yours throws.
inline Delivery deliver(std::string_view payload, const Budget &budget, const DeliverOptions &options = {}) {
    const detail::Views select(options.select_), priority(options.priority_), prefer(options.prefer_);
    ::haversack_deliver_options c = options.options_;
    c.size = sizeof c;
    c.select = select.strs();
    c.priority = priority.strs();
    c.prefer = prefer.strs();
    c.sort_by = detail::given(options.sort_by_);
    c.cursor = detail::given(options.cursor_);
    c.reader = detail::given(options.reader_);
    c.hint = detail::given(options.hint_);
    c.earlier = options.earlier_ ? &*options.earlier_ : nullptr;
    const detail::GivenLimits limits(options.limits_);
    c.limits = limits.get();
    detail::Call call(budget);
    ::haversack_delivery *delivery = nullptr;
    call.check(::haversack_deliver(detail::str(payload), call.budget(), &c, &delivery, call.error()));
    return Delivery(delivery);
}

/// Options of `page`: what is not set has its default.
struct PageOptions {
    /// First line of the page, from 1. Default: 1. A cursor takes its place.
    std::optional<std::size_t> start;
    /// Lines of the page at most. Default: 100.
    std::optional<std::size_t> lines;
    /// Pages the string at this pointer inside a JSON payload. Default: the payload is the text.
    std::string at;
    /// Goes on where an earlier page or a delivery of lines stopped.
    std::optional<std::string> cursor;
    /// A tool of this request with which the model can read on.
    std::optional<std::string> reader;
    /// One line of the host's own on the first line.
    std::optional<std::string> hint;
    /// Other limits: here `depth`, of a payload read with `at`.
    std::optional<Limits> limits;
};

/// Options of `find`: what is not set has its default.
struct FindOptions {
    /// Searches the string at this pointer inside a JSON payload. Default: the payload is the text.
    std::string at;
    /// Lines shown before and after each match. Default: 2.
    std::optional<std::size_t> context;
    /// Matches shown at most. Default: 20.
    std::optional<std::size_t> limit;
    /// Goes on where an earlier search stopped.
    std::optional<std::string> cursor;
    /// A tool of this request with which the model can search on.
    std::optional<std::string> reader;
    /// One line of the host's own on the first line.
    std::optional<std::string> hint;
    /// Other limits: here `needle_bytes`, and with `at` also `depth`.
    std::optional<Limits> limits;
};

namespace detail {

inline const std::size_t *address(const std::optional<std::size_t> &n) noexcept { return n ? &*n : nullptr; }

} // namespace detail

/// A page of the lines of `payload` under a first line with its range and the total. Throws as `deliver`.
inline Delivery page(std::string_view payload, const Budget &budget, const PageOptions &options = {}) {
    ::haversack_page_options c{};
    c.size = sizeof c;
    c.start = detail::address(options.start);
    c.lines = detail::address(options.lines);
    c.at = detail::str(options.at);
    c.cursor = detail::given(options.cursor);
    c.reader = detail::given(options.reader);
    c.hint = detail::given(options.hint);
    const detail::GivenLimits limits(options.limits);
    c.limits = limits.get();
    detail::Call call(budget);
    ::haversack_delivery *delivery = nullptr;
    call.check(::haversack_page(detail::str(payload), call.budget(), &c, &delivery, call.error()));
    return Delivery(delivery);
}

/// The lines of `payload` that hold `needle`, a substring taken as it is. Throws as `deliver`.
inline Delivery find(std::string_view payload, std::string_view needle, const Budget &budget, const FindOptions &options = {}) {
    ::haversack_find_options c{};
    c.size = sizeof c;
    c.at = detail::str(options.at);
    c.context = detail::address(options.context);
    c.limit = detail::address(options.limit);
    c.cursor = detail::given(options.cursor);
    c.reader = detail::given(options.reader);
    c.hint = detail::given(options.hint);
    const detail::GivenLimits limits(options.limits);
    c.limits = limits.get();
    detail::Call call(budget);
    ::haversack_delivery *delivery = nullptr;
    call.check(::haversack_find(detail::str(payload), detail::str(needle), call.budget(), &c, &delivery, call.error()));
    return Delivery(delivery);
}

/// What the host should do with a result.
enum class OffloadAction : std::uint32_t {
    unknown = HAVERSACK_OFFLOAD_UNKNOWN,
    keep = HAVERSACK_OFFLOAD_KEEP,
    store = HAVERSACK_OFFLOAD_STORE,
    point = HAVERSACK_OFFLOAD_POINT,
};

/// Why.
enum class OffloadReason : std::uint32_t {
    unknown = HAVERSACK_OFFLOAD_REASON_UNKNOWN,
    fits = HAVERSACK_OFFLOAD_REASON_FITS,
    over = HAVERSACK_OFFLOAD_REASON_OVER,
    known = HAVERSACK_OFFLOAD_REASON_KNOWN,
    is_pointer = HAVERSACK_OFFLOAD_REASON_IS_POINTER,
    exempt = HAVERSACK_OFFLOAD_REASON_EXEMPT,
    refused = HAVERSACK_OFFLOAD_REASON_REFUSED,
    not_shorter = HAVERSACK_OFFLOAD_REASON_NOT_SHORTER,
};

/// Where a result of a table stands.
enum class EntryState : std::uint32_t {
    unknown = HAVERSACK_ENTRY_UNKNOWN,
    pending = HAVERSACK_ENTRY_PENDING,
    stored = HAVERSACK_ENTRY_STORED,
    not_shorter = HAVERSACK_ENTRY_NOT_SHORTER,
    refused = HAVERSACK_ENTRY_REFUSED,
};

/// Whose form of tool definitions.
enum class Flavour : std::uint32_t {
    openai = HAVERSACK_FLAVOUR_OPENAI,
    anthropic = HAVERSACK_FLAVOUR_ANTHROPIC,
    gemini = HAVERSACK_FLAVOUR_GEMINI,
    mcp = HAVERSACK_FLAVOUR_MCP,
};

inline std::string_view name(OffloadAction action) noexcept {
    return detail::view(::haversack_offload_action_name(static_cast<std::uint32_t>(action)));
}
inline std::string_view name(OffloadReason reason) noexcept {
    return detail::view(::haversack_offload_reason_name(static_cast<std::uint32_t>(reason)));
}

/// When a result is offloaded, and what its pointer shows; what is not set has its default.
struct OffloadOptions {
    /// What is larger than this is offloaded; its unit is that of every size. Default: 8,000 chars.
    std::optional<Budget> over;
    /// How much of the payload the pointer shows. Default: 400 chars.
    std::optional<Budget> preview;
    /// What the payload is. Default: detected.
    Format format = Format::automatic;
    /// Which end the preview shows. Default: both.
    Keep preview_keep = Keep::by_format;
    /// A tool of this request with which the model can read the result back.
    std::optional<std::string> reader;
    /// One line of the host's own in the pointer, instead of the one that names the reader.
    std::optional<std::string> hint;
};

/// The policy that ran.
struct Policy {
    std::size_t over;
    Unit unit;
    std::size_t preview;
    Unit preview_unit;
    Keep preview_keep;
};

namespace detail {

template <typename T, void (*F)(T *)> struct Free {
    void operator()(T *handle) const noexcept { F(handle); }
};
template <typename T, void (*F)(T *)> using Handle = std::unique_ptr<T, Free<T, F>>;

template <typename T>
std::string json_of(const T *handle, ::haversack_status (*write)(const T *, ::haversack_string *, ::haversack_error **)) {
    Failure failure;
    OwnedString json;
    failure.check(write(handle, &json.owned, failure.out()));
    return std::string(json.owned.ptr, json.owned.len);
}

inline Account account_of(const ::haversack_account &a) {
    return {a.records, a.bytes, a.fields_removed, a.has_claimed ? std::optional<Counts>(a.claimed) : std::nullopt};
}

// Options of offload as C wants them, alive during one call; counters of both budgets may throw.
class OffloadCall {
  public:
    explicit OffloadCall(const OffloadOptions &o)
        : over_(o.over ? *o.over : Budget::bytes(0)), preview_(o.preview ? *o.preview : Budget::bytes(0)),
          over_budget_(over_.budget()), preview_budget_(preview_.budget()) {
        c.size = sizeof c;
        c.over = o.over ? &over_budget_ : nullptr;
        c.preview = o.preview ? &preview_budget_ : nullptr;
        c.format = static_cast<std::uint32_t>(o.format);
        c.preview_keep = static_cast<std::uint32_t>(o.preview_keep);
        c.reader = given(o.reader);
        c.hint = given(o.hint);
    }
    OffloadCall(const OffloadCall &) = delete;
    OffloadCall &operator=(const OffloadCall &) = delete;

    ::haversack_error **error() noexcept { return over_.error(); }
    void check(::haversack_status status) const {
        preview_.rethrow();
        over_.check(status);
    }

    ::haversack_offload_options c{};

  private:
    Call over_, preview_;
    ::haversack_budget over_budget_, preview_budget_;
};

} // namespace detail

/// What goes to the model after the bytes were stored.
class Pointer {
  public:
    explicit Pointer(::haversack_pointer *owned) noexcept : handle_(owned) {}
    /// The text for the model; nothing when it would not be smaller than the original: that stays.
    std::optional<std::string_view> text() const & noexcept { return detail::optional_view(::haversack_pointer_text(get())); }
    std::optional<std::string_view> text() const && = delete;
    /// Why there is a text or none.
    OffloadReason reason() const noexcept { return static_cast<OffloadReason>(::haversack_pointer_reason(get())); }
    /// The size of what goes to the model, in `unit()`.
    std::size_t size() const noexcept { return ::haversack_pointer_size(get()); }
    /// How much smaller it is than the original.
    std::size_t saved() const noexcept { return ::haversack_pointer_saved(get()); }
    /// The unit of these sizes.
    Unit unit() const noexcept { return static_cast<Unit>(::haversack_pointer_unit(get())); }
    /// The books: one record, offloaded or kept.
    Account account() const noexcept { return detail::account_of(::haversack_pointer_account(get())); }
    /// The whole answer as compact JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_pointer_json); }
    const ::haversack_pointer *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_pointer, ::haversack_pointer_free> handle_;
};

/// Keep a result, or store its bytes under a key.
class Offload {
  public:
    explicit Offload(::haversack_offload_answer *owned) noexcept : handle_(owned) {}
    OffloadAction action() const noexcept { return static_cast<OffloadAction>(::haversack_offload_answer_action(get())); }
    OffloadReason reason() const noexcept { return static_cast<OffloadReason>(::haversack_offload_answer_reason(get())); }
    /// The key to store it under, safe as a file name; nothing when it is kept.
    std::optional<std::string_view> key() const & noexcept { return detail::optional_view(::haversack_offload_answer_key(get())); }
    std::optional<std::string_view> key() const && = delete;
    /// The length of the payload in bytes.
    std::size_t bytes() const noexcept { return ::haversack_offload_answer_bytes(get()); }
    /// The size of the payload, in the unit of `over`.
    std::size_t size() const noexcept { return ::haversack_offload_answer_size(get()); }
    /// SHA-256 of the payload in hex.
    std::optional<std::string_view> sha256() const & noexcept {
        return detail::optional_view(::haversack_offload_answer_sha256(get()));
    }
    std::optional<std::string_view> sha256() const && = delete;
    /// What the payload was read as; nothing when it is kept.
    std::optional<Format> format() const noexcept {
        const auto f = ::haversack_offload_answer_format(get());
        return f == 0 ? std::nullopt : std::optional<Format>(static_cast<Format>(f));
    }
    /// Where in the JSON one string holds the bulk of it.
    std::optional<std::string_view> at() const & noexcept { return detail::optional_view(::haversack_offload_answer_at(get())); }
    std::optional<std::string_view> at() const && = delete;
    /// The excerpt that the pointer shows.
    std::optional<std::string_view> preview() const & noexcept {
        return detail::optional_view(::haversack_offload_answer_preview(get()));
    }
    std::optional<std::string_view> preview() const && = delete;
    /// The policy that ran.
    Policy policy() const noexcept {
        const auto p = ::haversack_offload_answer_policy(get());
        return {p.over, static_cast<Unit>(p.unit), p.preview, static_cast<Unit>(p.preview_unit), static_cast<Keep>(p.preview_keep)};
    }
    /// The whole answer as compact JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_offload_answer_json); }
    /// The pointer, once the bytes are stored at `location`. `counter` measures it where `over` is in tokens.
    Pointer pointer(std::string_view location, const std::optional<Counter> &counter = std::nullopt) const {
        detail::CounterCall call(counter);
        ::haversack_pointer *pointer = nullptr;
        call.check(::haversack_offload_answer_pointer(get(), detail::given(location), call.get(), &pointer, call.error()));
        return Pointer(pointer);
    }
    const ::haversack_offload_answer *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_offload_answer, ::haversack_offload_answer_free> handle_;
};

/// Says whether `payload`, the result of the call `call_id`, stays or is stored. Throws as `deliver`.
inline Offload offload(std::string_view payload, std::string_view call_id, const OffloadOptions &options = {}) {
    detail::OffloadCall call(options);
    ::haversack_offload_answer *answer = nullptr;
    call.check(::haversack_offload(detail::str(payload), detail::str(call_id), &call.c, &answer, call.error()));
    return Offload(answer);
}

/// What a table says to do with one result.
class Prepared {
  public:
    explicit Prepared(::haversack_prepared *owned) noexcept : handle_(owned) {}
    OffloadAction action() const noexcept { return static_cast<OffloadAction>(::haversack_prepared_action(get())); }
    OffloadReason reason() const noexcept { return static_cast<OffloadReason>(::haversack_prepared_reason(get())); }
    /// The key to store the bytes under, or under which they lie.
    std::optional<std::string_view> key() const & noexcept { return detail::optional_view(::haversack_prepared_key(get())); }
    std::optional<std::string_view> key() const && = delete;
    /// The pointer, where the same bytes were stored before.
    std::optional<std::string_view> text() const & noexcept { return detail::optional_view(::haversack_prepared_text(get())); }
    std::optional<std::string_view> text() const && = delete;
    /// The books of what stands in the message now.
    Account account() const noexcept { return detail::account_of(::haversack_prepared_account(get())); }
    /// The whole answer as compact JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_prepared_json); }
    const ::haversack_prepared *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_prepared, ::haversack_prepared_free> handle_;
};

/// What a table knows of one result; its texts live until the table changes.
struct Entry {
    std::string_view key;
    std::string_view call_id;
    std::string sha256;
    std::size_t bytes;
    std::size_t size;
    Unit unit;
    Format format;
    std::optional<std::string_view> at;
    std::string_view preview;
    EntryState state;
    std::optional<std::string_view> location;
    std::optional<std::string_view> refused;
};

/// The names of the two reading tools.
struct Readback {
    std::string read_name = "haversack_read";
    std::string find_name = "haversack_find";
};

namespace detail {

inline Entry entry_of(const ::haversack_entry &e) {
    return {view(e.key), view(e.call_id), std::string(reinterpret_cast<const char *>(e.sha256), sizeof e.sha256), e.bytes, e.size,
            static_cast<Unit>(e.unit), static_cast<Format>(e.format), optional_view(e.at), view(e.preview),
            static_cast<EntryState>(e.state), optional_view(e.location), optional_view(e.refused)};
}

inline ::haversack_readback names(const Readback &tools) noexcept {
    return {given(std::string_view(tools.read_name)), given(std::string_view(tools.find_name))};
}

} // namespace detail

/// A checked call of a model, waiting for the bytes of the result it names.
class Request {
  public:
    explicit Request(::haversack_request *owned) noexcept : handle_(owned) {}
    /// The key, as it stands in the table.
    std::string_view key() const & noexcept { return detail::view(::haversack_request_key(handle_.get())); }
    std::string_view key() const && = delete;
    /// Where the bytes are to be fetched, from the table and never from the model.
    std::string_view location() const & noexcept { return detail::view(::haversack_request_location(handle_.get())); }
    std::string_view location() const && = delete;
    /// The page or the matches the model asked for, from the stored `bytes`.
    Delivery answer(std::string_view bytes, const Budget &budget) const {
        detail::Call call(budget);
        ::haversack_delivery *delivery = nullptr;
        call.check(::haversack_request_answer(handle_.get(), detail::str(bytes), call.budget(), &delivery, call.error()));
        return Delivery(delivery);
    }

  private:
    detail::Handle<::haversack_request, ::haversack_request_free> handle_;
};

/// The table of the results that one run offloaded. Functions that are not `const` need it for themselves.
class Offloads {
  public:
    Offloads() : handle_(::haversack_offloads_new()) {}
    /// A table from what `json` gave.
    static Offloads from_json(std::string_view json) {
        detail::Failure failure;
        ::haversack_offloads *offloads = nullptr;
        failure.check(::haversack_offloads_from_json(detail::str(json), &offloads, failure.out()));
        return Offloads(offloads);
    }
    /// Says what to do with `payload`, the result of the call `call_id`.
    Prepared prepare(std::string_view payload, std::string_view call_id, const OffloadOptions &options = {}) {
        detail::OffloadCall call(options);
        ::haversack_prepared *prepared = nullptr;
        call.check(::haversack_offloads_prepare(handle_.get(), detail::str(payload), detail::str(call_id), &call.c, &prepared,
                                                call.error()));
        return Prepared(prepared);
    }
    /// "Stored, at `location`": gives the pointer. `counter` measures it where `over` was in tokens.
    Pointer commit(std::string_view key, std::string_view location, const std::optional<Counter> &counter = std::nullopt) {
        detail::CounterCall call(counter);
        ::haversack_pointer *pointer = nullptr;
        call.check(::haversack_offloads_commit(handle_.get(), detail::str(key), detail::str(location), call.get(), &pointer,
                                               call.error()));
        return Pointer(pointer);
    }
    /// "The store would not have it": the original stays in the message.
    void refuse(std::string_view key, std::string_view reason) {
        detail::Failure failure;
        failure.check(::haversack_offloads_refuse(handle_.get(), detail::str(key), detail::str(reason), failure.out()));
    }
    /// Nothing that the call `call_id` returns is offloaded: for calls of readers.
    void exempt(std::string_view call_id) {
        detail::Failure failure;
        failure.check(::haversack_offloads_exempt(handle_.get(), detail::str(call_id), failure.out()));
    }
    /// Throws unless `bytes` are those that were offloaded under `key`.
    void verify(std::string_view key, std::string_view bytes) const {
        detail::Failure failure;
        failure.check(::haversack_offloads_verify(handle_.get(), detail::str(key), detail::str(bytes), failure.out()));
    }
    /// All results, in the order in which they were prepared.
    std::vector<Entry> entries() const {
        std::vector<Entry> all;
        ::haversack_entry e;
        for (std::size_t i = 0; ::haversack_offloads_entry(handle_.get(), i, &e); i++) {
            all.push_back(detail::entry_of(e));
        }
        return all;
    }
    /// The result under `key`: a key from a model is looked up here and nowhere else.
    std::optional<Entry> lookup(std::string_view key) const {
        ::haversack_entry e;
        return ::haversack_offloads_lookup(handle_.get(), detail::str(key), &e) ? std::optional<Entry>(detail::entry_of(e))
                                                                                : std::nullopt;
    }
    /// Reads a call of the model: which stored result it wants, and what of it.
    Request request(std::string_view name, std::string_view arguments, const Readback &tools = {}) const {
        detail::Failure failure;
        ::haversack_request *request = nullptr;
        const auto names = detail::names(tools);
        failure.check(::haversack_readback_request(handle_.get(), detail::str(name), detail::str(arguments), &names, &request,
                                                   failure.out()));
        return Request(request);
    }
    /// The table as versioned JSON.
    std::string json() const { return detail::json_of<::haversack_offloads>(handle_.get(), ::haversack_offloads_json); }

    const ::haversack_offloads *get() const noexcept { return handle_.get(); }

  private:
    explicit Offloads(::haversack_offloads *owned) noexcept : handle_(owned) {}
    detail::Handle<::haversack_offloads, ::haversack_offloads_free> handle_;
};

/// The value of a request's `tools` member (for MCP: of the answer to `tools/list`), as compact JSON.
inline std::string tool_definitions(Flavour flavour, const Readback &tools = {}) {
    detail::Failure failure;
    detail::OwnedString json;
    const auto names = detail::names(tools);
    failure.check(::haversack_tool_definitions(static_cast<std::uint32_t>(flavour), &names, &json.owned, failure.out()));
    return std::string(json.owned.ptr, json.owned.len);
}

/// A wire format of chat histories.
enum class WireFormat : std::uint32_t {
    automatic = HAVERSACK_WIRE_AUTO,
    openai_chat = HAVERSACK_WIRE_OPENAI_CHAT,
    openai_responses = HAVERSACK_WIRE_OPENAI_RESPONSES,
    anthropic = HAVERSACK_WIRE_ANTHROPIC,
    gemini = HAVERSACK_WIRE_GEMINI,
    bedrock = HAVERSACK_WIRE_BEDROCK,
};

/// What a step is.
enum class StepKind : std::uint32_t {
    unknown = HAVERSACK_STEP_UNKNOWN,
    system = HAVERSACK_STEP_SYSTEM,
    user = HAVERSACK_STEP_USER,
    assistant = HAVERSACK_STEP_ASSISTANT,
    other = HAVERSACK_STEP_OTHER,
};

/// Why no cut may stand at an index.
enum class CutRefusal : std::uint32_t {
    out_of_range = HAVERSACK_CUT_REFUSAL_OUT_OF_RANGE,
    inside_step = HAVERSACK_CUT_REFUSAL_INSIDE_STEP,
    opens_badly = HAVERSACK_CUT_REFUSAL_OPENS_BADLY,
    bound_thinking = HAVERSACK_CUT_REFUSAL_BOUND_THINKING,
    bound_items = HAVERSACK_CUT_REFUSAL_BOUND_ITEMS,
    broken_step = HAVERSACK_CUT_REFUSAL_BROKEN_STEP,
};

/// What is wrong with a history.
enum class ViolationKind : std::uint32_t {
    orphan_result = HAVERSACK_VIOLATION_ORPHAN_RESULT,
    missing_result = HAVERSACK_VIOLATION_MISSING_RESULT,
    duplicate_result = HAVERSACK_VIOLATION_DUPLICATE_RESULT,
    duplicate_call_id = HAVERSACK_VIOLATION_DUPLICATE_CALL_ID,
    result_not_adjacent = HAVERSACK_VIOLATION_RESULT_NOT_ADJACENT,
    result_split = HAVERSACK_VIOLATION_RESULT_SPLIT,
    result_not_first = HAVERSACK_VIOLATION_RESULT_NOT_FIRST,
    wrong_result_type = HAVERSACK_VIOLATION_WRONG_RESULT_TYPE,
    mixed_result_and_text = HAVERSACK_VIOLATION_MIXED_RESULT_AND_TEXT,
    call_without_user_turn = HAVERSACK_VIOLATION_CALL_WITHOUT_USER_TURN,
    role_not_alternating = HAVERSACK_VIOLATION_ROLE_NOT_ALTERNATING,
    bad_first_role = HAVERSACK_VIOLATION_BAD_FIRST_ROLE,
    bad_last_role = HAVERSACK_VIOLATION_BAD_LAST_ROLE,
    bad_role = HAVERSACK_VIOLATION_BAD_ROLE,
    empty_content = HAVERSACK_VIOLATION_EMPTY_CONTENT,
    whitespace_text = HAVERSACK_VIOLATION_WHITESPACE_TEXT,
    error_result_empty = HAVERSACK_VIOLATION_ERROR_RESULT_EMPTY,
    bad_id_charset = HAVERSACK_VIOLATION_BAD_ID_CHARSET,
    id_too_long = HAVERSACK_VIOLATION_ID_TOO_LONG,
    duplicate_item_id = HAVERSACK_VIOLATION_DUPLICATE_ITEM_ID,
    reasoning_orphan = HAVERSACK_VIOLATION_REASONING_ORPHAN,
    reasoning_missing = HAVERSACK_VIOLATION_REASONING_MISSING,
    reasoning_not_persisted = HAVERSACK_VIOLATION_REASONING_NOT_PERSISTED,
    thinking_missing = HAVERSACK_VIOLATION_THINKING_MISSING,
    thinking_prefix_mismatch = HAVERSACK_VIOLATION_THINKING_PREFIX_MISMATCH,
    signature_missing = HAVERSACK_VIOLATION_SIGNATURE_MISSING,
    server_tool_unresolved = HAVERSACK_VIOLATION_SERVER_TOOL_UNRESOLVED,
    system_misplaced = HAVERSACK_VIOLATION_SYSTEM_MISPLACED,
    tool_config_missing = HAVERSACK_VIOLATION_TOOL_CONFIG_MISSING,
    cache_too_many_breakpoints = HAVERSACK_VIOLATION_CACHE_TOO_MANY_BREAKPOINTS,
    cache_ttl_order = HAVERSACK_VIOLATION_CACHE_TTL_ORDER,
    too_many_messages = HAVERSACK_VIOLATION_TOO_MANY_MESSAGES,
    too_many_calls = HAVERSACK_VIOLATION_TOO_MANY_CALLS,
    misplaced_block = HAVERSACK_VIOLATION_MISPLACED_BLOCK,
    compaction_trigger_not_last = HAVERSACK_VIOLATION_COMPACTION_TRIGGER_NOT_LAST,
    wrong_content_type = HAVERSACK_VIOLATION_WRONG_CONTENT_TYPE,
    bad_tool_name = HAVERSACK_VIOLATION_BAD_TOOL_NAME,
    unknown_item = HAVERSACK_VIOLATION_UNKNOWN_ITEM,
    text_too_long = HAVERSACK_VIOLATION_TEXT_TOO_LONG,
};

/// What a cut does to the turn of roles where it stands.
enum class Alternation : std::uint32_t {
    unknown = HAVERSACK_ALTERNATION_UNKNOWN,
    opens_with_user = HAVERSACK_ALTERNATION_OPENS_WITH_USER,
    opens_with_assistant = HAVERSACK_ALTERNATION_OPENS_WITH_ASSISTANT,
    opens_with_pinned = HAVERSACK_ALTERNATION_OPENS_WITH_PINNED,
};

/// Why nothing was cut.
enum class NothingToCut : std::uint32_t {
    none = HAVERSACK_NOTHING_TO_CUT_NONE,
    fits = HAVERSACK_NOTHING_TO_CUT_FITS,
    no_safe_index = HAVERSACK_NOTHING_TO_CUT_NO_SAFE_INDEX,
};

/// What was done about a violation.
enum class RepairAction : std::uint32_t {
    unknown = HAVERSACK_REPAIR_UNKNOWN,
    drop = HAVERSACK_REPAIR_DROP,
    synthesise = HAVERSACK_REPAIR_SYNTHESISE,
    strip = HAVERSACK_REPAIR_STRIP,
    hoist = HAVERSACK_REPAIR_HOIST,
    push = HAVERSACK_REPAIR_PUSH,
    merge = HAVERSACK_REPAIR_MERGE,
    rename = HAVERSACK_REPAIR_RENAME,
    fill = HAVERSACK_REPAIR_FILL,
};

/// What becomes of a call without a result.
enum class MissingResult : std::uint32_t {
    synthesise = HAVERSACK_MISSING_RESULT_SYNTHESISE,
    drop = HAVERSACK_MISSING_RESULT_DROP,
};

/// What becomes of a result without a call.
enum class OrphanResult : std::uint32_t {
    drop = HAVERSACK_ORPHAN_RESULT_DROP,
    text = HAVERSACK_ORPHAN_RESULT_TEXT,
};

inline std::string_view name(WireFormat format) noexcept {
    return detail::view(::haversack_wire_format_name(static_cast<std::uint32_t>(format)));
}
inline std::string_view name(StepKind kind) noexcept {
    return detail::view(::haversack_step_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(CutRefusal refusal) noexcept {
    return detail::view(::haversack_cut_refusal_name(static_cast<std::uint32_t>(refusal)));
}
inline std::string_view name(ViolationKind kind) noexcept {
    return detail::view(::haversack_violation_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(Alternation alternation) noexcept {
    return detail::view(::haversack_alternation_name(static_cast<std::uint32_t>(alternation)));
}
inline std::string_view name(NothingToCut reason) noexcept {
    return detail::view(::haversack_nothing_to_cut_name(static_cast<std::uint32_t>(reason)));
}
inline std::string_view name(RepairAction action) noexcept {
    return detail::view(::haversack_repair_action_name(static_cast<std::uint32_t>(action)));
}

/// What lives and dies together: the messages `from` up to `to`.
struct Step {
    StepKind kind;
    std::size_t from;
    std::size_t to;
    /// Calls that the host answers.
    std::size_t calls;
    /// Those of them without a result.
    std::size_t open;
};

/// What a provider would refuse, and where.
struct Violation {
    ViolationKind kind;
    std::size_t index;
    std::string path;
    std::optional<std::string> id;
    std::string message;
    std::string provider;
};

/// A message of a history after a cut or a repair. Its text lives as long as the cut or repair.
struct OutMessage {
    /// The message of the input it comes from; none for one that was added.
    std::optional<std::size_t> source;
    /// Whether its text is that message's own.
    bool untouched;
    std::string_view text;
};

/// Something that left a kept message with the cut: `what` is `thinking` or `item_id`.
struct Strip {
    std::size_t index;
    std::string_view path;
    std::string_view what;
};

/// A result that was made smaller inside a step that has to stay; sizes in the unit of the budget.
struct Reduced {
    std::size_t index;
    std::string_view path;
    std::size_t before;
    std::size_t after;
};

/// One change of a repair.
struct Change {
    RepairAction action;
    ViolationKind violation;
    std::size_t index;
    std::string_view path;
    std::string_view message;
};

namespace detail {

template <typename Owner>
std::vector<OutMessage> messages_of(const Owner *owner,
                                    bool (*get)(const Owner *, std::size_t, ::haversack_out_message *)) {
    std::vector<OutMessage> all;
    ::haversack_out_message m;
    for (std::size_t i = 0; get(owner, i, &m); i++) {
        const auto source = m.has_source ? std::optional<std::size_t>(m.source) : std::nullopt;
        all.push_back({source, m.untouched != 0, view(m.text)});
    }
    return all;
}

template <typename Owner>
std::vector<Violation> violations_of(const Owner *owner,
                                     bool (*get)(const Owner *, std::size_t, ::haversack_violation *)) {
    std::vector<Violation> all;
    ::haversack_violation v;
    for (std::size_t i = 0; get(owner, i, &v); i++) {
        all.push_back({static_cast<ViolationKind>(v.kind), v.index, std::string(view(v.path)), copy(v.id),
                       std::string(view(v.message)), std::string(view(v.provider))});
    }
    return all;
}

template <typename Owner>
std::vector<std::size_t> indices_of(const Owner *owner, std::size_t (*ask)(const Owner *, std::size_t *, std::size_t)) {
    std::vector<std::size_t> all(ask(owner, nullptr, 0));
    ask(owner, all.data(), all.size());
    return all;
}

} // namespace detail

/// A cut of a history, or why nothing was cut. It may outlive its history.
class Cut {
  public:
    /// Takes a cut that a C function gave.
    explicit Cut(::haversack_cut *owned) noexcept : handle_(owned) {}

    /// Whether there is a cut; else only `nothing()` says something.
    bool found() const noexcept { return ::haversack_cut_found(handle_.get()); }
    /// Why nothing was cut.
    NothingToCut nothing() const noexcept { return static_cast<NothingToCut>(::haversack_cut_nothing(handle_.get())); }
    /// The first message that is kept for its place: the system prompt and pins come before it.
    std::size_t index() const noexcept { return ::haversack_cut_index(handle_.get()); }
    /// Why there: one sentence.
    std::string_view reason() const & noexcept { return detail::view(::haversack_cut_reason(handle_.get())); }
    std::string_view reason() const && = delete;
    /// The messages kept, by index.
    std::vector<std::size_t> kept() const { return detail::indices_of(handle_.get(), ::haversack_cut_kept); }
    /// The messages dropped, by index.
    std::vector<std::size_t> dropped() const { return detail::indices_of(handle_.get(), ::haversack_cut_dropped); }
    /// Size of the whole history, in the unit of the budget.
    std::size_t size_before() const noexcept { return ::haversack_cut_size_before(handle_.get()); }
    /// Size of what is kept.
    std::size_t size_after() const noexcept { return ::haversack_cut_size_after(handle_.get()); }
    /// What happens to the turn of roles.
    Alternation alternation() const noexcept {
        return static_cast<Alternation>(::haversack_cut_alternation(handle_.get()));
    }
    /// What left kept messages with the cut.
    std::vector<Strip> strip() const {
        std::vector<Strip> all;
        ::haversack_strip s;
        for (std::size_t i = 0; ::haversack_cut_strip(handle_.get(), i, &s); i++) {
            all.push_back({s.index, detail::view(s.path), detail::view(s.what)});
        }
        return all;
    }
    /// Results that were made smaller.
    std::vector<Reduced> reduced() const {
        std::vector<Reduced> all;
        ::haversack_reduced r;
        for (std::size_t i = 0; ::haversack_cut_reduced(handle_.get(), i, &r); i++) {
            all.push_back({r.index, detail::view(r.path), r.before, r.after});
        }
        return all;
    }
    /// The history after the cut.
    std::vector<OutMessage> messages() const { return detail::messages_of(handle_.get(), ::haversack_cut_message); }
    /// The whole text after the cut: a body stays a body, a list a list.
    std::string_view text() const & noexcept { return detail::view(::haversack_cut_text(handle_.get())); }
    std::string_view text() const && = delete;

  private:
    detail::Handle<::haversack_cut, ::haversack_cut_free> handle_;
};

/// A repaired history. It may outlive its history.
class Repair {
  public:
    /// Takes a repair that a C function gave.
    explicit Repair(::haversack_repair *owned) noexcept : handle_(owned) {}

    /// What was changed and why; empty when the history was valid.
    std::vector<Change> changes() const {
        std::vector<Change> all;
        ::haversack_change c;
        for (std::size_t i = 0; ::haversack_repair_change(handle_.get(), i, &c); i++) {
            all.push_back({static_cast<RepairAction>(c.action), static_cast<ViolationKind>(c.violation), c.index,
                           detail::view(c.path), detail::view(c.message)});
        }
        return all;
    }
    /// What no change of the messages mends; empty as a rule. Indices and paths are those of the resulting messages.
    std::vector<Violation> remaining() const {
        return detail::violations_of(handle_.get(), ::haversack_repair_remaining);
    }
    /// The history after the repair.
    std::vector<OutMessage> messages() const { return detail::messages_of(handle_.get(), ::haversack_repair_message); }
    /// The whole text after the repair: a body stays a body, a list a list.
    std::string_view text() const & noexcept { return detail::view(::haversack_repair_text(handle_.get())); }
    std::string_view text() const && = delete;

  private:
    detail::Handle<::haversack_repair, ::haversack_repair_free> handle_;
};

/// How a history is read.
struct HistoryOptions {
    WireFormat format = WireFormat::automatic;
    /// `strict`, or a server by name.
    std::optional<std::string> profile;
    /// The request body beside a bare list, as JSON.
    std::optional<std::string> request;
    /// Other limits: here `depth`.
    std::optional<Limits> limits;
};

/// What a cut keeps beside the system prompt and the last user message.
struct CutOptions {
    std::vector<std::size_t> pinned;
    bool portable = false;
};

/// How a history is repaired.
struct RepairOptions {
    MissingResult missing = MissingResult::synthesise;
    OrphanResult orphan = OrphanResult::drop;
    bool sending = false;
};

/// A chat history of one of the five wire formats.
class History {
  public:
    /// Reads a request body or a bare list of messages, which is copied.
    explicit History(std::string_view text, const HistoryOptions &options = {}) {
        detail::Failure failure;
        ::haversack_history_options c{};
        c.size = sizeof c;
        c.format = static_cast<std::uint32_t>(options.format);
        c.profile = detail::given(options.profile);
        c.request = detail::given(options.request);
        const detail::GivenLimits limits(options.limits);
        c.limits = limits.get();
        ::haversack_history *history = nullptr;
        failure.check(::haversack_history_parse(detail::str(text), &c, &history, failure.out()));
        handle_.reset(history);
    }

    WireFormat format() const noexcept { return static_cast<WireFormat>(::haversack_history_format(handle_.get())); }
    /// Whether the format was named or shown by the text; else it was taken for `openai_chat`.
    bool certain() const noexcept { return ::haversack_history_certain(handle_.get()); }
    /// How many messages there are.
    std::size_t size() const noexcept { return ::haversack_history_len(handle_.get()); }
    /// The text that was read, as it came.
    std::string_view text() const & noexcept { return detail::view(::haversack_history_text(handle_.get())); }
    std::string_view text() const && = delete;
    /// The text of one message, as it came.
    std::string_view message(std::size_t index) const & noexcept {
        return detail::view(::haversack_history_message(handle_.get(), index));
    }
    std::string_view message(std::size_t index) const && = delete;
    /// The steps, in order.
    std::vector<Step> steps() const {
        std::vector<::haversack_step> c(::haversack_history_steps(handle_.get(), nullptr, 0));
        ::haversack_history_steps(handle_.get(), c.data(), c.size());
        std::vector<Step> all;
        all.reserve(c.size());
        for (const auto &s : c) {
            all.push_back({static_cast<StepKind>(s.kind), s.from, s.to, s.calls, s.open});
        }
        return all;
    }
    /// What the provider would refuse; with `sending` an open call at the end counts too.
    std::vector<Violation> violations(bool sending = false) const {
        detail::Failure failure;
        ::haversack_violations *list = nullptr;
        failure.check(::haversack_history_violations(handle_.get(), sending, &list, failure.out()));
        const detail::Handle<::haversack_violations, ::haversack_violations_free> owner(list);
        return detail::violations_of(list, ::haversack_violations_get);
    }
    /// The indices at which it may be cut; with `portable` only those that hold in every format.
    std::vector<std::size_t> safe_cuts(bool portable = false) const {
        std::vector<std::size_t> all(size());
        all.resize(::haversack_history_safe_cuts(handle_.get(), portable, all.data(), all.size()));
        return all;
    }
    /// For each message why no cut may stand before it; none where it may.
    std::vector<std::optional<CutRefusal>> cut_refusals() const {
        std::vector<std::uint32_t> c(size());
        ::haversack_history_cut_refusals(handle_.get(), c.data(), c.size());
        std::vector<std::optional<CutRefusal>> all;
        all.reserve(c.size());
        for (const std::uint32_t refusal : c) {
            all.push_back(refusal == HAVERSACK_CUT_REFUSAL_NONE
                              ? std::nullopt
                              : std::optional<CutRefusal>(static_cast<CutRefusal>(refusal)));
        }
        return all;
    }
    /// Why `index` is no safe cut; none when it is one. Costs as much as `cut_refusals`.
    std::optional<CutRefusal> cut_refusal(std::size_t index) const noexcept {
        std::uint32_t refusal = 0;
        return ::haversack_history_cut_refusal(handle_.get(), index, &refusal)
                   ? std::optional<CutRefusal>(static_cast<CutRefusal>(refusal))
                   : std::nullopt;
    }
    /// Cuts the front so that what is kept is within `keep`, system prompt and pins included.
    Cut cut(const Budget &keep, const CutOptions &options = {}) const {
        detail::Call call(keep);
        const auto c = cut_options(options);
        ::haversack_cut *cut = nullptr;
        call.check(::haversack_history_cut(handle_.get(), call.budget(), &c, &cut, call.error()));
        return Cut(cut);
    }
    /// As `cut`, for a number of messages instead of a size.
    Cut cut_messages(std::size_t keep, const CutOptions &options = {}) const {
        detail::Failure failure;
        const auto c = cut_options(options);
        ::haversack_cut *cut = nullptr;
        failure.check(::haversack_history_cut_messages(handle_.get(), keep, &c, &cut, failure.out()));
        return Cut(cut);
    }
    /// The smallest change after which nothing is refused, or only what `remaining()` tells.
    Repair repair(const RepairOptions &options = {}) const {
        detail::Failure failure;
        ::haversack_repair_options c{};
        c.size = sizeof c;
        c.missing = static_cast<std::uint32_t>(options.missing);
        c.orphan = static_cast<std::uint32_t>(options.orphan);
        c.sending = options.sending ? 1 : 0;
        ::haversack_repair *repair = nullptr;
        failure.check(::haversack_history_repair(handle_.get(), &c, &repair, failure.out()));
        return Repair(repair);
    }
    const ::haversack_history *get() const noexcept { return handle_.get(); }

  private:
    // Borrows the list of pins.
    static ::haversack_cut_options cut_options(const CutOptions &options) noexcept {
        ::haversack_cut_options c{};
        c.size = sizeof c;
        c.pinned = options.pinned.data();
        c.pinned_len = options.pinned.size();
        c.portable = options.portable ? 1 : 0;
        return c;
    }

    detail::Handle<::haversack_history, ::haversack_history_free> handle_{nullptr};
};

/// How often a piece of a prompt changes. Layers stand in a prompt in this order.
enum class Layer : std::uint32_t {
    by_default = HAVERSACK_LAYER_DEFAULT,
    /// Never, while this version of the agent runs (`static` is a word of the language).
    fixed = HAVERSACK_LAYER_STATIC,
    rare = HAVERSACK_LAYER_RARE,
    session = HAVERSACK_LAYER_SESSION,
    turn = HAVERSACK_LAYER_TURN,
};

/// What a piece of a prompt is for.
enum class PieceKind : std::uint32_t {
    usual = HAVERSACK_PIECE_DEFAULT,
    instructions = HAVERSACK_PIECE_INSTRUCTIONS,
    tool = HAVERSACK_PIECE_TOOL,
    facts = HAVERSACK_PIECE_FACTS,
    conversation = HAVERSACK_PIECE_CONVERSATION,
    notes = HAVERSACK_PIECE_NOTES,
    setting = HAVERSACK_PIECE_SETTING,
};

/// How a format spells a cache mark.
enum class MarkKind : std::uint32_t {
    unknown = HAVERSACK_MARK_UNKNOWN,
    cache_control = HAVERSACK_MARK_CACHE_CONTROL,
    cache_point = HAVERSACK_MARK_CACHE_POINT,
    breakpoint = HAVERSACK_MARK_BREAKPOINT,
};

/// How a prompt, or a piece of it, differs from the one before.
enum class Verdict : std::uint32_t {
    unknown = HAVERSACK_VERDICT_UNKNOWN,
    first = HAVERSACK_VERDICT_FIRST,
    same = HAVERSACK_VERDICT_SAME,
    extended = HAVERSACK_VERDICT_EXTENDED,
    shortened = HAVERSACK_VERDICT_SHORTENED,
    reordered = HAVERSACK_VERDICT_REORDERED,
    changed = HAVERSACK_VERDICT_CHANGED,
    inserted = HAVERSACK_VERDICT_INSERTED,
    removed = HAVERSACK_VERDICT_REMOVED,
};

/// Why a piece differs.
enum class Cause : std::uint32_t {
    none = HAVERSACK_CAUSE_NONE,
    edit = HAVERSACK_CAUSE_EDIT,
    truncation = HAVERSACK_CAUSE_TRUNCATION,
    insertion = HAVERSACK_CAUSE_INSERTION,
    removal = HAVERSACK_CAUSE_REMOVAL,
    reorder = HAVERSACK_CAUSE_REORDER,
    rename = HAVERSACK_CAUSE_RENAME,
    key_order = HAVERSACK_CAUSE_KEY_ORDER,
    volatile_value = HAVERSACK_CAUSE_VOLATILE,
    tool_added = HAVERSACK_CAUSE_TOOL_ADDED,
    tool_removed = HAVERSACK_CAUSE_TOOL_REMOVED,
    tool_description = HAVERSACK_CAUSE_TOOL_DESCRIPTION,
    tool_schema = HAVERSACK_CAUSE_TOOL_SCHEMA,
    setting = HAVERSACK_CAUSE_SETTING,
    model = HAVERSACK_CAUSE_MODEL,
};

/// What a volatile value is.
enum class VolatileKind : std::uint32_t {
    unknown = HAVERSACK_VOLATILE_UNKNOWN,
    time = HAVERSACK_VOLATILE_TIME,
    date = HAVERSACK_VOLATILE_DATE,
    uuid = HAVERSACK_VOLATILE_UUID,
    id = HAVERSACK_VOLATILE_ID,
    path = HAVERSACK_VOLATILE_PATH,
    counter = HAVERSACK_VOLATILE_COUNTER,
    nonce = HAVERSACK_VOLATILE_NONCE,
};

/// Why as much is read from a cache as is.
enum class CacheReason : std::uint32_t {
    unknown = HAVERSACK_CACHE_UNKNOWN,
    hit = HAVERSACK_CACHE_HIT,
    first = HAVERSACK_CACHE_FIRST,
    nothing_stored = HAVERSACK_CACHE_NOTHING_STORED,
    changed = HAVERSACK_CACHE_CHANGED,
    below_minimum = HAVERSACK_CACHE_BELOW_MINIMUM,
    out_of_reach = HAVERSACK_CACHE_OUT_OF_REACH,
    expired = HAVERSACK_CACHE_EXPIRED,
};

/// What a cache mark is there for.
enum class MarkReason : std::uint32_t {
    unknown = HAVERSACK_MARK_REASON_UNKNOWN,
    tools = HAVERSACK_MARK_REASON_TOOLS,
    system = HAVERSACK_MARK_REASON_SYSTEM,
    anchor = HAVERSACK_MARK_REASON_ANCHOR,
    tail = HAVERSACK_MARK_REASON_TAIL,
};

inline std::string_view name(Layer layer) noexcept {
    return detail::view(::haversack_layer_name(static_cast<std::uint32_t>(layer)));
}
inline std::string_view name(PieceKind kind) noexcept {
    return detail::view(::haversack_piece_kind_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(MarkKind kind) noexcept {
    return detail::view(::haversack_mark_kind_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(Verdict verdict) noexcept {
    return detail::view(::haversack_verdict_name(static_cast<std::uint32_t>(verdict)));
}
inline std::string_view name(Cause cause) noexcept {
    return detail::view(::haversack_cause_name(static_cast<std::uint32_t>(cause)));
}
inline std::string_view name(VolatileKind kind) noexcept {
    return detail::view(::haversack_volatile_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(CacheReason reason) noexcept {
    return detail::view(::haversack_cache_reason_name(static_cast<std::uint32_t>(reason)));
}
inline std::string_view name(MarkReason reason) noexcept {
    return detail::view(::haversack_mark_reason_name(static_cast<std::uint32_t>(reason)));
}

/// A piece of a prompt; its texts live as long as the prompt.
struct Piece {
    /// Yours, or `settings/KEY`, `tools/NAME`, `system`, `message N` of a request.
    std::string_view name;
    /// Of a request the JSON text of the value as it was sent, without cache marks.
    std::string_view text;
    Layer layer;
    PieceKind kind;
    /// What it may take at most, in the unit you measure in.
    std::optional<std::size_t> budget;
    /// Who answers for it.
    std::optional<std::string_view> owner;
    /// A message of a request: its name is its place.
    bool is_message;
};

/// A cache mark of a request.
struct Mark {
    /// The piece it stands on, by its place in the prompt.
    std::size_t piece;
    /// Bytes of the piece's text before it.
    std::size_t at;
    MarkKind kind;
    /// The life it asks for.
    std::optional<std::uint32_t> seconds;
};

/// How a piece is added; what is not set has its default.
struct PieceOptions {
    /// Default: session.
    Layer layer = Layer::by_default;
    /// Default: what is usual in the layer.
    PieceKind kind = PieceKind::usual;
    /// What it may take at most, in the unit you measure in. Default: no budget.
    std::optional<std::size_t> budget;
    /// Who answers for it. Default: nobody.
    std::optional<std::string> owner;
};

/// How a snapshot is taken; what is not set has its default.
struct SnapshotOptions {
    /// Counts the tokens of every piece, so that comparisons tell tokens, too. Default: no tokens.
    std::optional<Counter> counter;
    /// Any bytes that make every digest an HMAC; only snapshots under one key compare. Default: no key.
    std::optional<std::string> key;
};

namespace detail {

// The list that a function writes in two calls: how many there are, then all of them.
template <typename T, typename Owner>
std::vector<T> filled(const Owner *owner, std::size_t (*ask)(const Owner *, T *, std::size_t)) {
    std::vector<T> all(ask(owner, nullptr, 0));
    ask(owner, all.data(), all.size());
    return all;
}

inline std::vector<std::string_view> views_of(const std::vector<::haversack_str> &texts) {
    std::vector<std::string_view> all;
    all.reserve(texts.size());
    for (const auto &text : texts) {
        all.push_back(view(text));
    }
    return all;
}

inline Piece piece_of(const ::haversack_piece &p) noexcept {
    return {view(p.name),
            view(p.text),
            static_cast<Layer>(p.layer),
            static_cast<PieceKind>(p.kind),
            p.has_budget ? std::optional<std::size_t>(p.budget) : std::nullopt,
            optional_view(p.owner),
            p.is_message != 0};
}

inline Mark mark_of(const ::haversack_mark &m) noexcept {
    return {m.piece, m.at, static_cast<MarkKind>(m.kind),
            m.has_seconds ? std::optional<std::uint32_t>(m.seconds) : std::nullopt};
}

} // namespace detail

/// What is left of a prompt to compare the next one with.
class Snapshot {
  public:
    /// Takes a snapshot that a C function gave.
    explicit Snapshot(::haversack_snapshot *owned) noexcept : handle_(owned) {}
    /// A snapshot from what `json` gave: it compares to 256 bytes.
    static Snapshot from_json(std::string_view json) {
        detail::Failure failure;
        ::haversack_snapshot *snapshot = nullptr;
        failure.check(::haversack_snapshot_from_json(detail::str(json), &snapshot, failure.out()));
        return Snapshot(snapshot);
    }
    /// Versioned JSON without any text of the prompt but the names of its pieces.
    std::string json() const { return detail::json_of(get(), ::haversack_snapshot_json); }
    /// How many pieces there are.
    std::size_t size() const noexcept { return ::haversack_snapshot_len(get()); }
    /// Bytes of all pieces together.
    std::size_t bytes() const noexcept { return ::haversack_snapshot_bytes(get()); }
    /// Tokens of all pieces together; none without a counter.
    std::optional<std::size_t> tokens() const noexcept { return detail::number(get(), ::haversack_snapshot_tokens); }
    /// The names of the pieces, in order; they live as long as the snapshot.
    std::vector<std::string_view> names() const {
        return detail::views_of(detail::filled(get(), ::haversack_snapshot_names));
    }
    /// SHA-256 of a piece as it was sent, in 64 hex digits (HMAC under a key); empty past the end.
    std::string sha256(std::size_t index) const {
        ::haversack_digests d;
        return ::haversack_snapshot_digests(get(), index, &d) ? std::string(d.sha256, d.sha256 + sizeof d.sha256) : std::string();
    }
    /// The same of its canonical form (RFC 8785); that of its bytes where it is no JSON.
    std::string canonical_sha256(std::size_t index) const {
        ::haversack_digests d;
        return ::haversack_snapshot_digests(get(), index, &d)
                   ? std::string(d.canonical_sha256, d.canonical_sha256 + sizeof d.canonical_sha256)
                   : std::string();
    }
    const ::haversack_snapshot *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_snapshot, ::haversack_snapshot_free> handle_;
};

struct Report;

/// A prompt as an ordered sequence of named pieces. Functions that are not `const` need it for themselves.
class Prompt {
  public:
    Prompt() : handle_(::haversack_prompt_new()) {}
    /// Takes a request body, or a bare list of messages, apart.
    /// Of the limits `depth` counts.
    static Prompt from_request(std::string_view body, WireFormat format = WireFormat::automatic,
                               const std::optional<Limits> &limits = std::nullopt) {
        detail::Failure failure;
        const detail::GivenLimits given(limits);
        ::haversack_prompt *prompt = nullptr;
        failure.check(::haversack_prompt_from_request(detail::str(body), static_cast<std::uint32_t>(format), given.get(), &prompt,
                                                      failure.out()));
        return Prompt(prompt);
    }
    /// The same prompt before anyone spoke: without conversation and notes, with all settings, instructions, tools and
    /// facts. What a sub-agent with a blank history starts from.
    Prompt without_conversation() const { return Prompt(::haversack_prompt_without_conversation(get())); }
    /// Adds a piece at the end of its layer; both texts are copied.
    Prompt &add(std::string_view name, std::string_view text, const PieceOptions &options = {}) {
        detail::Failure failure;
        const auto c = piece_options(options);
        failure.check(::haversack_prompt_add(handle_.get(), detail::str(name), detail::str(text), &c, failure.out()));
        return *this;
    }
    /// Adds a tool that you own as the piece `tools/NAME`, in canonical JSON: in its layer (`fixed` by default) such
    /// tools come first, by name. Their kind is not to be set.
    Prompt &add_tool(std::string_view name, std::string_view definition, const PieceOptions &options = {}) {
        detail::Failure failure;
        const auto c = piece_options(options);
        failure.check(::haversack_prompt_add_tool(handle_.get(), detail::str(name), detail::str(definition), &c, failure.out()));
        return *this;
    }
    /// The texts of all pieces but settings, in the order of the prompt, a blank line between two of them.
    std::string render() const { return detail::json_of(get(), ::haversack_prompt_render); }
    /// The definitions of the tools of `add_tool`, as one JSON array: the `tools` of a request.
    std::string tools() const { return detail::json_of(get(), ::haversack_prompt_tools); }
    /// Measures every piece in the unit of `budget`, whose limit is what all of them may take (`SIZE_MAX` for no
    /// limit).
    Report report(const Budget &budget) const;
    /// How many pieces there are.
    std::size_t size() const noexcept { return ::haversack_prompt_len(get()); }
    /// The wire format of the request that it was taken from.
    std::optional<WireFormat> format() const noexcept {
        const auto format = ::haversack_prompt_format(get());
        return format == 0 ? std::nullopt : std::optional<WireFormat>(static_cast<WireFormat>(format));
    }
    /// The pieces in the order of the prompt.
    std::vector<Piece> pieces() const {
        std::vector<Piece> all;
        for (const auto &p : detail::filled(get(), ::haversack_prompt_pieces)) {
            all.push_back(detail::piece_of(p));
        }
        return all;
    }
    /// The piece of that name.
    std::optional<Piece> piece(std::string_view name) const noexcept {
        ::haversack_piece p;
        return ::haversack_prompt_lookup(get(), detail::str(name), &p) ? std::optional<Piece>(detail::piece_of(p)) : std::nullopt;
    }
    /// The cache marks on the pieces, in order.
    std::vector<Mark> marks() const {
        std::vector<Mark> all;
        for (const auto &m : detail::filled(get(), ::haversack_prompt_marks)) {
            all.push_back(detail::mark_of(m));
        }
        return all;
    }
    /// The cache mark of the whole request: its `piece` and `at` say nothing.
    std::optional<Mark> automatic_mark() const noexcept {
        ::haversack_mark m;
        return ::haversack_prompt_automatic_mark(get(), &m) ? std::optional<Mark>(detail::mark_of(m)) : std::nullopt;
    }
    /// The prompt as it is now, to compare the next one with; it needs this one no more.
    Snapshot snapshot(const SnapshotOptions &options = {}) const {
        detail::CounterCall call(options.counter);
        ::haversack_snapshot_options c{};
        c.size = sizeof c;
        c.counter = call.get();
        c.key = detail::given(options.key);
        ::haversack_snapshot *snapshot = nullptr;
        call.check(::haversack_prompt_snapshot(get(), &c, &snapshot, call.error()));
        return Snapshot(snapshot);
    }
    const ::haversack_prompt *get() const noexcept { return handle_.get(); }

  private:
    explicit Prompt(::haversack_prompt *owned) noexcept : handle_(owned) {}

    // Borrows budget and owner.
    static ::haversack_piece_options piece_options(const PieceOptions &options) noexcept {
        ::haversack_piece_options c{};
        c.size = sizeof c;
        c.layer = static_cast<std::uint32_t>(options.layer);
        c.kind = static_cast<std::uint32_t>(options.kind);
        c.budget = detail::address(options.budget);
        c.owner = detail::given(options.owner);
        return c;
    }

    detail::Handle<::haversack_prompt, ::haversack_prompt_free> handle_;
};

/// The size of one piece, in the unit of the report.
struct PieceSize {
    std::string name;
    Layer layer;
    PieceKind kind;
    std::size_t size;
    /// What it may take at most.
    std::optional<std::size_t> budget;
    /// By how much it is above its budget.
    std::size_t over;
    /// Who answers for it.
    std::optional<std::string> owner;
};

/// The sizes of a prompt.
struct Report {
    /// Of every size.
    Unit unit;
    /// In the order of the prompt.
    std::vector<PieceSize> pieces;
    /// By layer, without settings, in the order of a prompt.
    std::vector<std::pair<Layer, std::size_t>> layers;
    std::vector<std::pair<PieceKind, std::size_t>> kinds;
    /// All pieces together but settings, which no model reads.
    std::size_t total;
    /// What all of them may take at most.
    std::optional<std::size_t> budget;
    /// By how much all of it is above the budget.
    std::size_t over;
    /// What stands before the conversation starts: instructions, tools, facts.
    std::size_t before_conversation;
    /// Tool results that the model has answered since.
    std::size_t old_results;
    /// Errors among them whose tool gave a result later on; not counted as old results again.
    std::size_t resolved_errors;
    /// Scratch work that is done: the model's thinking in turns that ended.
    std::size_t thinking;
    /// How much of the total the last three are, in parts per 10,000.
    std::uint32_t dead_share;
    /// What the conversation has grown by for each answer of the model so far, rounded up; none before the first.
    std::optional<std::size_t> per_call;
};

/// The input of a run that only appends to its prompt, in the unit that it was asked in.
struct Growth {
    /// The last prompt: all that was new in the run.
    std::uint64_t largest;
    /// All prompts together: what is billed without a cache. It grows with the square of the number of calls.
    std::uint64_t input;
    /// Of these what an earlier call had sent already: the most that a prefix cache can serve.
    std::uint64_t repeated;
};

/// Estimates the input of `calls` calls, the first of which sends `first` and each later one `per_call` more than the
/// one before.
inline Growth estimate_growth(std::uint64_t first, std::uint64_t per_call, std::uint64_t calls) noexcept {
    const auto c = ::haversack_estimate_growth(first, per_call, calls);
    return {c.largest, c.input, c.repeated};
}

inline Report Prompt::report(const Budget &budget) const {
    detail::Call call(budget);
    ::haversack_report *owned = nullptr;
    call.check(::haversack_prompt_report(get(), call.budget(), &owned, call.error()));
    const detail::Handle<::haversack_report, ::haversack_report_free> report(owned);
    Report r{static_cast<Unit>(::haversack_report_unit(owned)), {}, {}, {}, ::haversack_report_total(owned),
             detail::number<::haversack_report>(owned, ::haversack_report_budget), ::haversack_report_over(owned),
             ::haversack_report_before_conversation(owned), ::haversack_report_old_results(owned),
             ::haversack_report_resolved_errors(owned), ::haversack_report_thinking(owned), ::haversack_report_dead_share(owned),
             detail::number<::haversack_report>(owned, ::haversack_report_per_call)};
    ::haversack_piece_size p;
    for (std::size_t i = 0; ::haversack_report_piece(owned, i, &p); i++) {
        r.pieces.push_back({std::string(detail::view(p.name)), static_cast<Layer>(p.layer), static_cast<PieceKind>(p.kind), p.size,
                            p.has_budget ? std::optional<std::size_t>(p.budget) : std::nullopt, p.over, detail::copy(p.owner)});
    }
    for (const auto layer : {Layer::fixed, Layer::rare, Layer::session, Layer::turn}) {
        r.layers.emplace_back(layer, ::haversack_report_layer(owned, static_cast<std::uint32_t>(layer)));
    }
    for (std::uint32_t kind = 1; ::haversack_piece_kind_name(kind).ptr != nullptr; kind++) {
        r.kinds.emplace_back(static_cast<PieceKind>(kind), ::haversack_report_kind(owned, kind));
    }
    return r;
}

/// One difference between two prompts; its texts live as long as the comparison.
struct PieceChange {
    /// Shortened, reordered, changed, inserted or removed.
    Verdict verdict;
    /// Its name in the new prompt, or in the old one where it is gone.
    std::string_view piece;
    /// Its name in the old prompt, where that is another.
    std::optional<std::string_view> was;
    /// The first place in the new prompt that differs for it.
    std::size_t index;
    /// The first byte of the piece that differs.
    std::optional<std::size_t> at_byte;
    /// False where `at_byte` is only known to 256 bytes.
    bool at_byte_exact;
    Cause cause;
    /// What the volatile value is, where that is the cause.
    std::optional<VolatileKind> volatile_kind;
};

/// How a prompt differs from the one before.
class Comparison {
  public:
    /// Takes a comparison that a C function gave.
    explicit Comparison(::haversack_comparison *owned) noexcept : handle_(owned) {}
    /// What happened first.
    Verdict verdict() const noexcept { return static_cast<Verdict>(::haversack_comparison_verdict(get())); }
    /// Whether a provider can go on reading all of the previous prompt from its cache.
    bool calm() const noexcept { return ::haversack_comparison_calm(get()); }
    /// The piece where it happened.
    std::optional<std::string_view> piece() const noexcept { return detail::optional_view(::haversack_comparison_piece(get())); }
    /// The first place that differs, counted in pieces of the new prompt.
    std::optional<std::size_t> index() const noexcept { return detail::number(get(), ::haversack_comparison_index); }
    /// The first byte of that piece that differs, even inside a character.
    std::optional<std::size_t> at_byte() const noexcept { return detail::number(get(), ::haversack_comparison_at_byte); }
    /// False where `at_byte` is only known to 256 bytes, or there is none.
    bool at_byte_exact() const noexcept { return ::haversack_comparison_at_byte_exact(get()); }
    /// Why.
    Cause cause() const noexcept { return static_cast<Cause>(::haversack_comparison_cause(get())); }
    /// Bytes of the previous prompt before the first break.
    std::size_t kept_bytes() const noexcept { return ::haversack_comparison_kept_bytes(get()); }
    /// Its other bytes.
    std::size_t lost_bytes() const noexcept { return ::haversack_comparison_lost_bytes(get()); }
    /// Tokens of the whole pieces before the first break; none when the previous snapshot was not counted.
    std::optional<std::size_t> kept_tokens() const noexcept { return detail::number(get(), ::haversack_comparison_kept_tokens); }
    /// Its other tokens.
    std::optional<std::size_t> lost_tokens() const noexcept { return detail::number(get(), ::haversack_comparison_lost_tokens); }
    /// Every difference in the order of the new prompt.
    std::vector<PieceChange> changes() const {
        std::vector<PieceChange> all;
        ::haversack_piece_change c;
        for (std::size_t i = 0; ::haversack_comparison_change(get(), i, &c); i++) {
            all.push_back({static_cast<Verdict>(c.verdict), detail::view(c.piece), detail::optional_view(c.was), c.index,
                           c.has_at_byte ? std::optional<std::size_t>(c.at_byte) : std::nullopt, c.at_byte_exact != 0,
                           static_cast<Cause>(c.cause),
                           c.volatile_kind ? std::optional<VolatileKind>(static_cast<VolatileKind>(c.volatile_kind))
                                           : std::nullopt});
        }
        return all;
    }
    const ::haversack_comparison *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_comparison, ::haversack_comparison_free> handle_;
};

namespace detail {

inline Comparison compare(const ::haversack_snapshot *previous, const Snapshot &next) {
    Failure failure;
    ::haversack_comparison *comparison = nullptr;
    failure.check(::haversack_compare(previous, next.get(), &comparison, failure.out()));
    return Comparison(comparison);
}

} // namespace detail

/// Compares a prompt with the one before it: where they part, why, and what is lost to the cache.
inline Comparison compare(const Snapshot &previous, const Snapshot &next) { return detail::compare(previous.get(), next); }
/// Compares the first prompt with nothing.
inline Comparison compare(std::nullopt_t, const Snapshot &next) { return detail::compare(nullptr, next); }

/// The start that two prompts share.
struct SharedPrefix {
    /// Bytes of the pieces' texts that are equal, up to the first that differs.
    std::size_t bytes;
    /// Tokens of these; none without a counter.
    std::optional<std::size_t> tokens;
    /// How many pieces are equal as a whole.
    std::size_t pieces;
    /// The first piece where they part; none when all texts are equal.
    std::optional<std::string> piece;
};

/// What two prompts have in common at their start, by the bytes of their pieces. With a counter, in tokens, too.
inline SharedPrefix shared_prefix(const Prompt &a, const Prompt &b, const std::optional<Counter> &counter = std::nullopt) {
    detail::CounterCall call(counter);
    ::haversack_prefix p;
    call.check(::haversack_shared_prefix(a.get(), b.get(), call.get(), &p, call.error()));
    return {p.bytes, p.has_tokens ? std::optional<std::size_t>(p.tokens) : std::nullopt, p.pieces, detail::copy(p.piece)};
}

/// A volatile value in an early layer.
struct VolatileValue {
    std::string piece;
    /// The place of the piece in the prompt.
    std::size_t index;
    Layer layer;
    VolatileKind kind;
    /// Where the value stands in the piece, in bytes.
    std::size_t at_byte;
    /// How long it is, in bytes.
    std::size_t bytes;
};

/// The volatile values in the layers that should change rarely, in the order of the prompt.
inline std::vector<VolatileValue> volatile_values(const Prompt &prompt) {
    detail::Failure failure;
    ::haversack_volatile_values *list = nullptr;
    failure.check(::haversack_volatile(prompt.get(), &list, failure.out()));
    const detail::Handle<::haversack_volatile_values, ::haversack_volatile_values_free> owner(list);
    std::vector<VolatileValue> all;
    ::haversack_volatile_value v;
    for (std::size_t i = 0; ::haversack_volatile_values_get(list, i, &v); i++) {
        all.push_back({std::string(detail::view(v.piece)), v.index, static_cast<Layer>(v.layer),
                       static_cast<VolatileKind>(v.kind), v.at_byte, v.bytes});
    }
    return all;
}

/// A number whose canonical form says another number, since no double is it.
struct InexactNumber {
    /// Where it stands in the text that was read, in bytes.
    std::size_t offset;
    /// How it was spelt, at most 32 characters of it.
    std::string read;
    /// What the canonical form has in its place.
    std::string written;
};

/// A text in its canonical form.
struct CanonicalJson {
    std::string text;
    /// Whether the text that was read is its own canonical form, byte for byte.
    bool same;
    /// Numbers that do not survive a double.
    std::vector<InexactNumber> warnings;
};

/// The canonical form (RFC 8785) of one JSON text; of the limits `depth` counts.
inline CanonicalJson canonical_json(std::string_view text, const std::optional<Limits> &limits = std::nullopt) {
    detail::Failure failure;
    const detail::GivenLimits given(limits);
    ::haversack_canonical *canonical = nullptr;
    failure.check(::haversack_canonical_json(detail::str(text), given.get(), &canonical, failure.out()));
    const detail::Handle<::haversack_canonical, ::haversack_canonical_free> owner(canonical);
    CanonicalJson answer{std::string(detail::view(::haversack_canonical_text(canonical))),
                         ::haversack_canonical_same(canonical), {}};
    ::haversack_inexact_number n;
    for (std::size_t i = 0; ::haversack_canonical_inexact(canonical, i, &n); i++) {
        answer.warnings.push_back({n.offset, std::string(detail::view(n.read)), std::string(detail::view(n.written))});
    }
    return answer;
}

/// A section of a prompt; the texts are read when it is handed over.
struct Section {
    /// Not empty, and no other section's.
    std::string_view name;
    /// Empty for a section that holds nothing yet.
    std::string_view text;
};

/// A change of a section, for the newest message, where it stays for ever.
struct Note {
    std::string section;
    /// Which version of the section it states: 2 for the first change, never given twice.
    std::uint64_t version;
    /// The text for the newest message.
    std::string text;
};

/// What outstanding notes cost, in tokens.
using NoteCost = ::haversack_note_cost;

/// Sections of a prompt that are replayed as they were written. Functions that are not `const` need it for themselves.
class Frozen {
  public:
    /// Sections in the order in which the prompt has them.
    Frozen(std::initializer_list<Section> sections) : Frozen(sections.begin(), sections.size()) {}
    /// The same of a list that is made at run time.
    static Frozen of(const std::vector<Section> &sections) { return Frozen(sections.data(), sections.size()); }
    /// Sections from what `json` gave.
    static Frozen from_json(std::string_view json) {
        detail::Failure failure;
        ::haversack_frozen *frozen = nullptr;
        failure.check(::haversack_frozen_from_json(detail::str(json), &frozen, failure.out()));
        return Frozen(frozen);
    }
    /// The names of the sections, in order; they live as long as the sections.
    std::vector<std::string_view> names() const { return detail::views_of(detail::filled(get(), ::haversack_frozen_names)); }
    /// The section as every request has it, byte for byte what was written. Lives until the next fold.
    std::string_view text(std::string_view name) const { return ask(name, ::haversack_frozen_text); }
    /// What holds now. Lives until the next update of the section or fold.
    std::string_view current(std::string_view name) const { return ask(name, ::haversack_frozen_current); }
    /// A new version of a section (none deletes): the note for the newest message, or none when that holds already.
    std::optional<Note> update(std::string_view name, std::optional<std::string_view> text) {
        detail::Failure failure;
        ::haversack_note n;
        const auto given = text ? detail::given(*text) : ::haversack_str{nullptr, 0};
        failure.check(::haversack_frozen_update(handle_.get(), detail::str(name), given, &n, failure.out()));
        return n.version == 0 ? std::nullopt : std::optional<Note>(note_of(n));
    }
    /// The outstanding notes, oldest first.
    std::vector<Note> notes() const {
        std::vector<Note> all;
        ::haversack_note n;
        for (std::size_t i = 0; ::haversack_frozen_note(get(), i, &n); i++) {
            all.push_back(note_of(n));
        }
        return all;
    }
    /// What the outstanding notes cost, in tokens of `counter`.
    NoteCost cost(const Counter &counter) const {
        detail::CounterCall call(counter);
        NoteCost cost;
        call.check(::haversack_frozen_cost(get(), call.get(), &cost, call.error()));
        return cost;
    }
    /// Makes the current versions the sections and forgets the notes: at a compaction. Answers the names of the
    /// sections that changed; they live as long as the sections.
    std::vector<std::string_view> fold() {
        std::vector<::haversack_str> changed(::haversack_frozen_names(get(), nullptr, 0));
        changed.resize(::haversack_frozen_fold(handle_.get(), changed.data(), changed.size()));
        return detail::views_of(changed);
    }
    /// The sections and their notes as versioned JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_frozen_json); }
    const ::haversack_frozen *get() const noexcept { return handle_.get(); }

  private:
    using Ask = ::haversack_status (*)(const ::haversack_frozen *, ::haversack_str, ::haversack_str *, ::haversack_error **);
    explicit Frozen(::haversack_frozen *owned) noexcept : handle_(owned) {}
    Frozen(const Section *sections, std::size_t count) {
        std::vector<::haversack_section> c;
        c.reserve(count);
        for (std::size_t i = 0; i < count; i++) {
            c.push_back({detail::str(sections[i].name), detail::str(sections[i].text)});
        }
        detail::Failure failure;
        ::haversack_frozen *frozen = nullptr;
        failure.check(::haversack_frozen_new(c.data(), c.size(), &frozen, failure.out()));
        handle_.reset(frozen);
    }
    std::string_view ask(std::string_view name, Ask get_text) const {
        detail::Failure failure;
        ::haversack_str text;
        failure.check(get_text(get(), detail::str(name), &text, failure.out()));
        return detail::view(text);
    }
    static Note note_of(const ::haversack_note &n) {
        return {std::string(detail::view(n.section)), n.version, std::string(detail::view(n.text))};
    }

    detail::Handle<::haversack_frozen, ::haversack_frozen_free> handle_{nullptr};
};

/// Lines of a ledger, a memory or a handoff as a text for the prompt, with its books; `measure` gives its size.
struct Rendered {
    /// A heading and one line an entry, without a line feed at its end.
    std::string text;
    /// Entries as records, their lines (each with its line feed) in bytes.
    Account account;
    /// The rule by which entries are left out, in words. Static.
    std::string_view rule;
    /// True when nothing was left out.
    bool complete;
};

namespace detail {

// One call with a budget, or without.
class RoomCall {
  public:
    explicit RoomCall(const std::optional<Budget> &budget)
        : given_(budget.has_value()), call_(budget ? *budget : Budget::bytes(0)), budget_(call_.budget()) {}
    RoomCall(const RoomCall &) = delete;
    RoomCall &operator=(const RoomCall &) = delete;
    // NULL when there is none; lives as long as this.
    const ::haversack_budget *budget() const noexcept { return given_ ? &budget_ : nullptr; }
    ::haversack_error **error() noexcept { return call_.error(); }
    void check(::haversack_status status) const { call_.check(status); }

  private:
    bool given_;
    Call call_;
    ::haversack_budget budget_;
};

// Takes a rendered text that a C function gave.
inline Rendered rendered_of(::haversack_rendered *owned) {
    const Handle<::haversack_rendered, ::haversack_rendered_free> owner(owned);
    return {std::string(view(::haversack_rendered_text(owned))), account_of(::haversack_rendered_account(owned)),
            view(::haversack_rendered_rule(owned)), ::haversack_rendered_complete(owned)};
}

} // namespace detail

/// What a fact is. The order is that in which a budget takes them.
enum class FactKind : std::uint32_t {
    usual = HAVERSACK_FACT_DEFAULT, // a fact
    constraint = HAVERSACK_FACT_CONSTRAINT,
    decision = HAVERSACK_FACT_DECISION,
    task = HAVERSACK_FACT_TASK,
    identifier = HAVERSACK_FACT_IDENTIFIER,
    fact = HAVERSACK_FACT_FACT,
};

/// What became of a value that was recorded.
enum class Recorded : std::uint32_t {
    unknown = HAVERSACK_RECORDED_UNKNOWN,
    added = HAVERSACK_RECORDED_ADDED,
    updated = HAVERSACK_RECORDED_UPDATED, // it holds now; the earlier value is in the history
    merged = HAVERSACK_RECORDED_MERGED,   // it was there already: its source is added to the fact
    older = HAVERSACK_RECORDED_OLDER,     // of an earlier turn than the value that holds: in the history
};

/// When a memory was written, which says what it is worth: each trusts something else.
enum class Timing : std::uint32_t {
    usual = HAVERSACK_TIMING_DEFAULT, // at once
    at_once = HAVERSACK_TIMING_AT_ONCE,
    end_of_conversation = HAVERSACK_TIMING_END_OF_CONVERSATION,
    background = HAVERSACK_TIMING_BACKGROUND,
};

/// What happens to a memory that is one too many.
enum class OnFull : std::uint32_t {
    usual = HAVERSACK_ON_FULL_DEFAULT,  // reported
    reject = HAVERSACK_ON_FULL_REJECT,  // an error, and nothing is stored
    evict = HAVERSACK_ON_FULL_EVICT,    // the memory that ranks last goes, which may be the new one
    report = HAVERSACK_ON_FULL_REPORT,  // it is stored, and the answer says so
};

/// What became of a text that was added.
enum class Remembered : std::uint32_t {
    unknown = HAVERSACK_REMEMBERED_UNKNOWN,
    added = HAVERSACK_REMEMBERED_ADDED,
    merged = HAVERSACK_REMEMBERED_MERGED,     // it was there already: its source is added to the memory
    evicted = HAVERSACK_REMEMBERED_EVICTED,   // the one that ranked last has gone for it
    refused = HAVERSACK_REMEMBERED_REFUSED,   // it is not stored: it would rank last
    over_cap = HAVERSACK_REMEMBERED_OVER_CAP, // it is a new memory above the cap
};

/// What evidence is.
enum class Origin : std::uint32_t {
    fact = HAVERSACK_ORIGIN_FACT,     // of this run
    memory = HAVERSACK_ORIGIN_MEMORY, // from whatever run
};

/// Whether an action may go ahead. Whatever is not `ok` is to be asked.
enum class Answer : std::uint32_t {
    unknown = HAVERSACK_ANSWER_UNKNOWN,
    ok = HAVERSACK_ANSWER_OK,
    ask = HAVERSACK_ANSWER_ASK,
};

/// Why it may, or may not.
enum class GroundsReason : std::uint32_t {
    unknown = HAVERSACK_GROUNDS_UNKNOWN,
    stated = HAVERSACK_GROUNDS_STATED,           // by the user, in this run
    verified = HAVERSACK_GROUNDS_VERIFIED,       // it comes from the host, and was verified
    nothing = HAVERSACK_GROUNDS_NOTHING,         // there is no evidence
    superseded = HAVERSACK_GROUNDS_SUPERSEDED,   // all of it was
    only_memory = HAVERSACK_GROUNDS_ONLY_MEMORY, // all that holds is memory
    untrusted = HAVERSACK_GROUNDS_UNTRUSTED,     // none of it was stated by the user, or verified and from the host
};

inline std::string_view name(FactKind kind) noexcept {
    return detail::view(::haversack_fact_kind_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(Recorded recorded) noexcept {
    return detail::view(::haversack_recorded_name(static_cast<std::uint32_t>(recorded)));
}
inline std::string_view name(Timing timing) noexcept {
    return detail::view(::haversack_timing_name(static_cast<std::uint32_t>(timing)));
}
inline std::string_view name(OnFull on_full) noexcept {
    return detail::view(::haversack_on_full_name(static_cast<std::uint32_t>(on_full)));
}
inline std::string_view name(Remembered remembered) noexcept {
    return detail::view(::haversack_remembered_name(static_cast<std::uint32_t>(remembered)));
}
inline std::string_view name(Origin origin) noexcept {
    return detail::view(::haversack_origin_name(static_cast<std::uint32_t>(origin)));
}
inline std::string_view name(Answer answer) noexcept {
    return detail::view(::haversack_answer_name(static_cast<std::uint32_t>(answer)));
}
inline std::string_view name(GroundsReason reason) noexcept {
    return detail::view(::haversack_grounds_reason_name(static_cast<std::uint32_t>(reason)));
}

/// What is said of a value when it is recorded; what is not set has its default.
struct FactOptions {
    /// Where it comes from: `user`, `system`, `agent`, `tool`, `page`, `email` or `file`, and after a colon which one
    /// (`tool:c1`). Default, and for whatever starts otherwise: unknown, which is not trusted.
    std::string source;
    FactKind kind = FactKind::usual;
    /// In which turn, step or message, 0 to 2^53: the value of the later turn holds. Default: none.
    std::optional<std::uint64_t> turn;
    /// Whether the host checked it.
    bool verified = false;
};

/// One more time that a value was stated.
struct Sighting {
    std::string source;
    std::optional<std::uint64_t> turn;
    bool verified;
};

/// One value of a key, as a ledger had it when it was asked.
struct Fact {
    std::string key;
    /// As JSON, in the spelling in which it was recorded.
    std::string value;
    FactKind kind;
    /// Of several sightings the most trusted one, of these a verified one, of these the first.
    std::string source;
    /// When it was stated there.
    std::optional<std::uint64_t> turn;
    /// Whether the host checked it.
    bool verified;
    /// Whether another value took its place.
    bool superseded;
    /// Its other sightings, in the order in which they came; of one kind of source the first eight.
    std::vector<Sighting> also;
};

/// A field of a result: the key of its fact, and the JSON Pointer to its value; the texts are read when it is handed
/// over.
struct Field {
    std::string_view key;
    std::string_view pointer;
};

/// A result of which the fields that were asked for are recorded: now it may leave the prompt.
struct Extracted {
    /// In the order of the fields.
    std::vector<std::string> keys;
    /// One line that can stand in the place of the result.
    std::string text;
    /// One record, shrunk; the bytes of the recorded values are kept, the others omitted.
    Account account;
};

/// What each place of a ledger costs this turn, in tokens that a provider has to read anew: `low` the news on the
/// newest message, `system` its text in the system message from the first changed byte on, and all that stands behind
/// it.
using PlacementCosts = ::haversack_placement_costs;

namespace detail {

inline std::optional<std::uint64_t> turn_of(std::uint32_t has_turn, std::uint64_t turn) noexcept {
    return has_turn ? std::optional<std::uint64_t>(turn) : std::nullopt;
}

// Takes a list of facts that a C function gave.
inline std::vector<Fact> facts_of(::haversack_facts *owned) {
    const Handle<::haversack_facts, ::haversack_facts_free> owner(owned);
    std::vector<Fact> all;
    ::haversack_fact f;
    for (std::size_t i = 0; ::haversack_facts_get(owned, i, &f); i++) {
        std::vector<::haversack_sighting> also(f.also);
        ::haversack_facts_also(owned, i, also.data(), also.size());
        all.push_back({std::string(view(f.key)), std::string(view(f.value)), static_cast<FactKind>(f.kind), std::string(view(f.source)),
                       turn_of(f.has_turn, f.turn), f.verified != 0, f.superseded != 0, {}});
        for (const auto &seen : also) {
            all.back().also.push_back({std::string(view(seen.source)), turn_of(seen.has_turn, seen.turn), seen.verified != 0});
        }
    }
    return all;
}

// Borrows source and turn.
inline ::haversack_fact_options stated(const FactOptions &options) noexcept {
    ::haversack_fact_options c{};
    c.size = sizeof c;
    c.source = str(options.source);
    c.turn = options.turn ? &*options.turn : nullptr;
    c.kind = static_cast<std::uint32_t>(options.kind);
    c.verified = options.verified;
    return c;
}

} // namespace detail

/// Facts by key, with their sources and their history, for a text that is put before the model every time. Nothing that
/// is recorded can end its line or its quotes. Functions that are not `const` need it for themselves, and a counter
/// that they call must not use it.
class Ledger {
  public:
    Ledger() : handle_(::haversack_ledger_new()) {}
    /// A ledger from what `json` gave, which answers as that one would.
    static Ledger from_json(std::string_view json) {
        detail::Failure failure;
        ::haversack_ledger *ledger = nullptr;
        failure.check(::haversack_ledger_from_json(detail::str(json), &ledger, failure.out()));
        return Ledger(ledger);
    }
    /// Records a text as the value of a key: it holds from now on, and an earlier one goes into the history. A value
    /// that holds already is not recorded twice: its source is added to the fact.
    Recorded record(std::string_view key, std::string_view text, const FactOptions &options = {}) {
        return put(key, text, options, ::haversack_ledger_record);
    }
    /// The same with a value that is JSON of any type and keeps its own spelling.
    Recorded record_json(std::string_view key, std::string_view json, const FactOptions &options = {}) {
        return put(key, json, options, ::haversack_ledger_record_json);
    }
    /// Adds a text to a key that has several values: none of them takes the place of another.
    Recorded append(std::string_view key, std::string_view text, const FactOptions &options = {}) {
        return put(key, text, options, ::haversack_ledger_append);
    }
    /// The same with a value that is JSON.
    Recorded append_json(std::string_view key, std::string_view json, const FactOptions &options = {}) {
        return put(key, json, options, ::haversack_ledger_append_json);
    }
    /// Records fields of a tool result (JSON), each as it is spelt there, so that the result may leave the prompt. Of a
    /// result with one field missing nothing is recorded.
    Extracted extract(std::string_view result, const std::vector<Field> &fields, const FactOptions &options = {}) {
        std::vector<::haversack_field> c;
        c.reserve(fields.size());
        for (const auto &field : fields) {
            c.push_back({detail::str(field.key), detail::str(field.pointer)});
        }
        detail::Failure failure;
        const auto stated = detail::stated(options);
        ::haversack_extracted *owned = nullptr;
        failure.check(::haversack_ledger_extract(handle_.get(), detail::str(result), c.data(), c.size(), &stated, &owned, failure.out()));
        const detail::Handle<::haversack_extracted, ::haversack_extracted_free> owner(owned);
        Extracted answer{{}, std::string(detail::view(::haversack_extracted_text(owned))), detail::account_of(::haversack_extracted_account(owned))};
        for (const auto &key : detail::filled<::haversack_str, ::haversack_extracted>(owned, ::haversack_extracted_keys)) {
            answer.keys.emplace_back(detail::view(key));
        }
        return answer;
    }
    /// What holds of a key; of several values the first; none where nothing was recorded.
    std::optional<Fact> get(std::string_view key) const {
        auto found = ask(key, ::haversack_ledger_get);
        return found.empty() ? std::nullopt : std::optional<Fact>(std::move(found.front()));
    }
    /// What holds of a key, in the order in which it was recorded: nothing, one value, or those that were appended.
    std::vector<Fact> values(std::string_view key) const { return ask(key, ::haversack_ledger_values); }
    /// Every value that a key ever had, oldest first, those that hold included.
    std::vector<Fact> history(std::string_view key) const { return ask(key, ::haversack_ledger_history); }
    /// All facts that hold, in the order in which they are shown.
    std::vector<Fact> facts() const {
        detail::Failure failure;
        ::haversack_facts *facts = nullptr;
        failure.check(::haversack_ledger_facts(get(), &facts, failure.out()));
        return detail::facts_of(facts);
    }
    /// How many facts hold.
    std::size_t size() const noexcept { return ::haversack_ledger_len(get()); }
    /// Bytes of all lines in a text without a budget, without the heading.
    std::uint64_t bytes() const noexcept { return ::haversack_ledger_bytes(get()); }
    /// How often a value was recorded that held already.
    std::uint64_t merged() const noexcept { return ::haversack_ledger_merged(get()); }
    /// The facts that hold, one line each: all of them, or as many as fit, by kind and then the newest first. The
    /// heading says how many were left out. Rendering twice gives the same bytes.
    Rendered render(const std::optional<Budget> &budget = std::nullopt) const {
        detail::RoomCall call(budget);
        ::haversack_rendered *rendered = nullptr;
        call.check(::haversack_ledger_render(get(), call.budget(), &rendered, call.error()));
        return detail::rendered_of(rendered);
    }
    /// What was recorded since the last news, for the newest message; none where nothing was. What a budget leaves out
    /// comes with the next news; after an exception all of it is still to be told.
    std::optional<Rendered> news(const std::optional<Budget> &budget = std::nullopt) {
        detail::RoomCall call(budget);
        ::haversack_rendered *rendered = nullptr;
        call.check(::haversack_ledger_news(handle_.get(), call.budget(), &rendered, call.error()));
        return rendered == nullptr ? std::nullopt : std::optional<Rendered>(detail::rendered_of(rendered));
    }
    /// Takes everything that is recorded for told: after the whole ledger was put into the prompt.
    void fold() noexcept { ::haversack_ledger_fold(handle_.get()); }
    /// What each place of the ledger costs this turn. `previous` is its text that stands in the system message,
    /// `behind` the tokens of the prompt behind it.
    PlacementCosts placement_costs(std::string_view previous, std::size_t behind, const Counter &counter) const {
        detail::CounterCall call(counter);
        PlacementCosts costs;
        call.check(::haversack_ledger_placement_costs(get(), detail::str(previous), behind, call.get(), &costs, call.error()));
        return costs;
    }
    /// The ledger with its history as versioned JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_ledger_json); }
    const ::haversack_ledger *get() const noexcept { return handle_.get(); }

  private:
    explicit Ledger(::haversack_ledger *owned) noexcept : handle_(owned) {}
    using Put = ::haversack_status (*)(::haversack_ledger *, ::haversack_str, ::haversack_str, const ::haversack_fact_options *,
                                       std::uint32_t *, ::haversack_error **);
    using Ask = ::haversack_status (*)(const ::haversack_ledger *, ::haversack_str, ::haversack_facts **, ::haversack_error **);
    Recorded put(std::string_view key, std::string_view value, const FactOptions &options, Put put_value) {
        detail::Failure failure;
        const auto c = detail::stated(options);
        std::uint32_t recorded = 0;
        failure.check(put_value(handle_.get(), detail::str(key), detail::str(value), &c, &recorded, failure.out()));
        return static_cast<Recorded>(recorded);
    }
    std::vector<Fact> ask(std::string_view key, Ask get_facts) const {
        detail::Failure failure;
        ::haversack_facts *facts = nullptr;
        failure.check(get_facts(get(), detail::str(key), &facts, failure.out()));
        return detail::facts_of(facts);
    }

    detail::Handle<::haversack_ledger, ::haversack_ledger_free> handle_;
};

/// What is said of a text when it is remembered; what is not set has its default.
struct RememberOptions {
    /// Where it comes from, as for `FactOptions`. Default: unknown, which is not trusted.
    std::string source;
    /// How much it matters, 0 to 9.
    std::uint32_t importance = 3;
    /// When it was said, in seconds of the host's clock, 0 to 2^53.
    std::uint64_t at = 0;
    /// When it was written.
    Timing timing = Timing::usual;
};

/// One more time that a text was said.
struct Said {
    std::string source;
    std::uint32_t importance;
    std::uint64_t at;
    Timing timing;
};

/// A memory: a text with its sources, as it was when it was asked for.
struct MemoryItem {
    /// Its number in this memory, for good.
    std::uint64_t id;
    /// As it was said first.
    std::string text;
    /// Of all times that it was said, that of the one that ranks first; so are the three behind it.
    std::string source;
    /// How much it matters, 0 to 9.
    std::uint32_t importance;
    /// In seconds.
    std::uint64_t at;
    Timing timing;
    /// The other times that it was said: one a source, of one kind of source the best eight.
    std::vector<Said> also;
};

/// A memory that a search found.
struct Hit {
    MemoryItem item;
    /// How well it fits, in 1/1024.
    std::uint64_t score;
};

/// What became of a text that was added.
struct Added {
    Remembered outcome;
    /// Its number; none where it was refused.
    std::optional<std::uint64_t> id;
    /// The memory that went for it.
    std::optional<MemoryItem> evicted;
    /// How many memories there are above the cap.
    std::uint64_t over;
};

/// The books of a memory: offered = held + merged + declined + refused + evicted + forgotten.
using MemoryCounts = ::haversack_memory_counts;

/// Lines for the end of a dated file.
struct FlushFile {
    /// `memory/YYYY-MM-DD.md`, relative to wherever the host keeps it.
    std::string name;
    /// What to append: a heading and one line a memory, with a line feed at its end.
    std::string text;
    /// All are kept.
    Account account;
};

/// A message that asks the model to write down what will still matter.
struct FlushRequest {
    /// The file that it is asked to write to.
    std::string name;
    std::string text;
    /// The answer that is not to be shown to anyone. Static.
    std::string_view silent;
};

namespace detail {

inline MemoryItem item_of(const ::haversack_memory_item &c, const std::vector<::haversack_said> &also) {
    MemoryItem item{c.id, std::string(view(c.text)), std::string(view(c.source)), c.importance, c.at, static_cast<Timing>(c.timing), {}};
    for (const auto &said : also) {
        item.also.push_back({std::string(view(said.source)), said.importance, said.at, static_cast<Timing>(said.timing)});
    }
    return item;
}

// Takes a list of memories that a C function gave.
inline std::vector<Hit> items_of(::haversack_memory_items *owned) {
    const Handle<::haversack_memory_items, ::haversack_memory_items_free> owner(owned);
    std::vector<Hit> all;
    ::haversack_memory_item c;
    for (std::size_t i = 0; ::haversack_memory_items_get(owned, i, &c); i++) {
        std::vector<::haversack_said> also(c.also);
        ::haversack_memory_items_also(owned, i, also.data(), also.size());
        all.push_back({item_of(c, also), c.score});
    }
    return all;
}

} // namespace detail

/// What is remembered beyond a conversation: texts with a source, an importance and a time, of which a slice goes into
/// a request and the rest is found by search. A memory is no permission: see `grounds`. Functions that are not `const`
/// need it for themselves, and a counter that they call must not use it.
class Memory {
  public:
    /// Without a cap.
    Memory() : handle_(::haversack_memory_new()) {}
    /// One that holds `cap` texts, and what happens to one more.
    explicit Memory(std::size_t cap, OnFull on_full = OnFull::usual) {
        detail::Failure failure;
        ::haversack_memory *memory = nullptr;
        failure.check(::haversack_memory_new_capped(cap, static_cast<std::uint32_t>(on_full), &memory, failure.out()));
        handle_.reset(memory);
    }
    /// A memory from what `json` gave, which answers as that one would.
    static Memory from_json(std::string_view json) {
        detail::Failure failure;
        ::haversack_memory *memory = nullptr;
        failure.check(::haversack_memory_from_json(detail::str(json), &memory, failure.out()));
        return Memory(Owned(memory));
    }
    /// Remembers a text. One that is there already is not stored twice: its source is added to the memory, which then
    /// ranks as the best of the times that it was said.
    Added add(std::string_view text, const RememberOptions &options = {}) {
        ::haversack_remember_options c{};
        c.size = sizeof c;
        c.source = detail::str(options.source);
        c.importance = &options.importance;
        c.at = options.at;
        c.timing = static_cast<std::uint32_t>(options.timing);
        detail::Failure failure;
        ::haversack_added *owned = nullptr;
        failure.check(::haversack_memory_add(handle_.get(), detail::str(text), &c, &owned, failure.out()));
        const detail::Handle<::haversack_added, ::haversack_added_free> owner(owned);
        Added answer{static_cast<Remembered>(::haversack_added_outcome(owned)), std::nullopt, std::nullopt, ::haversack_added_over(owned)};
        std::uint64_t id = 0;
        if (::haversack_added_id(owned, &id)) {
            answer.id = id;
        }
        ::haversack_memory_item gone;
        if (::haversack_added_evicted(owned, &gone)) {
            answer.evicted = detail::item_of(gone, detail::filled<::haversack_said, ::haversack_added>(owned, ::haversack_added_evicted_also));
        }
        return answer;
    }
    /// Counts a text that the host's own filter kept out, so that the books close.
    void decline() noexcept { ::haversack_memory_decline(handle_.get()); }
    /// What was known at `now` (seconds), best first, one line each: all of it, or as much as fits. Rank: the more
    /// important; then what the user or the host said, the model's own, content; then the latest; then by text and
    /// source. The first that does not fit ends the slice; the heading says how many were left out.
    Rendered slice(std::uint64_t now, const std::optional<Budget> &budget = std::nullopt) const {
        detail::RoomCall call(budget);
        ::haversack_rendered *rendered = nullptr;
        call.check(::haversack_memory_slice(get(), now, call.budget(), &rendered, call.error()));
        return detail::rendered_of(rendered);
    }
    /// The memories that hold a word of the query, best first (BM25). Every memory is read.
    std::vector<Hit> search(std::string_view query) const {
        detail::Failure failure;
        ::haversack_memory_items *items = nullptr;
        failure.check(::haversack_memory_search(get(), detail::str(query), &items, failure.out()));
        return detail::items_of(items);
    }
    /// Forgets what a source said, and all that only it said: `page:https://a.b` names one source, `page` all of that
    /// kind. Answers how many memories are gone; one that another source said as well stays, with that source.
    std::uint64_t forget(std::string_view source) {
        detail::Failure failure;
        std::uint64_t gone = 0;
        failure.check(::haversack_memory_forget(handle_.get(), detail::str(source), &gone, failure.out()));
        return gone;
    }
    /// A new memory with all of this one, under its cap, and all of the other, each text with every source it has.
    Memory merge(const Memory &other) const {
        detail::Failure failure;
        ::haversack_memory *merged = nullptr;
        failure.check(::haversack_memory_merge(get(), other.get(), &merged, failure.out()));
        return Memory(Owned(merged));
    }
    /// The memory of that number.
    std::optional<MemoryItem> get(std::uint64_t id) const {
        detail::Failure failure;
        ::haversack_memory_items *items = nullptr;
        failure.check(::haversack_memory_get(get(), id, &items, failure.out()));
        auto found = detail::items_of(items);
        return found.empty() ? std::nullopt : std::optional<MemoryItem>(std::move(found.front().item));
    }
    /// All memories, in the order of their rank.
    std::vector<MemoryItem> items() const {
        detail::Failure failure;
        ::haversack_memory_items *items = nullptr;
        failure.check(::haversack_memory_all(get(), &items, failure.out()));
        std::vector<MemoryItem> all;
        for (auto &one : detail::items_of(items)) {
            all.push_back(std::move(one.item));
        }
        return all;
    }
    /// How many memories there are.
    std::size_t size() const noexcept { return ::haversack_memory_len(get()); }
    /// The books: what became of everything that was offered.
    MemoryCounts counts() const noexcept { return ::haversack_memory_books(get()); }
    /// What was remembered since the last flush, for the file of that day (`YYYY-MM-DD`); none where nothing was.
    std::optional<FlushFile> flush(std::string_view date) {
        detail::Failure failure;
        ::haversack_flush_file *owned = nullptr;
        failure.check(::haversack_memory_flush(handle_.get(), detail::str(date), &owned, failure.out()));
        if (owned == nullptr) {
            return std::nullopt;
        }
        const detail::Handle<::haversack_flush_file, ::haversack_flush_file_free> owner(owned);
        return FlushFile{std::string(detail::view(::haversack_flush_file_name(owned))), std::string(detail::view(::haversack_flush_file_text(owned))),
                         detail::account_of(::haversack_flush_file_account(owned))};
    }
    /// All memories with every source as versioned JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_memory_json); }
    const ::haversack_memory *get() const noexcept { return handle_.get(); }

  private:
    using Owned = detail::Handle<::haversack_memory, ::haversack_memory_free>;
    explicit Memory(Owned owned) noexcept : handle_(std::move(owned)) {}

    Owned handle_;
};

/// The message that asks a model to flush before older messages are compacted (`date` is `YYYY-MM-DD`), and the answer
/// that says it has.
inline FlushRequest flush_request(std::string_view date) {
    detail::Failure failure;
    ::haversack_flush_request *owned = nullptr;
    failure.check(::haversack_flush_request_new(detail::str(date), &owned, failure.out()));
    const detail::Handle<::haversack_flush_request, ::haversack_flush_request_free> owner(owned);
    return {std::string(detail::view(::haversack_flush_request_name(owned))), std::string(detail::view(::haversack_flush_request_text(owned))),
            detail::view(::haversack_flush_request_silent(owned))};
}

/// Whether a reply says that there is nothing to show: the agreed word alone, or nothing that can be seen.
inline bool is_silent_reply(std::string_view reply) noexcept { return ::haversack_is_silent_reply(detail::str(reply)); }

/// What an action rests on, made from a fact, a memory or a hit. A memory is evidence by its source alone.
struct Evidence {
    Evidence(const Fact &fact) : source(fact.source), origin(Origin::fact), verified(fact.verified), superseded(fact.superseded) {}
    Evidence(const MemoryItem &item) : source(item.source), origin(Origin::memory) {}
    Evidence(const Hit &hit) : Evidence(hit.item) {}

    /// Where it comes from.
    std::string source;
    Origin origin;
    /// Whether the host checked it.
    bool verified = false;
    /// Whether something else took its place.
    bool superseded = false;
};

/// Whether an action rests on enough.
struct Grounds {
    Answer answer;
    GroundsReason reason;
    /// To the model, where the answer is to ask: one line that names the action and the reason. Else empty.
    std::string text;

    /// Whether the action may go ahead.
    bool ok() const noexcept { return answer == Answer::ok; }
};

/// Whether an action may go ahead on this evidence, or the user is to be asked first. It is enough that the user stated
/// one of the facts in this run, or that one of the host's was verified. Memories are never enough, whoever said them;
/// nor is content, verified or not, or what the model concluded.
inline Grounds grounds(std::string_view action, const std::vector<Evidence> &evidence) {
    std::vector<::haversack_evidence> c;
    c.reserve(evidence.size());
    for (const auto &one : evidence) {
        c.push_back({detail::str(one.source), static_cast<std::uint32_t>(one.origin), one.verified, one.superseded, 0});
    }
    detail::Failure failure;
    ::haversack_grounding *owned = nullptr;
    failure.check(::haversack_grounds(detail::str(action), c.data(), c.size(), &owned, failure.out()));
    const detail::Handle<::haversack_grounding, ::haversack_grounding_free> owner(owned);
    return {static_cast<Answer>(::haversack_grounding_answer(owned)), static_cast<GroundsReason>(::haversack_grounding_reason(owned)),
            std::string(detail::view(::haversack_grounding_text(owned)))};
}

/// The same on all facts of a ledger's answer, or on all memories or hits of a memory's.
template <typename T> Grounds grounds(std::string_view action, const std::vector<T> &evidence) {
    return grounds(action, std::vector<Evidence>(evidence.begin(), evidence.end()));
}

/// How a provider caches prompts: a row of a dated table. Its texts are static.
struct CacheRules {
    std::string_view name;
    /// Where the rule was published, in words.
    std::string_view source;
    /// When that was read: year and month.
    std::string_view dated;
};

namespace detail {

inline CacheRules rules_of(const ::haversack_cache_rules &r) noexcept { return {view(r.name), view(r.source), view(r.dated)}; }

// Given, or absent.
inline ::haversack_str given(std::optional<std::string_view> s) noexcept { return s ? given(*s) : ::haversack_str{nullptr, 0}; }

} // namespace detail

/// Every row of the table of cache rules.
inline std::vector<CacheRules> cache_rules() {
    std::vector<CacheRules> all;
    ::haversack_cache_rules r;
    for (std::size_t i = 0; ::haversack_cache_rules_get(i, &r); i++) {
        all.push_back(detail::rules_of(r));
    }
    return all;
}

/// The row by which the owner of a format caches prompts of a model; none where no rule is published for it.
inline std::optional<CacheRules> cache_rules_of(WireFormat format, std::optional<std::string_view> model = std::nullopt) noexcept {
    ::haversack_cache_rules r;
    return ::haversack_cache_rules_of(static_cast<std::uint32_t>(format), detail::given(model), &r)
               ? std::optional<CacheRules>(detail::rules_of(r))
               : std::nullopt;
}

/// The date of the whole table of cache rules.
inline std::string_view cache_rules_as_of() noexcept { return detail::view(::haversack_cache_rules_as_of()); }

/// What `predict` knows of the two requests; what is not set has its default.
struct PredictOptions {
    /// The rules by name. Default: those of the format and the model of the next request.
    std::optional<std::string> rules;
    /// Seconds from the start of the previous request to the start of this one.
    std::uint64_t elapsed = 0;
    /// Seconds that entries live whose mark does not say it. Default: what the table says.
    std::optional<std::uint64_t> ttl;
    /// Of both requests. Default: what they show.
    WireFormat format = WireFormat::automatic;
    /// Other limits for both requests: here `depth`.
    std::optional<Limits> limits;
};

/// What is served from the cache, and what it costs: `cached + written + fresh = total`, in tokens of the counter.
struct Prediction {
    std::size_t cached;
    /// At least, and at most, so many are cached.
    std::size_t cached_min, cached_max;
    std::size_t written;
    std::size_t fresh;
    std::size_t total;
    /// In thousandths of the price of one fresh input token.
    std::uint64_t billed;
    CacheReason reason;
    /// The name of the rules that were applied. Static.
    std::string_view rules;
};

/// Predicts what the provider of `next` reads from its cache, `previous` having gone before it (none: nothing has).
/// `counter` counts each block on its own.
inline Prediction predict(std::optional<std::string_view> previous, std::string_view next, const Counter &counter,
                          const PredictOptions &options = {}) {
    detail::CounterCall call(counter);
    ::haversack_predict_options c{};
    c.size = sizeof c;
    c.counter = call.get();
    c.rules = detail::given(options.rules);
    c.elapsed = options.elapsed;
    c.ttl = options.ttl ? &*options.ttl : nullptr;
    c.format = static_cast<std::uint32_t>(options.format);
    const detail::GivenLimits limits(options.limits);
    c.limits = limits.get();
    ::haversack_prediction p;
    call.check(::haversack_predict(detail::given(previous), detail::str(next), &c, &p, call.error()));
    return {p.cached, p.cached_min, p.cached_max, p.written, p.fresh, p.total, p.billed,
            static_cast<CacheReason>(p.reason), detail::view(p.rules)};
}

/// Which marks `cache_marks` places; what is not set has its default.
struct MarkOptions {
    /// The rules by name. Default: those of the format and the model of the request.
    std::optional<std::string> rules;
    /// At most so many marks. Default: as many as the rules allow.
    std::optional<std::size_t> most;
    /// The life that marks in the messages ask for, such as `1h`. Default: none.
    std::optional<std::string> life;
    /// The life that marks behind tools and system ask for. Default: that of the messages.
    std::optional<std::string> head_life;
    /// So many of the last messages are other ones in every request.
    std::size_t changing = 0;
    /// Default: what the request shows.
    WireFormat format = WireFormat::automatic;
    /// Other limits for the request and the previous one: here `depth`.
    std::optional<Limits> limits;
};

/// One mark of a plan.
struct CacheMark {
    MarkReason reason;
    /// JSON Pointer to the block that it closes, in the body as it was given.
    std::string pointer;
    /// The message, by its place in the list; none on tools and system.
    std::optional<std::size_t> message;
    /// The block, by its place in its list; 0 where the content is one string.
    std::size_t block;
    /// The life that it asks for; none for the usual one.
    std::optional<std::string> life;
};

/// Where marks belong, and the body that has them there.
struct CacheMarks {
    /// In the order of the request.
    std::vector<CacheMark> marks;
    /// Marks that were wanted, and no block there may carry one.
    std::vector<MarkReason> unplaced;
    /// The body with these marks and no others; everything else is its own bytes.
    std::string text;
    /// The name of the rules that were applied. Static.
    std::string_view rules;
};

/// Places the cache marks of a request. Doing it again changes nothing.
inline CacheMarks cache_marks(std::string_view body, std::optional<std::string_view> previous = std::nullopt,
                              const MarkOptions &options = {}) {
    detail::Failure failure;
    ::haversack_mark_options c{};
    c.size = sizeof c;
    c.rules = detail::given(options.rules);
    c.most = detail::address(options.most);
    c.life = detail::given(options.life);
    c.head_life = detail::given(options.head_life);
    c.changing = options.changing;
    c.format = static_cast<std::uint32_t>(options.format);
    const detail::GivenLimits limits(options.limits);
    c.limits = limits.get();
    ::haversack_mark_plan *plan = nullptr;
    failure.check(::haversack_cache_marks(detail::str(body), detail::given(previous), &c, &plan, failure.out()));
    const detail::Handle<::haversack_mark_plan, ::haversack_mark_plan_free> owner(plan);
    CacheMarks answer{{}, {}, std::string(detail::view(::haversack_mark_plan_text(plan))), detail::view(::haversack_mark_plan_rules(plan))};
    ::haversack_cache_mark m;
    for (std::size_t i = 0; ::haversack_mark_plan_mark(plan, i, &m); i++) {
        answer.marks.push_back({static_cast<MarkReason>(m.reason), std::string(detail::view(m.pointer)),
                                m.has_message ? std::optional<std::size_t>(m.message) : std::nullopt, m.block,
                                detail::copy(m.life)});
    }
    for (const std::uint32_t reason : detail::filled<std::uint32_t, ::haversack_mark_plan>(plan, ::haversack_mark_plan_unplaced)) {
        answer.unplaced.push_back(static_cast<MarkReason>(reason));
    }
    return answer;
}

/// What a worker handed back.
enum class HandoffKind : std::uint32_t {
    unknown = HAVERSACK_HANDOFF_UNKNOWN,
    /// Findings, each with at least one source.
    findings = HAVERSACK_HANDOFF_FINDINGS,
    /// It looked, says where, and found nothing.
    empty = HAVERSACK_HANDOFF_EMPTY,
    too_big = HAVERSACK_HANDOFF_TOO_BIG,
    failed = HAVERSACK_HANDOFF_FAILED,
    not_run = HAVERSACK_HANDOFF_NOT_RUN,
    /// Its tokens, steps or time were used up.
    out_of_budget = HAVERSACK_HANDOFF_OUT_OF_BUDGET,
    /// It returned nothing that can be seen.
    silent = HAVERSACK_HANDOFF_SILENT,
    /// It returned something, and none of the above.
    uncheckable = HAVERSACK_HANDOFF_UNCHECKABLE,
};

/// Why an answer is uncheckable.
enum class HandoffProblem : std::uint32_t {
    /// It is not.
    none = HAVERSACK_HANDOFF_PROBLEM_NONE,
    not_json = HAVERSACK_HANDOFF_PROBLEM_NOT_JSON,
    not_an_object = HAVERSACK_HANDOFF_PROBLEM_NOT_AN_OBJECT,
    unknown_kind = HAVERSACK_HANDOFF_PROBLEM_UNKNOWN_KIND,
    repeated_member = HAVERSACK_HANDOFF_PROBLEM_REPEATED_MEMBER,
    no_findings = HAVERSACK_HANDOFF_PROBLEM_NO_FINDINGS,
    no_text = HAVERSACK_HANDOFF_PROBLEM_NO_TEXT,
    no_source = HAVERSACK_HANDOFF_PROBLEM_NO_SOURCE,
    nothing_looked = HAVERSACK_HANDOFF_PROBLEM_NOTHING_LOOKED,
};

/// Where something can be left out of what a model sees.
enum class Boundary : std::uint32_t {
    /// A tool result was cut.
    delivery = HAVERSACK_BOUNDARY_DELIVERY,
    /// Fields were left out by request.
    field_filter = HAVERSACK_BOUNDARY_FIELD_FILTER,
    /// A result was stored elsewhere.
    offload = HAVERSACK_BOUNDARY_OFFLOAD,
    /// An old result became one line.
    clear = HAVERSACK_BOUNDARY_CLEAR,
    /// Messages became a summary.
    summarise = HAVERSACK_BOUNDARY_SUMMARISE,
    /// A slice of memory was taken.
    memory = HAVERSACK_BOUNDARY_MEMORY,
    /// Tools were chosen.
    loadout = HAVERSACK_BOUNDARY_LOADOUT,
    /// Workers handed back.
    handoff = HAVERSACK_BOUNDARY_HANDOFF,
};

/// Why a line of a transcript is no message.
enum class DamageKind : std::uint32_t {
    unknown = HAVERSACK_DAMAGE_UNKNOWN,
    /// It is the last one, and breaks off.
    truncated = HAVERSACK_DAMAGE_TRUNCATED,
    invalid_json = HAVERSACK_DAMAGE_INVALID_JSON,
    invalid_utf8 = HAVERSACK_DAMAGE_INVALID_UTF8,
    not_an_object = HAVERSACK_DAMAGE_NOT_AN_OBJECT,
    blank = HAVERSACK_DAMAGE_BLANK,
};

inline std::string_view name(HandoffKind kind) noexcept {
    return detail::view(::haversack_handoff_kind_name(static_cast<std::uint32_t>(kind)));
}
inline std::string_view name(HandoffProblem problem) noexcept {
    return detail::view(::haversack_handoff_problem_name(static_cast<std::uint32_t>(problem)));
}
inline std::string_view name(Boundary boundary) noexcept {
    return detail::view(::haversack_boundary_name(static_cast<std::uint32_t>(boundary)));
}
inline std::string_view name(DamageKind kind) noexcept {
    return detail::view(::haversack_damage_kind_name(static_cast<std::uint32_t>(kind)));
}

/// A message of a transcript, as it stands.
struct Message {
    /// Its number, for good.
    std::uint64_t number;
    /// Its JSON: lives until the transcript changes, or as long as the bytes that were read.
    std::string_view text;
};

/// A line that cannot be served.
struct Damage {
    /// The number that it keeps.
    std::uint64_t number;
    DamageKind kind;
    /// Where it is wrong, in bytes from the start of the line.
    std::size_t offset;
    /// How many bytes it has.
    std::size_t bytes;
};

/// Messages from the `first` to the `last`, both included.
using MessageRange = ::haversack_message_range;

/// A message, by its `number`, and how often it holds what was looked for (`count`).
using TranscriptHit = ::haversack_transcript_hit;

/// Bytes of a file, from `start` up to `end`.
using ByteRange = ::haversack_byte_range;

/// A reference to messages in a text.
struct Reference {
    std::uint64_t first;
    std::uint64_t last;
    /// Where it stands, in bytes.
    std::size_t at;
    /// How long it is, in bytes, the quote not included.
    std::size_t length;
    /// The words quoted behind it.
    std::optional<std::string> quote;
    /// Whether there are such messages. Not known before a transcript was asked: false.
    bool exists;
    /// Whether one of the messages holds exactly the quoted words; none where nothing is quoted, the range is wider
    /// than 100 messages, or no transcript was asked.
    std::optional<bool> holds;
};

/// What was read of a range of bytes.
struct Lines {
    /// The messages, in order; their texts point into the bytes.
    std::vector<Message> messages;
    /// The lines that are none, in order.
    std::vector<Damage> damage;
};

namespace detail {

inline std::vector<Message> messages_of(const std::vector<::haversack_message> &found, std::size_t count) {
    std::vector<Message> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; i++) {
        all.push_back({found[i].number, view(found[i].text)});
    }
    return all;
}

inline std::vector<Damage> damage_of(const std::vector<::haversack_damage> &found, std::size_t count) {
    std::vector<Damage> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; i++) {
        const auto &d = found[i];
        all.push_back({d.number, static_cast<DamageKind>(d.kind), d.offset, d.bytes});
    }
    return all;
}

// Takes the list.
inline std::vector<Reference> references_of(::haversack_references *list) {
    const Handle<::haversack_references, ::haversack_references_free> owner(list);
    std::vector<Reference> all;
    ::haversack_reference r;
    for (std::size_t i = 0; ::haversack_references_get(list, i, &r); i++) {
        all.push_back({r.first, r.last, r.at, r.length, copy(r.quote), r.exists != 0,
                       r.has_holds ? std::optional<bool>(r.holds != 0) : std::nullopt});
    }
    return all;
}

} // namespace detail

/// Everything that was said, by number from 1: message 214 stays message 214, whatever a compaction does to the prompt.
/// Functions that are not `const` need it for themselves.
class Transcript {
  public:
    Transcript() : handle_(::haversack_transcript_new()) {}
    /// Reads JSON Lines: every line that is a JSON object is served under its number, every other is reported in
    /// `damage` and keeps its number. Throws where it is no UTF-8; `read_lines` takes that, too.
    static Transcript from_jsonl(std::string_view text) { return made(text, ::haversack_transcript_from_jsonl); }
    /// A transcript from what `json` gave.
    static Transcript from_json(std::string_view json) { return made(json, ::haversack_transcript_from_json); }
    /// Appends a message (a JSON object), which is copied, and answers its number, which is its for good.
    std::uint64_t append(std::string_view message) {
        detail::Failure failure;
        std::uint64_t number = 0;
        failure.check(::haversack_transcript_append(handle_.get(), detail::str(message), &number, failure.out()));
        return number;
    }
    /// The number of the last message; 0 where there is none.
    std::uint64_t last() const noexcept { return ::haversack_transcript_last(get()); }
    /// The messages from number `first` to `last`, both included, without damaged lines; their texts live until the
    /// next append. Throws `no_such_message`, with the number as index and the last one as available.
    std::vector<Message> read(std::uint64_t first, std::uint64_t last) const & {
        detail::Failure failure;
        std::size_t count = 0;
        // Room for all of the range is enough, and a range that there is not costs none.
        const bool there = first > 0 && first <= last && last <= this->last();
        std::vector<::haversack_message> found(there ? static_cast<std::size_t>(last - first + 1) : 0);
        failure.check(::haversack_transcript_read(get(), first, last, found.data(), found.size(), &count, failure.out()));
        return detail::messages_of(found, count);
    }
    std::vector<Message> read(std::uint64_t first, std::uint64_t last) const && = delete;
    /// The messages of a range as one JSON array: a history of its own, for `History`. Throws as `read`.
    std::string array(std::uint64_t first, std::uint64_t last) const {
        detail::Failure failure;
        detail::OwnedString json;
        failure.check(::haversack_transcript_array(get(), first, last, &json.owned, failure.out()));
        return std::string(json.owned.ptr, json.owned.len);
    }
    /// The messages whose strings and names of members hold exactly this text, in order. Linear in the transcript.
    std::vector<TranscriptHit> search(std::string_view needle) const {
        detail::Failure failure;
        ::haversack_transcript_hits *hits = nullptr;
        failure.check(::haversack_transcript_search(get(), detail::str(needle), &hits, failure.out()));
        const detail::Handle<::haversack_transcript_hits, ::haversack_transcript_hits_free> owner(hits);
        std::vector<TranscriptHit> all(::haversack_transcript_hits_count(hits));
        for (std::size_t i = 0; i < all.size(); i++) {
            ::haversack_transcript_hits_get(hits, i, &all[i]);
        }
        return all;
    }
    /// What a reference leads to: `message 214`, `messages 3-9` or `3 to 9`, `#214`, or the number alone, perhaps in
    /// brackets. Throws `invalid_option` where it is none of these, else as `read`.
    MessageRange resolve(std::string_view reference) const {
        detail::Failure failure;
        MessageRange range{};
        failure.check(::haversack_transcript_resolve(get(), detail::str(reference), &range, failure.out()));
        return range;
    }
    /// The references in a text (a summary, a finding), each with whether it exists and holds what is quoted.
    std::vector<Reference> check(std::string_view text) const {
        detail::Failure failure;
        ::haversack_references *list = nullptr;
        failure.check(::haversack_transcript_check(get(), detail::str(text), &list, failure.out()));
        return detail::references_of(list);
    }
    /// The references in a text, in order, when there is no transcript to ask.
    static std::vector<Reference> references(std::string_view text) {
        detail::Failure failure;
        ::haversack_references *list = nullptr;
        failure.check(::haversack_references_in(detail::str(text), &list, failure.out()));
        return detail::references_of(list);
    }
    /// The lines that cannot be served, in order.
    std::vector<Damage> damage() const {
        const auto found = detail::filled(get(), ::haversack_transcript_damage);
        return detail::damage_of(found, found.size());
    }
    /// All lines as they stand, damaged ones too: JSON Lines, line N is message N. Lives until the next append.
    std::string_view jsonl() const & noexcept { return detail::view(::haversack_transcript_jsonl(get())); }
    std::string_view jsonl() const && = delete;
    /// The transcript as versioned JSON, for hosts that keep all state in one form.
    std::string json() const { return detail::json_of(get(), ::haversack_transcript_json); }
    const ::haversack_transcript *get() const noexcept { return handle_.get(); }

  private:
    using Make = ::haversack_status (*)(::haversack_str, ::haversack_transcript **, ::haversack_error **);
    explicit Transcript(::haversack_transcript *owned) noexcept : handle_(owned) {}
    static Transcript made(std::string_view text, Make make) {
        detail::Failure failure;
        ::haversack_transcript *transcript = nullptr;
        failure.check(make(detail::str(text), &transcript, failure.out()));
        return Transcript(transcript);
    }

    detail::Handle<::haversack_transcript, ::haversack_transcript_free> handle_;
};

/// The places of the lines of a JSON Lines file: it is fed the file once, and then whatever is appended; 8 bytes a
/// message. Functions that are not `const` need it for themselves.
class TranscriptIndex {
  public:
    TranscriptIndex() : handle_(::haversack_transcript_index_new()) {}
    /// Goes over the next bytes of the file, in pieces of any size; they need not be UTF-8.
    void feed(std::string_view bytes) {
        detail::Failure failure;
        failure.check(::haversack_transcript_index_feed(handle_.get(), detail::str(bytes), failure.out()));
    }
    /// The number of the last message; 0 where there is none.
    std::uint64_t last() const noexcept { return ::haversack_transcript_index_last(get()); }
    /// How many bytes were fed: where the file goes on.
    std::uint64_t length() const noexcept { return ::haversack_transcript_index_length(get()); }
    /// The bytes of the messages from number `first` to `last`, both included: what `read_lines` is to read. Throws
    /// `no_such_message`.
    ByteRange range(std::uint64_t first, std::uint64_t last) const {
        detail::Failure failure;
        ByteRange bytes{};
        failure.check(::haversack_transcript_index_range(get(), first, last, &bytes, failure.out()));
        return bytes;
    }
    /// What a reference leads to, as `Transcript::resolve` reads it, with its errors.
    MessageRange resolve(std::string_view reference) const {
        detail::Failure failure;
        MessageRange range{};
        failure.check(::haversack_transcript_index_resolve(get(), detail::str(reference), &range, failure.out()));
        return range;
    }
    const ::haversack_transcript_index *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_transcript_index, ::haversack_transcript_index_free> handle_;
};

/// Reads the lines of a range of bytes, of which the first has the number `first`. Linear in the bytes, which need not
/// be UTF-8 and have to live as long as the texts of the messages.
inline Lines read_lines(std::string_view bytes, std::uint64_t first) {
    detail::Failure failure;
    ::haversack_line_counts counts{};
    const auto room = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n')) + 1;
    std::vector<::haversack_message> messages(room);
    std::vector<::haversack_damage> damage(room);
    failure.check(::haversack_read_lines(detail::str(bytes), first, messages.data(), room, damage.data(), room, &counts, failure.out()));
    return {detail::messages_of(messages, counts.messages), detail::damage_of(damage, counts.damage)};
}
Lines read_lines(std::string &&bytes, std::uint64_t first) = delete;

/// A finding of a worker; its texts live as long as the handoff.
struct Finding {
    /// What was found.
    std::string_view text;
    /// Where: at least one.
    std::vector<std::string_view> sources;
};

/// A source of a finding that leads nowhere.
struct UnresolvedSource {
    /// Which finding, from 0.
    std::size_t finding;
    std::string source;
};

/// What a worker handed back, read from its answer: findings with sources, an explicit nothing, a stop, or silence.
class Handoff {
  public:
    /// Reads what a worker returned (none: nothing at all), beside how its run ended, where the host knows. What cannot
    /// be read is uncheckable, with its place; a stop wins over whatever the text says. Linear in the text.
    static Handoff parse(std::optional<std::string_view> text, std::optional<std::string_view> status = std::nullopt,
                         std::optional<std::string_view> stop_reason = std::nullopt) {
        detail::Failure failure;
        ::haversack_handoff *handoff = nullptr;
        failure.check(::haversack_handoff_parse(detail::given(text), detail::given(status), detail::given(stop_reason), &handoff,
                                                failure.out()));
        return Handoff(handoff);
    }
    /// What was handed back.
    HandoffKind kind() const noexcept { return static_cast<HandoffKind>(::haversack_handoff_kind_of(get())); }
    /// True for the two kinds that answer the question: findings, and an explicit nothing.
    bool is_answer() const noexcept { return ::haversack_handoff_is_answer(get()); }
    /// The findings. Of a worker that was stopped, those that it had returned in whole.
    std::vector<Finding> findings() const & {
        std::vector<Finding> all;
        ::haversack_finding f;
        for (std::size_t i = 0; ::haversack_handoff_finding(get(), i, &f); i++) {
            std::vector<::haversack_str> sources(f.source_count);
            ::haversack_handoff_sources(get(), i, sources.data(), sources.size());
            all.push_back({detail::view(f.text), detail::views_of(sources)});
        }
        return all;
    }
    std::vector<Finding> findings() const && = delete;
    /// Where a worker looked that found nothing: at least one place.
    std::vector<std::string_view> looked() const & { return detail::views_of(detail::filled(get(), ::haversack_handoff_looked)); }
    std::vector<std::string_view> looked() const && = delete;
    /// Why it stopped, in its own words or those of the host.
    std::optional<std::string_view> reason() const & noexcept { return detail::optional_view(::haversack_handoff_reason(get())); }
    std::optional<std::string_view> reason() const && = delete;
    /// Why it is uncheckable; `none` where it is not.
    HandoffProblem problem() const noexcept { return static_cast<HandoffProblem>(::haversack_handoff_problem_of(get())); }
    /// Where the problem is: the byte of the text where it stops being JSON.
    std::optional<std::size_t> offset() const noexcept { return detail::number(get(), ::haversack_handoff_offset); }
    /// Where the problem is: the number of the finding, from 0.
    std::optional<std::size_t> index() const noexcept { return detail::number(get(), ::haversack_handoff_index); }
    /// What was returned, as it came; empty where nothing was.
    std::string_view text() const & noexcept { return detail::view(::haversack_handoff_text(get())); }
    std::string_view text() const && = delete;
    /// The sources of findings that lead nowhere, in order: to no message of the transcript, to no key of the offloads
    /// (either may be nullptr), and `resolves`, asked for each that leads to neither, says no. What it throws comes
    /// back.
    std::vector<UnresolvedSource> unresolved(const Transcript *transcript = nullptr, const Offloads *offloads = nullptr,
                                             const std::function<bool(std::string_view)> &resolves = nullptr) const {
        detail::Failure failure;
        ::haversack_unresolved_sources *list = nullptr;
        failure.check(::haversack_handoff_unresolved(get(), transcript ? transcript->get() : nullptr,
                                                     offloads ? offloads->get() : nullptr, &list, failure.out()));
        const detail::Handle<::haversack_unresolved_sources, ::haversack_unresolved_sources_free> owner(list);
        std::vector<UnresolvedSource> open;
        ::haversack_unresolved_source one;
        for (std::size_t i = 0; ::haversack_unresolved_sources_get(list, i, &one); i++) {
            const auto source = detail::view(one.source);
            if (!resolves || !resolves(source)) {
                open.push_back({one.finding, std::string(source)});
            }
        }
        return open;
    }
    /// A heading that says what kind it is, and one line for each finding, place or reason. Under a budget lines are
    /// taken in order, and the heading counts the rest.
    Rendered render(const std::optional<Budget> &budget = std::nullopt) const {
        detail::RoomCall call(budget);
        ::haversack_rendered *rendered = nullptr;
        call.check(::haversack_handoff_render(get(), call.budget(), &rendered, call.error()));
        return detail::rendered_of(rendered);
    }
    /// Every member under its name as compact JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_handoff_json); }
    const ::haversack_handoff *get() const noexcept { return handle_.get(); }

  private:
    explicit Handoff(::haversack_handoff *owned) noexcept : handle_(owned) {}

    detail::Handle<::haversack_handoff, ::haversack_handoff_free> handle_;
};

/// How many workers handed back what: a silent one is counted as silent, never as one that found nothing. Functions
/// that are not `const` need it for themselves.
class Fleet {
  public:
    Fleet() : handle_(::haversack_fleet_new()) {}
    /// Counts a worker.
    Fleet &add(const Handoff &handoff) {
        detail::Failure failure;
        failure.check(::haversack_fleet_add(handle_.get(), handoff.get(), failure.out()));
        return *this;
    }
    /// How many handed back this.
    std::uint64_t count(HandoffKind kind) const noexcept {
        return ::haversack_fleet_count(get(), static_cast<std::uint32_t>(kind));
    }
    /// How many workers there were.
    std::uint64_t total() const noexcept { return ::haversack_fleet_total(get()); }
    /// The books of this boundary, for `Tally::add`: workers as records, what they returned in bytes.
    Account account() const noexcept { return detail::account_of(::haversack_fleet_account(get())); }
    /// One line a kind, and the total first.
    std::string table() const { return detail::json_of(get(), ::haversack_fleet_table); }
    /// `{"total": n, "findings": n, …}` with every kind, as compact JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_fleet_json); }
    const ::haversack_fleet *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_fleet, ::haversack_fleet_free> handle_;
};

/// Something that is to work in the end, and whether it does.
struct Feature {
    std::string name;
    bool passes = false;
};

/// A file for the next session: `progress.md`, `features.json` or `ledger.json`.
struct SessionFile {
    std::string name;
    std::string text;
};

/// What a session leaves beside its goal and its facts.
struct SessionOptions {
    /// What is done, one line each.
    std::vector<std::string> done;
    /// What is next, one line each.
    std::vector<std::string> next;
    /// What is to work, and whether it does.
    std::vector<Feature> features;
};

/// The three files that a session leaves for the next one: `progress.md` to be read, `features.json` (`read_features`)
/// and `ledger.json` (`Ledger::from_json`) to be loaded. Throws `invalid_option` for a `date` that is none
/// (`YYYY-MM-DD`).
inline std::vector<SessionFile> session_files(std::string_view date, std::string_view goal, const Ledger &ledger,
                                              const SessionOptions &options = {}) {
    const detail::Views done(options.done), next(options.next);
    std::vector<::haversack_feature> features;
    features.reserve(options.features.size());
    for (const auto &feature : options.features) {
        features.push_back({detail::given(std::string_view(feature.name)), feature.passes ? 1U : 0U, 0});
    }
    ::haversack_session_options c{};
    c.size = sizeof c;
    c.done = done.strs();
    c.next = next.strs();
    c.features = features.data();
    c.feature_count = features.size();
    detail::Failure failure;
    ::haversack_session *session = nullptr;
    failure.check(::haversack_session_new(detail::str(date), detail::str(goal), ledger.get(), &c, &session, failure.out()));
    const detail::Handle<::haversack_session, ::haversack_session_free> owner(session);
    std::vector<SessionFile> files;
    ::haversack_session_file file;
    for (std::size_t i = 0; ::haversack_session_get(session, i, &file); i++) {
        files.push_back({std::string(detail::view(file.name)), std::string(detail::view(file.text))});
    }
    return files;
}

/// Reads a `features.json`. Throws `invalid_state`, with the offset where it is none.
inline std::vector<Feature> read_features(std::string_view json) {
    detail::Failure failure;
    ::haversack_features *list = nullptr;
    failure.check(::haversack_read_features(detail::str(json), &list, failure.out()));
    const detail::Handle<::haversack_features, ::haversack_features_free> owner(list);
    std::vector<Feature> all;
    ::haversack_feature f;
    for (std::size_t i = 0; ::haversack_features_get(list, i, &f); i++) {
        all.push_back({std::string(detail::view(f.name)), f.passes != 0});
    }
    return all;
}

/// The sums of one boundary: `calls`, `records` and `bytes`, which close, `recoverable` and `recoverable_bytes`, and
/// `lost` records that nobody can fetch any more.
using Sums = ::haversack_sums;

/// How often a key arrived.
struct Survival {
    std::string key;
    /// In how many calls it was there before.
    std::uint64_t calls;
    /// In how many of them it was there afterwards.
    std::uint64_t arrived;
    /// Arrived of calls in parts per 10,000, rounded down.
    std::uint32_t per_10_000;
    /// Whether it almost never arrives: in less than one of 20, over at least 20 calls.
    bool rare;
};

/// The books of a run: what every boundary kept, shrank, moved elsewhere and left out, summed over all calls. Functions
/// that are not `const` need it for themselves.
class Tally {
  public:
    Tally() : handle_(::haversack_tally_new()) {}
    /// Books from what `json` gave.
    static Tally from_json(std::string_view json) {
        detail::Failure failure;
        ::haversack_tally *tally = nullptr;
        failure.check(::haversack_tally_from_json(detail::str(json), &tally, failure.out()));
        return Tally(tally);
    }
    /// Adds the account of one call. What was offloaded can be fetched; `recoverable` says whether what was omitted can
    /// be too. Throws `open_books` and `limit_exceeded`; the books are then as they were.
    void add(Boundary boundary, const Account &account, bool recoverable = false) {
        const ::haversack_account c{account.records, account.bytes, account.fields_removed, account.claimed ? 1U : 0U,
                                    account.claimed.value_or(Counts{})};
        detail::Failure failure;
        failure.check(::haversack_tally_add(handle_.get(), static_cast<std::uint32_t>(boundary), c, recoverable, failure.out()));
    }
    /// Says of a key that was there before a boundary whether it was there afterwards. Throws `limit_exceeded`.
    void seen(std::string_view key, bool arrived) {
        detail::Failure failure;
        failure.check(::haversack_tally_seen(handle_.get(), detail::str(key), arrived, failure.out()));
    }
    /// The boundaries that something went through, in one order.
    std::vector<Boundary> boundaries() const {
        std::vector<Boundary> all;
        for (const std::uint32_t boundary : detail::filled(get(), ::haversack_tally_boundaries)) {
            all.push_back(static_cast<Boundary>(boundary));
        }
        return all;
    }
    /// The sums of a boundary; none where nothing went through.
    std::optional<Sums> sums(Boundary boundary) const noexcept {
        Sums sums{};
        return ::haversack_tally_sums(get(), static_cast<std::uint32_t>(boundary), &sums) ? std::optional<Sums>(sums) : std::nullopt;
    }
    /// How often each key arrived, the rarest first.
    std::vector<Survival> survival() const {
        detail::Failure failure;
        ::haversack_survivals *list = nullptr;
        failure.check(::haversack_tally_survival(get(), &list, failure.out()));
        const detail::Handle<::haversack_survivals, ::haversack_survivals_free> owner(list);
        std::vector<Survival> all;
        ::haversack_survival s;
        for (std::size_t i = 0; ::haversack_survivals_get(list, i, &s); i++) {
            all.push_back({std::string(detail::view(s.key)), s.calls, s.arrived, s.per_10_000, s.rare != 0});
        }
        return all;
    }
    /// One line a boundary with its records, then one line a key, the rarest first.
    std::string table() const { return detail::json_of(get(), ::haversack_tally_table); }
    /// The boundaries as a picture, an SVG document: one bar each.
    std::string svg() const { return detail::json_of(get(), ::haversack_tally_svg); }
    /// The books as versioned JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_tally_json); }
    const ::haversack_tally *get() const noexcept { return handle_.get(); }

  private:
    explicit Tally(::haversack_tally *owned) noexcept : handle_(owned) {}

    detail::Handle<::haversack_tally, ::haversack_tally_free> handle_;
};

/// Options of `tiers`: what is not set has its default.
struct TierOptions {
    /// Steps of the assistant whose raw results stay. Default: 2.
    std::optional<std::size_t> raw_steps;
    /// What the ledger may take. Default: all.
    std::optional<Budget> ledger;
    /// Messages of the history that stay, by index.
    std::vector<std::size_t> pinned;
};

/// The tiers of a request. They need ledger and history no more.
class Tiers {
  public:
    /// Takes tiers that a C function gave.
    explicit Tiers(::haversack_tiers *owned) noexcept : handle_(owned) {}
    /// The invariant state, as it was given.
    std::string_view invariant() const & noexcept { return detail::view(::haversack_tiers_invariant(get())); }
    std::string_view invariant() const && = delete;
    /// The facts, with the books of those that were left out.
    Rendered ledger() const { return detail::rendered_of(::haversack_tiers_ledger(get())); }
    /// Working memory: the history (or the request body) with the last steps alone, valid where the whole was.
    std::string_view working() const & noexcept { return detail::view(::haversack_tiers_working(get())); }
    std::string_view working() const && = delete;
    /// The messages that stay in it, by index.
    std::vector<std::size_t> kept() const { return detail::indices_of(get(), ::haversack_tiers_kept); }
    /// The books of the history: messages as records, their JSON in bytes.
    Account account() const noexcept { return detail::account_of(::haversack_tiers_account(get())); }
    /// Every member under its name as compact JSON.
    std::string json() const { return detail::json_of(get(), ::haversack_tiers_json); }
    const ::haversack_tiers *get() const noexcept { return handle_.get(); }

  private:
    detail::Handle<::haversack_tiers, ::haversack_tiers_free> handle_;
};

/// Puts the tiers of a request together: what never changes, the facts, and of the history its system prompt, its last
/// user message, the pins and the last steps. With a budget for the ledger a request grows with the size of these
/// steps, not with their number.
inline Tiers tiers(std::string_view invariant, const Ledger &ledger, const History &history, const TierOptions &options = {}) {
    detail::RoomCall call(options.ledger);
    ::haversack_tier_options c{};
    c.size = sizeof c;
    c.raw_steps = detail::address(options.raw_steps);
    c.ledger = call.budget();
    c.pinned = options.pinned.data();
    c.pinned_len = options.pinned.size();
    ::haversack_tiers *made = nullptr;
    call.check(::haversack_tiers_new(detail::str(invariant), ledger.get(), history.get(), &c, &made, call.error()));
    return Tiers(made);
}

/// The size of `text` in the unit of `budget`. Throws as `deliver`.
inline std::size_t measure(std::string_view text, const Budget &budget) {
    detail::Call call(budget);
    std::size_t size = 0;
    call.check(::haversack_measure(detail::str(text), call.budget(), &size, call.error()));
    return size;
}

/// The version of the library that was loaded, such as `0.1.0`.
inline std::string_view version() noexcept { return detail::view(::haversack_version()); }

} // namespace haversack

#endif
