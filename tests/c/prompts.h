/* The shared cases of prompts and caches. Part of vectors.c, behind what all cases need. */
#ifndef HAVERSACK_TESTS_PROMPTS_H
#define HAVERSACK_TESTS_PROMPTS_H

static json_t *or_null(bool there, size_t number) {
    return there ? size_json(number) : json_null();
}

static void cover_all(const char *op, const json_t *given, const char *const *known) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        cover(op, name);
        bool found = false;
        for (size_t i = 0; known[i]; i++) {
            found |= strcmp(known[i], name) == 0;
        }
        if (!found) WRONG("unknown option %s", name);
    }
}
#define COVER(op, given, ...) cover_all(op, given, (const char *const[]){__VA_ARGS__, NULL})

static uint32_t wire_format_of(const json_t *name) {
    return name ? NUMBER(name, "auto", "openai_chat", "openai_responses", "anthropic", "gemini", "bedrock") : 0;
}

static json_t *answer_of(json_t *answer) {
    return json_pack("{so}", "answer", answer);
}

/* JSON that a call wrote, as a value; the text is freed. */
static json_t *loaded(haversack_string json) {
    json_t *value = json_loadb(json.ptr, json.len, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    CHECK(value != NULL);
    haversack_string_free(json);
    return value;
}

/* The limits that are given, or NULL. */
static const haversack_limits *limits_in(const json_t *given, haversack_limits *room) {
    const json_t *limits = json_object_get(given, "limits");
    if (limits == NULL) return NULL;
    *room = limits_of(limits);
    return room;
}

/* ---- prompts ---- */

/* A request, or a list of pieces; NULL and an error where there is none. */
static haversack_prompt *prompt_of(const json_t *given, haversack_error **error) {
    haversack_prompt *prompt = NULL;
    if (json_is_object(given)) {
        haversack_prompt_from_request(view(json_object_get(given, "body")), wire_format_of(json_object_get(given, "format")), NULL, &prompt, error);
        return prompt;
    }
    prompt = haversack_prompt_new();
    for (size_t i = 0; i < json_array_size(given); i++) {
        const json_t *row = json_array_get(given, i), *layer = json_object_get(row, "layer"), *kind = json_object_get(row, "kind");
        const json_t *limit = json_object_get(row, "budget");
        const size_t budget = (size_t)json_integer_value(limit);
        haversack_piece_options options = {.size = sizeof options, .budget = limit ? &budget : NULL, .owner = view(json_object_get(row, "owner"))};
        if (layer) options.layer = NUMBER(layer, "", "static", "rare", "session", "turn");
        if (kind) options.kind = NUMBER(kind, "", "instructions", "tool", "facts", "conversation", "notes", "setting");
        haversack_str name = view(json_object_get(row, "name"));
        const json_t *tool = json_object_get(row, "tool");
        haversack_status status = tool ? haversack_prompt_add_tool(prompt, name, view(tool), &options, error)
                                       : haversack_prompt_add(prompt, name, view(json_object_get(row, "text")), &options, error);
        if (status != HAVERSACK_OK) {
            haversack_prompt_free(prompt);
            return NULL;
        }
    }
    return prompt;
}

static haversack_snapshot *snapshot_of(const json_t *given, haversack_str key, haversack_error **error) {
    haversack_prompt *prompt = prompt_of(given, error);
    haversack_snapshot *snapshot = NULL;
    if (prompt != NULL) {
        const haversack_snapshot_options options = {.size = sizeof options, .key = key};
        haversack_prompt_snapshot(prompt, &options, &snapshot, error);
    }
    haversack_prompt_free(prompt);
    return snapshot;
}

static void run_canonical(haversack_str payload, const json_t *given, const json_t *expected) {
    COVER("canonical", given, "limits");
    haversack_limits limits;
    haversack_canonical *form = NULL;
    haversack_error *error = NULL;
    if (haversack_canonical_json(payload, limits_in(given, &limits), &form, &error) != HAVERSACK_OK) {
        compare_whole(error_json(error), expected);
        return;
    }
    json_t *inexact = json_array();
    haversack_inexact_number n;
    for (size_t i = 0; haversack_canonical_inexact(form, i, &n); i++) {
        json_array_append_new(inexact, json_pack("{so so so}", "offset", size_json(n.offset), "read", text_json(n.read), "written", text_json(n.written)));
    }
    compare_size("number of inexact numbers", haversack_canonical_inexact_count(form), json_array_size(inexact));
    compare_whole(answer_of(json_pack("{so sb so}", "text", text_json(haversack_canonical_text(form)), "same", haversack_canonical_same(form),
                                      "inexact", inexact)), expected);
    haversack_canonical_free(form);
}

static void run_pieces(haversack_str payload, const json_t *given, const json_t *expected) {
    COVER("pieces", given, "format", "limits");
    haversack_limits limits;
    haversack_prompt *prompt = NULL;
    haversack_error *error = NULL;
    if (haversack_prompt_from_request(payload, wire_format_of(json_object_get(given, "format")), limits_in(given, &limits), &prompt, &error) != HAVERSACK_OK) {
        compare_whole(error_json(error), expected);
        return;
    }
    const size_t count = haversack_prompt_pieces(prompt, NULL, 0), mark_count = haversack_prompt_marks(prompt, NULL, 0);
    haversack_piece *pieces = calloc(count + 1, sizeof *pieces), found;
    haversack_mark *marks = calloc(mark_count + 1, sizeof *marks), automatic;
    CHECK(pieces != NULL && marks != NULL && count == haversack_prompt_len(prompt));
    CHECK(haversack_prompt_pieces(prompt, pieces, count) == count && haversack_prompt_marks(prompt, marks, mark_count) == mark_count);
    json_t *all = json_array();
    for (size_t i = 0, m = 0; i < count; i++) {
        json_t *on_it = json_array();
        for (; m < mark_count && marks[m].piece == i; m++) {
            json_array_append_new(on_it, json_pack("[ooo]", size_json(marks[m].at), text_json(haversack_mark_kind_name(marks[m].kind)),
                                                   or_null(marks[m].has_seconds, marks[m].seconds)));
        }
        json_array_append_new(all, json_pack("{so so so so so}", "name", text_json(pieces[i].name), "layer", text_json(haversack_layer_name(pieces[i].layer)),
                                             "kind", text_json(haversack_piece_kind_name(pieces[i].kind)), "text", text_json(pieces[i].text), "marks", on_it));
        CHECK(haversack_prompt_lookup(prompt, pieces[i].name, &found) && found.text.ptr == pieces[i].text.ptr);
    }
    compare_whole(answer_of(json_pack("{so sb so}", "format", text_json(haversack_wire_format_name(haversack_prompt_format(prompt))), "automatic_mark",
                                      haversack_prompt_automatic_mark(prompt, &automatic), "pieces", all)), expected);
    free(pieces), free(marks);
    haversack_prompt_free(prompt);
}

static json_t *comparison_json(const haversack_comparison *c) {
    json_t *changes = json_array();
    haversack_piece_change change;
    for (size_t i = 0; haversack_comparison_change(c, i, &change); i++) {
        json_array_append_new(changes, json_pack("{so so so so so sb so so}", "verdict", text_json(haversack_verdict_name(change.verdict)), "piece",
                                                 text_json(change.piece), "was", text_json(change.was), "index", size_json(change.index), "at_byte",
                                                 or_null(change.has_at_byte, change.at_byte), "at_byte_exact", (int)change.at_byte_exact, "cause",
                                                 text_json(haversack_cause_name(change.cause)), "volatile",
                                                 text_json(haversack_volatile_name(change.volatile_kind))));
    }
    compare_size("number of changes", haversack_comparison_change_count(c), json_array_size(changes));
    size_t at = 0, index = 0;
    const bool has_at = haversack_comparison_at_byte(c, &at), has_index = haversack_comparison_index(c, &index);
    json_t *answer = json_pack("{so so so so sb so}", "verdict", text_json(haversack_verdict_name(haversack_comparison_verdict(c))), "piece",
                               text_json(haversack_comparison_piece(c)), "index", or_null(has_index, index), "at_byte", or_null(has_at, at),
                               "at_byte_exact", haversack_comparison_at_byte_exact(c), "cause",
                               text_json(haversack_cause_name(haversack_comparison_cause(c))));
    json_object_set_new(answer, "kept_bytes", size_json(haversack_comparison_kept_bytes(c)));
    json_object_set_new(answer, "lost_bytes", size_json(haversack_comparison_lost_bytes(c)));
    json_object_set_new(answer, "changes", changes);
    CHECK(haversack_comparison_calm(c) == (json_array_size(changes) == 0));
    return answer;
}

/* The snapshot of a prompt, through JSON where `stored`. */
static haversack_snapshot *taken(const json_t *given, bool stored, haversack_error **error) {
    haversack_snapshot *snapshot = snapshot_of(given, (haversack_str){NULL, 0}, error), *again = NULL;
    if (snapshot == NULL || !stored) {
        return snapshot;
    }
    haversack_string json;
    CHECK(haversack_snapshot_json(snapshot, &json, NULL) == HAVERSACK_OK);
    CHECK(haversack_snapshot_from_json((haversack_str){json.ptr, json.len}, &again, NULL) == HAVERSACK_OK);
    haversack_string_free(json);
    haversack_snapshot_free(snapshot);
    return again;
}

static void run_compare(const json_t *given, const json_t *expected) {
    COVER("compare", given, "previous", "next", "stored");
    const json_t *before = json_object_get(given, "previous");
    const bool stored = json_is_true(json_object_get(given, "stored"));
    haversack_error *error = NULL;
    haversack_snapshot *previous = json_is_null(before) ? NULL : taken(before, stored, &error), *next = NULL;
    haversack_comparison *comparison = NULL;
    if (error == NULL) next = taken(json_object_get(given, "next"), stored, &error);
    if (error == NULL) haversack_compare(previous, next, &comparison, &error);
    haversack_snapshot_free(previous), haversack_snapshot_free(next);
    compare_whole(error ? error_json(error) : answer_of(comparison_json(comparison)), expected);
    haversack_comparison_free(comparison);
}

static void run_prefix(const json_t *given, const json_t *expected) {
    COVER("prefix", given, "a", "b");
    haversack_error *error = NULL;
    haversack_prompt *a = prompt_of(json_object_get(given, "a"), &error), *b = prompt_of(json_object_get(given, "b"), &error);
    CHECK(a != NULL && b != NULL);
    haversack_prefix p;
    CHECK(haversack_shared_prefix(a, b, NULL, &p, NULL) == HAVERSACK_OK && p.has_tokens == 0 && p.tokens == 0);
    compare_whole(answer_of(json_pack("{so so so}", "bytes", size_json(p.bytes), "pieces", size_json(p.pieces), "piece", text_json(p.piece))), expected);
    haversack_prompt_free(a), haversack_prompt_free(b);
}

static void run_snapshot(const json_t *given, const json_t *expected) {
    COVER("snapshot", given, "prompt", "key");
    haversack_error *error = NULL;
    haversack_snapshot *snapshot = snapshot_of(json_object_get(given, "prompt"), view(json_object_get(given, "key")), &error);
    json_t *got = NULL;
    if (snapshot != NULL) {
        haversack_string json;
        CHECK(haversack_snapshot_json(snapshot, &json, NULL) == HAVERSACK_OK);
        got = answer_of(loaded(json));
    }
    compare_whole(error ? error_json(error) : got, expected);
    haversack_snapshot_free(snapshot);
}

static void run_restore(haversack_str payload, const json_t *given, const json_t *expected) {
    CHECK(json_object_size(given) == 0);
    haversack_error *error = NULL;
    haversack_snapshot *snapshot = NULL;
    json_t *names = json_array();
    if (haversack_snapshot_from_json(payload, &snapshot, &error) == HAVERSACK_OK) {
        const size_t count = haversack_snapshot_names(snapshot, NULL, 0);
        haversack_str *all = calloc(count + 1, sizeof *all);
        CHECK(all != NULL && haversack_snapshot_names(snapshot, all, count) == count && count == haversack_snapshot_len(snapshot));
        for (size_t i = 0; i < count; i++) {
            json_array_append_new(names, text_json(all[i]));
        }
        free(all);
    }
    compare_whole(error ? error_json(error) : answer_of(json_incref(names)), expected);
    json_decref(names);
    haversack_snapshot_free(snapshot);
}

static void run_volatile(const json_t *given, const json_t *expected) {
    COVER("volatile", given, "prompt");
    haversack_error *error = NULL;
    haversack_prompt *prompt = prompt_of(json_object_get(given, "prompt"), &error);
    CHECK(prompt != NULL);
    haversack_volatile_values *values = NULL;
    CHECK(haversack_volatile(prompt, &values, NULL) == HAVERSACK_OK);
    haversack_prompt_free(prompt);
    json_t *all = json_array();
    haversack_volatile_value v;
    for (size_t i = 0; haversack_volatile_values_get(values, i, &v); i++) {
        json_array_append_new(all, json_pack("{so so so so so so}", "piece", text_json(v.piece), "index", size_json(v.index), "layer",
                                             text_json(haversack_layer_name(v.layer)), "kind", text_json(haversack_volatile_name(v.kind)),
                                             "at_byte", size_json(v.at_byte), "bytes", size_json(v.bytes)));
    }
    compare_size("number of values", haversack_volatile_values_count(values), json_array_size(all));
    haversack_volatile_values_free(values);
    compare_whole(answer_of(all), expected);
}

static json_t *string_json(haversack_string text) {
    json_t *value = json_stringn(text.ptr, text.len);
    CHECK(value != NULL);
    haversack_string_free(text);
    return value;
}

static void run_render(const json_t *given, const json_t *expected) {
    COVER("render", given, "prompt");
    haversack_error *error = NULL;
    haversack_prompt *prompt = prompt_of(json_object_get(given, "prompt"), &error);
    if (prompt == NULL) {
        compare_whole(error_json(error), expected);
        return;
    }
    haversack_string text, tools;
    CHECK(haversack_prompt_render(prompt, &text, NULL) == HAVERSACK_OK && haversack_prompt_tools(prompt, &tools, NULL) == HAVERSACK_OK);
    haversack_prompt_free(prompt);
    compare_whole(answer_of(json_pack("{so so}", "text", string_json(text), "tools", string_json(tools))), expected);
}

static void run_report(const json_t *given, const json_t *expected) {
    COVER("report", given, "prompt", "budget");
    const json_t *limit = json_object_get(given, "budget");
    haversack_prompt *prompt = prompt_of(json_object_get(given, "prompt"), NULL);
    haversack_report *r = NULL;
    CHECK(haversack_prompt_report(prompt, haversack_budget_bytes(limit ? (size_t)json_integer_value(limit) : SIZE_MAX), &r, NULL) == HAVERSACK_OK);
    haversack_prompt_free(prompt);
    json_t *pieces = json_array(), *layers = json_array(), *kinds = json_array(), *overran = json_array();
    haversack_piece_size p;
    for (size_t i = 0; haversack_report_piece(r, i, &p); i++) {
        json_array_append_new(pieces, json_pack("[oo]", text_json(p.name), size_json(p.size)));
        compare_size("over", p.over, p.has_budget && p.size > p.budget ? p.size - p.budget : 0);
        if (p.over > 0) json_array_append_new(overran, json_pack("{so so so}", "name", text_json(p.name), "over", size_json(p.over), "owner", text_json(p.owner)));
    }
    compare_size("number of pieces", haversack_report_count(r), json_array_size(pieces));
    for (uint32_t layer = 1; haversack_layer_name(layer).ptr; layer++) {
        json_array_append_new(layers, json_pack("[oo]", text_json(haversack_layer_name(layer)), size_json(haversack_report_layer(r, layer))));
    }
    for (uint32_t kind = 1; haversack_piece_kind_name(kind).ptr; kind++) {
        json_array_append_new(kinds, json_pack("[oo]", text_json(haversack_piece_kind_name(kind)), size_json(haversack_report_kind(r, kind))));
    }
    CHECK(haversack_report_unit(r) == HAVERSACK_UNIT_BYTES && haversack_report_layer(r, 0) == 0 && haversack_report_kind(r, 99) == 0);
    size_t budget = 0;
    const bool has_budget = haversack_report_budget(r, &budget);
    json_t *answer = json_pack("{so so so so so so}", "pieces", pieces, "layers", layers, "kinds", kinds, "overran", overran, "total",
                               size_json(haversack_report_total(r)), "budget", or_null(has_budget, budget));
    json_object_set_new(answer, "over", size_json(haversack_report_over(r)));
    json_object_set_new(answer, "before_conversation", size_json(haversack_report_before_conversation(r)));
    json_object_set_new(answer, "old_results", size_json(haversack_report_old_results(r)));
    json_object_set_new(answer, "resolved_errors", size_json(haversack_report_resolved_errors(r)));
    json_object_set_new(answer, "thinking", size_json(haversack_report_thinking(r)));
    json_object_set_new(answer, "dead_share", size_json(haversack_report_dead_share(r)));
    size_t per_call = 0;
    const bool has_answer = haversack_report_per_call(r, &per_call);
    json_object_set_new(answer, "per_call", or_null(has_answer, per_call));
    compare_whole(answer_of(answer), expected);
    haversack_report_free(r);
}

static void run_blank(const json_t *given, const json_t *expected) {
    COVER("blank", given, "prompt");
    haversack_prompt *prompt = prompt_of(json_object_get(given, "prompt"), NULL), *blank = haversack_prompt_without_conversation(prompt);
    haversack_prompt_free(prompt);
    const size_t count = haversack_prompt_pieces(blank, NULL, 0);
    haversack_piece *pieces = calloc(count + 1, sizeof *pieces);
    CHECK(pieces != NULL && haversack_prompt_pieces(blank, pieces, count) == count);
    json_t *names = json_array();
    for (size_t i = 0; i < count; i++) json_array_append_new(names, text_json(pieces[i].name));
    compare_whole(answer_of(names), expected);
    free(pieces);
    haversack_prompt_free(blank);
}

static void run_growth(const json_t *given, const json_t *expected) {
    COVER("growth", given, "first", "per_call", "calls");
    const haversack_growth g = haversack_estimate_growth((uint64_t)json_integer_value(json_object_get(given, "first")),
                                                         (uint64_t)json_integer_value(json_object_get(given, "per_call")),
                                                         (uint64_t)json_integer_value(json_object_get(given, "calls")));
    compare_whole(answer_of(json_pack("{so so so}", "largest", size_json((size_t)g.largest), "input", size_json((size_t)g.input), "repeated",
                                      size_json((size_t)g.repeated))), expected);
}

/* ---- caches ---- */

/* An input of its own; absent where there is none. */
static haversack_str previous_of(const json_t *given, buffer *room) {
    const json_t *input = json_object_get(given, "previous");
    if (input == NULL) {
        return (haversack_str){NULL, 0};
    }
    append_input(room, input);
    return (haversack_str){room->ptr ? room->ptr : "", room->len};
}

static void run_predict(haversack_str payload, const json_t *given, const json_t *expected) {
    COVER("predict", given, "previous", "counter", "rules", "elapsed", "ttl", "format", "limits");
    haversack_limits limits;
    buffer room = {0};
    const haversack_counter *counter = counter_named(view(json_object_get(given, "counter")));
    const json_t *ttl = json_object_get(given, "ttl");
    const uint64_t life = (uint64_t)json_integer_value(ttl);
    const haversack_predict_options options = {
        .size = sizeof options,
        .counter = counter,
        .rules = view(json_object_get(given, "rules")),
        .elapsed = (uint64_t)json_integer_value(json_object_get(given, "elapsed")),
        .ttl = ttl ? &life : NULL,
        .format = wire_format_of(json_object_get(given, "format")),
        .limits = limits_in(given, &limits),
    };
    haversack_prediction p;
    haversack_error *error = NULL;
    if (haversack_predict(previous_of(given, &room), payload, &options, &p, &error) != HAVERSACK_OK) {
        compare_whole(error_json(error), expected);
    } else {
        compare_whole(answer_of(json_pack("{so so so so so so so so so}", "cached", size_json(p.cached), "cached_min", size_json(p.cached_min),
                                          "cached_max", size_json(p.cached_max), "written", size_json(p.written), "fresh", size_json(p.fresh),
                                          "total", size_json(p.total), "billed", size_json((size_t)p.billed), "reason",
                                          text_json(haversack_cache_reason_name(p.reason)), "rules", text_json(p.rules))), expected);
    }
    free(room.ptr);
}

static json_t *marks_json(const haversack_mark_plan *plan) {
    json_t *marks = json_array(), *unplaced = json_array();
    haversack_cache_mark m;
    for (size_t i = 0; haversack_mark_plan_mark(plan, i, &m); i++) {
        json_array_append_new(marks, json_pack("{so so so so so}", "reason", text_json(haversack_mark_reason_name(m.reason)), "pointer",
                                               text_json(m.pointer), "message", or_null(m.has_message, m.message), "block",
                                               size_json(m.block), "life", text_json(m.life)));
    }
    compare_size("number of marks", haversack_mark_plan_count(plan), json_array_size(marks));
    uint32_t reasons[8] = {0};
    const size_t count = haversack_mark_plan_unplaced(plan, reasons, 8);
    CHECK(count <= 8);
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(unplaced, text_json(haversack_mark_reason_name(reasons[i])));
    }
    return json_pack("{so so so so}", "marks", marks, "unplaced", unplaced, "text", text_json(haversack_mark_plan_text(plan)), "rules",
                     text_json(haversack_mark_plan_rules(plan)));
}

static void run_cache_marks(haversack_str payload, const json_t *given, const json_t *expected) {
    COVER("cache_marks", given, "previous", "rules", "most", "life", "head_life", "changing", "format", "limits");
    haversack_limits limits;
    buffer room = {0};
    const json_t *limit = json_object_get(given, "most");
    const size_t most = (size_t)json_integer_value(limit);
    const haversack_mark_options options = {
        .size = sizeof options,
        .rules = view(json_object_get(given, "rules")),
        .most = limit ? &most : NULL,
        .life = view(json_object_get(given, "life")),
        .head_life = view(json_object_get(given, "head_life")),
        .changing = (size_t)json_integer_value(json_object_get(given, "changing")),
        .format = wire_format_of(json_object_get(given, "format")),
        .limits = limits_in(given, &limits),
    };
    const haversack_str previous = previous_of(given, &room);
    haversack_mark_plan *plan = NULL, *again = NULL;
    haversack_error *error = NULL;
    if (haversack_cache_marks(payload, previous, &options, &plan, &error) != HAVERSACK_OK) {
        compare_whole(error_json(error), expected);
    } else {
        CHECK(haversack_cache_marks(haversack_mark_plan_text(plan), previous, &options, &again, NULL) == HAVERSACK_OK);
        if (!same(haversack_mark_plan_text(plan), haversack_mark_plan_text(again))) WRONG("doing it again gives another text");
        compare_whole(answer_of(marks_json(plan)), expected);
    }
    haversack_mark_plan_free(plan), haversack_mark_plan_free(again);
    free(room.ptr);
}

/* ---- frozen sections ---- */

static json_t *note_json(const haversack_note *note) {
    if (note->version == 0) {
        CHECK(note->section.ptr == NULL && note->text.ptr == NULL);
        return json_null();
    }
    return json_pack("{so so so}", "section", text_json(note->section), "version", size_json((size_t)note->version), "text", text_json(note->text));
}

static json_t *names_json(const haversack_str *names, size_t count) {
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(all, text_json(names[i]));
    }
    return all;
}

static json_t *run_frozen_step(haversack_frozen **frozen, const json_t *step) {
    const char *what = json_string_value(json_object_get(step, "do"));
    const haversack_str name = view(json_object_get(step, "name"));
    haversack_error *error = NULL;
    haversack_str text;
    haversack_note note;
    json_t *answer = NULL;
    if (strcmp(what, "update") == 0) {
        if (haversack_frozen_update(*frozen, name, view(json_object_get(step, "text")), &note, &error) == HAVERSACK_OK) answer = note_json(&note);
    } else if (strcmp(what, "text") == 0) {
        if (haversack_frozen_text(*frozen, name, &text, &error) == HAVERSACK_OK) answer = text_json(text);
    } else if (strcmp(what, "current") == 0) {
        if (haversack_frozen_current(*frozen, name, &text, &error) == HAVERSACK_OK) answer = text_json(text);
    } else if (strcmp(what, "notes") == 0) {
        answer = json_array();
        for (size_t i = 0; haversack_frozen_note(*frozen, i, &note); i++) {
            json_array_append_new(answer, note_json(&note));
        }
        compare_size("number of notes", haversack_frozen_note_count(*frozen), json_array_size(answer));
    } else if (strcmp(what, "fold") == 0) {
        const size_t count = haversack_frozen_names(*frozen, NULL, 0);
        haversack_str *changed = calloc(count + 1, sizeof *changed);
        CHECK(changed != NULL);
        answer = names_json(changed, haversack_frozen_fold(*frozen, changed, count));
        free(changed);
    } else if (strcmp(what, "cost") == 0) {
        const haversack_counter *counter = counter_named(view(json_object_get(step, "counter")));
        haversack_note_cost c;
        if (haversack_frozen_cost(*frozen, counter, &c, &error) == HAVERSACK_OK) {
            answer = json_pack("{so so so so so}", "notes", size_json(c.notes), "superseded", size_json(c.superseded), "tokens", size_json(c.tokens),
                               "superseded_tokens", size_json(c.superseded_tokens), "stale_tokens", size_json(c.stale_tokens));
        }
    } else if (strcmp(what, "state") == 0 || strcmp(what, "reload") == 0) {
        haversack_string json;
        CHECK(haversack_frozen_json(*frozen, &json, NULL) == HAVERSACK_OK);
        if (what[0] == 's') {
            return answer_of(loaded(json));
        }
        haversack_frozen_free(*frozen);
        CHECK(haversack_frozen_from_json((haversack_str){json.ptr, json.len}, frozen, NULL) == HAVERSACK_OK);
        haversack_string_free(json);
        answer = json_null();
    } else if (strcmp(what, "load") == 0) {
        haversack_frozen *other = NULL;
        if (haversack_frozen_from_json(view(json_object_get(step, "state")), &other, &error) == HAVERSACK_OK) {
            haversack_frozen_free(*frozen);
            *frozen = other;
            answer = json_null();
        }
    } else WRONG("unknown step %s", what);
    return error ? error_json(error) : answer_of(answer);
}

static void run_frozen(const json_t *given, const json_t *expected) {
    COVER("frozen", given, "sections", "steps");
    const json_t *sections = json_object_get(given, "sections"), *steps = json_object_get(given, "steps");
    const size_t count = json_array_size(sections);
    haversack_section *c = calloc(count + 1, sizeof *c);
    CHECK(c != NULL);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(sections, i);
        c[i] = (haversack_section){view(json_array_get(pair, 0)), view(json_array_get(pair, 1))};
    }
    haversack_frozen *frozen = NULL;
    haversack_error *error = NULL;
    json_t *answers = json_array();
    if (haversack_frozen_new(c, count, &frozen, &error) == HAVERSACK_OK) {
        for (size_t i = 0; i < json_array_size(steps); i++) {
            json_array_append_new(answers, run_frozen_step(&frozen, json_array_get(steps, i)));
        }
    }
    free(c);
    compare_whole(error ? error_json(error) : answer_of(json_incref(answers)), expected);
    json_decref(answers);
    haversack_frozen_free(frozen);
}

#endif
