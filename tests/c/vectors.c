/* Runs every shared case through the typed calls of the C interface: vectors DIR [inexact].
 *
 * "inexact" passes over the cases of the exact counters, which take minutes under valgrind.
 * Each option is set by its own member, the answer is compared as JSON and part by part, and an option that
 * DIR/OPTIONS.txt lists and no case sets fails the run. */
#define _XOPEN_SOURCE 700
#include "case.h"

#include <ftw.h>

static json_t *covered; /* "deliver.bytes": number of cases */
static bool inexact;
static size_t ran, skipped, failed;
static const char *current = "";

#define WRONG(...) \
    (failed++, fprintf(stderr, "FAILED %s: ", current), fprintf(stderr, __VA_ARGS__), (void)fputc('\n', stderr))

/* ---- options ---- */

/* The lists of strings that the options of one case point to. */
typedef struct lists {
    haversack_str *each[8];
    size_t count;
} lists;

static haversack_strs strings(lists *owner, const json_t *array) {
    size_t len = json_array_size(array);
    haversack_str *entries = calloc(len + 1, sizeof *entries);
    CHECK(entries != NULL && owner->count < 8);
    owner->each[owner->count++] = entries;
    for (size_t i = 0; i < len; i++) {
        entries[i] = view(json_array_get(array, i));
    }
    return (haversack_strs){entries, len};
}

static void free_lists(lists *owner) {
    for (size_t i = 0; i < owner->count; i++) {
        free(owner->each[i]);
    }
}

/* The number of a name: its place among `names`, or one that is no choice. */
static uint32_t number(const json_t *name, const char *const *names) {
    for (uint32_t i = 0; names[i]; i++) {
        if (strcmp(names[i], json_string_value(name)) == 0) {
            return i;
        }
    }
    return 999;
}
#define NUMBER(name, ...) number(name, (const char *const[]){__VA_ARGS__, NULL})

static haversack_counts counts_of(const json_t *from) {
    return (haversack_counts){
        .total = (uint64_t)json_integer_value(json_object_get(from, "total")),
        .kept = (uint64_t)json_integer_value(json_object_get(from, "kept")),
        .shrunk = (uint64_t)json_integer_value(json_object_get(from, "shrunk")),
        .offloaded = (uint64_t)json_integer_value(json_object_get(from, "offloaded")),
        .omitted = (uint64_t)json_integer_value(json_object_get(from, "omitted")),
    };
}

/* The counts of the records stand beside the others, as in an answer, or under "records". */
static haversack_account account_of(const json_t *from) {
    const json_t *claimed = json_object_get(from, "claimed"), *records = json_object_get(from, "records");
    haversack_account account = {
        .records = counts_of(records ? records : from),
        .bytes = counts_of(json_object_get(from, "bytes")),
        .fields_removed = (uint64_t)json_integer_value(json_object_get(from, "fields_removed")),
        .has_claimed = json_is_object(claimed),
    };
    if (account.has_claimed) {
        account.claimed = counts_of(claimed);
    }
    return account;
}

static haversack_limits limits_of(const json_t *from) {
    haversack_limits limits;
    CHECK(haversack_limits_init(&limits, sizeof limits) == HAVERSACK_OK);
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)from, name, value) {
        size_t n = json_integer_value(value) == 0 ? HAVERSACK_LIMIT_ZERO : (size_t)json_integer_value(value);
        if (strcmp(name, "depth") == 0) limits.depth = n;
        else if (strcmp(name, "nested_strings") == 0) limits.nested_strings = n;
        else if (strcmp(name, "notice_pointer") == 0) limits.notice_pointer = n;
        else if (strcmp(name, "entries") == 0) limits.entries = n;
        else if (strcmp(name, "entry_bytes") == 0) limits.entry_bytes = n;
        else if (strcmp(name, "needle_bytes") == 0) limits.needle_bytes = n;
        else WRONG("unknown limit %s", name);
    }
    return limits;
}

/* The counter of that name, which lives until the next one is asked for that no case has yet. */
static const haversack_counter *counter_named(haversack_str name) {
    static const haversack_counter words = {.size = sizeof words, .count = count_words};
    static haversack_counter known[] = {{.name = {"estimate", 8}}, {.name = {"o200k_base", 10}}, {.name = {"cl100k_base", 11}}, {0}};
    if (same(name, HAVERSACK_STR("words"))) {
        return &words;
    }
    size_t i = 0;
    while (i < 3 && !same(name, known[i].name)) i++;
    known[i].name = i < 3 ? known[i].name : name;
    return &known[i];
}

/* Takes the unit and the counter; true when `name` is one of theirs. */
static bool set_budget(haversack_budget *budget, const json_t *options, const char *name, const json_t *value) {
    size_t limit = (size_t)json_integer_value(value);
    if (strcmp(name, "bytes") == 0) *budget = haversack_budget_bytes(limit);
    else if (strcmp(name, "chars") == 0) *budget = haversack_budget_chars(limit);
    else if (strcmp(name, "utf16") == 0) *budget = haversack_budget_utf16(limit);
    else if (strcmp(name, "tokens") == 0) {
        haversack_str counter = view(json_object_get(options, "counter"));
        *budget = haversack_budget_tokens(limit, counter_named(counter));
    } else return strcmp(name, "counter") == 0;
    return true;
}

static void cover(const char *op, const char *option) {
    char key[64];
    snprintf(key, sizeof key, "%s.%s", op, option);
    json_int_t before = json_integer_value(json_object_get(covered, key));
    json_object_set_new(covered, key, json_integer(before + 1));
}

/* ---- expectations ---- */

static void compare_counts(const char *what, haversack_counts got, const json_t *expected) {
    haversack_counts want = counts_of(expected);
    if (memcmp(&got, &want, sizeof got) != 0) {
        WRONG("%s differ", what);
    }
}

static void compare_text(const char *what, haversack_str got, const json_t *expected) {
    if (!same(got, view(expected))) {
        WRONG("%s is \"%.*s\", not \"%s\"", what, (int)got.len, got.ptr ? got.ptr : "", json_string_value(expected));
    }
}

static void compare_size(const char *what, size_t got, size_t expected) {
    if (got != expected) {
        WRONG("%s is %zu, not %zu", what, got, expected);
    }
}

static void compare_number(const char *what, size_t got, const json_t *expected) {
    compare_size(what, got, (size_t)json_integer_value(expected));
}

static void compare_parts(const haversack_delivery *d, const json_t *answer) {
    compare_text("text", haversack_delivery_text(d), json_object_get(answer, "text"));
    compare_number("size", haversack_delivery_size(d), json_object_get(answer, "size"));
    compare_text("unit", haversack_unit_name(haversack_delivery_unit(d)), json_object_get(answer, "unit"));
    compare_text("format", haversack_format_name(haversack_delivery_format(d)), json_object_get(answer, "format"));
    compare_text("next", haversack_delivery_next(d), json_object_get(answer, "next"));
    compare_text("notice", haversack_delivery_notice(d), json_object_get(answer, "notice"));
    if (haversack_delivery_complete(d) != json_is_true(json_object_get(answer, "complete"))) {
        WRONG("complete differs");
    }

    const json_t *account = json_object_get(answer, "account");
    haversack_account got = haversack_delivery_account(d);
    compare_counts("records", got.records, account);
    compare_counts("bytes", got.bytes, json_object_get(account, "bytes"));
    compare_number("fields_removed", (size_t)got.fields_removed, json_object_get(account, "fields_removed"));
    compare_counts("claimed counts", got.claimed, json_object_get(account, "claimed"));
    if ((got.has_claimed == 1) != json_is_object(json_object_get(account, "claimed"))) {
        WRONG("has_claimed differs");
    }

    const json_t *lists = json_object_get(answer, "lists");
    compare_size("number of lists", haversack_delivery_list_count(d), json_array_size(lists));
    for (size_t i = 0; i < json_array_size(lists); i++) {
        const json_t *want = json_array_get(lists, i);
        haversack_list list;
        if (!haversack_delivery_list(d, i, &list)) break;
        compare_text("pointer of a list", list.pointer, json_object_get(want, "pointer"));
        compare_counts("records of a list", list.records, want);
        compare_counts("bytes of a list", list.bytes, json_object_get(want, "bytes"));
        compare_text("next of a list", list.next, json_object_get(want, "next"));
    }

    const json_t *warnings = json_object_get(answer, "warnings");
    compare_size("number of warnings", haversack_delivery_warning_count(d), json_array_size(warnings));
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const json_t *want = json_array_get(warnings, i), *offset = json_object_get(want, "offset");
        haversack_warning warning;
        if (!haversack_delivery_warning(d, i, &warning)) break;
        compare_text("kind of a warning", haversack_warning_name(warning.kind), json_object_get(want, "kind"));
        compare_text("subject of a warning", warning.subject, json_object_get(want, "subject"));
        compare_number("offset of a warning", warning.offset, offset);
        if ((warning.has_offset == 1) != json_is_integer(offset)) {
            WRONG("has_offset of a warning differs");
        }
    }

    const json_t *plan = json_object_get(answer, "plan");
    compare_size("number of runs", haversack_delivery_run_count(d), json_array_size(plan));
    for (size_t i = 0; i < json_array_size(plan); i++) {
        const json_t *want = json_array_get(plan, i), *range = json_object_get(want, "text_range");
        haversack_run run;
        if (!haversack_delivery_run(d, i, &run)) break;
        compare_text("list of a run", run.list, json_object_get(want, "list"));
        compare_number("from of a run", run.from, json_object_get(want, "from"));
        compare_number("to of a run", run.to, json_object_get(want, "to"));
        compare_text("action of a run", haversack_action_name(run.action), json_object_get(want, "action"));
        compare_text("reason of a run", haversack_reason_name(run.reason), json_object_get(want, "reason"));
        compare_number("source_bytes of a run", run.source_bytes, json_object_get(want, "source_bytes"));
        compare_number("start of a run", run.text_from, json_array_get(range, 0));
        compare_number("end of a run", run.text_to, json_array_get(range, 1));
    }
}

static void compare_json(haversack_string json, const json_t *expected) {
    json_t *got = json_loadb(json.ptr, json.len, JSON_ALLOW_NUL, NULL);
    if (!json_equal(got, expected)) {
        char *want = json_dumps(expected, JSON_COMPACT | JSON_ENSURE_ASCII);
        WRONG("the answer is %.*s, not %s", (int)json.len, json.ptr, want);
        free(want);
    }
    json_decref(got);
}

static void compare_answer(const haversack_delivery *d, const json_t *expected) {
    haversack_string json = {NULL, 0};
    CHECK(haversack_delivery_json(d, &json, NULL) == HAVERSACK_OK);
    compare_json(json, expected);
    haversack_string_free(json);
    compare_parts(d, expected);
}

static void put_text(json_t *to, const char *name, haversack_str value) {
    if (value.ptr != NULL) {
        json_object_set_new(to, name, json_stringn(value.ptr, value.len));
    }
}

static void put_number(json_t *to, const char *name, bool there, size_t value) {
    if (there) {
        json_object_set_new(to, name, json_integer((json_int_t)value));
    }
}

/* {"error": …} of a failed call, or NULL; the error is freed. */
static json_t *error_json(haversack_error *error) {
    if (error == NULL) {
        return NULL;
    }
    CHECK(haversack_error_message(error).len > 0);
    CHECK(same(haversack_status_name(haversack_error_status(error)), haversack_error_name(error)));
    size_t n = 0;
    bool there;
    json_t *got = json_object();
    put_text(got, "kind", haversack_error_name(error));
    there = haversack_error_offset(error, &n), put_number(got, "offset", there, n);
    put_text(got, "expected", haversack_error_expected(error));
    there = haversack_error_needed(error, &n), put_number(got, "needed", there, n);
    there = haversack_error_size(error, &n), put_number(got, "size", there, n);
    there = haversack_error_available(error, &n), put_number(got, "available", there, n);
    put_text(got, "unit", haversack_unit_name(haversack_error_unit(error)));
    put_text(got, "argument", haversack_error_argument(error));
    put_text(got, "pointer", haversack_error_pointer(error));
    there = haversack_error_index(error, &n), put_number(got, "index", there, n);
    put_text(got, "piece", haversack_error_piece(error));
    haversack_error_free(error);
    return json_pack("{so}", "error", got);
}

static void compare_whole(json_t *got, const json_t *expected) {
    if (!json_equal(got, expected)) {
        char *is = json_dumps(got, JSON_COMPACT), *want = json_dumps(expected, JSON_COMPACT);
        WRONG("got %s, not %s", is, want);
        free(is), free(want);
    }
    json_decref(got);
}

/* What every operation that gives a delivery ends with. */
static void judge(haversack_status status, haversack_delivery *d, haversack_error *error, const json_t *expected) {
    const json_t *answer = json_object_get(expected, "answer");
    if (status != HAVERSACK_OK) {
        CHECK(d == NULL && haversack_error_status(error) == status);
        compare_whole(error_json(error), expected);
    } else if (answer == NULL) {
        WRONG("delivered, where an error was expected");
    } else {
        CHECK(error == NULL);
        compare_answer(d, answer);
    }
    haversack_delivery_free(d);
}

/* ---- operations ---- */

static void run_deliver(haversack_str payload, const json_t *given, const json_t *expected) {
    haversack_budget budget = {0};
    haversack_deliver_options options;
    haversack_account earlier;
    haversack_limits limits;
    lists owner = {0};
    CHECK(haversack_deliver_options_init(&options, sizeof options) == HAVERSACK_OK);

    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        bool on = json_is_true(value);
        cover("deliver", name);
        if (set_budget(&budget, given, name, value)) continue;
        else if (strcmp(name, "format") == 0) options.format = NUMBER(value, "auto", "json", "ndjson", "csv", "tsv", "lines");
        else if (strcmp(name, "select") == 0) options.select = strings(&owner, value);
        else if (strcmp(name, "sort_by") == 0) options.sort_by = view(value);
        else if (strcmp(name, "descending") == 0) options.descending = on;
        else if (strcmp(name, "share") == 0) options.share = NUMBER(value, "fair", "proportional", "in_order");
        else if (strcmp(name, "priority") == 0) options.priority = strings(&owner, value);
        else if (strcmp(name, "keep") == 0) options.keep = NUMBER(value, "", "head", "tail", "both");
        else if (strcmp(name, "oversize") == 0) options.oversize = NUMBER(value, "shrink", "skip", "error");
        else if (strcmp(name, "envelope") == 0) options.envelope = NUMBER(value, "when_cut", "always");
        else if (strcmp(name, "cursor") == 0) options.cursor = view(value);
        else if (strcmp(name, "reader") == 0) options.reader = view(value);
        else if (strcmp(name, "hint") == 0) options.hint = view(value);
        else if (strcmp(name, "nested") == 0) options.nested = on ? HAVERSACK_NESTED_ON : HAVERSACK_NESTED_OFF;
        else if (strcmp(name, "on_invalid") == 0) options.on_invalid = NUMBER(value, "error", "lines", "salvage");
        else if (strcmp(name, "prefer") == 0) options.prefer = strings(&owner, value);
        else if (strcmp(name, "ansi") == 0) options.ansi = NUMBER(value, "keep", "strip");
        else if (strcmp(name, "collapse") == 0) options.collapse = on;
        else if (strcmp(name, "source") == 0) options.source = NUMBER(value, "", "kept", "gone");
        else if (strcmp(name, "notice") == 0) options.notice = NUMBER(value, "text", "none");
        else if (strcmp(name, "earlier") == 0) earlier = account_of(value), options.earlier = &earlier;
        else if (strcmp(name, "limits") == 0) limits = limits_of(value), options.limits = &limits;
        else WRONG("unknown option %s", name);
    }

    haversack_delivery *d = NULL;
    haversack_error *error = NULL;
    haversack_status status = haversack_deliver(payload, budget, &options, &d, &error);
    judge(status, d, error, expected);
    free_lists(&owner);
}

static void run_page(haversack_str payload, const json_t *given, const json_t *expected) {
    haversack_budget budget = {0};
    haversack_page_options options = {.size = sizeof options};
    size_t start, lines;
    haversack_limits limits;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        cover("page", name);
        if (set_budget(&budget, given, name, value)) continue;
        else if (strcmp(name, "start") == 0) start = (size_t)json_integer_value(value), options.start = &start;
        else if (strcmp(name, "lines") == 0) lines = (size_t)json_integer_value(value), options.lines = &lines;
        else if (strcmp(name, "at") == 0) options.at = view(value);
        else if (strcmp(name, "cursor") == 0) options.cursor = view(value);
        else if (strcmp(name, "reader") == 0) options.reader = view(value);
        else if (strcmp(name, "hint") == 0) options.hint = view(value);
        else if (strcmp(name, "limits") == 0) limits = limits_of(value), options.limits = &limits;
        else WRONG("unknown option %s", name);
    }
    haversack_delivery *d = NULL;
    haversack_error *error = NULL;
    haversack_status status = haversack_page(payload, budget, &options, &d, &error);
    judge(status, d, error, expected);
}

static void run_find(haversack_str payload, const json_t *given, const json_t *expected) {
    haversack_budget budget = {0};
    haversack_find_options options = {.size = sizeof options};
    haversack_str needle = {0};
    size_t context, limit;
    haversack_limits limits;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        cover("find", name);
        if (set_budget(&budget, given, name, value)) continue;
        else if (strcmp(name, "needle") == 0) needle = view(value);
        else if (strcmp(name, "context") == 0) context = (size_t)json_integer_value(value), options.context = &context;
        else if (strcmp(name, "limit") == 0) limit = (size_t)json_integer_value(value), options.limit = &limit;
        else if (strcmp(name, "at") == 0) options.at = view(value);
        else if (strcmp(name, "cursor") == 0) options.cursor = view(value);
        else if (strcmp(name, "reader") == 0) options.reader = view(value);
        else if (strcmp(name, "hint") == 0) options.hint = view(value);
        else if (strcmp(name, "limits") == 0) limits = limits_of(value), options.limits = &limits;
        else WRONG("unknown option %s", name);
    }
    haversack_delivery *d = NULL;
    haversack_error *error = NULL;
    haversack_status status = haversack_find(payload, needle, budget, &options, &d, &error);
    judge(status, d, error, expected);
}

static void run_count(haversack_str text, const json_t *c) {
    haversack_budget budget = haversack_budget_tokens(0, counter_named(view(json_object_get(c, "counter"))));
    size_t tokens = 0;
    CHECK(haversack_measure(text, budget, &tokens, NULL) == HAVERSACK_OK);
    compare_number("count", tokens, json_object_get(json_object_get(c, "expect"), "count"));
}

/* A budget of its own, such as {"chars": 100}. */
static haversack_budget budget_of(const json_t *given) {
    haversack_budget budget = {0};
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        set_budget(&budget, given, name, value);
    }
    return budget;
}

/* Options of offload, with the budgets they point to. */
typedef struct offload_options {
    haversack_offload_options c;
    haversack_budget over, preview;
    const haversack_counter *counter; /* that of `over`, where it has one */
} offload_options;

static void read_offload_options(offload_options *o, const char *op, const json_t *given) {
    memset(o, 0, sizeof *o);
    o->c.size = sizeof o->c;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)given, name, value) {
        if (op != NULL) cover(op, name);
        if (strcmp(name, "over") == 0) o->over = budget_of(value), o->c.over = &o->over;
        else if (strcmp(name, "preview") == 0) o->preview = budget_of(value), o->c.preview = &o->preview;
        else if (strcmp(name, "format") == 0) o->c.format = NUMBER(value, "auto", "json", "ndjson", "csv", "tsv", "lines");
        else if (strcmp(name, "preview_keep") == 0) o->c.preview_keep = NUMBER(value, "", "head", "tail", "both");
        else if (strcmp(name, "reader") == 0) o->c.reader = view(value);
        else if (strcmp(name, "hint") == 0) o->c.hint = view(value);
        else if (!strstr(" call_id location do input tool arguments stored bytes chars utf16 tokens counter ", name)) WRONG("unknown option %s", name);
    }
    if (o->over.unit == HAVERSACK_UNIT_TOKENS) {
        o->counter = o->over.counter;
    }
}

/* The text parsed, and freed. */
static json_t *take_json(haversack_string text) {
    json_t *value = json_loadb(text.ptr, text.len, JSON_ALLOW_NUL, NULL);
    haversack_string_free(text);
    return value;
}

static json_t *take_pointer(haversack_pointer *pointer) {
    haversack_string text;
    CHECK(haversack_pointer_json(pointer, &text, NULL) == HAVERSACK_OK);
    json_t *json = take_json(text), *account = json_object_get(json, "account");
    compare_text("text of a pointer", haversack_pointer_text(pointer), json_object_get(json, "text"));
    compare_text("reason of a pointer", haversack_offload_reason_name(haversack_pointer_reason(pointer)), json_object_get(json, "reason"));
    compare_number("size of a pointer", haversack_pointer_size(pointer), json_object_get(json, "size"));
    compare_number("saved by a pointer", haversack_pointer_saved(pointer), json_object_get(json, "saved"));
    compare_text("unit of a pointer", haversack_unit_name(haversack_pointer_unit(pointer)), json_object_get(json, "unit"));
    compare_counts("records of a pointer", haversack_pointer_account(pointer).records, account);
    compare_counts("bytes of a pointer", haversack_pointer_account(pointer).bytes, json_object_get(account, "bytes"));
    haversack_pointer_free(pointer);
    return json;
}

static const char *const KEEPS[] = {"", "head", "tail", "both"};

static void compare_offload(const haversack_offload_answer *a, const json_t *json) {
    const json_t *policy = json_object_get(json, "policy");
    haversack_policy ran = haversack_offload_answer_policy(a);
    compare_text("action", haversack_offload_action_name(haversack_offload_answer_action(a)), json_object_get(json, "action"));
    compare_text("reason", haversack_offload_reason_name(haversack_offload_answer_reason(a)), json_object_get(json, "reason"));
    compare_text("key", haversack_offload_answer_key(a), json_object_get(json, "key"));
    compare_number("size", haversack_offload_answer_size(a), json_object_get(json, "size"));
    compare_text("unit", haversack_unit_name(ran.unit), json_object_get(json, "unit"));
    compare_number("bytes", haversack_offload_answer_bytes(a), json_object_get(json, "bytes"));
    compare_text("sha256", haversack_offload_answer_sha256(a), json_object_get(json, "sha256"));
    compare_text("format", haversack_format_name(haversack_offload_answer_format(a)), json_object_get(json, "format"));
    compare_text("at", haversack_offload_answer_at(a), json_object_get(json, "at"));
    compare_text("preview", haversack_offload_answer_preview(a), json_object_get(json, "preview"));
    compare_number("policy over", ran.over, json_object_get(policy, "over"));
    compare_text("policy unit", haversack_unit_name(ran.unit), json_object_get(policy, "unit"));
    compare_number("policy preview", ran.preview, json_object_get(policy, "preview"));
    compare_text("policy preview_unit", haversack_unit_name(ran.preview_unit), json_object_get(policy, "preview_unit"));
    if (strcmp(KEEPS[ran.preview_keep], json_string_value(json_object_get(policy, "preview_keep"))) != 0) {
        WRONG("policy preview_keep differs");
    }
}

static void run_offload(haversack_str payload, const json_t *given, const json_t *expected) {
    offload_options options;
    read_offload_options(&options, "offload", given);
    haversack_offload_answer *answer = NULL;
    haversack_error *error = NULL;
    haversack_offload(payload, view(json_object_get(given, "call_id")), &options.c, &answer, &error);
    json_t *got = error_json(error);
    const json_t *location = json_object_get(given, "location");
    if (got == NULL) {
        haversack_string text;
        CHECK(haversack_offload_answer_json(answer, &text, NULL) == HAVERSACK_OK);
        json_t *json = take_json(text);
        compare_offload(answer, json);
        got = json_pack("{so}", "answer", json);
        if (location != NULL) {
            haversack_pointer *pointer = NULL;
            error = NULL;
            haversack_offload_answer_pointer(answer, view(location), options.counter, &pointer, &error);
            if (error != NULL) {
                json_decref(got);
                got = error_json(error);
            } else {
                json_object_set_new(json, "pointer", take_pointer(pointer));
            }
        }
    }
    haversack_offload_answer_free(answer);
    compare_whole(got, expected);
}

static json_t *run_step(haversack_offloads **table, const json_t *step) {
    const char *what = json_string_value(json_object_get(step, "do"));
    haversack_str key = view(json_object_get(step, "key")), call_id = view(json_object_get(step, "call_id"));
    haversack_error *error = NULL;
    json_t *answer = json_null();
    buffer input = {0};
    if (json_object_get(step, "input") != NULL) {
        append_input(&input, json_object_get(step, "input"));
    }
    haversack_str payload = {input.ptr, input.len};
    if (strcmp(what, "prepare") == 0) {
        offload_options options;
        read_offload_options(&options, NULL, step);
        haversack_prepared *prepared = NULL;
        if (haversack_offloads_prepare(*table, payload, call_id, &options.c, &prepared, &error) == HAVERSACK_OK) {
            haversack_string text;
            CHECK(haversack_prepared_json(prepared, &text, NULL) == HAVERSACK_OK);
            answer = take_json(text);
            compare_text("action", haversack_offload_action_name(haversack_prepared_action(prepared)), json_object_get(answer, "action"));
            compare_text("reason", haversack_offload_reason_name(haversack_prepared_reason(prepared)), json_object_get(answer, "reason"));
            compare_text("key", haversack_prepared_key(prepared), json_object_get(answer, "key"));
            compare_text("text", haversack_prepared_text(prepared), json_object_get(answer, "text"));
            haversack_account books = haversack_prepared_account(prepared);
            CHECK(books.records.total == 1 && books.bytes.total == payload.len);
            CHECK((books.records.offloaded == 1) == (haversack_prepared_text(prepared).ptr != NULL));
        }
        haversack_prepared_free(prepared);
    } else if (strcmp(what, "commit") == 0) {
        haversack_pointer *pointer = NULL;
        haversack_str location = view(json_object_get(step, "location"));
        if (haversack_offloads_commit(*table, key, location, NULL, &pointer, &error) == HAVERSACK_OK) {
            answer = take_pointer(pointer);
            haversack_entry entry;
            CHECK(haversack_offloads_lookup(*table, key, &entry) && same(entry.location, location));
            CHECK(same(entry.key, key) && (entry.state == HAVERSACK_ENTRY_STORED || entry.state == HAVERSACK_ENTRY_NOT_SHORTER));
        }
    } else if (strcmp(what, "refuse") == 0) {
        haversack_offloads_refuse(*table, key, view(json_object_get(step, "reason")), &error);
    } else if (strcmp(what, "exempt") == 0) {
        haversack_offloads_exempt(*table, call_id, &error);
    } else if (strcmp(what, "verify") == 0) {
        haversack_offloads_verify(*table, key, payload, &error);
    } else if (strcmp(what, "state") == 0 || strcmp(what, "reload") == 0) {
        haversack_string text;
        CHECK(haversack_offloads_json(*table, &text, NULL) == HAVERSACK_OK);
        if (what[0] == 'r') {
            haversack_offloads_free(*table);
            *table = NULL;
            CHECK(haversack_offloads_from_json((haversack_str){text.ptr, text.len}, table, &error) == HAVERSACK_OK);
            haversack_string_free(text);
        } else {
            answer = take_json(text);
            const json_t *entries = json_object_get(answer, "entries");
            compare_size("number of entries", haversack_offloads_entry_count(*table), json_array_size(entries));
            haversack_entry entry;
            for (size_t i = 0; haversack_offloads_entry(*table, i, &entry); i++) {
                const json_t *want = json_array_get(entries, i);
                compare_text("key of an entry", entry.key, json_object_get(want, "key"));
                compare_text("call_id of an entry", entry.call_id, json_object_get(want, "call_id"));
                compare_text("sha256 of an entry", (haversack_str){(const char *)entry.sha256, 64}, json_object_get(want, "sha256"));
                compare_number("bytes of an entry", entry.bytes, json_object_get(want, "bytes"));
                compare_number("size of an entry", entry.size, json_object_get(want, "size"));
                compare_text("format of an entry", haversack_format_name(entry.format), json_object_get(want, "format"));
                compare_text("at of an entry", entry.at, json_object_get(want, "at"));
                compare_text("preview of an entry", entry.preview, json_object_get(want, "preview"));
                compare_text("location of an entry", entry.location, json_object_get(want, "location"));
                compare_text("reason of an entry", entry.refused, json_object_get(want, "reason"));
            }
        }
    } else if (strcmp(what, "load") == 0) {
        haversack_offloads *loaded = NULL;
        if (haversack_offloads_from_json(view(json_object_get(step, "state")), &loaded, &error) == HAVERSACK_OK) {
            haversack_offloads_free(*table);
            *table = loaded;
        }
    } else {
        WRONG("unknown step %s", what);
    }
    free(input.ptr);
    json_t *failed_step = error_json(error);
    return failed_step ? failed_step : json_pack("{so}", "answer", answer);
}

static void run_offloads(const json_t *given, const json_t *expected) {
    haversack_offloads *table = haversack_offloads_new();
    const json_t *steps = json_object_get(given, "steps");
    json_t *answers = json_array();
    for (size_t i = 0; i < json_array_size(steps); i++) {
        json_array_append_new(answers, run_step(&table, json_array_get(steps, i)));
    }
    haversack_offloads_free(table);
    compare_whole(json_pack("{so}", "answer", answers), expected);
}

/* Offloads the payload, lets the model's call name its key, and answers it from the store. */
static void run_readback(haversack_str payload, const json_t *given, const json_t *expected) {
    offload_options options;
    read_offload_options(&options, "readback", given);
    haversack_budget budget = budget_of(given);
    haversack_offloads *table = haversack_offloads_new();
    haversack_prepared *prepared = NULL;
    haversack_pointer *pointer = NULL;
    CHECK(haversack_offloads_prepare(table, payload, view(json_object_get(given, "call_id")), &options.c, &prepared, NULL) == HAVERSACK_OK);
    haversack_str key = haversack_prepared_key(prepared);
    CHECK(haversack_offloads_commit(table, key, HAVERSACK_STR("stored/1"), options.counter, &pointer, NULL) == HAVERSACK_OK);

    buffer call = {0}, stored = {0};
    haversack_str arguments = view(json_object_get(given, "arguments"));
    for (size_t i = 0; i < arguments.len; i++) {
        if (arguments.len - i >= 4 && memcmp(arguments.ptr + i, "$KEY", 4) == 0) {
            append(&call, key.ptr, key.len);
            i += 3;
        } else {
            append(&call, arguments.ptr + i, 1);
        }
    }
    const json_t *other = json_object_get(given, "stored");
    if (other != NULL) {
        append_input(&stored, other);
    }
    haversack_request *request = NULL;
    haversack_delivery *d = NULL;
    haversack_error *error = NULL;
    haversack_status status = haversack_readback_request(table, view(json_object_get(given, "tool")), (haversack_str){call.ptr, call.len}, NULL, &request, &error);
    if (status == HAVERSACK_OK) {
        CHECK(same(haversack_request_key(request), key) && same(haversack_request_location(request), HAVERSACK_STR("stored/1")));
        haversack_str bytes = other ? (haversack_str){stored.ptr, stored.len} : payload;
        status = haversack_request_answer(request, bytes, budget, &d, &error);
    }
    judge(status, d, error, expected);
    haversack_request_free(request);
    haversack_pointer_free(pointer);
    haversack_prepared_free(prepared);
    haversack_offloads_free(table);
    free(call.ptr), free(stored.ptr);
}

#include "histories.h"
#include "prompts.h"
#include "rendered.h"
#include "ledgers.h"
#include "handoffs.h"

/* ---- cases ---- */

/* An exact counter that is not to be used, or that this library was built without. */
static bool lacks_counter(const json_t *options) {
    haversack_str counter = view(json_object_get(options, "counter"));
    if (!same(counter, HAVERSACK_STR("o200k_base")) && !same(counter, HAVERSACK_STR("cl100k_base"))) {
        return false;
    }
    if (inexact) {
        return true;
    }
    size_t size;
    haversack_budget budget = haversack_budget_tokens(1, counter_named(counter));
    return haversack_measure(HAVERSACK_STR("x"), budget, &size, NULL) != HAVERSACK_OK;
}

static void run_case(const json_t *c) {
    current = json_string_value(json_object_get(c, "name"));
    const char *op = json_string_value(json_object_get(c, "op"));
    const json_t *options = json_object_get(c, "options"), *expected = json_object_get(c, "expect");
    if (lacks_counter(options ? options : c)) {
        skipped++;
        return;
    }
    buffer input = {0};
    append_input(&input, json_object_get(c, "input"));
    haversack_str payload = {input.ptr, input.len};
    ran++;
    if (strcmp(op, "deliver") == 0) run_deliver(payload, options, expected);
    else if (strcmp(op, "page") == 0) run_page(payload, options, expected);
    else if (strcmp(op, "find") == 0) run_find(payload, options, expected);
    else if (strcmp(op, "count") == 0) run_count(payload, c);
    else if (strcmp(op, "offload") == 0) run_offload(payload, options, expected);
    else if (strcmp(op, "offloads") == 0) run_offloads(options, expected);
    else if (strcmp(op, "readback") == 0) run_readback(payload, options, expected);
    else if (strcmp(op, "check") == 0) run_check(payload, options, expected);
    else if (strcmp(op, "repair") == 0) run_repair(payload, options, expected);
    else if (strcmp(op, "safe_cuts") == 0) run_safe_cuts(payload, options, expected);
    else if (strcmp(op, "cut") == 0) run_cut(payload, options, expected);
    else if (strcmp(op, "canonical") == 0) run_canonical(payload, options, expected);
    else if (strcmp(op, "pieces") == 0) run_pieces(payload, options, expected);
    else if (strcmp(op, "compare") == 0) run_compare(options, expected);
    else if (strcmp(op, "prefix") == 0) run_prefix(options, expected);
    else if (strcmp(op, "snapshot") == 0) run_snapshot(options, expected);
    else if (strcmp(op, "restore") == 0) run_restore(payload, options, expected);
    else if (strcmp(op, "volatile") == 0) run_volatile(options, expected);
    else if (strcmp(op, "render") == 0) run_render(options, expected);
    else if (strcmp(op, "report") == 0) run_report(options, expected);
    else if (strcmp(op, "blank") == 0) run_blank(options, expected);
    else if (strcmp(op, "growth") == 0) run_growth(options, expected);
    else if (strcmp(op, "predict") == 0) run_predict(payload, options, expected);
    else if (strcmp(op, "cache_marks") == 0) run_cache_marks(payload, options, expected);
    else if (strcmp(op, "frozen") == 0) run_frozen(options, expected);
    else if (!run_ledgers(op, options, expected) && !run_handoffs(op, payload, options, expected)) WRONG("unknown operation %s", op);
    free(input.ptr);
}

static int run_file(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)place;
    size_t len = strlen(path);
    if (kind != FTW_F || len < 5 || strcmp(path + len - 5, ".json") != 0) {
        return 0;
    }
    json_error_t why;
    json_t *cases = json_load_file(path, JSON_ALLOW_NUL, &why);
    if (!json_is_array(cases)) {
        FAIL("%s: no array of cases: %s", path, why.text);
    }
    for (size_t i = 0; i < json_array_size(cases); i++) {
        run_case(json_array_get(cases, i));
    }
    json_decref(cases);
    return 0;
}

/* Prints how often each option of a list was set, and fails for one that no case sets. */
static void check_coverage(const char *folder, const char *list) {
    char path[4096], option[64];
    snprintf(path, sizeof path, "%s/%s", folder, list);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (fscanf(file, "%63s", option) == 1) {
        json_int_t times = json_integer_value(json_object_get(covered, option));
        printf(" %s=%" JSON_INTEGER_FORMAT, option, times);
        if (times == 0) {
            current = option;
            WRONG("no case sets this option");
        }
    }
    fclose(file);
}

int main(int argc, char **argv) {
    CHECK(argc == 2 || argc == 3);
    inexact = argc == 3;
    CHECK(haversack_abi_version() == HAVERSACK_ABI_VERSION);
    covered = json_object();
    CHECK(nftw(argv[1], run_file, 16, FTW_PHYS) == 0);
    printf("ran %zu cases (%zu skipped: without exact counters), options covered:", ran, skipped);
    check_coverage(argv[1], "OPTIONS.txt");
    check_coverage(argv[1], "state/OPTIONS.txt");
    printf("\n");
    json_decref(covered);
    printf("%zu passed, %zu failed, %zu skipped\n", ran > failed ? ran - failed : 0, failed, skipped);
    return failed == 0 && ran > 0 ? 0 : 1;
}
