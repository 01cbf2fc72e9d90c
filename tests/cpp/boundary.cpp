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
    // A counter may call the library.
    const auto inner = Budget::tokens(100, [](std::string_view text) { return measure(text, Budget::chars(0)); });
    CHECK(deliver("[\"\xc3\xa9\"]", inner).size() == 5);
}

void empty_is_not_absent() {
    CHECK(deliver("", Budget::bytes(100)).text() == "(no output)");
    CHECK(deliver(std::string_view(), Budget::bytes(100)).text() == "(no output)");
    CHECK(thrown([] { deliver("[1]", Budget::bytes(100), DeliverOptions().cursor("")); }));
    const std::string_view inner("a\0b\n", 4);
    CHECK(deliver(inner, Budget::bytes(100)).text() == inner);
}

void options_can_be_used_again() {
    DeliverOptions options;
    options.select({"/a"}).hint("narrow it");
    for (int i = 0; i < 3; i++) {
        CHECK(deliver("{\"a\":1}", Budget::bytes(100), options).text() == "{\"a\":1}");
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

} // namespace

int main() {
    deliveries_move_and_free_themselves();
    errors_carry_the_numbers();
    a_counters_exception_comes_back();
    empty_is_not_absent();
    options_can_be_used_again();
    cuts_and_repairs_outlive_their_history();
    histories_throw_what_names_the_argument();
    std::puts("7 passed, 0 failed");
    return 0;
}
