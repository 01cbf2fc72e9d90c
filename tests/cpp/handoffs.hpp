// The shared cases of handoffs, fleets, sessions, tallies, transcripts and tiers. Part of vectors.cpp, behind what all
// cases need.
#ifndef HAVERSACK_TESTS_HANDOFFS_HPP
#define HAVERSACK_TESTS_HANDOFFS_HPP

// ---- handoffs ----

Handoff handoff_of(const std::optional<std::string> &text, const json &given) {
    const auto status = given_or_none<std::string>(given, "status"), stop = given_or_none<std::string>(given, "stop_reason");
    return Handoff::parse(text, status, stop);
}

json parts(const Handoff &h) {
    json findings = json::array();
    for (const Finding &f : h.findings()) findings.push_back({{"text", f.text}, {"sources", f.sources}});
    return {{"kind", name(h.kind())}, {"findings", findings}, {"looked", h.looked()}, {"reason", or_null(h.reason())},
            {"problem", h.problem() == HandoffProblem::none ? json(nullptr) : json(name(h.problem()))}, {"offset", or_null(h.offset())},
            {"index", or_null(h.index())}, {"text", h.text()}};
}

json run_handoff(const std::string &test, const std::string &payload, const json &given) {
    cover(test, "handoff", given, {"nothing", "status", "stop_reason", "resolves", "bytes", "chars", "utf16", "tokens", "counter"});
    const Handoff h = handoff_of(given.value("nothing", false) ? std::nullopt : std::optional<std::string>(payload), given);
    json answer = {{"handoff", as_written(test, parts(h), h.json())}, {"is_answer", h.is_answer()}};
    try {
        answer["rendered"] = {{"answer", parts(h.render(budget_in(given)))}};
    } catch (const Error &e) {
        answer["rendered"] = {{"error", parts(e)}};
    }
    if (given.contains("resolves")) {
        const std::vector<std::string> known = given["resolves"];
        const auto leads = [&](std::string_view source) { return std::find(known.begin(), known.end(), source) != known.end(); };
        json open = json::array();
        for (const UnresolvedSource &one : h.unresolved(nullptr, nullptr, leads)) open.push_back({{"finding", one.finding}, {"source", one.source}});
        answer["unresolved"] = open;
    }
    return answer;
}

json run_fleet(const std::string &test, const std::string &, const json &given) {
    cover(test, "fleet", given, {"workers"});
    Fleet fleet;
    for (const json &worker : given.at("workers")) {
        const Handoff h = handoff_of(given_or_none<std::string>(worker, "text"), worker);
        for (std::size_t n = worker.value("times", std::size_t(1)); n > 0; n--) fleet.add(h);
    }
    json counts = {{"total", fleet.total()}};
    for (auto kind = HandoffKind::findings; !name(kind).empty(); kind = static_cast<HandoffKind>(static_cast<std::uint32_t>(kind) + 1)) {
        counts[std::string(name(kind))] = fleet.count(kind);
    }
    return {{"counts", as_written(test, counts, fleet.json())}, {"account", parts(fleet.account())}, {"table", fleet.table()}};
}

json run_session(const std::string &test, const std::string &, const json &given) {
    cover(test, "session", given, {"date", "goal", "done", "next", "features", "ledger", "features_json"});
    json all = json::array();
    if (given.contains("features_json")) {
        for (const Feature &f : read_features(given["features_json"].get_ref<const std::string &>())) all.push_back({{"name", f.name}, {"passes", f.passes}});
        return all;
    }
    SessionOptions options;
    options.done = given.value("done", std::vector<std::string>());
    options.next = given.value("next", std::vector<std::string>());
    for (const json &f : given.value("features", json::array())) options.features.push_back({f.at("name"), f.at("passes")});
    const Ledger ledger = given.contains("ledger") ? Ledger::from_json(given["ledger"].get_ref<const std::string &>()) : Ledger();
    const std::string date = given.at("date"), goal = given.at("goal");
    for (const SessionFile &f : session_files(date, goal, ledger, options)) all.push_back({{"name", f.name}, {"text", f.text}});
    return all;
}

// ---- tallies ----

// The boundary of that name; one that is none where there is none.
Boundary boundary_of(const std::string &wanted) {
    auto boundary = Boundary::delivery;
    while (!name(boundary).empty() && name(boundary) != wanted) boundary = static_cast<Boundary>(static_cast<std::uint32_t>(boundary) + 1);
    return boundary;
}

json run_tally_step(const std::string &test, Tally &tally, const json &step) {
    const std::string what = step.at("do");
    if (what == "table") return tally.table();
    if (what == "svg") return tally.svg();
    if (what == "state") return json::parse(tally.json());
    if (what == "reload") tally = Tally::from_json(tally.json());
    else if (what == "load") tally = Tally::from_json(step.at("state").get_ref<const std::string &>());
    else if (what == "add") tally.add(boundary_of(step.at("boundary")), account_of(step), step.value("recoverable", false));
    else if (what == "seen") tally.seen(step.at("key").get_ref<const std::string &>(), step.at("arrived"));
    else if (what == "survival") {
        json all = json::array();
        for (const Survival &s : tally.survival()) {
            all.push_back({{"key", s.key}, {"calls", s.calls}, {"arrived", s.arrived}, {"per_10_000", s.per_10_000}, {"rare", s.rare}});
        }
        return all;
    } else if (what == "sums") {
        const Boundary boundary = boundary_of(step.at("boundary"));
        const auto s = tally.sums(boundary);
        const auto listed = tally.boundaries();
        if (s.has_value() != (std::find(listed.begin(), listed.end(), boundary) != listed.end())) wrong(test, "sums of a boundary that is not listed");
        if (!s) return nullptr;
        return {{"sums", {{"calls", s->calls}, {"records", to_json(s->records)}, {"bytes", to_json(s->bytes)}, {"recoverable", s->recoverable}, {"recoverable_bytes", s->recoverable_bytes}}},
                {"lost", s->lost}};
    } else wrong(test, "unknown step " + what);
    return nullptr;
}

json run_tally(const std::string &test, const std::string &, const json &given) {
    cover(test, "tally", given, {"steps"});
    Tally tally;
    return run_steps(test, tally, given, run_tally_step);
}

// ---- transcripts ----

json parts(const std::vector<Message> &messages) {
    json all = json::array();
    for (const Message &m : messages) all.push_back({{"number", m.number}, {"text", m.text}});
    return all;
}

json parts(const std::vector<Damage> &damage) {
    json all = json::array();
    for (const Damage &d : damage) all.push_back({{"number", d.number}, {"kind", name(d.kind)}, {"offset", d.offset}, {"bytes", d.bytes}});
    return all;
}

json parts(const std::vector<Reference> &references) {
    json all = json::array();
    for (const Reference &r : references) {
        all.push_back({{"from", r.first}, {"to", r.last}, {"at", r.at}, {"length", r.length}, {"quote", or_null(r.quote)}, {"exists", r.exists}, {"holds", or_null(r.holds)}});
    }
    return all;
}

// A file is read by its index alone: fed in pieces, the range looked up as a reference, then its bytes.
json read_file(const json &step) {
    const std::string file = build(step.at("input"));
    const std::size_t piece = std::max<std::size_t>(step.at("piece").get<std::size_t>(), 1);
    TranscriptIndex index;
    for (std::size_t at = 0; at < file.size(); at += piece) index.feed(std::string_view(file).substr(at, piece));
    const MessageRange named =
        index.resolve("messages " + std::to_string(step.at("first").get<std::uint64_t>()) + "-" + std::to_string(step.at("last").get<std::uint64_t>()));
    const ByteRange bytes = index.range(named.first, named.last);
    const Lines lines = read_lines(std::string_view(file).substr(bytes.start, bytes.end - bytes.start), step.at("first"));
    return {{"last", index.last()}, {"from", bytes.start}, {"to", bytes.end}, {"messages", parts(lines.messages)}, {"damage", parts(lines.damage)}};
}

json run_transcript_step(const std::string &test, Transcript &t, const json &step) {
    const std::string what = step.at("do"), text = step.value("text", "");
    const std::uint64_t first = step.value("first", std::uint64_t(0)), last = step.value("last", std::uint64_t(0));
    if (what == "append") return t.append(step.at("message").get_ref<const std::string &>());
    if (what == "read") return parts(t.read(first, last));
    if (what == "array") return t.array(first, last);
    if (what == "check") return parts(t.check(text));
    if (what == "references") return parts(Transcript::references(text));
    if (what == "last") return t.last();
    if (what == "damage") return parts(t.damage());
    if (what == "jsonl") return t.jsonl();
    if (what == "file") return read_file(step);
    if (what == "state") return json::parse(t.json());
    if (what == "reload") t = Transcript::from_json(t.json());
    else if (what == "load") t = Transcript::from_json(step.at("state").get_ref<const std::string &>());
    else if (what == "from_jsonl") t = Transcript::from_jsonl(text);
    else if (what == "search") {
        json all = json::array();
        for (const TranscriptHit &hit : t.search(step.at("needle").get_ref<const std::string &>())) all.push_back({{"number", hit.number}, {"count", hit.count}});
        return all;
    } else if (what == "resolve") {
        const MessageRange range = t.resolve(step.at("reference").get_ref<const std::string &>());
        return {range.first, range.last};
    } else wrong(test, "unknown step " + what);
    return nullptr;
}

json run_transcript(const std::string &test, const std::string &, const json &given) {
    cover(test, "transcript", given, {"steps"});
    Transcript transcript;
    return run_steps(test, transcript, given, run_transcript_step);
}

// ---- tiers ----

// A ledger of these facts.
Ledger ledger_of_facts(const json &facts) {
    Ledger ledger;
    for (const json &fact : facts) {
        FactOptions options;
        options.source = fact.at("source").get<std::string>();
        ledger.record(fact.at("key").get_ref<const std::string &>(), fact.at("text").get_ref<const std::string &>(), options);
    }
    return ledger;
}

json parts(const Tiers &t) {
    return {{"invariant", t.invariant()}, {"ledger", parts(t.ledger())}, {"working", t.working()}, {"kept", t.kept()}, {"account", parts(t.account())}};
}

json run_tiers(const std::string &test, const std::string &payload, const json &given) {
    cover(test, "tiers", given, {"invariant", "facts", "raw_steps", "pinned", "format", "bytes", "chars", "utf16", "tokens", "counter"});
    HistoryOptions reading;
    reading.format = format_of(given);
    const History history(payload, reading);
    TierOptions options;
    options.raw_steps = given_or_none<std::size_t>(given, "raw_steps");
    options.pinned = given.value("pinned", std::vector<std::size_t>());
    options.ledger = budget_in(given);
    const std::string invariant = given.at("invariant");
    const Tiers t = tiers(invariant, ledger_of_facts(given.value("facts", json::array())), history, options);
    return as_written(test, parts(t), t.json());
}

const std::map<std::string, json (*)(const std::string &, const std::string &, const json &)> handoff_runs = {
    {"handoff", run_handoff}, {"fleet", run_fleet}, {"session", run_session}, {"tally", run_tally}, {"transcript", run_transcript}, {"tiers", run_tiers},
};

#endif
