// Runs every shared case through the typed calls of the C++ layer: vectors DIR.
#include <haversack.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

using nlohmann::json;
using namespace haversack;

namespace {

std::map<std::string, std::size_t> covered;
std::size_t ran = 0, skipped = 0, failed = 0;

void wrong(const std::string &test, const std::string &what) {
    failed++;
    std::fprintf(stderr, "FAILED %s: %s\n", test.c_str(), what.c_str());
}

std::string build(const json &input) {
    if (input.is_string()) {
        return input;
    }
    std::string out;
    if (input.contains("hex")) {
        std::string digits = input["hex"];
        digits.erase(std::remove(digits.begin(), digits.end(), ' '), digits.end());
        for (std::size_t i = 0; i < digits.size(); i += 2) {
            out.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16)));
        }
    } else if (input.contains("repeat")) {
        const std::string part = input["repeat"];
        for (std::size_t i = 0; i < input["times"]; i++) {
            out += part;
        }
    } else if (input.contains("rows")) {
        const std::string part = input["template"], join = input.value("join", "");
        out = input.value("before", "");
        for (std::size_t i = 0; i < input["rows"]; i++) {
            std::string row = i == 0 ? part : join + part;
            for (std::size_t at = 0; (at = row.find("$i", at)) != std::string::npos;) {
                const auto digits = std::to_string(i);
                row.replace(at, 2, digits);
                at += digits.size();
            }
            out += row;
        }
        out += input.value("after", "");
    } else {
        for (const auto &part : input.at("concat")) {
            out += build(part);
        }
    }
    return out;
}

std::size_t count_words(std::string_view text) {
    std::size_t tokens = 0, run = 0;
    for (const unsigned char b : text) {
        if (b >= 0x80 || b == '_' || (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z')) {
            tokens += run++ % 6 == 0;
            continue;
        }
        run = 0;
        tokens += b != ' ' && (b < '\t' || b > '\r');
    }
    return tokens;
}

// ---- options ----

template <typename T> T one_of(const json &name, std::initializer_list<std::pair<const char *, T>> choices) {
    for (const auto &[text, value] : choices) {
        if (name == text) {
            return value;
        }
    }
    return static_cast<T>(999); // refused by the library, by name
}

Counts counts_of(const json &from) {
    return {from.value("total", 0ULL), from.value("kept", 0ULL), from.value("shrunk", 0ULL), from.value("offloaded", 0ULL),
            from.value("omitted", 0ULL)};
}

Account account_of(const json &from) {
    Account account;
    account.records = counts_of(from.contains("records") ? from["records"] : from);
    account.bytes = counts_of(from["bytes"]);
    account.fields_removed = from.value("fields_removed", 0ULL);
    if (from.contains("claimed") && from["claimed"].is_object()) {
        account.claimed = counts_of(from["claimed"]);
    }
    return account;
}

Limits limits_of(const json &from) {
    const auto limit = [&](const char *name) {
        return from.contains(name) ? std::optional<std::size_t>(from[name]) : std::nullopt;
    };
    return {limit("depth"),   limit("nested_strings"), limit("notice_pointer"),
            limit("entries"), limit("entry_bytes"),    limit("needle_bytes")};
}

Budget budget_of(const json &options) {
    if (options.contains("bytes")) return Budget::bytes(options["bytes"]);
    if (options.contains("chars")) return Budget::chars(options["chars"]);
    if (options.contains("utf16")) return Budget::utf16(options["utf16"]);
    const std::string counter = options.at("counter");
    return Budget::tokens(options.at("tokens"), counter == "words" ? Counter(count_words) : Counter(counter));
}

// The counter of a budget such as {"tokens": 100, "counter": "words"}; none of another unit.
std::optional<Counter> counter_in(const json &options, const char *budget) {
    if (!options.contains(budget) || !options[budget].contains("tokens")) return std::nullopt;
    const std::string counter = options[budget].at("counter");
    return counter == "words" ? Counter(count_words) : Counter(counter);
}

bool is_budget(const std::string &name) {
    return name == "bytes" || name == "chars" || name == "utf16" || name == "tokens" || name == "counter";
}

DeliverOptions deliver_options(const std::string &test, const json &given) {
    using Texts = std::vector<std::string>;
    DeliverOptions o;
    for (const auto &[name, v] : given.items()) {
        covered["deliver." + name]++;
        if (is_budget(name)) continue;
        else if (name == "format") o.format(one_of<Format>(v, {{"auto", Format::automatic}, {"json", Format::json}, {"ndjson", Format::ndjson}, {"csv", Format::csv}, {"tsv", Format::tsv}, {"lines", Format::lines}}));
        else if (name == "select") o.select(v.get<Texts>());
        else if (name == "sort_by") o.sort_by(v);
        else if (name == "descending") o.descending(v);
        else if (name == "share") o.share(one_of<Share>(v, {{"fair", Share::fair}, {"proportional", Share::proportional}, {"in_order", Share::in_order}}));
        else if (name == "priority") o.priority(v.get<Texts>());
        else if (name == "keep") o.keep(one_of<Keep>(v, {{"head", Keep::head}, {"tail", Keep::tail}, {"both", Keep::both}}));
        else if (name == "oversize") o.oversize(one_of<Oversize>(v, {{"shrink", Oversize::shrink}, {"skip", Oversize::skip}, {"error", Oversize::error}}));
        else if (name == "envelope") o.envelope(one_of<Envelope>(v, {{"when_cut", Envelope::when_cut}, {"always", Envelope::always}}));
        else if (name == "cursor") o.cursor(v);
        else if (name == "reader") o.reader(v);
        else if (name == "hint") o.hint(v);
        else if (name == "nested") o.nested(v);
        else if (name == "on_invalid") o.on_invalid(one_of<OnInvalid>(v, {{"error", OnInvalid::error}, {"lines", OnInvalid::lines}, {"salvage", OnInvalid::salvage}}));
        else if (name == "prefer") o.prefer(v.get<Texts>());
        else if (name == "ansi") o.ansi(one_of<Ansi>(v, {{"keep", Ansi::keep}, {"strip", Ansi::strip}}));
        else if (name == "collapse") o.collapse(v);
        else if (name == "source") o.source(one_of<Source>(v, {{"kept", Source::kept}, {"gone", Source::gone}}));
        else if (name == "notice") o.notice(one_of<Notice>(v, {{"text", Notice::text}, {"none", Notice::none}}));
        else if (name == "earlier") o.earlier(account_of(v));
        else if (name == "limits") o.limits(limits_of(v));
        else wrong(test, "unknown option " + name);
    }
    return o;
}

// ---- expectations ----

template <typename T> json or_null(const std::optional<T> &value) { return value ? json(*value) : json(nullptr); }

json to_json(const Counts &c) {
    return {{"total", c.total}, {"kept", c.kept}, {"shrunk", c.shrunk}, {"offloaded", c.offloaded}, {"omitted", c.omitted}};
}

// The answer put together from its parts: must be what the library writes itself.
json parts(const Delivery &d) {
    const Account a = d.account();
    json account = to_json(a.records);
    account["bytes"] = to_json(a.bytes);
    account["fields_removed"] = a.fields_removed;
    account["claimed"] = a.claimed ? to_json(*a.claimed) : json(nullptr);
    json lists = json::array(), warnings = json::array(), plan = json::array();
    for (const List &l : d.lists()) {
        json list = to_json(l.records);
        list["pointer"] = l.pointer;
        list["bytes"] = to_json(l.bytes);
        list["next"] = or_null(l.next);
        lists.push_back(list);
    }
    for (const Warning &w : d.warnings()) {
        warnings.push_back({{"kind", name(w.kind)}, {"offset", or_null(w.offset)}, {"subject", w.subject}});
    }
    for (const Run &r : d.plan()) {
        plan.push_back({{"list", r.list}, {"from", r.from}, {"to", r.to}, {"action", name(r.action)}, {"reason", name(r.reason)},
                        {"source_bytes", r.source_bytes}, {"text_range", {r.text_from, r.text_to}}});
    }
    return {{"text", d.text()}, {"size", d.size()}, {"unit", name(d.unit())}, {"complete", d.complete()},
            {"format", name(d.format())}, {"account", account}, {"lists", lists}, {"next", or_null(d.next())},
            {"notice", or_null(d.notice())}, {"warnings", warnings}, {"plan", plan}};
}

json parts(const Error &e) {
    json error = {{"kind", e.kind()}};
    const auto put = [&](const char *name, const auto &value) {
        if (value) error[name] = *value;
    };
    put("offset", e.offset());
    put("expected", e.expected());
    put("needed", e.needed());
    put("size", e.size());
    put("available", e.available());
    if (e.unit()) error["unit"] = name(*e.unit());
    put("argument", e.argument());
    put("pointer", e.pointer());
    put("index", e.index());
    put("piece", e.piece());
    return error;
}

void same(const std::string &test, const char *what, const json &got, const json &expected) {
    if (got != expected) {
        wrong(test, std::string(what) + " " + got.dump() + ", not " + expected.dump());
    }
}

template <typename Call> void judge(const std::string &test, const json &expected, Call call) {
    try {
        const Delivery d = call();
        const json answer = expected.value("answer", json());
        same(test, "answer", json::parse(d.json()), answer);
        same(test, "parts", parts(d), answer);
    } catch (const Error &e) {
        if (e.kind() != name(e.status()) || std::string(e.what()).empty()) wrong(test, "an error without name or message");
        same(test, "error", parts(e), expected.value("error", json()));
    }
}

// ---- the other operations ----

PageOptions page_options(const std::string &test, const json &given) {
    PageOptions o;
    for (const auto &[name, v] : given.items()) {
        covered["page." + name]++;
        if (is_budget(name)) continue;
        else if (name == "start") o.start = v.get<std::size_t>();
        else if (name == "lines") o.lines = v.get<std::size_t>();
        else if (name == "at") o.at = v;
        else if (name == "cursor") o.cursor = v.get<std::string>();
        else if (name == "reader") o.reader = v.get<std::string>();
        else if (name == "hint") o.hint = v.get<std::string>();
        else if (name == "limits") o.limits = limits_of(v);
        else wrong(test, "unknown option " + name);
    }
    return o;
}

FindOptions find_options(const std::string &test, const json &given) {
    FindOptions o;
    for (const auto &[name, v] : given.items()) {
        covered["find." + name]++;
        if (is_budget(name) || name == "needle") continue;
        else if (name == "at") o.at = v;
        else if (name == "context") o.context = v.get<std::size_t>();
        else if (name == "limit") o.limit = v.get<std::size_t>();
        else if (name == "cursor") o.cursor = v.get<std::string>();
        else if (name == "reader") o.reader = v.get<std::string>();
        else if (name == "hint") o.hint = v.get<std::string>();
        else if (name == "limits") o.limits = limits_of(v);
        else wrong(test, "unknown option " + name);
    }
    return o;
}

OffloadOptions offload_options(const std::string &test, const std::string &op, const json &given) {
    OffloadOptions o;
    for (const auto &[name, v] : given.items()) {
        covered[op + "." + name]++;
        if (name == "over") o.over = budget_of(v);
        else if (name == "preview") o.preview = budget_of(v);
        else if (name == "format") o.format = one_of<Format>(v, {{"auto", Format::automatic}, {"json", Format::json}, {"ndjson", Format::ndjson}, {"csv", Format::csv}, {"tsv", Format::tsv}, {"lines", Format::lines}});
        else if (name == "preview_keep") o.preview_keep = one_of<Keep>(v, {{"head", Keep::head}, {"tail", Keep::tail}, {"both", Keep::both}});
        else if (name == "reader") o.reader = v.get<std::string>();
        else if (name == "hint") o.hint = v.get<std::string>();
        else if (std::string(" call_id location do input tool arguments stored bytes chars utf16 tokens counter ").find(" " + name + " ") == std::string::npos) wrong(test, "unknown option " + name);
    }
    return o;
}

std::string_view name(Keep keep) {
    return keep == Keep::head ? "head" : keep == Keep::tail ? "tail" : "both";
}

json parts(const Pointer &p) {
    json account = to_json(p.account().records);
    account["bytes"] = to_json(p.account().bytes);
    return {{"text", or_null(p.text())}, {"reason", name(p.reason())}, {"size", p.size()}, {"saved", p.saved()},
            {"unit", name(p.unit())}, {"account", account}};
}

json parts(const Offload &o) {
    const Policy p = o.policy();
    return {{"action", name(o.action())}, {"reason", name(o.reason())}, {"key", or_null(o.key())}, {"size", o.size()},
            {"unit", name(p.unit)}, {"bytes", o.bytes()}, {"sha256", or_null(o.sha256())},
            {"format", o.format() ? json(name(*o.format())) : json(nullptr)}, {"at", or_null(o.at())}, {"preview", or_null(o.preview())},
            {"policy", {{"over", p.over}, {"unit", name(p.unit)}, {"preview", p.preview}, {"preview_unit", name(p.preview_unit)},
                        {"preview_keep", name(p.preview_keep)}}}};
}

json parts(const Prepared &p) {
    return {{"action", name(p.action())}, {"reason", name(p.reason())}, {"key", or_null(p.key())}, {"text", or_null(p.text())}};
}

// The answer as the library writes it, which must be that of its parts.
template <typename T> json both(const std::string &test, const T &answer) {
    json whole = json::parse(answer.json());
    same(test, "parts", parts(answer), whole);
    return whole;
}

json run_offload(const std::string &test, const std::string &payload, const json &given) {
    try {
        const OffloadOptions options = offload_options(test, "offload", given);
        const Offload o = offload(payload, given.at("call_id").get<std::string>(), options);
        json answer = both(test, o);
        if (given.contains("location")) {
            answer["pointer"] = both(test, o.pointer(given["location"].get<std::string>(), counter_in(given, "over")));
        }
        return {{"answer", answer}};
    } catch (const Error &e) {
        return {{"error", parts(e)}};
    }
}

json run_step(const std::string &test, Offloads &table, const json &step) {
    const auto text = [&](const char *member) { return step.at(member).get<std::string>(); };
    const std::string what = text("do");
    json answer;
    try {
        if (what == "prepare") answer = both(test, table.prepare(build(step["input"]), text("call_id"), offload_options(test, "offloads", step)));
        else if (what == "commit") answer = both(test, table.commit(text("key"), text("location")));
        else if (what == "refuse") table.refuse(text("key"), text("reason"));
        else if (what == "exempt") table.exempt(text("call_id"));
        else if (what == "verify") table.verify(text("key"), build(step["input"]));
        else if (what == "reload") table = Offloads::from_json(table.json());
        else if (what == "load") table = Offloads::from_json(text("state"));
        else if (what == "state") {
            answer = json::parse(table.json());
            json entries = json::array();
            for (const Entry &e : table.entries()) {
                if (!table.lookup(e.key) || table.lookup(e.key)->sha256 != e.sha256) wrong(test, "an entry that is not found");
                entries.push_back({{"key", e.key}, {"call_id", e.call_id}, {"sha256", e.sha256}, {"bytes", e.bytes}, {"size", e.size},
                                   {"format", name(e.format)}, {"at", or_null(e.at)}, {"preview", e.preview},
                                   {"location", or_null(e.location)}, {"reason", or_null(e.refused)}});
            }
            json wanted = answer.at("entries");
            for (json &e : wanted) {
                for (const char *member : {"hint", "policy", "state"}) e.erase(member);
            }
            same(test, "entries", entries, wanted);
        } else wrong(test, "unknown step " + what);
    } catch (const Error &e) {
        return {{"error", parts(e)}};
    }
    return {{"answer", answer}};
}

json run_offloads(const std::string &test, const json &given) {
    Offloads table;
    json answers = json::array();
    for (const auto &step : given.at("steps")) answers.push_back(run_step(test, table, step));
    return {{"answer", answers}};
}

// Offloads the payload, lets the model's call name its key, and answers it from the store.
Delivery run_readback(const std::string &test, const std::string &payload, const json &given) {
    const OffloadOptions options = offload_options(test, "readback", given);
    Offloads table;
    const Prepared prepared = table.prepare(payload, given.at("call_id").get<std::string>(), options);
    const std::string key(prepared.key().value());
    table.commit(key, "stored/1", counter_in(given, "over"));
    std::string arguments = given.at("arguments");
    for (std::size_t at = 0; (at = arguments.find("$KEY", at)) != std::string::npos; at += key.size()) arguments.replace(at, 4, key);
    const Request request = table.request(given.at("tool").get<std::string>(), arguments);
    if (request.key() != key || request.location() != "stored/1") wrong(test, "a request for something else");
    return request.answer(given.contains("stored") ? build(given["stored"]) : payload, budget_of(given));
}

#include "histories.hpp"
#include "prompts.hpp"
#include "rendered.hpp"
#include "ledgers.hpp"
#include "handoffs.hpp"

// ---- cases ----

bool lacks_counter(const json &options) {
    const std::string counter = options.value("counter", "");
    if (counter != "o200k_base" && counter != "cl100k_base") return false;
    try {
        measure("x", Budget::tokens(1, counter));
        return false;
    } catch (const Error &) {
        return true;
    }
}

void run_case(const json &c) {
    const std::string test = c.at("name"), op = c.at("op");
    const json options = c.value("options", json::object()), expected = c.value("expect", json::object());
    if (lacks_counter(options) || lacks_counter(c)) {
        skipped++;
        return;
    }
    ran++;
    const std::string payload = build(c.at("input"));
    if (op == "deliver") judge(test, expected, [&] { return deliver(payload, budget_of(options), deliver_options(test, options)); });
    else if (op == "page") judge(test, expected, [&] { return page(payload, budget_of(options), page_options(test, options)); });
    else if (op == "find") judge(test, expected, [&] { return find(payload, options.at("needle").get<std::string>(), budget_of(options), find_options(test, options)); });
    else if (op == "count") same(test, "count", measure(payload, Budget::tokens(0, c.at("counter").get_ref<const std::string &>())), expected.at("count"));
    else if (op == "offload") same(test, "answer", run_offload(test, payload, options), expected);
    else if (op == "offloads") same(test, "answer", run_offloads(test, options), expected);
    else if (op == "readback") judge(test, expected, [&] { return run_readback(test, payload, options); });
    else if (op == "check") same(test, "answer", answer_of(run_check, test, payload, options), expected);
    else if (op == "repair") same(test, "answer", answer_of(run_repair, test, payload, options), expected);
    else if (op == "safe_cuts") same(test, "answer", answer_of(run_safe_cuts, test, payload, options), expected);
    else if (op == "cut") same(test, "answer", answer_of(run_cut, test, payload, options), expected);
    else if (const auto run = prompt_runs.find(op); run != prompt_runs.end()) same(test, "answer", answer_of(run->second, test, payload, options), expected);
    else if (const auto known = ledger_runs.find(op); known != ledger_runs.end()) same(test, "answer", answer_of(known->second, test, payload, options), expected);
    else if (const auto remembered = handoff_runs.find(op); remembered != handoff_runs.end()) same(test, "answer", answer_of(remembered->second, test, payload, options), expected);
    else wrong(test, "unknown operation " + op);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const std::filesystem::path folder = argv[1];
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const auto &file : files) {
        std::ifstream stream(file);
        const json cases = json::parse(stream);
        for (const auto &c : cases) run_case(c);
    }
    std::printf("ran %zu cases (%zu skipped: without exact counters), options covered:", ran, skipped);
    for (const auto &path : {folder / "OPTIONS.txt", folder / "state" / "OPTIONS.txt"}) {
        std::ifstream list(path);
        if (!list) wrong(path.string(), "is not there");
        for (std::string option; list >> option;) {
            std::printf(" %s=%zu", option.c_str(), covered[option]);
            if (covered[option] == 0) wrong(option, "no case sets this option");
        }
    }
    std::printf("\n%zu passed, %zu failed, %zu skipped\n", ran > failed ? ran - failed : 0, failed, skipped);
    return failed == 0 && ran > 0 ? 0 : 1;
}
