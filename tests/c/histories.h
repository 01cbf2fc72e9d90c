/* The shared cases of histories: check, repair, safe_cuts and cut. Part of vectors.c, behind what all cases need. */
#ifndef HAVERSACK_TESTS_HISTORIES_H
#define HAVERSACK_TESTS_HISTORIES_H

/* How the history of a case is read. */
typedef struct reading {
    haversack_history_options options;
    haversack_limits limits;
    char *request;
} reading;

static void start_reading(reading *r) {
    memset(r, 0, sizeof *r);
    r->options.size = sizeof r->options;
}

/* Takes the options of reading; true when `name` is one of theirs. */
static bool set_reading(reading *r, const char *name, const json_t *value) {
    if (strcmp(name, "format") == 0) r->options.format = NUMBER(value, "auto", "openai_chat", "openai_responses", "anthropic", "gemini", "bedrock");
    else if (strcmp(name, "profile") == 0) r->options.profile = view(value);
    else if (strcmp(name, "request") == 0) {
        r->request = json_is_string(value) ? strdup(json_string_value(value)) : json_dumps(value, JSON_COMPACT);
        CHECK(r->request != NULL);
        r->options.request = (haversack_str){r->request, strlen(r->request)};
    } else if (strcmp(name, "limits") == 0) r->limits = limits_of(value), r->options.limits = &r->limits;
    else return false;
    return true;
}

static json_t *text_json(haversack_str text) {
    return text.ptr ? json_stringn(text.ptr, text.len) : json_null();
}

static json_t *size_json(size_t size) {
    return json_integer((json_int_t)size);
}

static json_t *violation_json(const haversack_violation *v) {
    CHECK(v->message.len > 0 && v->provider.ptr != NULL);
    return json_pack("{so so so so}", "kind", text_json(haversack_violation_name(v->kind)), "index", size_json(v->index),
                     "path", text_json(v->path), "id", text_json(v->id));
}

/* The list that a function writes in two calls: how many there are, then all of them. */
typedef size_t (*listing)(const void *owner, size_t *indices, size_t capacity);

static json_t *indices_json(listing list, const void *owner) {
    size_t count = list(owner, NULL, 0), *all = calloc(count + 1, sizeof *all);
    CHECK(all != NULL);
    all[count] = 4711;
    CHECK(list(owner, all, count) == count && all[count] == 4711);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(array, size_json(all[i]));
    }
    free(all);
    return array;
}

static size_t safe_cuts_of(const void *history, size_t *indices, size_t capacity) {
    return haversack_history_safe_cuts(history, false, indices, capacity);
}

static size_t portable_cuts_of(const void *history, size_t *indices, size_t capacity) {
    return haversack_history_safe_cuts(history, true, indices, capacity);
}

static size_t kept_of(const void *cut, size_t *indices, size_t capacity) {
    return haversack_cut_kept(cut, indices, capacity);
}

static size_t dropped_of(const void *cut, size_t *indices, size_t capacity) {
    return haversack_cut_dropped(cut, indices, capacity);
}

/* The texts of the resulting messages. Those that are untouched are the input's, and the whole text holds them all. */
typedef bool (*message_getter)(const void *owner, size_t index, haversack_out_message *out_message);

static json_t *messages_json(message_getter get, const void *owner, haversack_str text, const haversack_history *history,
                             const reading *r) {
    haversack_history *again = NULL;
    if (haversack_history_parse(text, &r->options, &again, NULL) != HAVERSACK_OK) {
        WRONG("the whole text is no history: %.*s", (int)text.len, text.ptr);
    }
    json_t *all = json_array();
    haversack_out_message m;
    size_t i = 0;
    for (; get(owner, i, &m); i++) {
        json_array_append_new(all, text_json(m.text));
        if (m.untouched && !(m.has_source && same(m.text, haversack_history_message(history, m.source)))) {
            WRONG("message %zu is not that of its source", i);
        }
        if (!same(m.text, haversack_history_message(again, i))) {
            WRONG("message %zu is another in the whole text", i);
        }
    }
    compare_size("messages in the whole text", haversack_history_len(again), i);
    haversack_history_free(again);
    return all;
}

static bool cut_message_of(const void *cut, size_t index, haversack_out_message *out) {
    return haversack_cut_message(cut, index, out);
}

static bool repair_message_of(const void *repair, size_t index, haversack_out_message *out) {
    return haversack_repair_message(repair, index, out);
}

/* Reads the history of a case, which then owns nothing of the payload; NULL, and judged, when it cannot be read. */
static haversack_history *read_history(haversack_str payload, reading *r, const json_t *expected) {
    haversack_history *history = NULL;
    haversack_error *error = NULL;
    haversack_status status = haversack_history_parse(payload, &r->options, &history, &error);
    CHECK((status == HAVERSACK_OK) == (history != NULL) && (status == HAVERSACK_OK) == (error == NULL));
    if (error != NULL) {
        compare_whole(error_json(error), expected);
    } else {
        CHECK(same(haversack_history_text(history), payload));
    }
    return history;
}

static json_t *steps_json(const haversack_history *history) {
    size_t count = haversack_history_steps(history, NULL, 0);
    haversack_step *steps = calloc(count + 1, sizeof *steps);
    CHECK(steps != NULL && haversack_history_steps(history, steps, count) == count);
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(all, json_pack("{so so so so so}", "kind", text_json(haversack_step_name(steps[i].kind)),
                                             "from", size_json(steps[i].from), "to", size_json(steps[i].to), "calls",
                                             size_json(steps[i].calls), "open", size_json(steps[i].open)));
    }
    free(steps);
    return all;
}

static void run_check(haversack_str payload, const json_t *given, const json_t *expected) {
    reading r;
    start_reading(&r);
    bool sending = false;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        cover("check", name);
        if (set_reading(&r, name, value)) continue;
        else if (strcmp(name, "sending") == 0) sending = json_is_true(value);
        else WRONG("unknown option %s", name);
    }
    haversack_history *history = read_history(payload, &r, expected);
    if (history != NULL) {
        haversack_violations *found = NULL;
        CHECK(haversack_history_violations(history, sending, &found, NULL) == HAVERSACK_OK);
        json_t *violations = json_array();
        haversack_violation v;
        for (size_t i = 0; haversack_violations_get(found, i, &v); i++) {
            json_array_append_new(violations, violation_json(&v));
        }
        compare_size("number of violations", haversack_violations_count(found), json_array_size(violations));
        haversack_violations_free(found);
        json_t *answer = json_pack("{so sb so so}", "format", text_json(haversack_wire_format_name(haversack_history_format(history))),
                                   "certain", haversack_history_certain(history), "violations", violations, "steps",
                                   steps_json(history));
        compare_whole(json_pack("{so}", "answer", answer), expected);
    }
    haversack_history_free(history);
    free(r.request);
}

static json_t *repair_json(const haversack_repair *repair, const haversack_history *history, const reading *r) {
    json_t *changes = json_array(), *remaining = json_array();
    haversack_change c;
    for (size_t i = 0; haversack_repair_change(repair, i, &c); i++) {
        CHECK(c.message.len > 0);
        json_array_append_new(changes, json_pack("{so so so so}", "action", text_json(haversack_repair_action_name(c.action)),
                                                 "violation", text_json(haversack_violation_name(c.violation)), "index",
                                                 size_json(c.index), "path", text_json(c.path)));
    }
    compare_size("number of changes", haversack_repair_change_count(repair), json_array_size(changes));
    haversack_violation v;
    for (size_t i = 0; haversack_repair_remaining(repair, i, &v); i++) {
        json_array_append_new(remaining, violation_json(&v));
    }
    compare_size("number of remaining violations", haversack_repair_remaining_count(repair), json_array_size(remaining));
    haversack_str text = haversack_repair_text(repair);
    if (json_array_size(changes) == 0 && !same(text, haversack_history_text(history))) {
        WRONG("no change, and another text");
    }
    return json_pack("{s{so so so}}", "answer", "messages", messages_json(repair_message_of, repair, text, history, r),
                     "changes", changes, "remaining", remaining);
}

static void run_repair(haversack_str payload, const json_t *given, const json_t *expected) {
    reading r;
    start_reading(&r);
    haversack_repair_options options = {.size = sizeof options};
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        cover("repair", name);
        if (set_reading(&r, name, value)) continue;
        else if (strcmp(name, "missing") == 0) options.missing = NUMBER(value, "synthesise", "drop");
        else if (strcmp(name, "orphan") == 0) options.orphan = NUMBER(value, "drop", "text");
        else if (strcmp(name, "sending") == 0) options.sending = json_is_true(value);
        else WRONG("unknown option %s", name);
    }
    haversack_history *history = read_history(payload, &r, expected);
    if (history != NULL) {
        haversack_repair *repair = NULL;
        haversack_error *error = NULL;
        haversack_history_repair(history, &options, &repair, &error);
        compare_whole(error ? error_json(error) : repair_json(repair, history, &r), expected);
        haversack_repair_free(repair);
    }
    haversack_history_free(history);
    free(r.request);
}

static void run_safe_cuts(haversack_str payload, const json_t *given, const json_t *expected) {
    reading r;
    start_reading(&r);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        cover("safe_cuts", name);
        if (!set_reading(&r, name, value)) WRONG("unknown option %s", name);
    }
    haversack_history *history = read_history(payload, &r, expected);
    if (history != NULL) {
        size_t count = haversack_history_len(history);
        uint32_t *refusals = calloc(count + 1, sizeof *refusals);
        CHECK(refusals != NULL && haversack_history_cut_refusals(history, refusals, count) == count);
        json_t *names = json_array();
        for (size_t i = 0; i < count; i++) {
            uint32_t one = HAVERSACK_CUT_REFUSAL_NONE;
            json_array_append_new(names, text_json(haversack_cut_refusal_name(refusals[i])));
            CHECK(haversack_history_cut_refusal(history, i, &one) == (one != HAVERSACK_CUT_REFUSAL_NONE) && one == refusals[i]);
        }
        free(refusals);
        json_t *answer = json_pack("{so so so}", "safe", indices_json(safe_cuts_of, history), "portable",
                                   indices_json(portable_cuts_of, history), "refusals", names);
        compare_whole(json_pack("{so}", "answer", answer), expected);
    }
    haversack_history_free(history);
    free(r.request);
}

static json_t *cut_json(const haversack_cut *cut, const haversack_history *history, const reading *r) {
    if (!haversack_cut_found(cut)) {
        CHECK(haversack_cut_text(cut).ptr == NULL && haversack_cut_reason(cut).ptr == NULL);
        return json_pack("{s{so}}", "answer", "nothing", text_json(haversack_nothing_to_cut_name(haversack_cut_nothing(cut))));
    }
    CHECK(haversack_cut_nothing(cut) == 0);
    json_t *strip = json_array(), *reduced = json_array();
    haversack_strip s;
    for (size_t i = 0; i < haversack_cut_strip_count(cut) && haversack_cut_strip(cut, i, &s); i++) {
        json_array_append_new(strip, json_pack("{so so so}", "index", size_json(s.index), "path", text_json(s.path), "what", text_json(s.what)));
    }
    haversack_reduced d;
    for (size_t i = 0; i < haversack_cut_reduced_count(cut) && haversack_cut_reduced(cut, i, &d); i++) {
        json_array_append_new(reduced, json_pack("{so so so so}", "index", size_json(d.index), "path", text_json(d.path),
                                                 "before", size_json(d.before), "after", size_json(d.after)));
    }
    json_t *answer = json_pack("{so so so so so so so so so}", "index", size_json(haversack_cut_index(cut)), "reason",
                               text_json(haversack_cut_reason(cut)), "kept", indices_json(kept_of, cut), "dropped",
                               indices_json(dropped_of, cut), "size_before", size_json(haversack_cut_size_before(cut)),
                               "size_after", size_json(haversack_cut_size_after(cut)), "alternation",
                               text_json(haversack_alternation_name(haversack_cut_alternation(cut))), "strip", strip, "reduced", reduced);
    json_object_set_new(answer, "messages", messages_json(cut_message_of, cut, haversack_cut_text(cut), history, r));
    return json_pack("{so}", "answer", answer);
}

static void run_cut(haversack_str payload, const json_t *given, const json_t *expected) {
    reading r;
    start_reading(&r);
    haversack_cut_options options = {.size = sizeof options};
    haversack_budget budget = {0};
    const json_t *messages = NULL;
    size_t *pinned = NULL;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        cover("cut", name);
        if (set_reading(&r, name, value) || set_budget(&budget, given, name, value)) continue;
        else if (strcmp(name, "messages") == 0) messages = value;
        else if (strcmp(name, "portable") == 0) options.portable = json_is_true(value);
        else if (strcmp(name, "pinned") == 0) {
            options.pinned_len = json_array_size(value);
            options.pinned = pinned = calloc(options.pinned_len + 1, sizeof *pinned);
            CHECK(pinned != NULL);
            for (size_t i = 0; i < options.pinned_len; i++) {
                pinned[i] = (size_t)json_integer_value(json_array_get(value, i));
            }
        } else WRONG("unknown option %s", name);
    }
    haversack_history *history = read_history(payload, &r, expected);
    if (history != NULL) {
        haversack_cut *cut = NULL;
        haversack_error *error = NULL;
        if (messages != NULL) haversack_history_cut_messages(history, (size_t)json_integer_value(messages), &options, &cut, &error);
        else haversack_history_cut(history, budget, &options, &cut, &error);
        compare_whole(error ? error_json(error) : cut_json(cut, history, &r), expected);
        haversack_cut_free(cut);
    }
    haversack_history_free(history);
    free(pinned);
    free(r.request);
}

#endif
