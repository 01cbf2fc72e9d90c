// The shared cases of prompts and caches. Part of vectors.cpp, behind what all cases need.
#ifndef HAVERSACK_TESTS_PROMPTS_HPP
#define HAVERSACK_TESTS_PROMPTS_HPP

// Covers the options of a case; one that is not among the names fails it.
void cover(const std::string &test, const std::string &op, const json &given, std::initializer_list<const char *> names) {
    for (const auto &[name, v] : given.items()) {
        covered[op + "." + name]++;
        if (std::find(names.begin(), names.end(), name) == names.end()) wrong(test, "unknown option " + name);
    }
}

WireFormat format_of(const json &given) {
    HistoryOptions options;
    if (given.contains("format")) set_reading(options, "format", given["format"]);
    return options.format;
}

Counter counter_of(const json &given) {
    const std::string counter = given.at("counter");
    return counter == "words" ? Counter(count_words) : Counter(counter);
}

template <typename T> std::optional<T> given_or_none(const json &given, const char *name) {
    return given.contains(name) && !given[name].is_null() ? std::optional<T>(given[name].get<T>()) : std::nullopt;
}

// ---- prompts ----

// A request, or a list of pieces.
Prompt prompt_of(const json &given) {
    if (given.is_object()) return Prompt::from_request(given.at("body").get_ref<const std::string &>(), format_of(given));
    Prompt prompt;
    for (const json &row : given) {
        PieceOptions options;
        if (row.contains("layer")) options.layer = one_of<Layer>(row["layer"], {{"static", Layer::fixed}, {"rare", Layer::rare}, {"session", Layer::session}, {"turn", Layer::turn}});
        if (row.contains("kind")) options.kind = one_of<PieceKind>(row["kind"], {{"instructions", PieceKind::instructions}, {"tool", PieceKind::tool}, {"facts", PieceKind::facts}, {"conversation", PieceKind::conversation}, {"notes", PieceKind::notes}, {"setting", PieceKind::setting}});
        options.budget = given_or_none<std::size_t>(row, "budget");
        options.owner = given_or_none<std::string>(row, "owner");
        const std::string name = row.at("name");
        if (row.contains("tool")) prompt.add_tool(name, row["tool"].get_ref<const std::string &>(), options);
        else prompt.add(name, row.at("text").get_ref<const std::string &>(), options);
    }
    return prompt;
}

std::optional<Limits> limits_in(const json &given) {
    return given.contains("limits") ? std::optional<Limits>(limits_of(given["limits"])) : std::nullopt;
}

json run_canonical(const std::string &test, const std::string &payload, const json &given) {
    cover(test, "canonical", given, {"limits"});
    const CanonicalJson form = canonical_json(payload, limits_in(given));
    json inexact = json::array();
    for (const InexactNumber &n : form.warnings) {
        inexact.push_back({{"offset", n.offset}, {"read", n.read}, {"written", n.written}});
    }
    return {{"text", form.text}, {"same", form.same}, {"inexact", inexact}};
}

json run_pieces(const std::string &test, const std::string &payload, const json &given) {
    cover(test, "pieces", given, {"format", "limits"});
    const Prompt prompt = Prompt::from_request(payload, format_of(given), limits_in(given));
    const auto marks = prompt.marks();
    json all = json::array();
    for (const Piece &p : prompt.pieces()) {
        json on_it = json::array();
        for (const Mark &m : marks) {
            if (m.piece == all.size()) on_it.push_back({m.at, name(m.kind), m.seconds ? json(*m.seconds) : json(nullptr)});
        }
        all.push_back({{"name", p.name}, {"layer", name(p.layer)}, {"kind", name(p.kind)}, {"text", p.text}, {"marks", on_it}});
        if (!prompt.piece(p.name) || prompt.piece(p.name)->text.data() != p.text.data()) wrong(test, "a piece that is not found");
    }
    if (all.size() != prompt.size()) wrong(test, "another number of pieces");
    return {{"format", name(prompt.format().value())}, {"automatic_mark", prompt.automatic_mark().has_value()}, {"pieces", all}};
}

// The snapshot of a prompt, through JSON where `stored`.
Snapshot taken(const json &given, bool stored, const std::optional<std::string> &key = std::nullopt) {
    SnapshotOptions options;
    options.key = key;
    Snapshot snapshot = prompt_of(given).snapshot(options);
    return stored ? Snapshot::from_json(snapshot.json()) : std::move(snapshot);
}

json run_compare(const std::string &test, const std::string &, const json &given) {
    cover(test, "compare", given, {"previous", "next", "stored"});
    const bool stored = given.value("stored", false);
    std::optional<Snapshot> previous;
    if (!given.at("previous").is_null()) previous = taken(given["previous"], stored);
    const Snapshot next = taken(given.at("next"), stored);
    const Comparison c = previous ? compare(*previous, next) : compare(std::nullopt, next);
    json changes = json::array();
    for (const PieceChange &change : c.changes()) {
        changes.push_back({{"verdict", name(change.verdict)}, {"piece", change.piece}, {"was", or_null(change.was)}, {"index", change.index},
                           {"at_byte", or_null(change.at_byte)}, {"at_byte_exact", change.at_byte_exact}, {"cause", name(change.cause)},
                           {"volatile", change.volatile_kind ? json(name(*change.volatile_kind)) : json(nullptr)}});
    }
    if (c.calm() != changes.empty() || c.kept_tokens() || c.lost_tokens()) wrong(test, "calm, or tokens, that are not");
    return {{"verdict", name(c.verdict())}, {"piece", or_null(c.piece())}, {"index", or_null(c.index())},
            {"at_byte", or_null(c.at_byte())}, {"at_byte_exact", c.at_byte_exact()},
            {"cause", c.cause() == Cause::none ? json(nullptr) : json(name(c.cause()))}, {"kept_bytes", c.kept_bytes()},
            {"lost_bytes", c.lost_bytes()}, {"changes", changes}};
}

json run_prefix(const std::string &test, const std::string &, const json &given) {
    cover(test, "prefix", given, {"a", "b"});
    const SharedPrefix p = shared_prefix(prompt_of(given.at("a")), prompt_of(given.at("b")));
    if (p.tokens) wrong(test, "tokens without a counter");
    return {{"bytes", p.bytes}, {"pieces", p.pieces}, {"piece", or_null(p.piece)}};
}

json run_snapshot(const std::string &test, const std::string &, const json &given) {
    cover(test, "snapshot", given, {"prompt", "key"});
    return json::parse(taken(given.at("prompt"), false, given_or_none<std::string>(given, "key")).json());
}

json run_restore(const std::string &test, const std::string &payload, const json &given) {
    cover(test, "restore", given, {});
    return Snapshot::from_json(payload).names();
}

json run_volatile(const std::string &test, const std::string &, const json &given) {
    cover(test, "volatile", given, {"prompt"});
    json all = json::array();
    for (const VolatileValue &v : volatile_values(prompt_of(given.at("prompt")))) {
        all.push_back({{"piece", v.piece}, {"index", v.index}, {"layer", name(v.layer)}, {"kind", name(v.kind)}, {"at_byte", v.at_byte}, {"bytes", v.bytes}});
    }
    return all;
}

json run_render(const std::string &test, const std::string &, const json &given) {
    cover(test, "render", given, {"prompt"});
    const Prompt prompt = prompt_of(given.at("prompt"));
    return {{"text", prompt.render()}, {"tools", prompt.tools()}};
}

json run_report(const std::string &test, const std::string &, const json &given) {
    cover(test, "report", given, {"prompt", "budget"});
    const Report r = prompt_of(given.at("prompt")).report(Budget::bytes(given.value("budget", SIZE_MAX)));
    json pieces = json::array(), layers = json::array(), kinds = json::array(), overran = json::array();
    for (const PieceSize &p : r.pieces) {
        pieces.push_back({p.name, p.size});
        if (p.over > 0) overran.push_back({{"name", p.name}, {"over", p.over}, {"owner", or_null(p.owner)}});
        if (p.over != (p.budget && p.size > *p.budget ? p.size - *p.budget : 0)) wrong(test, "over is not size less budget");
    }
    for (const auto &[layer, size] : r.layers) layers.push_back({name(layer), size});
    for (const auto &[kind, size] : r.kinds) kinds.push_back({name(kind), size});
    if (r.unit != Unit::bytes) wrong(test, "another unit");
    return {{"pieces", pieces}, {"layers", layers}, {"kinds", kinds}, {"total", r.total}, {"budget", or_null(r.budget)}, {"over", r.over},
            {"overran", overran}, {"before_conversation", r.before_conversation}, {"old_results", r.old_results},
            {"resolved_errors", r.resolved_errors}, {"thinking", r.thinking}, {"dead_share", r.dead_share}, {"per_call", or_null(r.per_call)}};
}

json run_blank(const std::string &test, const std::string &, const json &given) {
    cover(test, "blank", given, {"prompt"});
    json names = json::array();
    const Prompt blank = prompt_of(given.at("prompt")).without_conversation();
    for (const Piece &p : blank.pieces()) names.push_back(p.name);
    return names;
}

json run_growth(const std::string &test, const std::string &, const json &given) {
    cover(test, "growth", given, {"first", "per_call", "calls"});
    const Growth g = estimate_growth(given.at("first"), given.at("per_call"), given.at("calls"));
    return {{"largest", g.largest}, {"input", g.input}, {"repeated", g.repeated}};
}

// ---- caches ----

std::optional<std::string> previous_of(const json &given) {
    return given.contains("previous") ? std::optional<std::string>(build(given["previous"])) : std::nullopt;
}

json run_predict(const std::string &test, const std::string &payload, const json &given) {
    cover(test, "predict", given, {"previous", "counter", "rules", "elapsed", "ttl", "format", "limits"});
    PredictOptions options;
    options.rules = given_or_none<std::string>(given, "rules");
    options.elapsed = given.value("elapsed", std::uint64_t(0));
    options.ttl = given_or_none<std::uint64_t>(given, "ttl");
    options.format = format_of(given);
    options.limits = limits_in(given);
    const auto previous = previous_of(given);
    const Prediction p = predict(previous, payload, counter_of(given), options);
    return {{"cached", p.cached}, {"cached_min", p.cached_min}, {"cached_max", p.cached_max}, {"written", p.written}, {"fresh", p.fresh},
            {"total", p.total}, {"billed", p.billed}, {"reason", name(p.reason)}, {"rules", p.rules}};
}

json run_cache_marks(const std::string &test, const std::string &payload, const json &given) {
    cover(test, "cache_marks", given, {"previous", "rules", "most", "life", "head_life", "changing", "format", "limits"});
    MarkOptions options;
    options.rules = given_or_none<std::string>(given, "rules");
    options.most = given_or_none<std::size_t>(given, "most");
    options.life = given_or_none<std::string>(given, "life");
    options.head_life = given_or_none<std::string>(given, "head_life");
    options.changing = given.value("changing", std::size_t(0));
    options.format = format_of(given);
    options.limits = limits_in(given);
    const auto previous = previous_of(given);
    const CacheMarks plan = cache_marks(payload, previous, options);
    if (cache_marks(plan.text, previous, options).text != plan.text) wrong(test, "doing it again gives another text");
    json marks = json::array(), unplaced = json::array();
    for (const CacheMark &m : plan.marks) {
        marks.push_back({{"reason", name(m.reason)}, {"pointer", m.pointer}, {"message", or_null(m.message)}, {"block", m.block}, {"life", or_null(m.life)}});
    }
    for (const MarkReason reason : plan.unplaced) unplaced.push_back(name(reason));
    return {{"marks", marks}, {"unplaced", unplaced}, {"text", plan.text}, {"rules", plan.rules}};
}

// ---- frozen sections ----

json parts(const Note &n) { return {{"section", n.section}, {"version", n.version}, {"text", n.text}}; }

json run_frozen_step(const std::string &test, Frozen &frozen, const json &step) {
    const std::string what = step.at("do"), name = step.value("name", "");
    if (what == "update") {
        const auto text = given_or_none<std::string>(step, "text");
        const auto note = frozen.update(name, text);
        return note ? parts(*note) : json(nullptr);
    }
    if (what == "text") return frozen.text(name);
    if (what == "current") return frozen.current(name);
    if (what == "fold") return frozen.fold();
    if (what == "state") return json::parse(frozen.json());
    if (what == "reload") frozen = Frozen::from_json(frozen.json());
    else if (what == "load") frozen = Frozen::from_json(step.at("state").get_ref<const std::string &>());
    else if (what == "notes") {
        json notes = json::array();
        for (const Note &note : frozen.notes()) notes.push_back(parts(note));
        return notes;
    } else if (what == "cost") {
        const NoteCost c = frozen.cost(counter_of(step));
        return {{"notes", c.notes}, {"superseded", c.superseded}, {"tokens", c.tokens}, {"superseded_tokens", c.superseded_tokens}, {"stale_tokens", c.stale_tokens}};
    } else wrong(test, "unknown step " + what);
    return nullptr;
}

json run_frozen(const std::string &test, const std::string &, const json &given) {
    cover(test, "frozen", given, {"sections", "steps"});
    std::vector<Section> sections;
    for (const json &pair : given.at("sections")) {
        sections.push_back({pair.at(0).get_ref<const std::string &>(), pair.at(1).get_ref<const std::string &>()});
    }
    Frozen frozen = Frozen::of(sections);
    json answers = json::array();
    for (const json &step : given.value("steps", json::array())) {
        try {
            answers.push_back({{"answer", run_frozen_step(test, frozen, step)}});
        } catch (const Error &e) {
            answers.push_back({{"error", parts(e)}});
        }
    }
    return answers;
}

const std::map<std::string, json (*)(const std::string &, const std::string &, const json &)> prompt_runs = {
    {"canonical", run_canonical}, {"pieces", run_pieces},   {"compare", run_compare},         {"prefix", run_prefix}, {"snapshot", run_snapshot},
    {"restore", run_restore},     {"volatile", run_volatile}, {"render", run_render}, {"report", run_report}, {"predict", run_predict}, {"cache_marks", run_cache_marks}, {"frozen", run_frozen},
    {"blank", run_blank}, {"growth", run_growth},
};

#endif
