// What the C++ layer adds for handoffs, fleets, sessions, tallies, transcripts and tiers: ownership, exceptions with
// numbers, a counter's own exceptions, and values that outlive what they came from.
#include <haversack.hpp>

#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace haversack;

#define CHECK(condition) \
    ((condition) ? (void)0 : (std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition), std::exit(1)))

namespace {

constexpr std::string_view found = R"({"kind":"findings","findings":[{"text":"Port 8080.","sources":["message 1","c-1-ab"]},{"text":"b","sources":["x"]}]})";
constexpr std::string_view chat = R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}])";
constexpr std::string_view torn = "a\xff";

template <typename F> std::optional<Error> thrown(F f) {
    try {
        f();
    } catch (const Error &e) {
        return e;
    }
    return std::nullopt;
}

template <typename F> bool refuses(F f, Status status, const char *argument) {
    const auto e = thrown(f);
    return e && e->status() == status && e->argument() == std::optional<std::string>(argument);
}

struct Mine {
    int number;
};

// Whether a call throws what its counter throws.
template <typename F> bool gives_mine(F f) {
    try {
        f();
    } catch (const Mine &mine) {
        return mine.number == 7;
    }
    return false;
}

static_assert(!std::is_copy_constructible_v<Handoff> && std::is_nothrow_move_constructible_v<Handoff>);
static_assert(!std::is_copy_constructible_v<Fleet> && std::is_nothrow_move_constructible_v<Fleet>);
static_assert(!std::is_copy_constructible_v<Tally> && std::is_nothrow_move_constructible_v<Tally>);
static_assert(!std::is_copy_constructible_v<Transcript> && std::is_nothrow_move_constructible_v<Transcript>);
static_assert(!std::is_copy_constructible_v<TranscriptIndex> && std::is_nothrow_move_constructible_v<TranscriptIndex>);
static_assert(!std::is_copy_constructible_v<Tiers> && std::is_nothrow_move_constructible_v<Tiers>);

// An object without a name gives no view into itself.
template <typename T, typename = void> struct GivesText : std::false_type {};
template <typename T> struct GivesText<T, std::void_t<decltype(std::declval<T>().text())>> : std::true_type {};
static_assert(GivesText<Handoff &>::value && !GivesText<Handoff>::value);
template <typename T, typename = void> struct GivesLines : std::false_type {};
template <typename T> struct GivesLines<T, std::void_t<decltype(std::declval<T>().jsonl())>> : std::true_type {};
static_assert(GivesLines<Transcript &>::value && !GivesLines<Transcript>::value);
template <typename T, typename = void> struct Reads : std::false_type {};
template <typename T> struct Reads<T, std::void_t<decltype(read_lines(std::declval<T>(), 1))>> : std::true_type {};
static_assert(Reads<std::string_view>::value && Reads<std::string &>::value && !Reads<std::string>::value);

void handoffs_are_read_and_owned() {
    std::string text(found);
    Handoff read = Handoff::parse(text);
    text.assign(text.size(), 'x');
    const Handoff h = std::move(read);
    const auto findings = h.findings();
    CHECK(h.kind() == HandoffKind::findings && h.is_answer() && h.problem() == HandoffProblem::none && h.text() == found);
    CHECK(findings.size() == 2 && findings[0].sources == std::vector<std::string_view>({"message 1", "c-1-ab"}) && !h.reason());
    CHECK(Handoff::parse(std::nullopt).kind() == HandoffKind::silent && Handoff::parse("").kind() == HandoffKind::silent);
    CHECK(Handoff::parse(std::string_view("\0", 1)).kind() == HandoffKind::silent);
    const Handoff none = Handoff::parse("{\"kind\":"), stopped = Handoff::parse(found, "completed", "LENGTH");
    CHECK(none.kind() == HandoffKind::uncheckable && none.problem() == HandoffProblem::not_json && none.offset() == 8U && !none.index());
    CHECK(stopped.kind() == HandoffKind::out_of_budget && stopped.reason() == "LENGTH" && stopped.findings().size() == 2);
    const Handoff bare = Handoff::parse(R"({"kind":"findings","findings":[{"text":"a","sources":["s"]},{"text":"b"}]})");
    CHECK(bare.problem() == HandoffProblem::no_source && bare.index() == 1U && name(bare.problem()) == "no_source");
    CHECK(refuses([] { Handoff::parse(torn); }, HAVERSACK_INVALID_UTF8, "text"));
    CHECK(refuses([] { Handoff::parse("", torn); }, HAVERSACK_INVALID_UTF8, "status"));
    CHECK(refuses([] { Handoff::parse("", std::nullopt, torn); }, HAVERSACK_INVALID_UTF8, "stop_reason"));
    CHECK(Handoff::parse(std::string(100000, '[')).problem() == HandoffProblem::not_json);
}

void sources_lead_somewhere() {
    const Handoff h = Handoff::parse(found);
    const Transcript transcript = Transcript::from_jsonl("{}\n");
    const Offloads offloads;
    CHECK(h.unresolved().size() == 3 && h.unresolved(nullptr, &offloads).size() == 3);
    const auto open = h.unresolved(&transcript, &offloads);
    CHECK(open.size() == 2 && open[0].source == "c-1-ab" && open[1].finding == 1 && open[1].source == "x");
    std::vector<std::string> asked;
    const auto last = h.unresolved(&transcript, nullptr, [&](std::string_view source) { return asked.emplace_back(source), source == "x"; });
    CHECK(last.size() == 1 && asked == std::vector<std::string>({"c-1-ab", "x"}));
    CHECK(gives_mine([&] { h.unresolved(nullptr, nullptr, [](std::string_view) -> bool { throw Mine{7}; }); }));
}

void counters_exceptions_come_back() {
    const Handoff h = Handoff::parse(found);
    const History history(chat);
    const Counter throwing([](std::string_view) -> std::size_t { throw Mine{7}; });
    TierOptions options;
    options.ledger = Budget::tokens(9, throwing);
    CHECK(gives_mine([&] { h.render(Budget::tokens(9, throwing)); }) && gives_mine([&] { tiers("", Ledger(), history, options); }));
    const auto small = thrown([&] { h.render(Budget::chars(5)); });
    CHECK(small && small->status() == HAVERSACK_BUDGET_TOO_SMALL && small->available() == 5U && small->unit() == Unit::chars);
    const Rendered least = h.render(Budget::chars(*small->needed()));
    CHECK(!least.complete && least.text.size() == *small->needed() && least.account.records.omitted == 2 && !least.rule.empty());
    CHECK(refuses([&] { h.render(Budget::tokens(9, "no such counter")); }, HAVERSACK_INVALID_OPTION, "counter"));
}

void fleets_and_sessions() {
    Fleet fleet;
    fleet.add(Handoff::parse(found)).add(Handoff::parse(std::nullopt)).add(Handoff::parse("fine"));
    CHECK(fleet.total() == 3 && fleet.count(HandoffKind::silent) == 1 && fleet.count(static_cast<HandoffKind>(99)) == 0);
    Tally tally;
    tally.add(Boundary::handoff, fleet.account());
    CHECK(tally.sums(Boundary::handoff)->lost == 2 && tally.boundaries() == std::vector<Boundary>({Boundary::handoff}));

    SessionOptions options;
    options.done = {"x\n## Goal"};
    options.features = {{"login", true}, {"", false}};
    const auto files = session_files("2031-06-01", "ship it", Ledger(), options);
    CHECK(files.size() == 3 && files[0].text.find("- \"x\\n## Goal\"\n") != std::string::npos);
    const auto features = read_features(files[1].text);
    CHECK(features.size() == 2 && features[0].name == "login" && features[0].passes && Ledger::from_json(files[2].text).size() == 0);
    for (const char *date : {"", "2031-02-29", "2031-6-1"}) {
        CHECK(refuses([&] { session_files(date, "", Ledger()); }, HAVERSACK_INVALID_OPTION, "date"));
    }
    options.next = {"a", std::string(torn)};
    const auto bad = thrown([&] { session_files("2031-06-01", "", Ledger(), options); });
    CHECK(bad && bad->argument() == "next" && bad->index() == 1U);
    CHECK(thrown([] { read_features("[{\"name\":\"a\"}]"); })->offset() == 12U);
}

void books_that_cannot_be() {
    Tally tally;
    Account account;
    account.records.total = 2, account.records.kept = 1;
    const auto open = thrown([&] { tally.add(Boundary::clear, account); });
    CHECK(open && open->status() == HAVERSACK_OPEN_BOOKS && open->needed() == 2U && open->available() == 1U);
    CHECK(refuses([&] { tally.add(static_cast<Boundary>(99), Account()); }, HAVERSACK_INVALID_OPTION, "boundary"));
    CHECK(refuses([&] { tally.seen(std::string(1025, 'k'), true); }, HAVERSACK_LIMIT_EXCEEDED, "key"));
    CHECK(refuses([&] { tally.seen(torn, true); }, HAVERSACK_INVALID_UTF8, "key"));
    CHECK(!tally.sums(Boundary::clear) && tally.boundaries().empty() && tally.survival().empty());
    account.records.omitted = 1, account.claimed = Counts{};
    tally.add(Boundary::clear, account, true);
    for (int i = 0; i < 20; i++) tally.seen("rare", false);
    std::optional<Tally> read(Tally::from_json(tally.json()));
    const auto survival = read->survival();
    const auto sums = read->sums(Boundary::clear);
    read.reset();
    CHECK(survival.size() == 1 && survival[0].rare && survival[0].key == "rare" && sums->recoverable == 1 && sums->lost == 0);
    CHECK(tally.svg().substr(0, 4) == "<svg" && tally.table().find("almost never") != std::string::npos);
    CHECK(thrown([] { Tally::from_json("{}"); })->status() == HAVERSACK_INVALID_STATE);
}

void transcripts_with_damage() {
    Transcript t = Transcript::from_jsonl("{\"a\":1}\n\n{\"b\n[3]\n{\"c\":\"say \\\"hi\\\"\"}\n{\"d\":\"x");
    const auto damage = t.damage();
    CHECK(t.last() == 6 && damage.size() == 4 && damage[3].kind == DamageKind::truncated && damage[3].number == 6 && name(damage[0].kind) == "blank");
    const auto all = t.read(1, 6);
    CHECK(all.size() == 2 && all[1].number == 5 && all[0].text == "{\"a\":1}" && t.read(2, 2).empty());
    for (const auto &[first, last] : {std::pair<std::uint64_t, std::uint64_t>(0, 1), {1, 0}, {7, 7}, {1, 7}, {1, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}}) {
        const auto e = thrown([&, f = first, l = last] { t.read(f, l); });
        CHECK(e && e->status() == HAVERSACK_NO_SUCH_MESSAGE && e->available() == 6U);
        CHECK(thrown([&, f = first, l = last] { t.array(f, l); }));
    }
    CHECK(refuses([&] { t.resolve("nothing"); }, HAVERSACK_INVALID_OPTION, "reference") && t.resolve("[#5]").last == 5);
    CHECK(thrown([&] { t.resolve("message 7"); })->index() == 7U);
    CHECK(refuses([&] { t.search(""); }, HAVERSACK_INVALID_OPTION, "needle") && t.search("say \"hi\"")[0].number == 5);
    CHECK(refuses([&] { t.append("[]"); }, HAVERSACK_INVALID_OPTION, "message") && t.append("{\n\"e\": 1}") == 7 && t.damage()[3].kind == DamageKind::invalid_json);
    const auto told = t.check("message 5: \"say \", message 9");
    CHECK(told.size() == 2 && told[0].holds == true && told[0].quote == "say " && !told[1].exists && !told[1].holds);
    CHECK(!Transcript::references("message 5: \"x\"")[0].exists);
    const Transcript empty;
    CHECK(empty.jsonl().empty() && empty.last() == 0);
}

void files_are_read_by_their_index() {
    const std::string_view file("{\"a\":1}\n{\"b\xff\":2}\r\n{\"c\":3}");
    TranscriptIndex index;
    for (std::size_t i = 0; i < file.size(); i++) index.feed(file.substr(i, 1));
    const ByteRange bytes = index.range(2, 3);
    CHECK(index.last() == 3 && index.length() == file.size() && bytes.start == 8 && bytes.end == file.size());
    const Lines lines = read_lines(file.substr(bytes.start), 2);
    CHECK(lines.messages.size() == 1 && lines.messages[0].number == 3 && lines.messages[0].text.data() == file.data() + file.size() - 7);
    CHECK(lines.damage.size() == 1 && lines.damage[0].kind == DamageKind::invalid_utf8 && lines.damage[0].number == 2);
    CHECK(thrown([&] { index.range(4, 4); })->available() == 3U && read_lines(std::string_view(), 1).messages.empty());
}

void tiers_outlive_what_they_came_from() {
    std::optional<History> history(std::in_place, chat);
    std::optional<Ledger> ledger(std::in_place);
    ledger->record("deadline", "2031-06-01");
    TierOptions options;
    options.pinned = {1};
    options.ledger = Budget::chars(600);
    const Tiers t = tiers("never delete", *ledger, *history, options);
    CHECK(refuses([&] { options.raw_steps = 0, tiers("", *ledger, *history, options); }, HAVERSACK_INVALID_OPTION, "raw_steps"));
    CHECK(refuses([&] { options.raw_steps = 1, options.pinned = {1, 3}, tiers("", *ledger, *history, options); }, HAVERSACK_INVALID_OPTION, "pinned"));
    CHECK(refuses([&] { tiers(torn, *ledger, *history); }, HAVERSACK_INVALID_UTF8, "invariant"));
    history.reset(), ledger.reset();
    const Rendered facts = t.ledger();
    CHECK(t.invariant() == "never delete" && t.working() == chat && t.kept().size() == 3 && t.account().records.kept == 3);
    CHECK(facts.complete && facts.text.find("deadline") != std::string::npos && t.json().find("never delete") != std::string::npos);
}

void many_threads_read_one() {
    const Handoff h = Handoff::parse(found);
    const Transcript transcript = Transcript::from_jsonl("{}\n");
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++) {
        threads.emplace_back([&] {
            for (int j = 0; j < 100; j++) CHECK(h.unresolved(&transcript).size() == 2 && h.render().complete && transcript.read(1, 1).size() == 1);
        });
    }
    for (auto &thread : threads) thread.join();
}

} // namespace

int main() {
    void (*const tests[])() = {handoffs_are_read_and_owned, sources_lead_somewhere, counters_exceptions_come_back, fleets_and_sessions,
                               books_that_cannot_be, transcripts_with_damage, files_are_read_by_their_index,
                               tiers_outlive_what_they_came_from, many_threads_read_one};
    for (const auto test : tests) test();
    std::printf("%zu passed, 0 failed\n", sizeof tests / sizeof *tests);
}
