// The shared cases of ledgers, memories and grounds. Part of vectors.cpp, behind what all cases need.
#ifndef HAVERSACK_TESTS_LEDGERS_HPP
#define HAVERSACK_TESTS_LEDGERS_HPP

// Fails for a member of a step that its call does not take.
void takes(const std::string &test, const json &step, std::initializer_list<std::string_view> names) {
    for (const auto &[name, v] : step.items()) {
        if (name != "do" && std::find(names.begin(), names.end(), name) == names.end()) wrong(test, "unknown member " + name + " of a step");
    }
}

const std::string &text_in(const json &step, const char *name) { return step.at(name).get_ref<const std::string &>(); }

// One step after the other: what each answers, or its error.
template <typename Object> json run_steps(const std::string &test, Object &object, const json &given, json (*run)(const std::string &, Object &, const json &)) {
    json answers = json::array();
    for (const json &step : given.value("steps", json::array())) {
        try {
            answers.push_back({{"answer", run(test, object, step)}});
        } catch (const Error &e) {
            answers.push_back({{"error", parts(e)}});
        }
    }
    return answers;
}

// ---- ledgers ----

json parts(const Fact &f) {
    json also = json::array();
    for (const Sighting &seen : f.also) also.push_back({{"source", seen.source}, {"turn", or_null(seen.turn)}, {"verified", seen.verified}});
    return {{"key", f.key}, {"value", f.value}, {"kind", name(f.kind)}, {"source", f.source}, {"turn", or_null(f.turn)},
            {"verified", f.verified}, {"superseded", f.superseded}, {"also", also}};
}

json parts(const std::vector<Fact> &facts) {
    json all = json::array();
    for (const Fact &f : facts) all.push_back(parts(f));
    return all;
}

FactOptions fact_options_of(const json &step) {
    FactOptions options;
    options.source = step.value("source", "");
    options.turn = given_or_none<std::uint64_t>(step, "turn");
    options.verified = step.value("verified", false);
    if (step.contains("kind")) {
        options.kind = one_of<FactKind>(step["kind"], {{"constraint", FactKind::constraint}, {"decision", FactKind::decision}, {"task", FactKind::task},
                                                       {"identifier", FactKind::identifier}, {"fact", FactKind::fact}});
    }
    return options;
}

json put_step(const std::string &test, Ledger &led, const json &step, bool many) {
    takes(test, step, {"key", "text", "json", "kind", "source", "turn", "verified"});
    const std::string &key = text_in(step, "key");
    const FactOptions options = fact_options_of(step);
    if (step.contains("json")) {
        const std::string &value = text_in(step, "json");
        return name(many ? led.append_json(key, value, options) : led.record_json(key, value, options));
    }
    const std::string &value = text_in(step, "text");
    return name(many ? led.append(key, value, options) : led.record(key, value, options));
}

json extract_step(const std::string &test, Ledger &led, const json &step) {
    takes(test, step, {"result", "fields", "kind", "source", "turn", "verified"});
    std::vector<Field> fields;
    for (const json &pair : step.at("fields")) {
        fields.push_back({pair.at(0).get_ref<const std::string &>(), pair.at(1).get_ref<const std::string &>()});
    }
    const Extracted done = led.extract(text_in(step, "result"), fields, fact_options_of(step));
    return {{"keys", done.keys}, {"text", done.text}, {"account", parts(done.account)}};
}

json run_ledger_step(const std::string &test, Ledger &led, const json &step) {
    const std::string what = step.at("do");
    if (what == "record" || what == "append") return put_step(test, led, step, what == "append");
    if (what == "extract") return extract_step(test, led, step);
    if (what == "get") {
        const auto fact = led.get(text_in(step, "key"));
        return fact ? parts(*fact) : json(nullptr);
    }
    if (what == "values") return parts(led.values(text_in(step, "key")));
    if (what == "history") return parts(led.history(text_in(step, "key")));
    if (what == "facts") return parts(led.facts());
    if (what == "render") {
        takes(test, step, {"bytes", "chars", "utf16", "tokens", "counter"});
        const Rendered text = led.render(budget_in(step));
        if (text.complete != (text.account.records.kept == text.account.records.total)) wrong(test, "complete, or not, against its books");
        return parts(text);
    }
    if (what == "news") {
        takes(test, step, {"bytes", "chars", "utf16", "tokens", "counter"});
        const auto news = led.news(budget_in(step));
        return news ? parts(*news) : json(nullptr);
    }
    if (what == "costs") {
        takes(test, step, {"previous", "behind", "counter"});
        const PlacementCosts costs = led.placement_costs(text_in(step, "previous"), step.at("behind"), counter_of(step));
        return {{"low", costs.low}, {"system", costs.system}};
    }
    if (what == "size") return {{"facts", led.size()}, {"bytes", led.bytes()}, {"merged", led.merged()}};
    if (what == "state") return as_written(test, json::parse(led.json()), Ledger::from_json(led.json()).json());
    if (what == "fold") led.fold();
    else if (what == "reload") led = Ledger::from_json(led.json());
    else if (what == "load") led = Ledger::from_json(text_in(step, "state"));
    else wrong(test, "unknown step " + what);
    return nullptr;
}

json run_ledger(const std::string &test, const std::string &, const json &given) {
    cover(test, "ledger", given, {"steps"});
    Ledger led;
    return run_steps(test, led, given, run_ledger_step);
}

// ---- memories ----

json parts(const MemoryItem &item) {
    json also = json::array();
    for (const Said &said : item.also) {
        also.push_back({{"source", said.source}, {"importance", said.importance}, {"at", said.at}, {"timing", name(said.timing)}});
    }
    return {{"id", item.id}, {"text", item.text}, {"source", item.source}, {"importance", item.importance}, {"at", item.at},
            {"timing", name(item.timing)}, {"also", also}};
}

Added add_step(const std::string &test, Memory &mem, const json &step) {
    takes(test, step, {"text", "source", "importance", "at", "timing"});
    RememberOptions options;
    options.source = step.value("source", "");
    options.importance = step.value("importance", 3U);
    options.at = step.value("at", std::uint64_t(0));
    if (step.contains("timing")) {
        options.timing = one_of<Timing>(step["timing"], {{"at_once", Timing::at_once}, {"end_of_conversation", Timing::end_of_conversation}, {"background", Timing::background}});
    }
    return mem.add(text_in(step, "text"), options);
}

json run_memory_step(const std::string &test, Memory &mem, const json &step) {
    const std::string what = step.at("do");
    if (what == "add") {
        const Added done = add_step(test, mem, step);
        return {{"outcome", name(done.outcome)}, {"id", or_null(done.id)}, {"evicted", done.evicted ? parts(*done.evicted) : json(nullptr)}, {"over", done.over}};
    }
    if (what == "slice") {
        takes(test, step, {"now", "bytes", "chars", "utf16", "tokens", "counter"});
        return parts(mem.slice(step.at("now"), budget_in(step)));
    }
    if (what == "search") {
        json all = json::array();
        for (const Hit &hit : mem.search(text_in(step, "query"))) {
            all.push_back(parts(hit.item));
            all.back()["score"] = hit.score;
        }
        return all;
    }
    if (what == "forget") return mem.forget(text_in(step, "source"));
    if (what == "get") {
        const auto item = mem.get(step.at("id").get<std::uint64_t>());
        return item ? parts(*item) : json(nullptr);
    }
    if (what == "items") {
        json all = json::array();
        for (const MemoryItem &item : mem.items()) all.push_back(parts(item));
        if (all.size() != mem.size()) wrong(test, "another number of memories");
        return all;
    }
    if (what == "counts") {
        const MemoryCounts c = mem.counts();
        return {{"offered", c.offered}, {"held", c.held}, {"merged", c.merged}, {"declined", c.declined}, {"refused", c.refused},
                {"evicted", c.evicted}, {"forgotten", c.forgotten}};
    }
    if (what == "flush") {
        const auto file = mem.flush(text_in(step, "date"));
        return file ? json{{"name", file->name}, {"text", file->text}, {"account", parts(file->account)}} : json(nullptr);
    }
    if (what == "flush_request") {
        const FlushRequest request = flush_request(text_in(step, "date"));
        return {{"name", request.name}, {"text", request.text}, {"silent", request.silent}};
    }
    if (what == "is_silent_reply") return is_silent_reply(text_in(step, "reply"));
    if (what == "state") return as_written(test, json::parse(mem.json()), Memory::from_json(mem.json()).json());
    if (what == "decline") mem.decline();
    else if (what == "merge") {
        Memory other;
        for (const json &item : step.at("items")) add_step(test, other, item);
        mem = mem.merge(other);
    } else if (what == "reload") mem = Memory::from_json(mem.json());
    else if (what == "load") mem = Memory::from_json(text_in(step, "state"));
    else wrong(test, "unknown step " + what);
    return nullptr;
}

json run_memory(const std::string &test, const std::string &, const json &given) {
    cover(test, "memory", given, {"steps", "cap", "on_full"});
    Memory mem = given.contains("cap") ? Memory(given["cap"].get<std::size_t>(), one_of<OnFull>(given.at("on_full"), {{"reject", OnFull::reject}, {"evict", OnFull::evict}, {"report", OnFull::report}}))
                                       : Memory();
    return run_steps(test, mem, given, run_memory_step);
}

// ---- grounds ----

json run_grounds(const std::string &test, const std::string &, const json &given) {
    cover(test, "grounds", given, {"action", "facts", "memories", "use", "search"});
    Ledger led;
    Memory mem;
    for (const json &fact : given.value("facts", json::array())) put_step(test, led, fact, false);
    for (const json &item : given.value("memories", json::array())) add_step(test, mem, item);
    std::vector<Evidence> evidence;
    for (const std::string key : given.value("use", json::array())) {
        for (const Fact &fact : led.history(key)) evidence.emplace_back(fact);
    }
    for (const std::string query : given.value("search", json::array())) {
        for (const Hit &hit : mem.search(query)) evidence.emplace_back(hit);
    }
    const Grounds answer = grounds(text_in(given, "action"), evidence);
    if (answer.ok() != (name(answer.answer) == "ok")) wrong(test, "ok, or not, against the answer");
    return {{"answer", name(answer.answer)}, {"reason", name(answer.reason)}, {"text", answer.text}};
}

const std::map<std::string, json (*)(const std::string &, const std::string &, const json &)> ledger_runs = {
    {"ledger", run_ledger}, {"memory", run_memory}, {"grounds", run_grounds},
};

#endif
