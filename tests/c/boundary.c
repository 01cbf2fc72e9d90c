/* What the border promises: who frees, what NULL, NUL and bad bytes do, what a failing counter and a panic become. */
#include "case.h"

#ifdef HAVERSACK_TESTING
haversack_status haversack_testing_panic(haversack_error **out_error);
#endif

static const haversack_str EMPTY = {NULL, 0};

static haversack_status deliver(haversack_str payload, haversack_budget budget, haversack_delivery **d, haversack_error **e) {
    *d = NULL;
    *e = NULL;
    return haversack_deliver(payload, budget, NULL, d, e);
}

/* The call must fail with `status`; gives the error. */
static haversack_error *refused(haversack_status status, haversack_str payload, haversack_budget budget) {
    haversack_delivery *d;
    haversack_error *e;
    CHECK(deliver(payload, budget, &d, &e) == status);
    CHECK(d == NULL && e != NULL && haversack_error_status(e) == status);
    return e;
}

static void freeing_null_does_nothing(void) {
    haversack_delivery_free(NULL);
    haversack_error_free(NULL);
    haversack_string_free((haversack_string){NULL, 0});
}

static void an_inner_nul_survives(void) {
    /* An escaped one in JSON, and a real one in lines. */
    haversack_str payloads[] = {HAVERSACK_STR("{\"body\":\"a\\u0000b\"}"), HAVERSACK_STR("a\0b\n")};
    for (size_t i = 0; i < 2; i++) {
        haversack_delivery *d;
        haversack_error *e;
        CHECK(deliver(payloads[i], haversack_budget_bytes(100), &d, &e) == HAVERSACK_OK);
        CHECK(same(haversack_delivery_text(d), payloads[i]));
        haversack_string json = {NULL, 0};
        CHECK(haversack_delivery_json(d, &json, NULL) == HAVERSACK_OK);
        json_t *answer = json_loadb(json.ptr, json.len, JSON_ALLOW_NUL, NULL);
        CHECK(same(view(json_object_get(answer, "text")), payloads[i]));
        json_decref(answer);
        haversack_string_free(json);
        haversack_delivery_free(d);
    }
}

static void null_with_a_length_is_refused(void) {
    haversack_str bad[] = {{NULL, 5}, {"x", SIZE_MAX}};
    for (size_t i = 0; i < 2; i++) {
        haversack_error *e = refused(HAVERSACK_BAD_ARGUMENT, bad[i], haversack_budget_bytes(100));
        CHECK(same(haversack_error_argument(e), HAVERSACK_STR("payload")));
        haversack_error_free(e);
    }
    haversack_delivery *d;
    haversack_error *e;
    CHECK(deliver(EMPTY, haversack_budget_bytes(100), &d, &e) == HAVERSACK_OK);
    CHECK(same(haversack_delivery_text(d), HAVERSACK_STR("(no output)")));
    haversack_delivery_free(d);
}

static void bad_utf8_has_its_place(void) {
    haversack_error *e = refused(HAVERSACK_INVALID_UTF8, HAVERSACK_STR("fo\xff"), haversack_budget_bytes(100));
    size_t offset = 99;
    CHECK(haversack_error_offset(e, &offset) && offset == 2);
    CHECK(same(haversack_error_name(e), HAVERSACK_STR("invalid_utf8")));
    haversack_error_free(e);
}

static void a_refusal_says_what_would_do(void) {
    haversack_str payload = HAVERSACK_STR("[\"a long enough record\",\"another record of some length\"]");
    haversack_error *e = refused(HAVERSACK_BUDGET_TOO_SMALL, payload, haversack_budget_chars(3));
    size_t needed = 0, available = 0, offset = 77;
    CHECK(haversack_error_needed(e, &needed) && needed > 3);
    CHECK(haversack_error_available(e, &available) && available == 3);
    CHECK(haversack_error_unit(e) == HAVERSACK_UNIT_CHARS);
    CHECK(!haversack_error_offset(e, &offset) && offset == 77); /* not set: nothing written */
    haversack_error_free(e);

    haversack_delivery *d;
    CHECK(deliver(payload, haversack_budget_chars(needed), &d, &e) == HAVERSACK_OK);
    CHECK(haversack_delivery_size(d) <= needed);
    haversack_delivery_free(d);
    haversack_error_free(refused(HAVERSACK_BUDGET_TOO_SMALL, payload, haversack_budget_chars(needed - 1)));
}

static bool failing(void *userdata, haversack_str text, size_t *out_count) {
    (void)userdata, (void)text, (void)out_count;
    return false;
}

static bool nonsense(void *userdata, haversack_str text, size_t *out_count) {
    (void)userdata, (void)text;
    *out_count = SIZE_MAX;
    return true;
}

static void counters_are_asked_and_may_fail(void) {
    size_t calls = 0;
    haversack_delivery *d;
    haversack_error *e;
    CHECK(deliver(HAVERSACK_STR("[1,2]"), TOKENS(5, count_words, &calls), &d, &e) == HAVERSACK_OK);
    CHECK(calls > 0 && haversack_delivery_size(d) == 5);
    haversack_delivery_free(d);
    haversack_error_free(refused(HAVERSACK_COUNTER_FAILED, HAVERSACK_STR("[1]"), TOKENS(5, failing, NULL)));
    haversack_error_free(refused(HAVERSACK_COUNTER_FAILED, HAVERSACK_STR("[1]"), TOKENS(5, nonsense, NULL)));
    e = refused(HAVERSACK_INVALID_OPTION, HAVERSACK_STR("[1]"), haversack_budget_tokens(5, NULL));
    CHECK(same(haversack_error_argument(e), HAVERSACK_STR("counter")));
    haversack_error_free(e);
}

/* Counts bytes up to the limit; userdata counts the calls that stopped before the end. */
static bool bytes_up_to(void *userdata, haversack_str text, size_t limit, size_t *out_count) {
    *(size_t *)userdata += text.len > limit;
    *out_count = text.len > limit ? SIZE_MAX : text.len;
    return true;
}

static bool bytes(void *userdata, haversack_str text, size_t *out_count) {
    (void)userdata;
    *out_count = text.len;
    return true;
}

static void a_counter_may_stop_early(void) {
    size_t stopped = 0;
    haversack_counter counter = {.size = sizeof counter, .userdata = &stopped, .count = bytes, .count_up_to = bytes_up_to};
    const haversack_str rows = HAVERSACK_STR("[\"one row of many\",\"one row of many\",\"one row of many\",\"one row of many\",\"one row of many\",\"one row of many\"]");
    haversack_delivery *early = NULL, *whole = NULL;
    haversack_error *e;
    CHECK(deliver(rows, haversack_budget_tokens(90, &counter), &early, &e) == HAVERSACK_OK && stopped > 0);
    counter.count_up_to = NULL;
    CHECK(deliver(rows, haversack_budget_tokens(90, &counter), &whole, &e) == HAVERSACK_OK);
    CHECK(same(haversack_delivery_text(early), haversack_delivery_text(whole)));
    haversack_delivery_free(early), haversack_delivery_free(whole);
    counter.count = NULL, counter.count_up_to = bytes_up_to;
    haversack_error_free(refused(HAVERSACK_INVALID_OPTION, rows, haversack_budget_tokens(90, &counter)));
    counter.size = 3;
    haversack_error_free(refused(HAVERSACK_BAD_ARGUMENT, rows, haversack_budget_tokens(90, &counter)));
}

static void zeroed_options_are_the_defaults(void) {
    haversack_deliver_options zeroed, initialised;
    memset(&zeroed, 0, sizeof zeroed);
    CHECK(haversack_deliver_options_init(&initialised, sizeof initialised) == HAVERSACK_OK);
    CHECK(initialised.size == sizeof initialised);
    zeroed.size = sizeof zeroed;
    CHECK(memcmp(&zeroed, &initialised, sizeof zeroed) == 0);
    CHECK(haversack_deliver_options_init(NULL, sizeof zeroed) == HAVERSACK_BAD_ARGUMENT);
    CHECK(haversack_deliver_options_init(&zeroed, 3) == HAVERSACK_BAD_ARGUMENT);
}

static void outputs_are_required(void) {
    haversack_error *e = NULL;
    CHECK(haversack_deliver(EMPTY, haversack_budget_bytes(9), NULL, NULL, &e) == HAVERSACK_BAD_ARGUMENT);
    CHECK(same(haversack_error_argument(e), HAVERSACK_STR("out_delivery")));
    haversack_error_free(e);
    CHECK(haversack_deliver(EMPTY, haversack_budget_bytes(9), NULL, NULL, NULL) == HAVERSACK_BAD_ARGUMENT);
    CHECK(haversack_error_message(NULL).ptr == NULL && haversack_delivery_text(NULL).ptr == NULL);
}

static void a_result_is_offloaded_and_read_back(void) {
    buffer log = {0};
    for (int i = 0; i < 500; i++) {
        append(&log, "a line of a long log\n", 21);
    }
    haversack_str payload = {log.ptr, log.len};
    haversack_budget over = TOKENS(1000, count_words, NULL);
    haversack_offload_options options = {.size = sizeof options, .over = &over, .reader = HAVERSACK_STR("haversack_read")};

    haversack_offloads *table = haversack_offloads_new();
    haversack_prepared *prepared = NULL;
    haversack_error *e = NULL;
    CHECK(haversack_offloads_prepare(table, payload, HAVERSACK_STR("call 1"), &options, &prepared, &e) == HAVERSACK_OK);
    CHECK(haversack_prepared_action(prepared) == HAVERSACK_OFFLOAD_STORE);
    haversack_str key = haversack_prepared_key(prepared), place = HAVERSACK_STR("results/1");
    haversack_pointer *pointer = NULL;
    CHECK(haversack_offloads_commit(table, key, place, NULL, &pointer, &e) == HAVERSACK_INVALID_OPTION); /* tokens */
    haversack_error_free(e);
    CHECK(haversack_offloads_commit(table, key, place, over.counter, &pointer, NULL) == HAVERSACK_OK);
    CHECK(haversack_pointer_unit(pointer) == HAVERSACK_UNIT_TOKENS && haversack_pointer_saved(pointer) > 0);
    CHECK(haversack_pointer_account(pointer).records.offloaded == 1);
    haversack_pointer_free(pointer);
    haversack_entry entry;
    CHECK(haversack_offloads_entry_count(table) == 1 && haversack_offloads_lookup(table, key, &entry));
    CHECK(same(entry.location, place) && entry.state == HAVERSACK_ENTRY_STORED && same(entry.call_id, HAVERSACK_STR("call 1")));
    CHECK(!haversack_offloads_lookup(table, HAVERSACK_STR("../../etc/passwd"), &entry));

    char arguments[200];
    int len = snprintf(arguments, sizeof arguments, "{\"key\":\"%.*s\"}", (int)key.len, key.ptr);
    haversack_readback names = {.read_name = HAVERSACK_STR("read_more")};
    haversack_request *request = NULL;
    CHECK(haversack_readback_request(table, HAVERSACK_STR("read_more"), (haversack_str){arguments, (size_t)len}, &names, &request, NULL) == HAVERSACK_OK);
    haversack_offloads_free(table); /* the request does not need it any more */
    CHECK(same(haversack_request_key(request), key) && same(haversack_request_location(request), place));
    haversack_delivery *d = NULL;
    e = NULL;
    CHECK(haversack_request_answer(request, HAVERSACK_STR("other bytes"), haversack_budget_chars(300), &d, &e) == HAVERSACK_DIGEST_MISMATCH);
    haversack_string text;
    CHECK(haversack_readback_error_text(e, &text, NULL) == HAVERSACK_OK && text.len > 0);
    haversack_string_free(text);
    haversack_error_free(e);
    CHECK(haversack_request_answer(request, payload, haversack_budget_chars(300), &d, NULL) == HAVERSACK_OK);
    CHECK(haversack_delivery_size(d) <= 300 && haversack_delivery_next(d).ptr != NULL);
    haversack_delivery_free(d);
    haversack_request_free(request);
    haversack_prepared_free(prepared);

    for (uint32_t flavour = HAVERSACK_FLAVOUR_OPENAI; flavour <= HAVERSACK_FLAVOUR_MCP; flavour++) {
        CHECK(haversack_tool_definitions(flavour, NULL, &text, NULL) == HAVERSACK_OK && text.ptr[0] == '[');
        haversack_string_free(text);
    }
    CHECK(haversack_tool_definitions(0, NULL, &text, NULL) == HAVERSACK_INVALID_OPTION);
    CHECK(haversack_tool_definitions(HAVERSACK_FLAVOUR_MCP + 1, NULL, &text, NULL) == HAVERSACK_INVALID_OPTION);
    names.find_name = names.read_name;
    CHECK(haversack_tool_definitions(HAVERSACK_FLAVOUR_MCP, &names, &text, NULL) == HAVERSACK_INVALID_OPTION);
    CHECK(haversack_offloads_exempt(NULL, place, NULL) == HAVERSACK_BAD_ARGUMENT);
    haversack_offloads_free(NULL), haversack_prepared_free(NULL), haversack_pointer_free(NULL);
    haversack_request_free(NULL), haversack_offload_answer_free(NULL);
    free(log.ptr);
}

static void a_limit_of_0_is_the_default(void) {
    haversack_limits limits;
    CHECK(haversack_limits_init(&limits, sizeof limits) == HAVERSACK_OK && limits.size == sizeof limits && limits.depth == 0);
    CHECK(haversack_limits_init(&limits, 8) == HAVERSACK_BAD_ARGUMENT);
    haversack_deliver_options options = {.size = sizeof options, .format = HAVERSACK_FORMAT_JSON, .limits = &limits};
    limits.depth = 1;
    haversack_delivery *d = NULL;
    haversack_error *e = NULL;
    CHECK(haversack_deliver(HAVERSACK_STR("[[1]]"), haversack_budget_bytes(99), &options, &d, &e) == HAVERSACK_TOO_DEEP);
    haversack_error_free(e);
}

static void a_panic_is_a_status_and_the_process_lives(void) {
#ifdef HAVERSACK_TESTING
    haversack_error *e = NULL;
    CHECK(haversack_testing_panic(&e) == HAVERSACK_PANIC);
    CHECK(same(haversack_error_message(e), HAVERSACK_STR("internal error: forced for the test")));
    haversack_error_free(e);
    CHECK(haversack_testing_panic(NULL) == HAVERSACK_PANIC);
#endif
}

static void versions_agree(void) {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", HAVERSACK_VERSION_MAJOR, HAVERSACK_VERSION_MINOR, HAVERSACK_VERSION_PATCH);
    CHECK(same(haversack_version(), (haversack_str){version, strlen(version)}));
    CHECK(HAVERSACK_VERSION_NUMBER == HAVERSACK_VERSION_MAJOR * 1000000 + HAVERSACK_VERSION_MINOR * 1000 + HAVERSACK_VERSION_PATCH);
    CHECK(haversack_abi_version() == HAVERSACK_ABI_VERSION);
}

int main(void) {
    void (*const tests[])(void) = {
        freeing_null_does_nothing,       an_inner_nul_survives,           null_with_a_length_is_refused,
        bad_utf8_has_its_place,          a_refusal_says_what_would_do,    counters_are_asked_and_may_fail,
        a_counter_may_stop_early,
        zeroed_options_are_the_defaults, outputs_are_required,            a_panic_is_a_status_and_the_process_lives,
        versions_agree,                  a_result_is_offloaded_and_read_back, a_limit_of_0_is_the_default,
    };
    size_t count = sizeof tests / sizeof *tests;
    for (size_t i = 0; i < count; i++) {
        tests[i]();
    }
    printf("%zu passed, 0 failed\n", count);
    return 0;
}
