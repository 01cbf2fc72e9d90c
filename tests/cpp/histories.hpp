// The shared cases of histories: check, repair, safe_cuts and cut. Part of vectors.cpp, behind what all cases need.
#ifndef HAVERSACK_TESTS_HISTORIES_HPP
#define HAVERSACK_TESTS_HISTORIES_HPP

// Takes the options of reading; true when `name` is one of theirs.
bool set_reading(HistoryOptions &o, const std::string &name, const json &v) {
    if (name == "format") {
        o.format = one_of<WireFormat>(v, {{"auto", WireFormat::automatic}, {"openai_chat", WireFormat::openai_chat}, {"openai_responses", WireFormat::openai_responses}, {"anthropic", WireFormat::anthropic}, {"gemini", WireFormat::gemini}, {"bedrock", WireFormat::bedrock}});
    } else if (name == "profile") o.profile = v.get<std::string>();
    else if (name == "request") o.request = v.is_string() ? v.get<std::string>() : v.dump();
    else if (name == "limits") o.limits = limits_of(v);
    else return false;
    return true;
}

json parts(const std::vector<Violation> &violations) {
    json all = json::array();
    for (const Violation &v : violations) {
        all.push_back({{"kind", name(v.kind)}, {"index", v.index}, {"path", v.path}, {"id", or_null(v.id)}});
    }
    return all;
}

// The texts of the resulting messages. Those that are untouched are the input's, and the whole text holds them all.
json texts(const std::string &test, const std::vector<OutMessage> &messages, std::string_view text, const History &history,
           const HistoryOptions &options) {
    const History again(text, options);
    json all = json::array();
    if (again.size() != messages.size()) wrong(test, "another number of messages in the whole text");
    for (std::size_t i = 0; i < messages.size(); i++) {
        const OutMessage &m = messages[i];
        all.push_back(m.text);
        if (m.untouched && (!m.source || history.message(*m.source) != m.text)) wrong(test, "a message that is not that of its source");
        if (again.message(i) != m.text) wrong(test, "another message in the whole text");
    }
    return all;
}

json run_check(const std::string &test, const std::string &payload, const json &given) {
    HistoryOptions options;
    bool sending = false;
    for (const auto &[name, v] : given.items()) {
        covered["check." + name]++;
        if (set_reading(options, name, v)) continue;
        else if (name == "sending") sending = v;
        else wrong(test, "unknown option " + name);
    }
    const History history(payload, options);
    if (history.text() != payload) wrong(test, "the text that was read is another");
    json steps = json::array();
    for (const Step &s : history.steps()) {
        steps.push_back({{"kind", name(s.kind)}, {"from", s.from}, {"to", s.to}, {"calls", s.calls}, {"open", s.open}});
    }
    return {{"format", name(history.format())}, {"certain", history.certain()}, {"violations", parts(history.violations(sending))}, {"steps", steps}};
}

json run_repair(const std::string &test, const std::string &payload, const json &given) {
    HistoryOptions options;
    RepairOptions wish;
    for (const auto &[name, v] : given.items()) {
        covered["repair." + name]++;
        if (set_reading(options, name, v)) continue;
        else if (name == "missing") wish.missing = one_of<MissingResult>(v, {{"synthesise", MissingResult::synthesise}, {"drop", MissingResult::drop}});
        else if (name == "orphan") wish.orphan = one_of<OrphanResult>(v, {{"drop", OrphanResult::drop}, {"text", OrphanResult::text}});
        else if (name == "sending") wish.sending = v;
        else wrong(test, "unknown option " + name);
    }
    const History history(payload, options);
    const Repair repair = history.repair(wish);
    json changes = json::array();
    for (const Change &c : repair.changes()) {
        changes.push_back({{"action", name(c.action)}, {"violation", name(c.violation)}, {"index", c.index}, {"path", c.path}});
        if (c.message.empty()) wrong(test, "a change without a sentence");
    }
    if (changes.empty() && repair.text() != payload) wrong(test, "no change, and another text");
    return {{"messages", texts(test, repair.messages(), repair.text(), history, options)}, {"changes", changes}, {"remaining", parts(repair.remaining())}};
}

json run_safe_cuts(const std::string &test, const std::string &payload, const json &given) {
    HistoryOptions options;
    for (const auto &[name, v] : given.items()) {
        covered["safe_cuts." + name]++;
        if (!set_reading(options, name, v)) wrong(test, "unknown option " + name);
    }
    const History history(payload, options);
    json refusals = json::array();
    for (const auto &refusal : history.cut_refusals()) {
        if (history.cut_refusal(refusals.size()) != refusal) wrong(test, "one refusal is another than that of all");
        refusals.push_back(refusal ? json(name(*refusal)) : json(nullptr));
    }
    return {{"safe", history.safe_cuts()}, {"portable", history.safe_cuts(true)}, {"refusals", refusals}};
}

json run_cut(const std::string &test, const std::string &payload, const json &given) {
    HistoryOptions options;
    CutOptions wish;
    for (const auto &[name, v] : given.items()) {
        covered["cut." + name]++;
        if (set_reading(options, name, v) || is_budget(name) || name == "messages") continue;
        else if (name == "pinned") wish.pinned = v.get<std::vector<std::size_t>>();
        else if (name == "portable") wish.portable = v;
        else wrong(test, "unknown option " + name);
    }
    const History history(payload, options);
    const Cut cut = given.contains("messages") ? history.cut_messages(given["messages"], wish) : history.cut(budget_of(given), wish);
    if (!cut.found()) return {{"nothing", name(cut.nothing())}};
    json strip = json::array(), reduced = json::array();
    for (const Strip &s : cut.strip()) {
        strip.push_back({{"index", s.index}, {"path", s.path}, {"what", s.what}});
    }
    for (const Reduced &r : cut.reduced()) {
        reduced.push_back({{"index", r.index}, {"path", r.path}, {"before", r.before}, {"after", r.after}});
    }
    return {{"index", cut.index()}, {"reason", cut.reason()}, {"kept", cut.kept()}, {"dropped", cut.dropped()},
            {"size_before", cut.size_before()}, {"size_after", cut.size_after()}, {"alternation", name(cut.alternation())},
            {"strip", strip}, {"reduced", reduced}, {"messages", texts(test, cut.messages(), cut.text(), history, options)}};
}

// What the operation gives, or its error.
template <typename Run> json answer_of(Run run, const std::string &test, const std::string &payload, const json &given) {
    try {
        return {{"answer", run(test, payload, given)}};
    } catch (const Error &e) {
        return {{"error", parts(e)}};
    }
}

#endif
