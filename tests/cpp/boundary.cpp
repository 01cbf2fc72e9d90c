// What the C++ layer adds: ownership, exceptions that carry the numbers, and a counter's own exceptions.
#include <haversack.hpp>

#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace haversack;

#define CHECK(condition) \
    ((condition) ? (void)0 : (std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition), std::exit(1)))

namespace {

template <typename F> std::optional<Error> thrown(F f) {
    try {
        f();
    } catch (const Error &e) {
        return e;
    }
    return std::nullopt;
}

void deliveries_move_and_free_themselves() {
    Delivery a = deliver("[1,2]", Budget::bytes(100));
    const Delivery b = std::move(a);
    CHECK(b.text() == "[1,2]" && b.complete() && b.format() == Format::json);
    CHECK(a.get() == nullptr && a.text().empty() && a.size() == 0 && a.lists().empty()); // NOLINT: moved from on purpose
    std::optional<Delivery> other;
    std::thread([&] { other.emplace(deliver("[3]", Budget::chars(100))); }).join();
    CHECK(other->text() == "[3]" && b.text() == "[1,2]");
}

// Whether a text can be had from an object that ends with the expression: it would be gone with it.
template <typename T, typename = void> struct dangles : std::false_type {};
template <typename T> struct dangles<T, std::void_t<decltype(std::declval<T>().text())>> : std::true_type {};
static_assert(!dangles<Delivery>::value && !dangles<History>::value && !dangles<Cut>::value && !dangles<Repair>::value);
static_assert(!dangles<const Delivery>::value && dangles<const Delivery &>::value && dangles<History &>::value);

void errors_carry_the_numbers() {
    const auto small = thrown([] { deliver("[\"a record\",\"a record\",\"a record\",\"a record\"]", Budget::utf16(2)); });
    CHECK(small && small->status() == HAVERSACK_BUDGET_TOO_SMALL && small->kind() == "budget_too_small");
    CHECK(small->needed() > 2U && small->available() == 2U && small->unit() == Unit::utf16);
    CHECK(!small->offset() && !small->argument() && !small->index());
    CHECK(std::string(small->what()).find("utf16") != std::string::npos);
    const auto bytes = thrown([] { deliver("fo\xff", Budget::bytes(100)); });
    CHECK(bytes && bytes->status() == HAVERSACK_INVALID_UTF8 && bytes->offset() == 2U);
    const auto option = thrown([] { deliver("[]", Budget::bytes(100), DeliverOptions().hint("fo\xff")); });
    CHECK(option && option->argument() == "hint");
    CHECK(thrown([] { measure("x", Budget::tokens(1, "no such counter")); })->argument() == "counter");
}

struct Mine {
    int number;
};

void a_counters_exception_comes_back() {
    const auto failing = Budget::tokens(100, [](std::string_view) -> std::size_t { throw Mine{7}; });
    int number = 0;
    try {
        deliver("[1]", failing);
    } catch (const Mine &mine) {
        number = mine.number;
    }
    CHECK(number == 7);
    std::size_t calls = 0;
    const auto counting = Budget::tokens(100, [&](std::string_view text) { return calls++, text.size(); });
    CHECK(deliver("[1]", counting).size() == 3 && calls > 0);
    // One that can stop early gives the same text, and is asked to.
    std::size_t stopped = 0;
    const auto size = [](std::string_view text) { return text.size(); };
    const Counter early(size, [&](std::string_view text, std::size_t limit) {
        stopped += text.size() > limit;
        return text.size() > limit ? std::nullopt : std::optional<std::size_t>(text.size());
    });
    const std::string rows = R"(["one row of many","one row of many","one row of many","one row of many","one row of many"])";
    const Delivery stopping = deliver(rows, Budget::tokens(80, early)), whole = deliver(rows, Budget::tokens(80, size));
    CHECK(stopping.text() == whole.text() && stopped > 0);
    const Counter broken(size, [](std::string_view, std::size_t) -> std::optional<std::size_t> { throw Mine{7}; });
    try {
        deliver(rows, Budget::tokens(80, broken));
        CHECK(false);
    } catch (const Mine &mine) {
        CHECK(mine.number == 7);
    }
    // A counter may call the library.
    const auto inner = Budget::tokens(100, [](std::string_view text) { return measure(text, Budget::chars(0)); });
    CHECK(deliver("[\"\xc3\xa9\"]", inner).size() == 5);
}

void empty_is_not_absent() {
    for (const auto nothing : {std::string_view(""), std::string_view()}) {
        const Delivery d = deliver(nothing, Budget::bytes(100));
        CHECK(d.text() == "(no output)");
    }
    CHECK(thrown([] { deliver("[1]", Budget::bytes(100), DeliverOptions().cursor("")); }));
    const std::string_view inner("a\0b\n", 4);
    const Delivery d = deliver(inner, Budget::bytes(100));
    CHECK(d.text() == inner);
}

void options_can_be_used_again() {
    DeliverOptions options;
    options.select({"/a"}).hint("narrow it");
    for (int i = 0; i < 3; i++) {
        const Delivery d = deliver("{\"a\":1}", Budget::bytes(100), options);
        CHECK(d.text() == "{\"a\":1}");
    }
    CHECK(name(Share::fair == Share::fair ? Unit::chars : Unit::bytes) == "chars");
    CHECK(version() == std::to_string(HAVERSACK_VERSION_MAJOR) + "." + std::to_string(HAVERSACK_VERSION_MINOR) + "." +
                           std::to_string(HAVERSACK_VERSION_PATCH));
}

constexpr std::string_view ask = R"({"role":"user","content":"weather?"})", say = R"({"role":"assistant","content":"sun"})";

std::string list(std::initializer_list<std::string_view> messages) {
    std::string text;
    for (const auto message : messages) {
        text += text.empty() ? "[" : ",";
        text += message;
    }
    return text + "]";
}

void cuts_and_repairs_outlive_their_history() {
    constexpr std::string_view call = R"({"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]})";
    std::optional<History> history(std::in_place, list({ask, say, ask, say, ask})), broken(std::in_place, list({ask, call, ask}));
    CHECK(history->size() == 5 && history->message(1) == say && history->message(5).empty() && history->safe_cuts().size() >= 3);
    const Cut cut = history->cut_messages(3);
    const Repair repair = broken->repair();
    const auto found = broken->violations();
    history.reset(), broken.reset();
    CHECK(cut.found() && cut.text() == list({ask, say, ask}) && cut.messages()[0].source == 2U && cut.kept().size() == 3);
    CHECK(repair.changes().size() == 1 && repair.messages()[2].source == std::nullopt && repair.remaining().empty());
    CHECK(found.size() == 1 && found[0].kind == ViolationKind::missing_result && found[0].id == "c1");
}

void histories_throw_what_names_the_argument() {
    const auto argument = [](auto call) { return thrown(call)->argument(); };
    const std::string text = list({ask, say, ask});
    CHECK(thrown([] { History("3"); })->kind() == "not_a_history" && thrown([] { History(""); })->kind() == "invalid_json");
    CHECK(argument([&] { HistoryOptions o; o.profile = "nobody"; History(text, o); }) == "profile");
    CHECK(argument([&] { HistoryOptions o; o.request = "[]"; History(text, o); }) == "request");
    CHECK(argument([&] { HistoryOptions o; o.format = static_cast<WireFormat>(99); History(text, o); }) == "format");
    const History history(text);
    CHECK(argument([&] { CutOptions o; o.pinned = {0, 3}; (void)history.cut_messages(2, o); }) == "pinned");
    CHECK(argument([&] { RepairOptions o; o.missing = static_cast<MissingResult>(9); (void)history.repair(o); }) == "missing");
    CHECK(thrown([&] { (void)history.cut(Budget::chars(1)); })->needed() > 1U);
    int number = 0;
    try {
        (void)history.cut(Budget::tokens(9, [](std::string_view) -> std::size_t { throw Mine{8}; }));
    } catch (const Mine &mine) {
        number = mine.number;
    }
    CHECK(number == 8);
    const Cut none = history.cut_messages(99);
    CHECK(!none.found() && none.nothing() == NothingToCut::fits && none.text().empty() && none.kept().empty());
    CHECK(history.cut_refusals().size() == 3 && history.cut_refusal(3) == CutRefusal::out_of_range && !history.cut_refusal(0));
    const History empty("[]");
    CHECK(empty.cut_refusals().empty() && empty.steps().empty() && empty.safe_cuts().empty());
}

void hostile_histories() {
    constexpr auto most = static_cast<std::size_t>(-1);
    const std::string id(1'000'000, 'x'), text = list({ask, say, ask});
    const std::string call = R"({"role":"assistant","content":null,"tool_calls":[{"id":")" + id + R"(","type":"function","function":{"name":"f","arguments":"{}"}}]})";
    const History large(list({ask, call, R"({"role":"tool","tool_call_id":")" + id + R"(","content":"sun"})"}));
    const auto found = large.violations(true);
    CHECK(found.size() == 1 && found[0].kind == ViolationKind::id_too_long && found[0].id == id);
    const Repair mended = large.repair();
    CHECK(mended.remaining().empty() && History(mended.text()).violations().empty());

    const History history(text);
    for (const auto &keep : {Budget::bytes(0), Budget::chars(0), Budget::utf16(0), Budget::tokens(0, "estimate")}) {
        CHECK(thrown([&] { (void)history.cut(keep); })->needed() > 0U);
    }
    for (const auto &keep : {Budget::bytes(most), Budget::chars(most), Budget::utf16(most), Budget::tokens(most, "estimate")}) {
        CHECK(history.cut(keep).nothing() == NothingToCut::fits);
    }
    CHECK(thrown([&] { (void)history.cut_messages(0); })->kind() == "budget_too_small" && !history.cut_messages(most).found());
    CHECK(history.cut_refusal(most) == CutRefusal::out_of_range && history.message(most).empty());
    CHECK(thrown([&] { CutOptions o; o.pinned.assign(100'000, most); (void)history.cut_messages(1, o); })->index() == most);
    CHECK(thrown([&] { HistoryOptions o; o.profile = "stri\xff"; History(text, o); })->kind() == "invalid_utf8");
    CHECK(thrown([&] { HistoryOptions o; o.request = "{\"model\":\"\xc3(\"}"; History(text, o); })->argument() == "request");
    for (std::size_t n = 0; n < text.size(); n++) {
        const std::string exact(text, 0, n); // sanitizers tell a byte read behind it
        CHECK(thrown([&] { (void)History(std::string_view(exact)); })->kind() == "invalid_json");
    }

    // What was moved from holds nothing, and says so.
    History source(text);
    const History target = std::move(source);
    CHECK(source.size() == 0 && source.text().empty() && source.steps().empty() && source.cut_refusals().empty()); // NOLINT: moved from on purpose
    CHECK(thrown([&] { (void)source.violations(); })->argument() == "history" && thrown([&] { (void)source.repair(); })->argument() == "history");
    CHECK(thrown([&] { (void)source.cut(Budget::chars(9)); })->argument() == "history");
    Cut cut = target.cut_messages(1);
    const Cut kept = std::move(cut);
    CHECK(!cut.found() && cut.text().empty() && cut.messages().empty() && kept.text() == list({ask})); // NOLINT: moved from on purpose

    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++) {
        threads.emplace_back([&] {
            for (int round = 0; round < 40; round++) {
                const Cut smaller = target.cut_messages(1);
                const Repair again = History(target.text()).repair();
                CHECK(smaller.text() == list({ask}) && again.text() == text && target.violations(true).empty());
            }
        });
    }
    for (auto &thread : threads) {
        thread.join();
    }
}

Prompt prompt_with(std::string_view clock) {
    PieceOptions fixed;
    fixed.layer = Layer::fixed;
    fixed.budget = 5;
    fixed.owner = "platform";
    Prompt prompt;
    prompt.add("rules", "Be brief.", fixed).add("clock", clock, fixed).add("facts", "likes tea");
    return prompt;
}

void snapshots_and_comparisons_outlive_their_prompts() {
    std::optional<Prompt> prompt(prompt_with("Now: 10:15:59"));
    const Snapshot before = prompt->snapshot(), stored = Snapshot::from_json(before.json());
    std::optional<Snapshot> now(prompt_with("Now: 10:16:01").snapshot());
    const auto found = volatile_values(*prompt);
    const SharedPrefix shared = shared_prefix(*prompt, prompt_with("Now: 10:16:01"), "estimate");
    const Report report = prompt->report(Budget::bytes(20));
    prompt.reset();
    const Comparison exact = compare(before, *now), rough = compare(stored, *now);
    now.reset();
    CHECK(exact.verdict() == Verdict::changed && exact.piece() == "clock" && exact.at_byte() == 9U && exact.at_byte_exact());
    CHECK(exact.cause() == Cause::volatile_value && exact.kept_bytes() == 18 && !exact.kept_tokens() && exact.changes().size() == 1);
    CHECK(exact.changes()[0].volatile_kind == VolatileKind::time && !exact.changes()[0].was && exact.index() == 1U && !exact.calm());
    CHECK(rough.at_byte() == 0U && !rough.at_byte_exact() && compare(std::nullopt, before).verdict() == Verdict::first);
    CHECK(before.sha256(0) == stored.sha256(0) && before.sha256(0).size() == 64 && before.sha256(3).empty());
    CHECK(before.names() == stored.names() && before.size() == 3 && before.bytes() == 31 && !before.tokens());
    CHECK(found.size() == 1 && found[0].piece == "clock" && found[0].kind == VolatileKind::time && found[0].at_byte == 5);
    CHECK(shared.bytes == 18 && shared.tokens > 0U && shared.pieces == 1 && shared.piece == "clock");
    CHECK(report.total == 31 && report.over == 11 && report.pieces[0].over == 4 && report.pieces[0].owner == "platform");
    Snapshot moved = Snapshot::from_json(before.json());
    const Snapshot target = std::move(moved);
    CHECK(moved.size() == 0 && moved.names().empty() && moved.sha256(0).empty() && target.size() == 3); // NOLINT: moved from on purpose
}

void prompts_throw_what_names_the_piece() {
    Prompt prompt = prompt_with("Now");
    const auto twice = thrown([&] { prompt.add("rules", "again"); });
    CHECK(twice && twice->kind() == "duplicate_piece" && twice->piece() == "rules" && !twice->argument());
    const auto layer = thrown([&] { PieceOptions o; o.layer = static_cast<Layer>(9); prompt.add("x", "", o); });
    CHECK(layer && layer->kind() == "unknown_layer" && layer->piece() == "x");
    const auto tool = thrown([&] { prompt.add_tool("f", "{\"a\":1,\"a\":2}"); });
    CHECK(tool && tool->kind() == "not_canonical" && tool->piece() == "tools/f" && tool->offset() == 7U);
    prompt.add_tool("f", "{\"b\":1,\"a\":2}");
    CHECK(prompt.size() == 4 && prompt.tools() == "[{\"a\":2,\"b\":1}]" && prompt.pieces()[0].name == "tools/f" && !prompt.format());
    CHECK(prompt.piece("rules")->budget == 5U && prompt.piece("facts")->owner == std::nullopt && !prompt.piece("none"));
    SnapshotOptions key, counting;
    key.key = "";
    counting.counter = Counter([](std::string_view) -> std::size_t { throw Mine{9}; });
    CHECK(thrown([&] { (void)compare(prompt.snapshot(), prompt.snapshot(key)); })->argument() == "key");
    int number = 0;
    for (const auto &call : std::vector<std::function<void()>>{
             [&] { (void)prompt.snapshot(counting); }, [&] { (void)prompt.report(Budget::tokens(9, *counting.counter)); },
             [&] { (void)shared_prefix(prompt, prompt, counting.counter); },
             [&] { (void)predict(std::nullopt, "{\"model\":\"gpt-4o\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}", *counting.counter); }}) {
        try {
            call();
        } catch (const Mine &mine) {
            number += mine.number;
        }
    }
    CHECK(number == 36);
    CHECK(thrown([&] { counting.counter = "no such counter"; (void)prompt.snapshot(counting); })->argument() == "counter");
    CHECK(thrown([] { (void)canonical_json("[1,1e999]"); })->offset() == 3U && canonical_json("[1.0]").text == "[1]");
    Limits shallow;
    shallow.depth = 1;
    CHECK(thrown([&] { (void)canonical_json("[[]]", shallow); })->kind() == "too_deep");
    CHECK(thrown([] { (void)Snapshot::from_json("{}"); })->kind() == "invalid_state");
}

void frozen_sections_and_caches() {
    Frozen frozen({{"memory", "likes tea"}, {"tools", ""}});
    CHECK(!frozen.update("memory", "likes tea") && frozen.update("memory", "likes milk")->version == 2);
    const auto deleted = frozen.update("memory", std::nullopt);
    CHECK(deleted && deleted->version == 3 && frozen.text("memory") == "likes tea" && frozen.current("memory").empty());
    CHECK(frozen.notes().size() == 2 && frozen.cost("estimate").superseded == 1);
    Frozen again = Frozen::from_json(frozen.json());
    CHECK(again.fold() == std::vector<std::string_view>{"memory"} && again.fold().empty() && again.names().size() == 2);
    CHECK(thrown([] { Frozen({{"a", ""}, {"a", ""}}); })->index() == 1U && Frozen::of({}).names().empty());
    CHECK(thrown([&] { (void)frozen.text("memry"); })->argument() == "name");

    const std::string body = R"({"model":"claude-sonnet-4-5","system":"Be kind.","messages":[{"role":"user","content":"hi"}]})";
    const CacheMarks plan = cache_marks(body);
    CHECK(plan.rules == "anthropic" && plan.marks.size() == 2 && !plan.marks[0].message && plan.marks[1].message == 0U);
    CHECK(cache_marks(plan.text, body).text == plan.text && cache_rules().size() == 8 && !cache_rules_as_of().empty());
    const Prediction first = predict(std::nullopt, body, "estimate");
    CHECK(first.reason == CacheReason::first && first.cached + first.written + first.fresh == first.total);
    CHECK(thrown([&] { (void)predict("", body, "estimate"); })->kind() == "invalid_json"); // empty is not absent
    CHECK(thrown([&] { MarkOptions o; o.rules = "vllm"; (void)cache_marks(body, std::nullopt, o); })->argument() == "rules");
    CHECK(cache_rules_of(WireFormat::bedrock)->name == "bedrock" && !cache_rules_of(WireFormat::openai_chat, "grok-4.3"));
}

} // namespace

int main() {
    deliveries_move_and_free_themselves();
    errors_carry_the_numbers();
    a_counters_exception_comes_back();
    empty_is_not_absent();
    options_can_be_used_again();
    cuts_and_repairs_outlive_their_history();
    histories_throw_what_names_the_argument();
    hostile_histories();
    snapshots_and_comparisons_outlive_their_prompts();
    prompts_throw_what_names_the_piece();
    frozen_sections_and_caches();
    std::puts("11 passed, 0 failed");
    return 0;
}
