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
    CHECK(deliver(HAVERSACK_STR("[1,2]"), haversack_budget_tokens(5, count_words, &calls), &d, &e) == HAVERSACK_OK);
    CHECK(calls > 0 && haversack_delivery_size(d) == 5);
    haversack_delivery_free(d);
    haversack_error_free(refused(HAVERSACK_COUNTER_FAILED, HAVERSACK_STR("[1]"), haversack_budget_tokens(5, failing, NULL)));
    haversack_error_free(refused(HAVERSACK_COUNTER_FAILED, HAVERSACK_STR("[1]"), haversack_budget_tokens(5, nonsense, NULL)));
    e = refused(HAVERSACK_INVALID_OPTION, HAVERSACK_STR("[1]"), haversack_budget_tokens(5, NULL, NULL));
    CHECK(same(haversack_error_argument(e), HAVERSACK_STR("counter")));
    haversack_error_free(e);
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
        zeroed_options_are_the_defaults, outputs_are_required,            a_panic_is_a_status_and_the_process_lives,
        versions_agree,
    };
    size_t count = sizeof tests / sizeof *tests;
    for (size_t i = 0; i < count; i++) {
        tests[i]();
    }
    printf("%zu passed, 0 failed\n", count);
    return 0;
}
