/* Runs every shared case through the typed calls of the C interface: vectors DIR.
 *
 * Each option is set by its own member, the answer is compared as JSON and part by part, and an option that
 * DIR/OPTIONS.txt lists and no case sets fails the run. */
#define _XOPEN_SOURCE 700
#include "case.h"

#include <ftw.h>

static json_t *covered; /* "deliver.bytes": number of cases */
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
    haversack_limits limits = {.size = sizeof limits};
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)from, name, value) {
        size_t n = (size_t)json_integer_value(value);
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

/* Takes the unit and the counter; true when `name` is one of theirs. */
static bool set_budget(haversack_budget *budget, const json_t *options, const char *name, const json_t *value) {
    size_t limit = (size_t)json_integer_value(value);
    if (strcmp(name, "bytes") == 0) *budget = haversack_budget_bytes(limit);
    else if (strcmp(name, "chars") == 0) *budget = haversack_budget_chars(limit);
    else if (strcmp(name, "utf16") == 0) *budget = haversack_budget_utf16(limit);
    else if (strcmp(name, "tokens") == 0) {
        haversack_str counter = view(json_object_get(options, "counter"));
        *budget = same(counter, HAVERSACK_STR("words")) ? haversack_budget_tokens(limit, count_words, NULL)
                                                        : haversack_budget_tokens_named(limit, counter);
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

static void compare_error(haversack_status status, const haversack_error *error, const json_t *expected) {
    CHECK(error != NULL && haversack_error_status(error) == status);
    CHECK(haversack_error_message(error).len > 0);
    CHECK(same(haversack_status_name(status), haversack_error_name(error)));
    size_t n = 0;
    bool there;
    json_t *got = json_object();
    put_text(got, "kind", haversack_error_name(error));
    there = haversack_error_offset(error, &n), put_number(got, "offset", there, n);
    put_text(got, "expected", haversack_error_expected(error));
    there = haversack_error_needed(error, &n), put_number(got, "needed", there, n);
    there = haversack_error_available(error, &n), put_number(got, "available", there, n);
    put_text(got, "unit", haversack_unit_name(haversack_error_unit(error)));
    put_text(got, "argument", haversack_error_argument(error));
    put_text(got, "pointer", haversack_error_pointer(error));
    there = haversack_error_index(error, &n), put_number(got, "index", there, n);
    if (!json_equal(got, expected)) {
        char *is = json_dumps(got, JSON_COMPACT), *want = json_dumps(expected, JSON_COMPACT);
        WRONG("the error is %s, not %s", is, want ? want : "an answer");
        free(is), free(want);
    }
    json_decref(got);
}

/* What every operation that gives a delivery ends with. */
static void judge(haversack_status status, haversack_delivery *d, haversack_error *error, const json_t *expected) {
    const json_t *answer = json_object_get(expected, "answer");
    if (status != HAVERSACK_OK) {
        CHECK(d == NULL);
        compare_error(status, error, json_object_get(expected, "error"));
    } else if (answer == NULL) {
        WRONG("delivered, where an error was expected");
    } else {
        CHECK(error == NULL);
        compare_answer(d, answer);
    }
    haversack_delivery_free(d);
    haversack_error_free(error);
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
        else if (strcmp(name, "nested") == 0) options.no_nested = !on;
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

/* ---- cases ---- */

/* A counter that this library was built without. */
static bool lacks_counter(const json_t *options) {
    haversack_str counter = view(json_object_get(options, "counter"));
    if (!same(counter, HAVERSACK_STR("o200k_base")) && !same(counter, HAVERSACK_STR("cl100k_base"))) {
        return false;
    }
    size_t size;
    haversack_budget budget = haversack_budget_tokens_named(1, counter);
    return haversack_measure(HAVERSACK_STR("x"), budget, &size, NULL) != HAVERSACK_OK;
}

static void run_case(const json_t *c) {
    current = json_string_value(json_object_get(c, "name"));
    const char *op = json_string_value(json_object_get(c, "op"));
    const json_t *options = json_object_get(c, "options"), *expected = json_object_get(c, "expect");
    if (lacks_counter(options)) {
        printf("skipped %s: built without the feature `tokens`\n", current);
        skipped++;
        return;
    }
    buffer input = {0};
    append_input(&input, json_object_get(c, "input"));
    haversack_str payload = {input.ptr, input.len};
    ran++;
    if (strcmp(op, "deliver") == 0) run_deliver(payload, options, expected);
    else WRONG("unknown operation %s", op);
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

static void check_coverage(const char *folder) {
    char path[4096], option[64];
    snprintf(path, sizeof path, "%s/OPTIONS.txt", folder);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    printf("ran %zu cases (%zu skipped), options covered:", ran, skipped);
    while (fscanf(file, "%63s", option) == 1) {
        json_int_t times = json_integer_value(json_object_get(covered, option));
        printf(" %s=%" JSON_INTEGER_FORMAT, option, times);
        if (times == 0) {
            current = option;
            WRONG("no case sets this option");
        }
    }
    printf("\n");
    fclose(file);
}

int main(int argc, char **argv) {
    CHECK(argc == 2);
    CHECK(haversack_abi_version() == HAVERSACK_ABI_VERSION);
    covered = json_object();
    CHECK(nftw(argv[1], run_file, 16, FTW_PHYS) == 0);
    check_coverage(argv[1]);
    json_decref(covered);
    printf("%zu passed, %zu failed, %zu skipped\n", ran > failed ? ran - failed : 0, failed, skipped);
    return failed == 0 && ran > 0 ? 0 : 1;
}
