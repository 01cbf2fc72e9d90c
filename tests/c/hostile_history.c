/* Histories under hostile input, of any length and from many threads: a typed error or a violation, and never a byte
 * read that is not the text's. A handle that was freed is no handle any more: C cannot tell it, so nothing here tries.
 * */
#include "case.h"

#include <pthread.h>

#define ASK "{\"role\":\"user\",\"content\":\"weather?\"}"
#define CALL "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}"
#define RESULT "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"sun\"}"
#define SAY "{\"role\":\"assistant\",\"content\":\"sun\"}"

enum { MANY = 100000, MEGABYTE = 1000000, THREADS = 8, ROUNDS = 40 };

static const haversack_str CHAT = HAVERSACK_STR("[" ASK "," CALL "," RESULT "," SAY "," ASK "," SAY "," ASK "]");

static haversack_history *parse_as(haversack_str text, uint32_t format) {
    haversack_history_options options = {.size = sizeof options, .format = format};
    haversack_history *history = NULL;
    CHECK(haversack_history_parse(text, &options, &history, NULL) == HAVERSACK_OK && history != NULL);
    return history;
}

static void put(buffer *to, const char *text) {
    append(to, text, strlen(text));
}

/* How many violations there are, all of them of this kind; the first is written. */
static size_t all_are(const haversack_history *h, uint32_t kind, haversack_violations **out, haversack_violation *first) {
    CHECK(haversack_history_violations(h, true, out, NULL) == HAVERSACK_OK);
    size_t count = haversack_violations_count(*out);
    haversack_violation violation;
    for (size_t i = 0; i < count; i++) {
        CHECK(haversack_violations_get(*out, i, &violation) && violation.kind == kind && violation.path.len > 0);
    }
    CHECK(count == 0 || haversack_violations_get(*out, 0, first));
    return count;
}

/* Everything there is to ask, with every budget at its ends: nothing but the statuses that may be. */
static void ask_everything(const haversack_history *h) {
    const size_t sizes[] = {0, 1, 40, 400, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i], calls = 0;
        const haversack_counter words = {.size = sizeof words, .userdata = &calls, .count = count_words};
        const haversack_counter estimate = {.size = sizeof estimate, .name = HAVERSACK_STR("estimate")};
        const haversack_budget budgets[] = {
            haversack_budget_bytes(n), haversack_budget_chars(n), haversack_budget_utf16(n),
            haversack_budget_tokens(n, &words), haversack_budget_tokens(n, &estimate),
        };
        for (size_t k = 0; k <= sizeof budgets / sizeof *budgets; k++) {
            bool is_messages = k == sizeof budgets / sizeof *budgets;
            haversack_cut *cut = NULL;
            haversack_error *e = NULL;
            haversack_status status = is_messages ? haversack_history_cut_messages(h, n, NULL, &cut, &e)
                                                  : haversack_history_cut(h, budgets[k], NULL, &cut, &e);
            size_t needed = 0;
            if (status == HAVERSACK_OK) {
                CHECK(e == NULL && haversack_cut_found(cut) == (haversack_cut_nothing(cut) == 0));
                CHECK(!haversack_cut_found(cut) || haversack_cut_size_after(cut) <= n);
            } else {
                CHECK(status == HAVERSACK_BUDGET_TOO_SMALL && cut == NULL && haversack_error_needed(e, &needed) && needed > n);
            }
            haversack_cut_free(cut);
            haversack_error_free(e);
        }
    }
    haversack_repair *repair = NULL;
    CHECK(haversack_history_repair(h, NULL, &repair, NULL) == HAVERSACK_OK && haversack_repair_text(repair).ptr != NULL);
    haversack_repair_free(repair);
    size_t len = haversack_history_len(h), index;
    uint32_t refusal = 77;
    CHECK(haversack_history_safe_cuts(h, true, &index, 1) <= haversack_history_safe_cuts(h, false, &index, 1));
    CHECK(haversack_history_cut_refusal(h, len, &refusal) && refusal == HAVERSACK_CUT_REFUSAL_OUT_OF_RANGE);
    CHECK(haversack_history_cut_refusal(h, SIZE_MAX - 1, NULL) && haversack_history_message(h, SIZE_MAX - 1).ptr == NULL);
}

static void a_megabyte_of_id(void) {
    buffer text = {0};
    char *id = malloc(MEGABYTE);
    CHECK(id != NULL);
    memset(id, 'x', MEGABYTE);
    put(&text, "[" ASK ",{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"");
    append(&text, id, MEGABYTE);
    put(&text, "\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"");
    append(&text, id, MEGABYTE);
    put(&text, "\",\"content\":\"sun\"}]");
    haversack_history *h = parse_as((haversack_str){text.ptr, text.len}, 0);
    haversack_violations *found = NULL;
    haversack_violation first;
    CHECK(all_are(h, HAVERSACK_VIOLATION_ID_TOO_LONG, &found, &first) == 1 && first.index == 1);
    CHECK(same(first.id, (haversack_str){id, MEGABYTE}));
    haversack_violations_free(found);
    ask_everything(h);

    haversack_repair *repair = NULL;
    CHECK(haversack_history_repair(h, NULL, &repair, NULL) == HAVERSACK_OK);
    CHECK(haversack_repair_remaining_count(repair) == 0 && haversack_repair_text(repair).len < 1000);
    haversack_history *mended = parse_as(haversack_repair_text(repair), 0);
    CHECK(all_are(mended, 0, &found, &first) == 0);
    haversack_violations_free(found);
    haversack_history_free(mended), haversack_repair_free(repair), haversack_history_free(h);
    free(id), free(text.ptr);
}

/* A step of so many calls, of which the last has no result. */
static void very_many_calls_in_one_step(void) {
    buffer text = {0};
    char row[128];
    put(&text, "[{\"role\":\"user\",\"content\":\"go\"},{\"role\":\"assistant\",\"content\":[");
    for (int i = 0; i < MANY; i++) {
        int n = snprintf(row, sizeof row, "%s{\"type\":\"tool_use\",\"id\":\"c%d\",\"name\":\"f\",\"input\":{}}", i ? "," : "", i);
        append(&text, row, (size_t)n);
    }
    put(&text, "]},{\"role\":\"user\",\"content\":[");
    for (int i = 0; i + 1 < MANY; i++) {
        int n = snprintf(row, sizeof row, "%s{\"type\":\"tool_result\",\"tool_use_id\":\"c%d\",\"content\":\"r\"}", i ? "," : "", i);
        append(&text, row, (size_t)n);
    }
    put(&text, "]}]");
    haversack_history *h = parse_as((haversack_str){text.ptr, text.len}, HAVERSACK_WIRE_ANTHROPIC);
    haversack_step steps[2];
    CHECK(haversack_history_steps(h, steps, 2) == 2 && steps[1].calls == MANY && steps[1].open == 1);
    haversack_violations *found = NULL;
    haversack_violation first;
    CHECK(all_are(h, HAVERSACK_VIOLATION_MISSING_RESULT, &found, &first) == 1);
    CHECK(same(first.id, HAVERSACK_STR("c99999")) && same(first.path, HAVERSACK_STR("/1/content/99999")));
    haversack_violations_free(found);
    haversack_cut *cut = NULL;
    CHECK(haversack_history_cut_messages(h, 2, NULL, &cut, NULL) == HAVERSACK_OK && !haversack_cut_found(cut));
    CHECK(haversack_cut_nothing(cut) == HAVERSACK_NOTHING_TO_CUT_NO_SAFE_INDEX);
    haversack_cut_free(cut), cut = NULL;
    CHECK(haversack_history_cut(h, haversack_budget_bytes(MANY), NULL, &cut, NULL) == HAVERSACK_OK && !haversack_cut_found(cut));
    haversack_cut_free(cut), cut = NULL;
    haversack_repair_options sending = {.size = sizeof sending, .sending = 1};
    haversack_repair *repair = NULL;
    CHECK(haversack_history_repair(h, &sending, &repair, NULL) == HAVERSACK_OK);
    CHECK(haversack_repair_change_count(repair) == 1 && haversack_repair_remaining_count(repair) == 0);
    haversack_repair_free(repair), haversack_history_free(h);
    free(text.ptr);
}

/* Each from a buffer that ends where the text does, so that a byte read behind it is told. */
static void every_beginning_of_a_history(void) {
    for (size_t len = 0; len < CHAT.len; len++) {
        char *exact = malloc(len ? len : 1);
        CHECK(exact != NULL);
        memcpy(exact, CHAT.ptr, len);
        haversack_history *h = NULL;
        haversack_error *e = NULL;
        size_t offset = 0;
        CHECK(haversack_history_parse((haversack_str){exact, len}, NULL, &h, &e) == HAVERSACK_INVALID_JSON && h == NULL);
        CHECK(haversack_error_offset(e, &offset) && offset <= len);
        haversack_error_free(e);
        free(exact);
    }
}

/* Every byte of a history replaced by one that no text has there, and by a quote. */
static void every_byte_replaced(void) {
    char *text = malloc(CHAT.len);
    CHECK(text != NULL);
    memcpy(text, CHAT.ptr, CHAT.len);
    for (size_t at = 0; at < CHAT.len; at++) {
        haversack_history *h = NULL;
        haversack_error *e = NULL;
        size_t offset = 0;
        text[at] = '\xff';
        CHECK(haversack_history_parse((haversack_str){text, CHAT.len}, NULL, &h, &e) == HAVERSACK_INVALID_UTF8 && h == NULL);
        CHECK(haversack_error_offset(e, &offset) && offset == at);
        haversack_error_free(e);
        text[at] = '"';
        haversack_status status = haversack_history_parse((haversack_str){text, CHAT.len}, NULL, &h, NULL);
        CHECK((status == HAVERSACK_OK) == (h != NULL));
        haversack_history_free(h);
        text[at] = CHAT.ptr[at];
    }
    free(text);
}

static void invalid_utf8_in_options(void) {
    haversack_history_options options = {.size = sizeof options};
    haversack_history *h = NULL;
    haversack_error *e = NULL;
    options.profile = HAVERSACK_STR("stri\xff" "ct");
    CHECK(haversack_history_parse(CHAT, &options, &h, &e) == HAVERSACK_INVALID_UTF8);
    CHECK(same(haversack_error_argument(e), HAVERSACK_STR("profile")));
    haversack_error_free(e);
    options.profile = (haversack_str){NULL, 0}, options.request = HAVERSACK_STR("{\"model\":\"\xc3(\"}");
    CHECK(haversack_history_parse(CHAT, &options, &h, &e) == HAVERSACK_INVALID_UTF8);
    CHECK(same(haversack_error_argument(e), HAVERSACK_STR("request")));
    haversack_error_free(e);
    CHECK(h == NULL);
}

static void pins_without_end(void) {
    haversack_history *h = parse_as(CHAT, 0);
    size_t *pins = calloc(MANY, sizeof *pins);
    CHECK(pins != NULL);
    haversack_cut_options options = {.size = sizeof options, .pinned = pins, .pinned_len = MANY};
    haversack_cut *cut = NULL;
    haversack_error *e = NULL;
    size_t index = 0;
    CHECK(haversack_history_cut_messages(h, 5, &options, &cut, NULL) == HAVERSACK_OK && haversack_cut_found(cut));
    CHECK(haversack_cut_kept(cut, &index, 1) <= 5 && index == 0);
    haversack_cut_free(cut), cut = NULL;
    const size_t out_of_range[] = {7, 8, SIZE_MAX / sizeof(size_t), SIZE_MAX};
    for (size_t i = 0; i < sizeof out_of_range / sizeof *out_of_range; i++) {
        pins[MANY - 1] = out_of_range[i];
        CHECK(haversack_history_cut_messages(h, 5, &options, &cut, &e) == HAVERSACK_INVALID_OPTION && cut == NULL);
        CHECK(haversack_error_index(e, &index) && index == out_of_range[i]);
        haversack_error_free(e), e = NULL;
    }
    free(pins);
    haversack_history_free(h);
}

static void the_smallest_histories(void) {
    const char *texts[] = {"[]", "[{}]", "[{},{}]", "{\"messages\":[]}", "{\"input\":\"\"}", "[{\"role\":null,\"content\":null}]", "\xef\xbb\xbf[]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        haversack_history *h = parse_as((haversack_str){texts[i], strlen(texts[i])}, 0);
        ask_everything(h);
        haversack_history_free(h);
    }
    haversack_history *h = parse_as(CHAT, 0);
    ask_everything(h);
    haversack_history_free(h);
}

/* Asks one history that all threads share, frees what it made, and gives the last cut away. */
static haversack_history *shared;

static void *ask(void *made) {
    haversack_cut *last = NULL;
    for (int i = 0; i < ROUNDS; i++) {
        haversack_cut_free(last), last = NULL;
        CHECK(haversack_history_cut_messages(shared, 3, NULL, &last, NULL) == HAVERSACK_OK);
        CHECK(same(haversack_cut_text(last), HAVERSACK_STR("[" ASK "," SAY "," ASK "]")));
        ask_everything(shared);
        haversack_error *e = NULL;
        haversack_cut *none = NULL;
        CHECK(haversack_history_cut(shared, haversack_budget_bytes(1), NULL, &none, &e) == HAVERSACK_BUDGET_TOO_SMALL);
        haversack_error_free(e);
        haversack_history *own = parse_as(haversack_history_text(shared), 0);
        CHECK(same(haversack_history_message(own, 2), haversack_history_message(shared, 2)));
        haversack_history_free(own);
    }
    *(haversack_cut **)made = last;
    return NULL;
}

static void threads_share_a_history(void) {
    shared = parse_as(CHAT, 0);
    pthread_t threads[THREADS];
    haversack_cut *made[THREADS];
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, ask, &made[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    haversack_history_free(shared);
    for (int i = 0; i < THREADS; i++) { /* made by others, and all that is left of the history */
        haversack_out_message message;
        CHECK(haversack_cut_message(made[i], 2, &message) && same(message.text, HAVERSACK_STR(ASK)));
        haversack_cut_free(made[i]);
    }
}

int main(void) {
    void (*const tests[])(void) = {
        a_megabyte_of_id,        very_many_calls_in_one_step, every_beginning_of_a_history, every_byte_replaced,
        invalid_utf8_in_options, pins_without_end,            the_smallest_histories,       threads_share_a_history,
    };
    size_t count = sizeof tests / sizeof *tests;
    for (size_t i = 0; i < count; i++) {
        tests[i]();
    }
    printf("%zu passed, 0 failed\n", count);
    return 0;
}
