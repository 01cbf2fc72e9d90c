/* What the border promises of histories: NULL anywhere, options of other sizes and numbers, short buffers, and what
 * outlives what. */
#include "case.h"

#define ASK "{\"role\":\"user\",\"content\":\"weather?\"}"
#define CALL "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}"
#define RESULT "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"sun\"}"
#define SAY "{\"role\":\"assistant\",\"content\":\"sun\"}"

static const haversack_str CHAT = HAVERSACK_STR("[" ASK "," CALL "," RESULT "," SAY "," ASK "," SAY "," ASK "]");
static const haversack_str BROKEN = HAVERSACK_STR("[" ASK "," CALL "," ASK "]");

static haversack_history *parse(haversack_str text) {
    haversack_history *history = NULL;
    haversack_error *error = NULL;
    CHECK(haversack_history_parse(text, NULL, &history, &error) == HAVERSACK_OK);
    CHECK(history != NULL && error == NULL);
    return history;
}

/* The call failed with this status and named this argument; the error is freed. */
static void names(haversack_status got, haversack_status status, haversack_error *error, const char *argument) {
    CHECK(got == status && error != NULL && haversack_error_status(error) == status);
    CHECK(same(haversack_error_argument(error), (haversack_str){argument, strlen(argument)}));
    haversack_error_free(error);
}

static void null_handles_answer_nothing(void) {
    haversack_history_free(NULL), haversack_violations_free(NULL), haversack_cut_free(NULL), haversack_repair_free(NULL);
    CHECK(haversack_history_format(NULL) == 0 && !haversack_history_certain(NULL) && haversack_history_len(NULL) == 0);
    CHECK(haversack_history_text(NULL).ptr == NULL && haversack_history_message(NULL, 0).ptr == NULL);
    haversack_step step;
    size_t index = 77;
    uint32_t refusal = 77;
    CHECK(haversack_history_steps(NULL, &step, 1) == 0 && haversack_history_safe_cuts(NULL, false, &index, 1) == 0);
    CHECK(haversack_history_cut_refusals(NULL, &refusal, 1) == 0 && !haversack_history_cut_refusal(NULL, 0, &refusal));
    CHECK(index == 77 && refusal == 77);
    haversack_violation violation;
    CHECK(haversack_violations_count(NULL) == 0 && !haversack_violations_get(NULL, 0, &violation));
    haversack_strip strip;
    haversack_reduced reduced;
    haversack_out_message message;
    CHECK(!haversack_cut_found(NULL) && haversack_cut_nothing(NULL) == 0 && haversack_cut_index(NULL) == 0);
    CHECK(haversack_cut_reason(NULL).ptr == NULL && haversack_cut_text(NULL).ptr == NULL);
    CHECK(haversack_cut_kept(NULL, &index, 1) == 0 && haversack_cut_dropped(NULL, &index, 1) == 0);
    CHECK(haversack_cut_size_before(NULL) == 0 && haversack_cut_size_after(NULL) == 0 && haversack_cut_alternation(NULL) == 0);
    CHECK(haversack_cut_strip_count(NULL) + haversack_cut_reduced_count(NULL) + haversack_cut_message_count(NULL) == 0);
    CHECK(!haversack_cut_strip(NULL, 0, &strip) && !haversack_cut_reduced(NULL, 0, &reduced) && !haversack_cut_message(NULL, 0, &message));
    haversack_change change;
    CHECK(haversack_repair_change_count(NULL) == 0 && !haversack_repair_change(NULL, 0, &change));
    CHECK(haversack_repair_remaining_count(NULL) == 0 && !haversack_repair_remaining(NULL, 0, &violation));
    CHECK(haversack_repair_message_count(NULL) == 0 && !haversack_repair_message(NULL, 0, &message) && haversack_repair_text(NULL).ptr == NULL);

    haversack_error *e = NULL;
    haversack_violations *found = NULL;
    haversack_cut *cut = NULL;
    haversack_repair *repair = NULL;
    names(haversack_history_violations(NULL, false, &found, &e), HAVERSACK_BAD_ARGUMENT, e, "history");
    names(haversack_history_cut(NULL, haversack_budget_chars(9), NULL, &cut, &e), HAVERSACK_BAD_ARGUMENT, e, "history");
    names(haversack_history_cut_messages(NULL, 9, NULL, &cut, &e), HAVERSACK_BAD_ARGUMENT, e, "history");
    names(haversack_history_repair(NULL, NULL, &repair, &e), HAVERSACK_BAD_ARGUMENT, e, "history");
    CHECK(found == NULL && cut == NULL && repair == NULL);
}

static void outputs_are_required(void) {
    haversack_history *h = parse(CHAT);
    haversack_error *e = NULL;
    names(haversack_history_parse(CHAT, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_history");
    names(haversack_history_violations(h, false, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_violations");
    names(haversack_history_cut(h, haversack_budget_chars(9), NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_cut");
    names(haversack_history_cut_messages(h, 9, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_cut");
    names(haversack_history_repair(h, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_repair");
    CHECK(haversack_history_parse(CHAT, NULL, NULL, NULL) == HAVERSACK_BAD_ARGUMENT);
    CHECK(haversack_history_cut_refusal(h, 99, NULL) && !haversack_history_cut_refusal(h, 0, NULL));
    haversack_violations *found = NULL;
    CHECK(haversack_history_violations(h, false, &found, NULL) == HAVERSACK_OK);
    CHECK(haversack_violations_count(found) == 0 && !haversack_violations_get(found, 0, NULL));
    haversack_violations_free(found);
    haversack_history_free(h);
}

static void texts_are_checked(void) {
    haversack_history *h = NULL;
    haversack_error *e = NULL;
    names(haversack_history_parse((haversack_str){NULL, 3}, NULL, &h, &e), HAVERSACK_BAD_ARGUMENT, e, "text");
    names(haversack_history_parse((haversack_str){"x", SIZE_MAX}, NULL, &h, &e), HAVERSACK_BAD_ARGUMENT, e, "text");
    CHECK(haversack_history_parse((haversack_str){NULL, 0}, NULL, &h, &e) == HAVERSACK_INVALID_JSON);
    haversack_error_free(e);
    CHECK(haversack_history_parse(HAVERSACK_STR("[\xff]"), NULL, &h, &e) == HAVERSACK_INVALID_UTF8);
    haversack_error_free(e);
    CHECK(haversack_history_parse(HAVERSACK_STR("3"), NULL, &h, &e) == HAVERSACK_NOT_A_HISTORY);
    haversack_error_free(e);
    CHECK(h == NULL);
}

static void options_of_other_sizes_and_numbers(void) {
    haversack_history *h = NULL, *whole = parse(CHAT);
    haversack_cut *cut = NULL;
    haversack_repair *repair = NULL;
    haversack_error *e = NULL;
    haversack_history_options reading = {0}; /* size 0: that of the first version */
    CHECK(haversack_history_parse(CHAT, &reading, &h, NULL) == HAVERSACK_OK);
    haversack_history_free(h), h = NULL;
    haversack_cut_options cutting = {0};
    CHECK(haversack_history_cut_messages(whole, 3, &cutting, &cut, NULL) == HAVERSACK_OK);
    haversack_cut_free(cut), cut = NULL;
    haversack_repair_options mending = {0};
    CHECK(haversack_history_repair(whole, &mending, &repair, NULL) == HAVERSACK_OK);
    haversack_repair_free(repair), repair = NULL;

    const size_t sizes[] = {1, sizeof(size_t), 5000, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        reading.size = cutting.size = mending.size = sizes[i];
        names(haversack_history_parse(CHAT, &reading, &h, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
        names(haversack_history_cut_messages(whole, 3, &cutting, &cut, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
        names(haversack_history_repair(whole, &mending, &repair, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
    }
    reading.size = sizeof reading, cutting.size = sizeof cutting, mending.size = sizeof mending;
    const uint32_t numbers[] = {HAVERSACK_WIRE_BEDROCK + 1, 999, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        reading.format = mending.missing = numbers[i];
        names(haversack_history_parse(CHAT, &reading, &h, &e), HAVERSACK_INVALID_OPTION, e, "format");
        names(haversack_history_repair(whole, &mending, &repair, &e), HAVERSACK_INVALID_OPTION, e, "missing");
        mending.missing = 0, mending.orphan = numbers[i];
        names(haversack_history_repair(whole, &mending, &repair, &e), HAVERSACK_INVALID_OPTION, e, "orphan");
        mending.orphan = 0;
        CHECK(haversack_wire_format_name(numbers[i]).ptr == NULL && haversack_violation_name(numbers[i] | 4096).ptr == NULL);
        CHECK(haversack_step_name(numbers[i]).ptr == NULL && haversack_cut_refusal_name(numbers[i] | 4096).ptr == NULL);
        CHECK(haversack_alternation_name(numbers[i]).ptr == NULL && haversack_nothing_to_cut_name(numbers[i]).ptr == NULL);
        CHECK(haversack_repair_action_name(numbers[i] | 4096).ptr == NULL);
    }
    reading.format = 0, reading.profile = HAVERSACK_STR("nobody");
    names(haversack_history_parse(CHAT, &reading, &h, &e), HAVERSACK_INVALID_OPTION, e, "profile");
    reading.profile = (haversack_str){NULL, 7};
    names(haversack_history_parse(CHAT, &reading, &h, &e), HAVERSACK_BAD_ARGUMENT, e, "profile");
    reading.profile = (haversack_str){NULL, 0}, reading.request = HAVERSACK_STR("{");
    names(haversack_history_parse(CHAT, &reading, &h, &e), HAVERSACK_INVALID_OPTION, e, "request");
    reading.request = (haversack_str){NULL, 0};
    haversack_limits limits;
    CHECK(haversack_limits_init(&limits, sizeof limits) == HAVERSACK_OK);
    limits.depth = 1, reading.limits = &limits;
    CHECK(haversack_history_parse(CHAT, &reading, &h, &e) == HAVERSACK_TOO_DEEP);
    haversack_error_free(e);
    limits.size = 3;
    names(haversack_history_parse(CHAT, &reading, &h, &e), HAVERSACK_BAD_ARGUMENT, e, "limits");

    cutting.pinned_len = 2; /* and no list */
    names(haversack_history_cut_messages(whole, 3, &cutting, &cut, &e), HAVERSACK_BAD_ARGUMENT, e, "pinned");
    size_t pins[] = {1, 99};
    cutting.pinned = pins, cutting.pinned_len = SIZE_MAX;
    names(haversack_history_cut_messages(whole, 3, &cutting, &cut, &e), HAVERSACK_BAD_ARGUMENT, e, "pinned");
    cutting.pinned_len = 2;
    names(haversack_history_cut_messages(whole, 3, &cutting, &cut, &e), HAVERSACK_INVALID_OPTION, e, "pinned");
    CHECK(haversack_history_cut(whole, (haversack_budget){0}, NULL, &cut, &e) != HAVERSACK_OK);
    haversack_error_free(e);
    CHECK(haversack_history_cut(whole, haversack_budget_tokens(9, NULL), NULL, &cut, &e) == HAVERSACK_INVALID_OPTION);
    haversack_error_free(e);
    CHECK(h == NULL && cut == NULL && repair == NULL);
    haversack_history_free(whole);
}

static void short_buffers_are_filled_and_no_more(void) {
    haversack_history *h = parse(CHAT);
    size_t len = haversack_history_len(h);
    CHECK(len == 7 && haversack_history_message(h, len).ptr == NULL && haversack_history_message(h, SIZE_MAX).ptr == NULL);
    for (size_t capacity = 0; capacity < 3; capacity++) {
        haversack_step steps[3];
        size_t indices[3] = {77, 77, 77};
        uint32_t refusals[3] = {77, 77, 77};
        memset(steps, 0x55, sizeof steps);
        size_t untouched = steps[2].from;
        CHECK(haversack_history_steps(h, capacity ? steps : NULL, capacity) == 6 && steps[capacity].from == untouched);
        CHECK(haversack_history_safe_cuts(h, false, capacity ? indices : NULL, capacity) >= 3 && indices[capacity] == 77);
        CHECK(haversack_history_cut_refusals(h, capacity ? refusals : NULL, capacity) == len && refusals[capacity] == 77);
        CHECK(capacity == 0 || refusals[0] == HAVERSACK_CUT_REFUSAL_NONE);
    }
    uint32_t refusal = 77;
    CHECK(haversack_history_cut_refusal(h, 2, &refusal) && refusal == HAVERSACK_CUT_REFUSAL_INSIDE_STEP);
    CHECK(haversack_history_cut_refusal(h, SIZE_MAX, &refusal) && refusal == HAVERSACK_CUT_REFUSAL_OUT_OF_RANGE);
    refusal = 77;
    CHECK(!haversack_history_cut_refusal(h, 6, &refusal) && refusal == 77);

    haversack_cut *cut = NULL;
    CHECK(haversack_history_cut_messages(h, 3, NULL, &cut, NULL) == HAVERSACK_OK && haversack_cut_found(cut));
    size_t indices[2] = {77, 77};
    CHECK(haversack_cut_kept(cut, indices, 0) == 3 && indices[0] == 77);
    CHECK(haversack_cut_kept(cut, indices, 1) == 3 && indices[0] == 4 && indices[1] == 77);
    CHECK(haversack_cut_dropped(cut, NULL, 0) == 4);
    haversack_out_message message;
    CHECK(haversack_cut_message(cut, 2, &message) && message.source == 6 && message.untouched == 1 && message.has_source == 1);
    CHECK(haversack_cut_message_count(cut) == 3 && !haversack_cut_message(cut, 3, &message) && !haversack_cut_message(cut, SIZE_MAX, &message));
    CHECK(!haversack_cut_message(cut, 3, NULL));
    haversack_cut_free(cut);
    haversack_history_free(h);
}

static void cuts_and_repairs_outlive_the_history_and_the_text(void) {
    char *text = malloc(CHAT.len);
    CHECK(text != NULL);
    memcpy(text, CHAT.ptr, CHAT.len);
    haversack_history *h = parse((haversack_str){text, CHAT.len}), *broken = parse(BROKEN);
    memset(text, 0, CHAT.len);
    free(text);
    CHECK(same(haversack_history_text(h), CHAT));
    haversack_cut *cut = NULL;
    haversack_repair *repair = NULL;
    haversack_violations *found = NULL;
    CHECK(haversack_history_cut_messages(h, 3, NULL, &cut, NULL) == HAVERSACK_OK);
    CHECK(haversack_history_repair(broken, NULL, &repair, NULL) == HAVERSACK_OK);
    CHECK(haversack_history_violations(broken, true, &found, NULL) == HAVERSACK_OK);
    haversack_history_free(h), haversack_history_free(broken);

    haversack_out_message message;
    CHECK(haversack_cut_message(cut, 0, &message) && same(message.text, HAVERSACK_STR(ASK)));
    CHECK(same(haversack_cut_text(cut), HAVERSACK_STR("[" ASK "," SAY "," ASK "]")));
    CHECK(haversack_cut_size_before(cut) == 7 && haversack_cut_size_after(cut) == 3 && haversack_cut_reason(cut).len > 0);
    haversack_cut_free(cut);

    haversack_violation violation;
    CHECK(haversack_violations_count(found) == 1 && haversack_violations_get(found, 0, &violation));
    CHECK(violation.kind == HAVERSACK_VIOLATION_MISSING_RESULT && violation.index == 1 && same(violation.id, HAVERSACK_STR("c1")));
    haversack_violations_free(found);

    haversack_change change;
    CHECK(haversack_repair_change_count(repair) == 1 && haversack_repair_change(repair, 0, &change));
    CHECK(change.action == HAVERSACK_REPAIR_SYNTHESISE && change.violation == HAVERSACK_VIOLATION_MISSING_RESULT);
    CHECK(haversack_repair_message(repair, 0, &message) && message.untouched == 1 && same(message.text, HAVERSACK_STR(ASK)));
    CHECK(haversack_repair_message(repair, 2, &message) && message.has_source == 0 && message.untouched == 0);
    CHECK(haversack_repair_message_count(repair) == 4 && !haversack_repair_message(repair, 4, &message) && !haversack_repair_change(repair, 1, &change));
    CHECK(haversack_repair_remaining_count(repair) == 0 && !haversack_repair_remaining(repair, 0, &violation));
    haversack_repair_free(repair);
}

static bool failing(void *userdata, haversack_str text, size_t *out_count) {
    (void)userdata, (void)text, (void)out_count;
    return false;
}

static void counters_may_fail_and_nothing_to_cut_says_so(void) {
    haversack_history *h = parse(CHAT);
    haversack_cut *cut = NULL;
    haversack_error *e = NULL;
    size_t calls = 0, needed = 0;
    CHECK(haversack_history_cut(h, TOKENS(9, failing, NULL), NULL, &cut, &e) == HAVERSACK_COUNTER_FAILED);
    haversack_error_free(e);
    CHECK(haversack_history_cut(h, TOKENS(60, count_words, &calls), NULL, &cut, NULL) == HAVERSACK_OK && calls > 0);
    CHECK(haversack_cut_found(cut) && haversack_cut_size_after(cut) <= 60);
    haversack_cut_free(cut), cut = NULL;
    CHECK(haversack_history_cut(h, haversack_budget_chars(1), NULL, &cut, &e) == HAVERSACK_BUDGET_TOO_SMALL && cut == NULL);
    CHECK(haversack_error_needed(e, &needed) && needed > 1);
    haversack_error_free(e);
    CHECK(haversack_history_cut_messages(h, SIZE_MAX, NULL, &cut, NULL) == HAVERSACK_OK && !haversack_cut_found(cut));
    CHECK(haversack_cut_nothing(cut) == HAVERSACK_NOTHING_TO_CUT_FITS && haversack_cut_text(cut).ptr == NULL);
    CHECK(haversack_cut_kept(cut, NULL, 0) == 0 && haversack_cut_reason(cut).ptr == NULL);
    haversack_cut_free(cut);
    haversack_history_free(h);
}

int main(void) {
    void (*const tests[])(void) = {
        null_handles_answer_nothing,          outputs_are_required,
        texts_are_checked,                    options_of_other_sizes_and_numbers,
        short_buffers_are_filled_and_no_more, cuts_and_repairs_outlive_the_history_and_the_text,
        counters_may_fail_and_nothing_to_cut_says_so,
    };
    size_t count = sizeof tests / sizeof *tests;
    for (size_t i = 0; i < count; i++) {
        tests[i]();
    }
    printf("%zu passed, 0 failed\n", count);
    return 0;
}
