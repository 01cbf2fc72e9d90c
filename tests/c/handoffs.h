/* The shared cases of handoffs, fleets, sessions, tallies, transcripts and tiers. Part of vectors.c, behind what all
 * cases need. */
#ifndef HAVERSACK_TESTS_HANDOFFS_H
#define HAVERSACK_TESTS_HANDOFFS_H

/* ---- handoffs ---- */

static haversack_handoff *handoff_of(haversack_str text, const json_t *given) {
    haversack_handoff *handoff = NULL;
    const haversack_str status = view(json_object_get(given, "status")), stop_reason = view(json_object_get(given, "stop_reason"));
    CHECK(haversack_handoff_parse(text, status, stop_reason, &handoff, NULL) == HAVERSACK_OK);
    return handoff;
}

static json_t *handoff_json(const haversack_handoff *h) {
    json_t *findings = json_array();
    haversack_finding finding;
    for (size_t i = 0; haversack_handoff_finding(h, i, &finding); i++) {
        haversack_str *sources = calloc(finding.source_count + 1, sizeof *sources);
        CHECK(sources != NULL && haversack_handoff_sources(h, i, sources, finding.source_count) == finding.source_count);
        json_array_append_new(findings, json_pack("{so so}", "text", text_json(finding.text), "sources", names_json(sources, finding.source_count)));
        free(sources);
    }
    compare_size("number of findings", haversack_handoff_finding_count(h), json_array_size(findings));
    const size_t count = haversack_handoff_looked(h, NULL, 0);
    haversack_str *places = calloc(count + 1, sizeof *places);
    CHECK(places != NULL && haversack_handoff_looked(h, places, count) == count);
    size_t offset = 0, index = 0;
    const bool has_offset = haversack_handoff_offset(h, &offset), has_index = haversack_handoff_index(h, &index);
    json_t *got = json_pack("{so so so so so so so so}", "kind", text_json(haversack_handoff_kind_name(haversack_handoff_kind_of(h))), "findings",
                            findings, "looked", names_json(places, count), "reason", text_json(haversack_handoff_reason(h)), "problem",
                            text_json(haversack_handoff_problem_name(haversack_handoff_problem_of(h))), "offset", or_null(has_offset, offset),
                            "index", or_null(has_index, index), "text", text_json(haversack_handoff_text(h)));
    free(places);
    haversack_string json;
    CHECK(haversack_handoff_json(h, &json, NULL) == HAVERSACK_OK);
    return as_written("a handoff", got, json);
}

static json_t *unresolved_json(const haversack_handoff *h, const json_t *resolves) {
    haversack_unresolved_sources *all = NULL;
    CHECK(haversack_handoff_unresolved(h, NULL, NULL, &all, NULL) == HAVERSACK_OK);
    json_t *open = json_array();
    haversack_unresolved_source one;
    size_t count = 0;
    for (; haversack_unresolved_sources_get(all, count, &one); count++) {
        bool leads = false;
        for (size_t i = 0; i < json_array_size(resolves); i++) {
            leads |= same(one.source, view(json_array_get(resolves, i)));
        }
        if (!leads) json_array_append_new(open, json_pack("{so so}", "finding", size_json(one.finding), "source", text_json(one.source)));
    }
    compare_size("number of sources", haversack_unresolved_sources_count(all), count);
    haversack_unresolved_sources_free(all);
    return open;
}

static void run_handoff(haversack_str payload, const json_t *given, const json_t *expected) {
    COVER("handoff", given, "nothing", "status", "stop_reason", "resolves", "bytes", "chars", "utf16", "tokens", "counter");
    const haversack_str returned = {payload.ptr ? payload.ptr : "", payload.len}, nothing = {NULL, 0};
    haversack_handoff *h = handoff_of(json_is_true(json_object_get(given, "nothing")) ? nothing : returned, given);
    haversack_budget room;
    haversack_rendered *rendered = NULL;
    haversack_error *error = NULL;
    haversack_handoff_render(h, budget_in(given, &room), &rendered, &error);
    json_t *answer = json_pack("{so sb so}", "handoff", handoff_json(h), "is_answer", haversack_handoff_is_answer(h), "rendered",
                               answer_or(rendered ? rendered_json(rendered) : NULL, error));
    const json_t *resolves = json_object_get(given, "resolves");
    if (resolves != NULL) json_object_set_new(answer, "unresolved", unresolved_json(h, resolves));
    compare_whole(answer_of(answer), expected);
    haversack_handoff_free(h);
}

static void run_fleet(haversack_str payload, const json_t *given, const json_t *expected) {
    (void)payload;
    COVER("fleet", given, "workers");
    const json_t *workers = json_object_get(given, "workers");
    haversack_fleet *fleet = haversack_fleet_new();
    for (size_t i = 0; i < json_array_size(workers); i++) {
        const json_t *worker = json_array_get(workers, i), *times = json_object_get(worker, "times");
        haversack_handoff *h = handoff_of(view(json_object_get(worker, "text")), worker);
        for (json_int_t n = times ? json_integer_value(times) : 1; n > 0; n--) {
            CHECK(haversack_fleet_add(fleet, h, NULL) == HAVERSACK_OK);
        }
        haversack_handoff_free(h);
    }
    json_t *counts = json_pack("{so}", "total", size_json((size_t)haversack_fleet_total(fleet)));
    haversack_str name;
    for (uint32_t kind = 1; (name = haversack_handoff_kind_name(kind)).ptr; kind++) {
        json_object_setn_new(counts, name.ptr, name.len, size_json((size_t)haversack_fleet_count(fleet, kind)));
    }
    haversack_string table, json;
    CHECK(haversack_fleet_table(fleet, &table, NULL) == HAVERSACK_OK && haversack_fleet_json(fleet, &json, NULL) == HAVERSACK_OK);
    compare_whole(answer_of(json_pack("{so so so}", "counts", as_written("a fleet", counts, json), "account",
                                      account_json(haversack_fleet_account(fleet)), "table", string_json(table))), expected);
    haversack_fleet_free(fleet);
}

static json_t *features_json(haversack_features *features) {
    json_t *all = json_array();
    haversack_feature one;
    for (size_t i = 0; haversack_features_get(features, i, &one); i++) {
        json_array_append_new(all, json_pack("{so sb}", "name", text_json(one.name), "passes", (int)one.passes));
    }
    compare_size("number of features", haversack_features_count(features), json_array_size(all));
    haversack_features_free(features);
    return all;
}

static json_t *files_json(haversack_session *session) {
    json_t *all = json_array();
    haversack_session_file file;
    for (size_t i = 0; haversack_session_get(session, i, &file); i++) {
        json_array_append_new(all, json_pack("{so so}", "name", text_json(file.name), "text", text_json(file.text)));
    }
    compare_size("number of files", haversack_session_count(session), json_array_size(all));
    haversack_session_free(session);
    return all;
}

static void run_session(haversack_str payload, const json_t *given, const json_t *expected) {
    (void)payload;
    COVER("session", given, "date", "goal", "done", "next", "features", "ledger", "features_json");
    const json_t *text = json_object_get(given, "features_json"), *state = json_object_get(given, "ledger");
    haversack_error *error = NULL;
    if (text != NULL) {
        haversack_features *read = NULL;
        haversack_read_features(view(text), &read, &error);
        compare_whole(answer_or(read ? features_json(read) : NULL, error), expected);
        return;
    }
    const json_t *features = json_object_get(given, "features");
    const size_t count = json_array_size(features);
    haversack_feature *c = calloc(count + 1, sizeof *c);
    CHECK(c != NULL);
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(features, i);
        c[i] = (haversack_feature){.name = view(json_object_get(one, "name")), .passes = json_is_true(json_object_get(one, "passes"))};
    }
    lists owner = {0};
    const haversack_session_options options = {
        .size = sizeof options,
        .done = strings(&owner, json_object_get(given, "done")),
        .next = strings(&owner, json_object_get(given, "next")),
        .features = c,
        .feature_count = count,
    };
    haversack_ledger *ledger = NULL;
    if (state != NULL) CHECK(haversack_ledger_from_json(view(state), &ledger, NULL) == HAVERSACK_OK);
    haversack_session *session = NULL;
    haversack_session_new(view(json_object_get(given, "date")), view(json_object_get(given, "goal")), ledger, &options, &session, &error);
    haversack_ledger_free(ledger);
    free_lists(&owner), free(c);
    compare_whole(answer_or(session ? files_json(session) : NULL, error), expected);
}

/* ---- tallies ---- */

/* The boundary of that name; one that is none where there is none. */
static uint32_t boundary_of(const json_t *name) {
    uint32_t boundary = 1;
    while (haversack_boundary_name(boundary).ptr && !same(haversack_boundary_name(boundary), view(name))) boundary++;
    return boundary;
}

static json_t *sums_json(const haversack_sums *s) {
    json_t *sums = json_pack("{so so so so so}", "calls", size_json((size_t)s->calls), "records", counts_json(s->records), "bytes",
                             counts_json(s->bytes), "recoverable", size_json((size_t)s->recoverable), "recoverable_bytes",
                             size_json((size_t)s->recoverable_bytes));
    return json_pack("{so so}", "sums", sums, "lost", size_json((size_t)s->lost));
}

static json_t *survival_json(const haversack_tally *tally) {
    haversack_survivals *survivals = NULL;
    CHECK(haversack_tally_survival(tally, &survivals, NULL) == HAVERSACK_OK);
    json_t *all = json_array();
    haversack_survival one;
    for (size_t i = 0; haversack_survivals_get(survivals, i, &one); i++) {
        json_array_append_new(all, json_pack("{so so so so sb}", "key", text_json(one.key), "calls", size_json((size_t)one.calls), "arrived",
                                             size_json((size_t)one.arrived), "per_10_000", size_json(one.per_10_000), "rare", (int)one.rare));
    }
    compare_size("number of keys", haversack_survivals_count(survivals), json_array_size(all));
    haversack_survivals_free(survivals);
    return all;
}

static json_t *run_tally_step(haversack_tally **tally, const json_t *step) {
    const char *what = json_string_value(json_object_get(step, "do"));
    haversack_error *error = NULL;
    haversack_string text;
    json_t *answer = NULL;
    if (strcmp(what, "add") == 0) {
        const haversack_account account = account_of(step);
        const bool recoverable = json_is_true(json_object_get(step, "recoverable"));
        if (haversack_tally_add(*tally, boundary_of(json_object_get(step, "boundary")), account, recoverable, &error) == HAVERSACK_OK) answer = json_null();
    } else if (strcmp(what, "seen") == 0) {
        const bool arrived = json_is_true(json_object_get(step, "arrived"));
        if (haversack_tally_seen(*tally, view(json_object_get(step, "key")), arrived, &error) == HAVERSACK_OK) answer = json_null();
    } else if (strcmp(what, "sums") == 0) {
        haversack_sums sums;
        uint32_t listed[16];
        const uint32_t boundary = boundary_of(json_object_get(step, "boundary"));
        const bool there = haversack_tally_sums(*tally, boundary, &sums);
        bool named = false;
        const size_t count = haversack_tally_boundaries(*tally, listed, 16);
        for (size_t i = 0; i < count; i++) named |= listed[i] == boundary;
        CHECK(count <= 16 && named == there);
        answer = there ? sums_json(&sums) : json_null();
    } else if (strcmp(what, "survival") == 0) {
        answer = survival_json(*tally);
    } else if (strcmp(what, "table") == 0) {
        if (haversack_tally_table(*tally, &text, &error) == HAVERSACK_OK) answer = string_json(text);
    } else if (strcmp(what, "svg") == 0) {
        if (haversack_tally_svg(*tally, &text, &error) == HAVERSACK_OK) answer = string_json(text);
    } else if (strcmp(what, "state") == 0) {
        if (haversack_tally_json(*tally, &text, &error) == HAVERSACK_OK) answer = loaded(text);
    } else if (strcmp(what, "reload") == 0) {
        CHECK(haversack_tally_json(*tally, &text, NULL) == HAVERSACK_OK);
        haversack_tally_free(*tally);
        CHECK(haversack_tally_from_json((haversack_str){text.ptr, text.len}, tally, NULL) == HAVERSACK_OK);
        haversack_string_free(text);
        answer = json_null();
    } else if (strcmp(what, "load") == 0) {
        haversack_tally *other = NULL;
        if (haversack_tally_from_json(view(json_object_get(step, "state")), &other, &error) == HAVERSACK_OK) {
            haversack_tally_free(*tally);
            *tally = other;
            answer = json_null();
        }
    } else FAIL("unknown step %s", what);
    return answer_or(answer, error);
}

static void run_tally(haversack_str payload, const json_t *given, const json_t *expected) {
    (void)payload;
    COVER("tally", given, "steps");
    const json_t *steps = json_object_get(given, "steps");
    haversack_tally *tally = haversack_tally_new();
    json_t *answers = json_array();
    for (size_t i = 0; i < json_array_size(steps); i++) {
        json_array_append_new(answers, run_tally_step(&tally, json_array_get(steps, i)));
    }
    compare_whole(answer_of(answers), expected);
    haversack_tally_free(tally);
}

/* ---- transcripts ---- */

static uint64_t number_in(const json_t *step, const char *name) {
    return (uint64_t)json_integer_value(json_object_get(step, name));
}

static json_t *numbered_json(const haversack_message *messages, size_t count) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(all, json_pack("{so so}", "number", size_json((size_t)messages[i].number), "text", text_json(messages[i].text)));
    }
    return all;
}

static json_t *damage_json(const haversack_damage *damage, size_t count) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        const haversack_damage *d = &damage[i];
        CHECK(d->reserved == 0);
        json_array_append_new(all, json_pack("{so so so so}", "number", size_json((size_t)d->number), "kind",
                                             text_json(haversack_damage_kind_name(d->kind)), "offset", size_json(d->offset), "bytes",
                                             size_json(d->bytes)));
    }
    return all;
}

static json_t *all_damage_json(const haversack_transcript *t) {
    const size_t count = haversack_transcript_damage(t, NULL, 0);
    haversack_damage *damage = calloc(count + 1, sizeof *damage);
    CHECK(damage != NULL && haversack_transcript_damage(t, damage, count) == count);
    json_t *all = damage_json(damage, count);
    free(damage);
    return all;
}

static json_t *references_json(haversack_references *references) {
    json_t *all = json_array();
    haversack_reference r;
    for (size_t i = 0; haversack_references_get(references, i, &r); i++) {
        json_array_append_new(all, json_pack("{so so so so so sb so}", "from", size_json((size_t)r.first), "to", size_json((size_t)r.last), "at",
                                             size_json(r.at), "length", size_json(r.length), "quote", text_json(r.quote), "exists", (int)r.exists,
                                             "holds", r.has_holds ? json_boolean(r.holds) : json_null()));
    }
    compare_size("number of references", haversack_references_count(references), json_array_size(all));
    haversack_references_free(references);
    return all;
}

static json_t *hits_json(haversack_transcript_hits *hits) {
    json_t *all = json_array();
    haversack_transcript_hit hit;
    for (size_t i = 0; haversack_transcript_hits_get(hits, i, &hit); i++) {
        json_array_append_new(all, json_pack("{so so}", "number", size_json((size_t)hit.number), "count", size_json((size_t)hit.count)));
    }
    compare_size("number of hits", haversack_transcript_hits_count(hits), json_array_size(all));
    haversack_transcript_hits_free(hits);
    return all;
}

/* The messages of a range: the count alone, then as many as there is room for. */
static json_t *read_json(const haversack_transcript *t, uint64_t first, uint64_t last, haversack_error **error) {
    size_t count = 0, again = 0;
    if (haversack_transcript_read(t, first, last, NULL, 0, &count, error) != HAVERSACK_OK) return NULL;
    CHECK(count <= last - first + 1);
    haversack_message *messages = calloc(count + 1, sizeof *messages);
    CHECK(messages != NULL && haversack_transcript_read(t, first, last, messages, count + 1, &again, NULL) == HAVERSACK_OK);
    CHECK(again == count && messages[count].text.ptr == NULL);
    json_t *all = numbered_json(messages, count);
    free(messages);
    return all;
}

/* A file is read by its index alone: fed in pieces, the range looked up as a reference, then its bytes. */
static json_t *indexed_json(const json_t *step, haversack_error **error) {
    buffer file = {0};
    append_input(&file, json_object_get(step, "input"));
    haversack_transcript_index *index = haversack_transcript_index_new();
    const size_t piece = number_in(step, "piece") ? (size_t)number_in(step, "piece") : 1;
    for (size_t at = 0; at < file.len; at += piece) {
        const size_t len = file.len - at < piece ? file.len - at : piece;
        CHECK(haversack_transcript_index_feed(index, (haversack_str){file.ptr + at, len}, NULL) == HAVERSACK_OK);
    }
    CHECK(haversack_transcript_index_length(index) == file.len);
    const uint64_t first = number_in(step, "first"), last = number_in(step, "last");
    char reference[64];
    const int length = snprintf(reference, sizeof reference, "messages %" PRIu64 "-%" PRIu64, first, last);
    haversack_message_range named;
    haversack_byte_range range;
    json_t *answer = NULL;
    if (haversack_transcript_index_resolve(index, (haversack_str){reference, (size_t)length}, &named, error) == HAVERSACK_OK &&
        haversack_transcript_index_range(index, named.first, named.last, &range, error) == HAVERSACK_OK) {
        const haversack_str bytes = {file.ptr + range.start, (size_t)(range.end - range.start)};
        const size_t room = (size_t)(last - first + 1);
        haversack_message *messages = calloc(room + 1, sizeof *messages);
        haversack_damage *damage = calloc(room + 1, sizeof *damage);
        haversack_line_counts counts;
        CHECK(messages != NULL && damage != NULL);
        CHECK(haversack_read_lines(bytes, first, messages, room, damage, room, &counts, NULL) == HAVERSACK_OK);
        CHECK(counts.messages + counts.damage == room);
        answer = json_pack("{so so so so so}", "last", size_json((size_t)haversack_transcript_index_last(index)), "from", size_json((size_t)range.start),
                           "to", size_json((size_t)range.end), "messages", numbered_json(messages, counts.messages), "damage",
                           damage_json(damage, counts.damage));
        free(messages), free(damage);
    }
    haversack_transcript_index_free(index);
    free(file.ptr);
    return answer;
}

static json_t *run_transcript_step(haversack_transcript **t, const json_t *step) {
    const char *what = json_string_value(json_object_get(step, "do"));
    const haversack_str text = view(json_object_get(step, "text"));
    const uint64_t first = number_in(step, "first"), last = number_in(step, "last");
    haversack_error *error = NULL;
    haversack_string string;
    haversack_references *references = NULL;
    json_t *answer = NULL;
    if (strcmp(what, "append") == 0) {
        uint64_t number;
        if (haversack_transcript_append(*t, view(json_object_get(step, "message")), &number, &error) == HAVERSACK_OK) answer = size_json((size_t)number);
    } else if (strcmp(what, "read") == 0) {
        answer = read_json(*t, first, last, &error);
    } else if (strcmp(what, "array") == 0) {
        if (haversack_transcript_array(*t, first, last, &string, &error) == HAVERSACK_OK) answer = string_json(string);
    } else if (strcmp(what, "search") == 0) {
        haversack_transcript_hits *hits = NULL;
        if (haversack_transcript_search(*t, view(json_object_get(step, "needle")), &hits, &error) == HAVERSACK_OK) answer = hits_json(hits);
    } else if (strcmp(what, "resolve") == 0) {
        haversack_message_range range;
        if (haversack_transcript_resolve(*t, view(json_object_get(step, "reference")), &range, &error) == HAVERSACK_OK) {
            answer = json_pack("[oo]", size_json((size_t)range.first), size_json((size_t)range.last));
        }
    } else if (strcmp(what, "check") == 0) {
        if (haversack_transcript_check(*t, text, &references, &error) == HAVERSACK_OK) answer = references_json(references);
    } else if (strcmp(what, "references") == 0) {
        if (haversack_references_in(text, &references, &error) == HAVERSACK_OK) answer = references_json(references);
    } else if (strcmp(what, "last") == 0) {
        answer = size_json((size_t)haversack_transcript_last(*t));
    } else if (strcmp(what, "damage") == 0) {
        answer = all_damage_json(*t);
    } else if (strcmp(what, "jsonl") == 0) {
        answer = text_json(haversack_transcript_jsonl(*t));
    } else if (strcmp(what, "file") == 0) {
        answer = indexed_json(step, &error);
    } else if (strcmp(what, "state") == 0) {
        if (haversack_transcript_json(*t, &string, &error) == HAVERSACK_OK) answer = loaded(string);
    } else if (strcmp(what, "reload") == 0) {
        CHECK(haversack_transcript_json(*t, &string, NULL) == HAVERSACK_OK);
        haversack_transcript_free(*t);
        CHECK(haversack_transcript_from_json((haversack_str){string.ptr, string.len}, t, NULL) == HAVERSACK_OK);
        haversack_string_free(string);
        answer = json_null();
    } else if (strcmp(what, "load") == 0 || strcmp(what, "from_jsonl") == 0) {
        haversack_transcript *other = NULL;
        const haversack_status status = what[0] == 'l' ? haversack_transcript_from_json(view(json_object_get(step, "state")), &other, &error)
                                                       : haversack_transcript_from_jsonl(text, &other, &error);
        if (status == HAVERSACK_OK) {
            haversack_transcript_free(*t);
            *t = other;
            answer = json_null();
        }
    } else FAIL("unknown step %s", what);
    return answer_or(answer, error);
}

static void run_transcript(haversack_str payload, const json_t *given, const json_t *expected) {
    (void)payload;
    COVER("transcript", given, "steps");
    const json_t *steps = json_object_get(given, "steps");
    haversack_transcript *t = haversack_transcript_new();
    json_t *answers = json_array();
    for (size_t i = 0; i < json_array_size(steps); i++) {
        json_array_append_new(answers, run_transcript_step(&t, json_array_get(steps, i)));
    }
    compare_whole(answer_of(answers), expected);
    haversack_transcript_free(t);
}

/* ---- tiers ---- */

/* A ledger of these facts; NULL, which is an empty one, where there are none. */
static haversack_ledger *ledger_of_facts(const json_t *facts) {
    if (facts == NULL) {
        return NULL;
    }
    haversack_ledger *ledger = haversack_ledger_new();
    for (size_t i = 0; i < json_array_size(facts); i++) {
        const json_t *fact = json_array_get(facts, i);
        const haversack_fact_options options = {.size = sizeof options, .source = view(json_object_get(fact, "source"))};
        uint32_t recorded;
        CHECK(haversack_ledger_record(ledger, view(json_object_get(fact, "key")), view(json_object_get(fact, "text")), &options, &recorded, NULL) == HAVERSACK_OK);
    }
    return ledger;
}

static json_t *tiers_json(haversack_tiers *t) {
    const size_t count = haversack_tiers_kept(t, NULL, 0);
    size_t *kept = calloc(count + 1, sizeof *kept);
    CHECK(kept != NULL && haversack_tiers_kept(t, kept, count) == count);
    json_t *indices = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(indices, size_json(kept[i]));
    free(kept);
    haversack_string json;
    CHECK(haversack_tiers_json(t, &json, NULL) == HAVERSACK_OK);
    json_t *got = json_pack("{so so so so so}", "invariant", text_json(haversack_tiers_invariant(t)), "ledger",
                            rendered_json(haversack_tiers_ledger(t)), "working", text_json(haversack_tiers_working(t)), "kept", indices,
                            "account", account_json(haversack_tiers_account(t)));
    haversack_tiers_free(t);
    return as_written("tiers", got, json);
}

static void run_tiers(haversack_str payload, const json_t *given, const json_t *expected) {
    COVER("tiers", given, "invariant", "facts", "raw_steps", "pinned", "format", "bytes", "chars", "utf16", "tokens", "counter");
    const haversack_history_options reading = {.size = sizeof reading, .format = wire_format_of(json_object_get(given, "format"))};
    haversack_history *history = NULL;
    haversack_error *error = NULL;
    if (haversack_history_parse(payload, &reading, &history, &error) != HAVERSACK_OK) {
        compare_whole(error_json(error), expected);
        return;
    }
    const json_t *steps = json_object_get(given, "raw_steps"), *pins = json_object_get(given, "pinned");
    const size_t raw_steps = (size_t)json_integer_value(steps), count = json_array_size(pins);
    size_t *pinned = calloc(count + 1, sizeof *pinned);
    CHECK(pinned != NULL);
    for (size_t i = 0; i < count; i++) pinned[i] = (size_t)json_integer_value(json_array_get(pins, i));
    haversack_budget room;
    const haversack_tier_options options = {
        .size = sizeof options,
        .raw_steps = steps ? &raw_steps : NULL,
        .ledger = budget_in(given, &room),
        .pinned = pinned,
        .pinned_len = count,
    };
    haversack_ledger *ledger = ledger_of_facts(json_object_get(given, "facts"));
    haversack_tiers *tiers = NULL;
    haversack_tiers_new(view(json_object_get(given, "invariant")), ledger, history, &options, &tiers, &error);
    haversack_history_free(history), haversack_ledger_free(ledger);
    free(pinned);
    compare_whole(answer_or(tiers ? tiers_json(tiers) : NULL, error), expected);
}

/* Runs a case of one of these operations; false where it is of another one. */
static bool run_handoffs(const char *op, haversack_str payload, const json_t *options, const json_t *expected) {
    static const struct {
        const char *op;
        void (*run)(haversack_str, const json_t *, const json_t *);
    } runs[] = {{"handoff", run_handoff}, {"fleet", run_fleet}, {"session", run_session}, {"tally", run_tally}, {"transcript", run_transcript}, {"tiers", run_tiers}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        if (strcmp(runs[i].op, op) == 0) {
            runs[i].run(payload, options, expected);
            return true;
        }
    }
    return false;
}

#endif
