// What cases of ledgers, memories, handoffs and tiers share: a rendered text and its books. Part of vectors.cpp, behind
// prompts.hpp.
#ifndef HAVERSACK_TESTS_RENDERED_HPP
#define HAVERSACK_TESTS_RENDERED_HPP

json parts(const Account &a) {
    return {{"records", to_json(a.records)}, {"bytes", to_json(a.bytes)}, {"fields_removed", a.fields_removed}, {"claimed", a.claimed ? to_json(*a.claimed) : json(nullptr)}};
}

json parts(const Rendered &r) { return {{"text", r.text}, {"account", parts(r.account)}, {"rule", r.rule}}; }

// Two ways to the same answer: its parts, which are given back, and the JSON that the library wrote itself.
json as_written(const std::string &test, const json &got, const std::string &written) {
    same(test, "JSON", json::parse(written), got);
    return got;
}

// The budget among these options, or none.
std::optional<Budget> budget_in(const json &given) {
    for (const char *unit : {"bytes", "chars", "utf16", "tokens"}) {
        if (given.contains(unit)) return budget_of(given);
    }
    return std::nullopt;
}

#endif
