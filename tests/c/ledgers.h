/* The shared cases of ledgers, memories and grounds. Part of vectors.c, behind what all cases need. */
#ifndef HAVERSACK_TESTS_LEDGERS_H
#define HAVERSACK_TESTS_LEDGERS_H

/* Fails for a member of a step that its call does not take. */
static void known_members(const json_t *step, const char *const *known) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)step, name, value) {
        bool found = strcmp(name, "do") == 0;
        for (size_t i = 0; known[i]; i++) found |= strcmp(known[i], name) == 0;
        if (!found) WRONG("unknown member %s of a step", name);
    }
}
#define TAKES(step, ...) known_members(step, (const char *const[]){__VA_ARGS__, NULL})
#define A_BUDGET "bytes", "chars", "utf16", "tokens", "counter"

/* A call that gives an empty handle or an error. */
static json_t *null_or(haversack_error *error) {
    return error ? error_json(error) : answer_of(json_null());
}

/* ---- facts ---- */

static json_t *turn_json(uint32_t has_turn, uint64_t turn) {
    CHECK(has_turn == 1 || (has_turn == 0 && turn == 0));
    return or_null(has_turn, (size_t)turn);
}

static json_t *fact_json(const haversack_facts *facts, size_t index) {
    haversack_fact f;
    CHECK(haversack_facts_get(facts, index, &f));
    haversack_sighting *also = calloc(f.also + 1, sizeof *also);
    CHECK(also != NULL && haversack_facts_also(facts, index, also, f.also) == f.also);
    json_t *sightings = json_array();
    for (size_t i = 0; i < f.also; i++) {
        json_array_append_new(sightings, json_pack("{so so sb}", "source", text_json(also[i].source), "turn", turn_json(also[i].has_turn, also[i].turn),
                                                   "verified", (int)also[i].verified));
    }
    free(also);
    json_t *got = json_pack("{so so so so so sb sb so}", "key", text_json(f.key), "value", text_json(f.value), "kind",
                            text_json(haversack_fact_kind_name(f.kind)), "source", text_json(f.source), "turn", turn_json(f.has_turn, f.turn),
                            "verified", (int)f.verified, "superseded", (int)f.superseded, "also", sightings);
    haversack_string json;
    CHECK(haversack_facts_json(facts, index, &json, NULL) == HAVERSACK_OK);
    return as_written("a fact", got, json);
}

/* A list of facts, which is freed. */
static json_t *facts_json(haversack_facts *facts) {
    json_t *all = json_array();
    for (size_t i = 0; i < haversack_facts_count(facts); i++) json_array_append_new(all, fact_json(facts, i));
    haversack_facts_free(facts);
    return all;
}

static json_t *extracted_json(haversack_extracted *e) {
    const size_t count = haversack_extracted_keys(e, NULL, 0);
    haversack_str *keys = calloc(count + 1, sizeof *keys);
    CHECK(keys != NULL && haversack_extracted_keys(e, keys, count) == count);
    json_t *got = json_pack("{so so so}", "keys", names_json(keys, count), "text", text_json(haversack_extracted_text(e)), "account",
                            account_json(haversack_extracted_account(e)));
    free(keys);
    haversack_string json;
    CHECK(haversack_extracted_json(e, &json, NULL) == HAVERSACK_OK);
    haversack_extracted_free(e);
    return as_written("what was extracted", got, json);
}

/* What a step says of its value. */
static haversack_fact_options fact_options_of(const json_t *step, uint64_t *turn) {
    const json_t *given = json_object_get(step, "turn"), *kind = json_object_get(step, "kind");
    *turn = (uint64_t)json_integer_value(given);
    return (haversack_fact_options){
        .size = sizeof(haversack_fact_options),
        .source = view(json_object_get(step, "source")),
        .turn = given ? turn : NULL,
        .kind = kind ? NUMBER(kind, "", "constraint", "decision", "task", "identifier", "fact") : 0,
        .verified = json_is_true(json_object_get(step, "verified")),
    };
}

/* ---- ledgers ---- */

static json_t *run_put(haversack_ledger *led, const json_t *step, bool many, haversack_error **error) {
    TAKES(step, "key", "text", "json", "kind", "source", "turn", "verified");
    const haversack_str key = view(json_object_get(step, "key")), text = view(json_object_get(step, "text")), json = view(json_object_get(step, "json"));
    const bool raw = json_object_get(step, "json") != NULL;
    uint64_t turn;
    uint32_t done = 0;
    const haversack_fact_options options = fact_options_of(step, &turn);
    const haversack_status status = many ? (raw ? haversack_ledger_append_json(led, key, json, &options, &done, error)
                                                : haversack_ledger_append(led, key, text, &options, &done, error))
                                         : (raw ? haversack_ledger_record_json(led, key, json, &options, &done, error)
                                                : haversack_ledger_record(led, key, text, &options, &done, error));
    return status == HAVERSACK_OK ? text_json(haversack_recorded_name(done)) : NULL;
}

static json_t *run_extract(haversack_ledger *led, const json_t *step, haversack_error **error) {
    TAKES(step, "result", "fields", "kind", "source", "turn", "verified");
    const json_t *pairs = json_object_get(step, "fields");
    const size_t count = json_array_size(pairs);
    haversack_field *fields = calloc(count + 1, sizeof *fields);
    CHECK(fields != NULL);
    for (size_t i = 0; i < count; i++) {
        fields[i] = (haversack_field){view(json_array_get(json_array_get(pairs, i), 0)), view(json_array_get(json_array_get(pairs, i), 1))};
    }
    uint64_t turn;
    const haversack_fact_options options = fact_options_of(step, &turn);
    haversack_extracted *extracted = NULL;
    const haversack_status status = haversack_ledger_extract(led, view(json_object_get(step, "result")), fields, count, &options, &extracted, error);
    free(fields);
    return status == HAVERSACK_OK ? extracted_json(extracted) : NULL;
}

/* Facts that the ledger answers about a key. */
static json_t *run_ask(const haversack_ledger *led, const json_t *step, const char *what) {
    TAKES(step, "key");
    const haversack_str key = view(json_object_get(step, "key"));
    haversack_facts *facts = NULL;
    if (strcmp(what, "values") == 0) {
        CHECK(haversack_ledger_values(led, key, &facts, NULL) == HAVERSACK_OK);
    } else if (strcmp(what, "history") == 0) {
        CHECK(haversack_ledger_history(led, key, &facts, NULL) == HAVERSACK_OK);
    } else {
        CHECK(haversack_ledger_get(led, key, &facts, NULL) == HAVERSACK_OK && haversack_facts_count(facts) <= 1);
        json_t *one = facts_json(facts), *answer = json_array_size(one) ? json_incref(json_array_get(one, 0)) : json_null();
        json_decref(one);
        return answer;
    }
    return facts_json(facts);
}

static json_t *run_ledger_step(haversack_ledger **led, const json_t *step) {
    const char *what = json_string_value(json_object_get(step, "do"));
    haversack_error *error = NULL;
    haversack_budget room;
    haversack_rendered *rendered = NULL;
    json_t *answer = NULL;
    if (strcmp(what, "record") == 0 || strcmp(what, "append") == 0) {
        answer = run_put(*led, step, what[0] == 'a', &error);
    } else if (strcmp(what, "extract") == 0) {
        answer = run_extract(*led, step, &error);
    } else if (strcmp(what, "get") == 0 || strcmp(what, "values") == 0 || strcmp(what, "history") == 0) {
        answer = run_ask(*led, step, what);
    } else if (strcmp(what, "facts") == 0) {
        haversack_facts *facts = NULL;
        CHECK(haversack_ledger_facts(*led, &facts, NULL) == HAVERSACK_OK && haversack_facts_count(facts) == haversack_ledger_len(*led));
        answer = facts_json(facts);
    } else if (strcmp(what, "render") == 0) {
        TAKES(step, A_BUDGET);
        if (haversack_ledger_render(*led, budget_in(step, &room), &rendered, &error) == HAVERSACK_OK) answer = rendered_json(rendered);
    } else if (strcmp(what, "news") == 0) {
        TAKES(step, A_BUDGET);
        if (haversack_ledger_news(*led, budget_in(step, &room), &rendered, &error) == HAVERSACK_OK) answer = rendered ? rendered_json(rendered) : json_null();
    } else if (strcmp(what, "fold") == 0) {
        haversack_ledger_fold(*led);
        answer = json_null();
    } else if (strcmp(what, "costs") == 0) {
        TAKES(step, "previous", "behind", "counter");
        haversack_placement_costs c;
        const size_t behind = (size_t)json_integer_value(json_object_get(step, "behind"));
        if (haversack_ledger_placement_costs(*led, view(json_object_get(step, "previous")), behind, counter_named(view(json_object_get(step, "counter"))), &c, &error) == HAVERSACK_OK) {
            answer = json_pack("{so so}", "low", size_json(c.low), "system", size_json(c.system));
        }
    } else if (strcmp(what, "size") == 0) {
        answer = json_pack("{so so so}", "facts", size_json(haversack_ledger_len(*led)), "bytes", size_json((size_t)haversack_ledger_bytes(*led)), "merged",
                           size_json((size_t)haversack_ledger_merged(*led)));
    } else if (strcmp(what, "state") == 0 || strcmp(what, "reload") == 0) {
        haversack_string json;
        CHECK(haversack_ledger_json(*led, &json, NULL) == HAVERSACK_OK);
        if (what[0] == 's') return answer_of(loaded(json));
        haversack_ledger_free(*led);
        CHECK(haversack_ledger_from_json((haversack_str){json.ptr, json.len}, led, NULL) == HAVERSACK_OK);
        haversack_string_free(json);
        answer = json_null();
    } else if (strcmp(what, "load") == 0) {
        TAKES(step, "state");
        haversack_ledger *other = NULL;
        if (haversack_ledger_from_json(view(json_object_get(step, "state")), &other, &error) == HAVERSACK_OK) {
            haversack_ledger_free(*led);
            *led = other;
        }
        return null_or(error);
    } else {
        WRONG("unknown step %s", what);
        answer = json_null();
    }
    return answer_or(answer, error);
}

static void run_ledger(const json_t *given, const json_t *expected) {
    COVER("ledger", given, "steps");
    const json_t *steps = json_object_get(given, "steps");
    haversack_ledger *led = haversack_ledger_new();
    json_t *answers = json_array();
    for (size_t i = 0; i < json_array_size(steps); i++) json_array_append_new(answers, run_ledger_step(&led, json_array_get(steps, i)));
    haversack_ledger_free(led);
    compare_whole(answer_of(answers), expected);
}

/* ---- memories ---- */

static json_t *said_json(const haversack_said *said, size_t count) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(all, json_pack("{so so so so}", "source", text_json(said[i].source), "importance", size_json(said[i].importance), "at",
                                             size_json((size_t)said[i].at), "timing", text_json(haversack_timing_name(said[i].timing))));
    }
    return all;
}

static json_t *item_json(const haversack_memory_item *item, json_t *also) {
    CHECK(json_array_size(also) == item->also);
    return json_pack("{so so so so so so so}", "id", size_json((size_t)item->id), "text", text_json(item->text), "source", text_json(item->source),
                     "importance", size_json(item->importance), "at", size_json((size_t)item->at), "timing",
                     text_json(haversack_timing_name(item->timing)), "also", also);
}

/* A list of memories, which is freed. */
static json_t *items_json(haversack_memory_items *items, bool searched) {
    json_t *all = json_array();
    haversack_memory_item item;
    for (size_t i = 0; haversack_memory_items_get(items, i, &item); i++) {
        haversack_said *also = calloc(item.also + 1, sizeof *also);
        CHECK(also != NULL && haversack_memory_items_also(items, i, also, item.also) == item.also);
        json_t *got = item_json(&item, said_json(also, item.also));
        free(also);
        if (searched) json_object_set_new(got, "score", size_json((size_t)item.score));
        else CHECK(item.score == 0);
        haversack_string json;
        CHECK(haversack_memory_items_json(items, i, &json, NULL) == HAVERSACK_OK);
        json_array_append_new(all, as_written("a memory", got, json));
    }
    compare_size("number of memories", haversack_memory_items_count(items), json_array_size(all));
    haversack_memory_items_free(items);
    return all;
}

static json_t *added_json(haversack_added *added) {
    haversack_memory_item item;
    uint64_t id = 0;
    const bool has_id = haversack_added_id(added, &id);
    json_t *evicted = json_null();
    if (haversack_added_evicted(added, &item)) {
        haversack_said *also = calloc(item.also + 1, sizeof *also);
        CHECK(also != NULL && haversack_added_evicted_also(added, also, item.also) == item.also);
        evicted = item_json(&item, said_json(also, item.also));
        free(also);
    } else CHECK(haversack_added_evicted_also(added, NULL, 0) == 0);
    json_t *got = json_pack("{so so so so}", "outcome", text_json(haversack_remembered_name(haversack_added_outcome(added))), "id",
                            or_null(has_id, (size_t)id), "evicted", evicted, "over", size_json((size_t)haversack_added_over(added)));
    haversack_string json;
    CHECK(haversack_added_json(added, &json, NULL) == HAVERSACK_OK);
    haversack_added_free(added);
    return as_written("what became of a text", got, json);
}

static json_t *books_json(haversack_memory_counts c) {
    json_t *got = json_pack("{so so so so so}", "offered", size_json((size_t)c.offered), "held", size_json((size_t)c.held), "merged",
                            size_json((size_t)c.merged), "declined", size_json((size_t)c.declined), "refused", size_json((size_t)c.refused));
    json_object_set_new(got, "evicted", size_json((size_t)c.evicted));
    json_object_set_new(got, "forgotten", size_json((size_t)c.forgotten));
    return got;
}

static json_t *add_to(haversack_memory *mem, const json_t *step, haversack_error **error) {
    TAKES(step, "text", "source", "importance", "at", "timing");
    const json_t *given = json_object_get(step, "importance"), *timing = json_object_get(step, "timing");
    const uint32_t importance = (uint32_t)json_integer_value(given);
    const haversack_remember_options options = {
        .size = sizeof options,
        .source = view(json_object_get(step, "source")),
        .importance = given ? &importance : NULL,
        .at = (uint64_t)json_integer_value(json_object_get(step, "at")),
        .timing = timing ? NUMBER(timing, "", "at_once", "end_of_conversation", "background") : 0,
    };
    haversack_added *added = NULL;
    return haversack_memory_add(mem, view(json_object_get(step, "text")), &options, &added, error) == HAVERSACK_OK ? added_json(added) : NULL;
}

static haversack_memory *memory_of(const json_t *items) {
    haversack_memory *mem = haversack_memory_new();
    for (size_t i = 0; i < json_array_size(items); i++) {
        json_t *added = add_to(mem, json_array_get(items, i), NULL);
        CHECK(added != NULL);
        json_decref(added);
    }
    return mem;
}

/* What gives another memory, which takes the place of this one. */
static json_t *replaced(haversack_memory **mem, haversack_memory *other, haversack_error *error) {
    if (other != NULL) {
        haversack_memory_free(*mem);
        *mem = other;
    }
    return null_or(error);
}

static json_t *file_json(haversack_flush_file *file) {
    if (file == NULL) return json_null();
    json_t *got = json_pack("{so so so}", "name", text_json(haversack_flush_file_name(file)), "text", text_json(haversack_flush_file_text(file)), "account",
                            account_json(haversack_flush_file_account(file)));
    haversack_string json;
    CHECK(haversack_flush_file_json(file, &json, NULL) == HAVERSACK_OK);
    haversack_flush_file_free(file);
    return as_written("a flush file", got, json);
}

static json_t *run_memory_step(haversack_memory **mem, const json_t *step) {
    const char *what = json_string_value(json_object_get(step, "do"));
    haversack_error *error = NULL;
    haversack_budget room;
    haversack_memory_items *items = NULL;
    haversack_memory *other = NULL;
    json_t *answer = NULL;
    if (strcmp(what, "add") == 0) {
        answer = add_to(*mem, step, &error);
    } else if (strcmp(what, "decline") == 0) {
        haversack_memory_decline(*mem);
        answer = json_null();
    } else if (strcmp(what, "slice") == 0) {
        TAKES(step, "now", A_BUDGET);
        haversack_rendered *rendered = NULL;
        const uint64_t now = (uint64_t)json_integer_value(json_object_get(step, "now"));
        if (haversack_memory_slice(*mem, now, budget_in(step, &room), &rendered, &error) == HAVERSACK_OK) answer = rendered_json(rendered);
    } else if (strcmp(what, "search") == 0) {
        TAKES(step, "query");
        if (haversack_memory_search(*mem, view(json_object_get(step, "query")), &items, &error) == HAVERSACK_OK) answer = items_json(items, true);
    } else if (strcmp(what, "forget") == 0) {
        TAKES(step, "source");
        uint64_t gone = 0;
        if (haversack_memory_forget(*mem, view(json_object_get(step, "source")), &gone, &error) == HAVERSACK_OK) answer = size_json((size_t)gone);
    } else if (strcmp(what, "get") == 0) {
        TAKES(step, "id");
        CHECK(haversack_memory_get(*mem, (uint64_t)json_integer_value(json_object_get(step, "id")), &items, NULL) == HAVERSACK_OK);
        json_t *one = items_json(items, false);
        answer = json_array_size(one) ? json_incref(json_array_get(one, 0)) : json_null();
        json_decref(one);
    } else if (strcmp(what, "items") == 0) {
        CHECK(haversack_memory_all(*mem, &items, NULL) == HAVERSACK_OK && haversack_memory_items_count(items) == haversack_memory_len(*mem));
        answer = items_json(items, false);
    } else if (strcmp(what, "counts") == 0) {
        answer = books_json(haversack_memory_books(*mem));
    } else if (strcmp(what, "merge") == 0) {
        TAKES(step, "items");
        haversack_memory *those = memory_of(json_object_get(step, "items"));
        haversack_memory_merge(*mem, those, &other, &error);
        haversack_memory_free(those);
        return replaced(mem, other, error);
    } else if (strcmp(what, "flush") == 0) {
        TAKES(step, "date");
        haversack_flush_file *file = NULL;
        if (haversack_memory_flush(*mem, view(json_object_get(step, "date")), &file, &error) == HAVERSACK_OK) answer = file_json(file);
    } else if (strcmp(what, "flush_request") == 0) {
        TAKES(step, "date");
        haversack_flush_request *request = NULL;
        if (haversack_flush_request_new(view(json_object_get(step, "date")), &request, &error) == HAVERSACK_OK) {
            answer = json_pack("{so so so}", "name", text_json(haversack_flush_request_name(request)), "text",
                               text_json(haversack_flush_request_text(request)), "silent", text_json(haversack_flush_request_silent(request)));
        }
        haversack_flush_request_free(request);
    } else if (strcmp(what, "is_silent_reply") == 0) {
        TAKES(step, "reply");
        answer = json_boolean(haversack_is_silent_reply(view(json_object_get(step, "reply"))));
    } else if (strcmp(what, "state") == 0 || strcmp(what, "reload") == 0) {
        haversack_string json;
        CHECK(haversack_memory_json(*mem, &json, NULL) == HAVERSACK_OK);
        if (what[0] == 's') return answer_of(loaded(json));
        CHECK(haversack_memory_from_json((haversack_str){json.ptr, json.len}, &other, NULL) == HAVERSACK_OK);
        haversack_string_free(json);
        return replaced(mem, other, NULL);
    } else if (strcmp(what, "load") == 0) {
        TAKES(step, "state");
        haversack_memory_from_json(view(json_object_get(step, "state")), &other, &error);
        return replaced(mem, other, error);
    } else {
        WRONG("unknown step %s", what);
        answer = json_null();
    }
    return answer_or(answer, error);
}

static void run_memory(const json_t *given, const json_t *expected) {
    COVER("memory", given, "steps", "cap", "on_full");
    const json_t *steps = json_object_get(given, "steps"), *cap = json_object_get(given, "cap"), *on_full = json_object_get(given, "on_full");
    haversack_memory *mem = NULL;
    if (cap) CHECK(haversack_memory_new_capped((size_t)json_integer_value(cap), NUMBER(on_full, "", "reject", "evict", "report"), &mem, NULL) == HAVERSACK_OK);
    else mem = haversack_memory_new();
    json_t *answers = json_array();
    for (size_t i = 0; i < json_array_size(steps); i++) json_array_append_new(answers, run_memory_step(&mem, json_array_get(steps, i)));
    haversack_memory_free(mem);
    compare_whole(answer_of(answers), expected);
}

/* ---- grounds ---- */

static void run_grounds(const json_t *given, const json_t *expected) {
    COVER("grounds", given, "action", "facts", "memories", "use", "search");
    const json_t *facts = json_object_get(given, "facts"), *use = json_object_get(given, "use"), *search = json_object_get(given, "search");
    haversack_ledger *led = haversack_ledger_new();
    for (size_t i = 0; i < json_array_size(facts); i++) {
        json_t *done = run_put(led, json_array_get(facts, i), false, NULL);
        CHECK(done != NULL);
        json_decref(done);
    }
    haversack_memory *mem = memory_of(json_object_get(given, "memories"));
    /* The lists own the texts of the evidence. */
    haversack_facts *told[8] = {NULL};
    haversack_memory_items *found[8] = {NULL};
    haversack_evidence evidence[64];
    size_t count = 0;
    CHECK(json_array_size(use) <= 8 && json_array_size(search) <= 8);
    for (size_t i = 0; i < json_array_size(use); i++) {
        CHECK(haversack_ledger_history(led, view(json_array_get(use, i)), &told[i], NULL) == HAVERSACK_OK);
        count += haversack_facts_evidence(told[i], evidence + count, 64 - count);
    }
    for (size_t i = 0; i < json_array_size(search); i++) {
        CHECK(haversack_memory_search(mem, view(json_array_get(search, i)), &found[i], NULL) == HAVERSACK_OK);
        count += haversack_memory_items_evidence(found[i], evidence + count, 64 - count);
    }
    haversack_ledger_free(led), haversack_memory_free(mem);
    haversack_grounding *g = NULL;
    CHECK(count <= 64 && haversack_grounds(view(json_object_get(given, "action")), evidence, count, &g, NULL) == HAVERSACK_OK);
    json_t *got = json_pack("{so so so}", "answer", text_json(haversack_answer_name(haversack_grounding_answer(g))), "reason",
                            text_json(haversack_grounds_reason_name(haversack_grounding_reason(g))), "text", text_json(haversack_grounding_text(g)));
    haversack_string json;
    CHECK(haversack_grounding_json(g, &json, NULL) == HAVERSACK_OK);
    compare_whole(answer_of(as_written("an answer", got, json)), expected);
    haversack_grounding_free(g);
    for (size_t i = 0; i < 8; i++) haversack_facts_free(told[i]), haversack_memory_items_free(found[i]);
}

/* Runs a case of one of these; false for another operation. */
static bool run_ledgers(const char *op, const json_t *given, const json_t *expected) {
    if (strcmp(op, "ledger") == 0) run_ledger(given, expected);
    else if (strcmp(op, "memory") == 0) run_memory(given, expected);
    else if (strcmp(op, "grounds") == 0) run_grounds(given, expected);
    else return false;
    return true;
}

#endif
