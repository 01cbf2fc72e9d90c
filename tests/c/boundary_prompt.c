/* What the border promises of prompts and caches: NULL anywhere, options of other sizes and numbers, lengths that are too
 * large, short buffers, and what outlives what. */
#define _POSIX_C_SOURCE 200809L
#include "case.h"

#define NONE ((haversack_str){NULL, 0})
#define BODY "{\"model\":\"claude-sonnet-4-5\",\"system\":[{\"type\":\"text\",\"text\":\"Be kind.\",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}}],\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":\"ho\"}]}"

static const haversack_str REQUEST = HAVERSACK_STR(BODY), BAD = {"x", SIZE_MAX}, MISSING = {NULL, 3};

/* The call failed with this status and named this argument; the error is freed. */
static void names(haversack_status got, haversack_status status, haversack_error *error, const char *argument) {
    CHECK(got == status && error != NULL && haversack_error_status(error) == status);
    CHECK(same(haversack_error_argument(error), argument ? (haversack_str){argument, strlen(argument)} : NONE));
    haversack_error_free(error);
}

static haversack_prompt *prompt_of(haversack_str rules, haversack_str clock) {
    haversack_prompt *prompt = haversack_prompt_new();
    haversack_piece_options options = {.size = sizeof options, .layer = HAVERSACK_LAYER_STATIC};
    CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("rules"), rules, &options, NULL) == HAVERSACK_OK);
    CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("clock"), clock, &options, NULL) == HAVERSACK_OK);
    CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("facts"), HAVERSACK_STR("likes tea"), NULL, NULL) == HAVERSACK_OK);
    return prompt;
}

static haversack_prompt *usual(void) { return prompt_of(HAVERSACK_STR("Be brief."), HAVERSACK_STR("Now: 2031-05-06 10:15:59")); }

static haversack_snapshot *snapshot_of(haversack_prompt *owned) {
    haversack_snapshot *snapshot = NULL;
    CHECK(haversack_prompt_snapshot(owned, NULL, &snapshot, NULL) == HAVERSACK_OK);
    haversack_prompt_free(owned);
    return snapshot;
}

static void null_handles_answer_nothing(void) {
    haversack_prompt_free(NULL), haversack_snapshot_free(NULL), haversack_comparison_free(NULL), haversack_canonical_free(NULL);
    haversack_volatile_values_free(NULL), haversack_frozen_free(NULL), haversack_mark_plan_free(NULL), haversack_report_free(NULL);
    haversack_piece_size size;
    CHECK(haversack_report_unit(NULL) == 0 && haversack_report_count(NULL) == 0 && !haversack_report_piece(NULL, 0, &size));
    CHECK(haversack_report_layer(NULL, 1) == 0 && haversack_report_kind(NULL, 1) == 0 && haversack_report_total(NULL) == 0);
    CHECK(!haversack_report_budget(NULL, NULL) && haversack_report_over(NULL) == 0 && haversack_report_before_conversation(NULL) == 0);
    CHECK(haversack_report_old_results(NULL) == 0 && haversack_report_resolved_errors(NULL) == 0);
    haversack_piece piece;
    haversack_mark mark;
    haversack_str text = NONE;
    size_t n = 77;
    uint32_t reason = 77;
    CHECK(haversack_prompt_len(NULL) == 0 && haversack_prompt_format(NULL) == 0);
    CHECK(haversack_prompt_pieces(NULL, &piece, 1) == 0 && !haversack_prompt_lookup(NULL, HAVERSACK_STR("a"), &piece));
    CHECK(haversack_prompt_marks(NULL, &mark, 1) == 0 && !haversack_prompt_automatic_mark(NULL, &mark));
    haversack_digests digests;
    CHECK(haversack_snapshot_len(NULL) == 0 && haversack_snapshot_bytes(NULL) == 0 && !haversack_snapshot_tokens(NULL, &n));
    CHECK(haversack_snapshot_names(NULL, &text, 1) == 0 && !haversack_snapshot_digests(NULL, 0, &digests));
    haversack_piece_change change;
    CHECK(haversack_comparison_verdict(NULL) == 0 && !haversack_comparison_calm(NULL) && haversack_comparison_piece(NULL).ptr == NULL);
    CHECK(!haversack_comparison_index(NULL, &n) && !haversack_comparison_at_byte(NULL, &n) && !haversack_comparison_at_byte_exact(NULL));
    CHECK(haversack_comparison_cause(NULL) == 0 && haversack_comparison_kept_bytes(NULL) == 0 && haversack_comparison_lost_bytes(NULL) == 0);
    CHECK(!haversack_comparison_kept_tokens(NULL, &n) && !haversack_comparison_lost_tokens(NULL, &n));
    CHECK(haversack_comparison_change_count(NULL) == 0 && !haversack_comparison_change(NULL, 0, &change));
    haversack_inexact_number number;
    CHECK(haversack_canonical_text(NULL).ptr == NULL && !haversack_canonical_same(NULL));
    CHECK(haversack_canonical_inexact_count(NULL) == 0 && !haversack_canonical_inexact(NULL, 0, &number));
    haversack_volatile_value value;
    CHECK(haversack_volatile_values_count(NULL) == 0 && !haversack_volatile_values_get(NULL, 0, &value));
    haversack_note note;
    CHECK(haversack_frozen_names(NULL, &text, 1) == 0 && haversack_frozen_note_count(NULL) == 0 && !haversack_frozen_note(NULL, 0, &note));
    CHECK(haversack_frozen_fold(NULL, &text, 1) == 0);
    haversack_cache_mark placed;
    CHECK(haversack_mark_plan_text(NULL).ptr == NULL && haversack_mark_plan_rules(NULL).ptr == NULL && haversack_mark_plan_count(NULL) == 0);
    CHECK(!haversack_mark_plan_mark(NULL, 0, &placed) && haversack_mark_plan_unplaced(NULL, &reason, 1) == 0);
    CHECK(haversack_prompt_without_conversation(NULL) == NULL && haversack_report_thinking(NULL) == 0 && haversack_report_dead_share(NULL) == 0);
    CHECK(!haversack_report_per_call(NULL, &n));
    CHECK(n == 77 && reason == 77 && text.ptr == NULL);

    haversack_error *e = NULL;
    haversack_snapshot *snapshot = NULL;
    haversack_comparison *comparison = NULL;
    haversack_volatile_values *values = NULL;
    haversack_prefix prefix;
    haversack_string json;
    haversack_note_cost cost;
    haversack_report *report = NULL;
    const haversack_counter counter = {.size = sizeof counter, .name = HAVERSACK_STR("estimate")};
    haversack_prompt *prompt = usual();
    names(haversack_prompt_add(NULL, NONE, NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "prompt");
    names(haversack_prompt_add_tool(NULL, NONE, NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "prompt");
    names(haversack_prompt_render(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "prompt");
    names(haversack_prompt_tools(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "prompt");
    names(haversack_prompt_report(NULL, haversack_budget_bytes(9), &report, &e), HAVERSACK_BAD_ARGUMENT, e, "prompt");
    CHECK(report == NULL);
    names(haversack_prompt_snapshot(NULL, NULL, &snapshot, &e), HAVERSACK_BAD_ARGUMENT, e, "prompt");
    names(haversack_snapshot_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "snapshot");
    names(haversack_compare(NULL, NULL, &comparison, &e), HAVERSACK_BAD_ARGUMENT, e, "next");
    names(haversack_shared_prefix(NULL, prompt, NULL, &prefix, &e), HAVERSACK_BAD_ARGUMENT, e, "a");
    names(haversack_shared_prefix(prompt, NULL, NULL, &prefix, &e), HAVERSACK_BAD_ARGUMENT, e, "b");
    names(haversack_volatile(NULL, &values, &e), HAVERSACK_BAD_ARGUMENT, e, "prompt");
    names(haversack_frozen_text(NULL, NONE, &text, &e), HAVERSACK_BAD_ARGUMENT, e, "frozen");
    names(haversack_frozen_current(NULL, NONE, &text, &e), HAVERSACK_BAD_ARGUMENT, e, "frozen");
    names(haversack_frozen_update(NULL, NONE, NONE, &note, &e), HAVERSACK_BAD_ARGUMENT, e, "frozen");
    names(haversack_frozen_cost(NULL, &counter, &cost, &e), HAVERSACK_BAD_ARGUMENT, e, "frozen");
    names(haversack_frozen_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "frozen");
    CHECK(snapshot == NULL && comparison == NULL && values == NULL && haversack_prompt_len(prompt) == 3);
    haversack_prompt_free(prompt);
}

static void outputs_are_required(void) {
    haversack_prompt *prompt = usual();
    haversack_snapshot *snapshot = NULL;
    CHECK(haversack_prompt_snapshot(prompt, NULL, &snapshot, NULL) == HAVERSACK_OK);
    const haversack_section section = {HAVERSACK_STR("memory"), HAVERSACK_STR("x")};
    haversack_frozen *frozen = NULL;
    CHECK(haversack_frozen_new(&section, 1, &frozen, NULL) == HAVERSACK_OK);
    haversack_error *e = NULL;
    const haversack_counter counter = {.size = sizeof counter, .name = HAVERSACK_STR("estimate")};
    names(haversack_prompt_from_request(REQUEST, 0, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_prompt");
    names(haversack_prompt_snapshot(prompt, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_snapshot");
    names(haversack_prompt_render(prompt, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_text");
    names(haversack_prompt_tools(prompt, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_prompt_report(prompt, haversack_budget_bytes(9), NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_report");
    names(haversack_snapshot_json(snapshot, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_snapshot_from_json(NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_snapshot");
    names(haversack_compare(snapshot, snapshot, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_comparison");
    names(haversack_shared_prefix(prompt, prompt, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_prefix");
    names(haversack_volatile(prompt, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_values");
    names(haversack_canonical_json(HAVERSACK_STR("1"), NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_canonical");
    names(haversack_frozen_new(&section, 1, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_frozen");
    names(haversack_frozen_text(frozen, section.name, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_text");
    names(haversack_frozen_current(frozen, section.name, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_text");
    names(haversack_frozen_update(frozen, section.name, NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_note");
    names(haversack_frozen_cost(frozen, &counter, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_cost");
    names(haversack_frozen_json(frozen, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_frozen_from_json(NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_frozen");
    names(haversack_predict(NONE, REQUEST, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_prediction");
    names(haversack_cache_marks(REQUEST, NONE, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_plan");
    CHECK(haversack_frozen_note_count(frozen) == 0); /* nothing was updated */
    CHECK(haversack_predict(NONE, REQUEST, NULL, NULL, NULL) == HAVERSACK_BAD_ARGUMENT);
    CHECK(!haversack_prompt_lookup(prompt, HAVERSACK_STR("rules"), NULL) && !haversack_snapshot_digests(snapshot, 0, NULL));
    CHECK(!haversack_cache_rules_get(0, NULL) && haversack_frozen_fold(frozen, NULL, 9) == 0);
    haversack_frozen_free(frozen), haversack_snapshot_free(snapshot), haversack_prompt_free(prompt);
}

static void texts_are_checked(void) {
    haversack_prompt *prompt = usual(), *other = NULL;
    haversack_snapshot *snapshot = NULL;
    haversack_canonical *canonical = NULL;
    haversack_frozen *frozen = NULL, *second = NULL;
    haversack_mark_plan *plan = NULL;
    haversack_piece piece;
    haversack_error *e = NULL;
    haversack_note note;
    const haversack_str all[] = {BAD, MISSING};
    const haversack_section section = {HAVERSACK_STR("memory"), NONE};
    CHECK(haversack_frozen_new(&section, 1, &frozen, NULL) == HAVERSACK_OK);
    const haversack_counter counter = {.size = sizeof counter, .name = HAVERSACK_STR("estimate")};
    haversack_predict_options predicting = {.size = sizeof predicting, .counter = &counter};
    haversack_prediction prediction;
    for (size_t i = 0; i < 2; i++) {
        const haversack_str bad = all[i];
        names(haversack_prompt_from_request(bad, 0, NULL, &other, &e), HAVERSACK_BAD_ARGUMENT, e, "body");
        names(haversack_prompt_add(prompt, bad, NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "name");
        names(haversack_prompt_add(prompt, HAVERSACK_STR("n"), bad, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "text");
        names(haversack_prompt_add_tool(prompt, bad, NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "name");
        names(haversack_prompt_add_tool(prompt, HAVERSACK_STR("n"), bad, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "definition");
        haversack_piece_options adding = {.owner = bad};
        names(haversack_prompt_add_tool(prompt, HAVERSACK_STR("n"), HAVERSACK_STR("{}"), &adding, &e), HAVERSACK_BAD_ARGUMENT, e, "owner");
        names(haversack_prompt_add(prompt, HAVERSACK_STR("n"), NONE, &adding, &e), HAVERSACK_BAD_ARGUMENT, e, "owner");
        haversack_snapshot_options taking = {.key = bad};
        names(haversack_prompt_snapshot(prompt, &taking, &snapshot, &e), HAVERSACK_BAD_ARGUMENT, e, "key");
        names(haversack_snapshot_from_json(bad, &snapshot, &e), HAVERSACK_BAD_ARGUMENT, e, "json");
        names(haversack_canonical_json(bad, NULL, &canonical, &e), HAVERSACK_BAD_ARGUMENT, e, "text");
        const haversack_section sections[] = {section, {bad, NONE}, {HAVERSACK_STR("b"), bad}};
        names(haversack_frozen_new(sections, 2, &second, &e), HAVERSACK_BAD_ARGUMENT, e, "name");
        names(haversack_frozen_new(sections + 2, 1, &second, &e), HAVERSACK_BAD_ARGUMENT, e, "text");
        names(haversack_frozen_update(frozen, section.name, bad, &note, &e), HAVERSACK_BAD_ARGUMENT, e, "text");
        names(haversack_frozen_update(frozen, bad, NONE, &note, &e), HAVERSACK_BAD_ARGUMENT, e, "name");
        names(haversack_frozen_from_json(bad, &second, &e), HAVERSACK_BAD_ARGUMENT, e, "json");
        names(haversack_predict(bad, REQUEST, &predicting, &prediction, &e), HAVERSACK_BAD_ARGUMENT, e, "previous");
        names(haversack_predict(NONE, bad, &predicting, &prediction, &e), HAVERSACK_BAD_ARGUMENT, e, "next");
        predicting.rules = bad;
        names(haversack_predict(NONE, REQUEST, &predicting, &prediction, &e), HAVERSACK_BAD_ARGUMENT, e, "rules");
        predicting.rules = NONE;
        names(haversack_cache_marks(bad, NONE, NULL, &plan, &e), HAVERSACK_BAD_ARGUMENT, e, "body");
        names(haversack_cache_marks(REQUEST, bad, NULL, &plan, &e), HAVERSACK_BAD_ARGUMENT, e, "previous");
        haversack_mark_options marking = {.life = bad};
        names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_BAD_ARGUMENT, e, "life");
        marking.life = NONE, marking.head_life = bad;
        names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_BAD_ARGUMENT, e, "head_life");
        CHECK(!haversack_prompt_lookup(prompt, bad, &piece) && !haversack_cache_rules_of(HAVERSACK_WIRE_OPENAI_CHAT, bad, NULL));
    }
    names(haversack_frozen_new(NULL, 1, &second, &e), HAVERSACK_BAD_ARGUMENT, e, "sections");
    names(haversack_frozen_new(&section, SIZE_MAX, &second, &e), HAVERSACK_BAD_ARGUMENT, e, "sections");
    names(haversack_prompt_add(prompt, HAVERSACK_STR("a\xff"), NONE, NULL, &e), HAVERSACK_INVALID_UTF8, e, "name");
    names(haversack_prompt_add(prompt, HAVERSACK_STR("n"), HAVERSACK_STR("a\xff"), NULL, &e), HAVERSACK_INVALID_UTF8, e, "text");
    names(haversack_canonical_json(HAVERSACK_STR("\xff"), NULL, &canonical, &e), HAVERSACK_INVALID_UTF8, e, "text");
    names(haversack_prompt_from_request(HAVERSACK_STR("[\xff]"), 0, NULL, &other, &e), HAVERSACK_INVALID_UTF8, e, NULL);
    names(haversack_snapshot_from_json(HAVERSACK_STR("{}"), &snapshot, &e), HAVERSACK_INVALID_STATE, e, NULL);
    names(haversack_frozen_from_json(HAVERSACK_STR("{}"), &second, &e), HAVERSACK_INVALID_STATE, e, NULL);
    names(haversack_frozen_update(frozen, HAVERSACK_STR("memry"), NONE, &note, &e), HAVERSACK_INVALID_OPTION, e, "name");
    CHECK(other == NULL && snapshot == NULL && canonical == NULL && second == NULL && plan == NULL);
    CHECK(haversack_prompt_len(prompt) == 3 && haversack_frozen_note_count(frozen) == 0);
    /* NUL is text, and nothing is a text. */
    CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("a\0b"), NONE, NULL, NULL) == HAVERSACK_OK);
    CHECK(haversack_prompt_lookup(prompt, HAVERSACK_STR("a\0b"), &piece) && piece.text.ptr != NULL && piece.text.len == 0);
    haversack_frozen_free(frozen), haversack_prompt_free(prompt);
}

static void options_of_other_sizes_and_numbers(void) {
    haversack_prompt *prompt = usual(), *other = NULL;
    haversack_snapshot *snapshot = NULL;
    haversack_mark_plan *plan = NULL;
    haversack_prediction prediction;
    haversack_error *e = NULL;
    const haversack_counter counter = {.size = sizeof counter, .name = HAVERSACK_STR("estimate")};
    haversack_piece_options adding = {0}; /* size 0: that of the first version */
    haversack_snapshot_options taking = {0};
    haversack_predict_options predicting = {.counter = &counter};
    haversack_mark_options marking = {0};
    CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("a"), NONE, &adding, NULL) == HAVERSACK_OK);
    CHECK(haversack_prompt_snapshot(prompt, &taking, &snapshot, NULL) == HAVERSACK_OK);
    CHECK(haversack_predict(NONE, REQUEST, &predicting, &prediction, NULL) == HAVERSACK_OK);
    CHECK(haversack_cache_marks(REQUEST, NONE, &marking, &plan, NULL) == HAVERSACK_OK);
    haversack_snapshot_free(snapshot), snapshot = NULL;
    haversack_mark_plan_free(plan), plan = NULL;

    const size_t sizes[] = {1, sizeof(size_t), 5000, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        adding.size = taking.size = predicting.size = marking.size = sizes[i];
        names(haversack_prompt_add(prompt, HAVERSACK_STR("b"), NONE, &adding, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
        names(haversack_prompt_snapshot(prompt, &taking, &snapshot, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
        names(haversack_predict(NONE, REQUEST, &predicting, &prediction, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
        names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
    }
    adding.size = sizeof adding, taking.size = sizeof taking, predicting.size = sizeof predicting, marking.size = sizeof marking;
    const uint32_t numbers[] = {20, 999, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        const uint32_t no = numbers[i];
        adding.layer = no;
        CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("b"), NONE, &adding, &e) == HAVERSACK_UNKNOWN_LAYER);
        CHECK(same(haversack_error_piece(e), HAVERSACK_STR("b")));
        haversack_error_free(e);
        adding.layer = 0, adding.kind = no;
        names(haversack_prompt_add(prompt, HAVERSACK_STR("b"), NONE, &adding, &e), HAVERSACK_INVALID_OPTION, e, "kind");
        adding.kind = 0, predicting.format = marking.format = no;
        names(haversack_predict(NONE, REQUEST, &predicting, &prediction, &e), HAVERSACK_INVALID_OPTION, e, "format");
        names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_INVALID_OPTION, e, "format");
        predicting.format = marking.format = 0;
        names(haversack_prompt_from_request(REQUEST, no, NULL, &other, &e), HAVERSACK_INVALID_OPTION, e, "format");
        CHECK(haversack_layer_name(no).ptr == NULL && haversack_piece_kind_name(no).ptr == NULL && haversack_mark_kind_name(no).ptr == NULL);
        CHECK(haversack_verdict_name(no).ptr == NULL && haversack_cause_name(no).ptr == NULL && haversack_volatile_name(no).ptr == NULL);
        CHECK(haversack_cache_reason_name(no).ptr == NULL && haversack_mark_reason_name(no).ptr == NULL);
        CHECK(!haversack_cache_rules_of(no, NONE, NULL));
    }
    predicting.counter = NULL;
    names(haversack_predict(NONE, REQUEST, &predicting, &prediction, &e), HAVERSACK_INVALID_OPTION, e, "counter");
    names(haversack_predict(NONE, REQUEST, NULL, &prediction, &e), HAVERSACK_INVALID_OPTION, e, "counter");
    predicting.counter = &counter, predicting.rules = marking.rules = HAVERSACK_STR("");
    names(haversack_predict(NONE, REQUEST, &predicting, &prediction, &e), HAVERSACK_INVALID_OPTION, e, "rules");
    names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_INVALID_OPTION, e, "rules");
    marking.rules = HAVERSACK_STR("vllm");
    names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_INVALID_OPTION, e, "rules");
    marking.rules = NONE, marking.life = HAVERSACK_STR("a week");
    names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_INVALID_OPTION, e, "life");
    haversack_limits limits;
    haversack_canonical *canonical = NULL;
    CHECK(haversack_limits_init(&limits, sizeof limits) == HAVERSACK_OK);
    limits.depth = 1;
    CHECK(haversack_canonical_json(HAVERSACK_STR("[[1]]"), &limits, &canonical, NULL) == HAVERSACK_TOO_DEEP);
    limits.size = 3;
    names(haversack_canonical_json(HAVERSACK_STR("[[1]]"), &limits, &canonical, &e), HAVERSACK_BAD_ARGUMENT, e, "limits");
    CHECK(other == NULL && snapshot == NULL && plan == NULL && canonical == NULL && haversack_prompt_len(prompt) == 4);
    haversack_prompt_free(prompt);
}

static void pieces_are_named_once_and_buffers_filled_no_further(void) {
    haversack_prompt *prompt = usual();
    haversack_error *e = NULL;
    const size_t budget = 0;
    haversack_piece_options options = {.layer = HAVERSACK_LAYER_RARE, .kind = HAVERSACK_PIECE_TOOL, .budget = &budget, .owner = HAVERSACK_STR("")};
    CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("rules"), HAVERSACK_STR("again"), &options, &e) == HAVERSACK_DUPLICATE_PIECE);
    CHECK(same(haversack_error_piece(e), HAVERSACK_STR("rules")) && haversack_error_argument(e).ptr == NULL);
    haversack_error_free(e);
    CHECK(haversack_prompt_add(prompt, HAVERSACK_STR("tool"), HAVERSACK_STR("{}"), &options, NULL) == HAVERSACK_OK);
    for (size_t capacity = 0; capacity < 5; capacity++) {
        haversack_piece pieces[5];
        memset(pieces, 0x55, sizeof pieces);
        const size_t untouched = pieces[4].budget;
        CHECK(haversack_prompt_pieces(prompt, capacity ? pieces : NULL, capacity) == 4);
        CHECK(pieces[capacity].budget == untouched);
        if (capacity < 4) continue;
        CHECK(same(pieces[0].name, HAVERSACK_STR("rules")) && pieces[0].layer == HAVERSACK_LAYER_STATIC && !pieces[0].has_budget);
        CHECK(same(pieces[2].name, HAVERSACK_STR("tool")) && pieces[2].has_budget == 1 && pieces[2].budget == 0);
        CHECK(pieces[2].kind == HAVERSACK_PIECE_TOOL && same(pieces[2].owner, HAVERSACK_STR("")) && pieces[1].owner.ptr == NULL);
        CHECK(pieces[3].layer == HAVERSACK_LAYER_SESSION && pieces[3].kind == HAVERSACK_PIECE_FACTS && !pieces[3].is_message);
    }
    haversack_prompt_free(prompt);

    CHECK(haversack_prompt_from_request(REQUEST, 0, NULL, &prompt, NULL) == HAVERSACK_OK);
    CHECK(haversack_prompt_format(prompt) == HAVERSACK_WIRE_ANTHROPIC && haversack_prompt_len(prompt) == 4);
    haversack_mark marks[2] = {{.at = 77}, {.at = 77}};
    CHECK(haversack_prompt_marks(prompt, NULL, 0) == 1 && haversack_prompt_marks(prompt, marks, 2) == 1 && marks[1].at == 77);
    CHECK(marks[0].piece == 1 && marks[0].kind == HAVERSACK_MARK_CACHE_CONTROL && marks[0].has_seconds && marks[0].seconds == 3600);
    CHECK(!haversack_prompt_automatic_mark(prompt, marks));
    haversack_piece piece;
    CHECK(haversack_prompt_lookup(prompt, HAVERSACK_STR("message 1"), &piece) && piece.is_message == 1);
    CHECK(same(piece.text, HAVERSACK_STR("{\"role\":\"assistant\",\"content\":\"ho\"}")));
    CHECK(!haversack_prompt_lookup(prompt, HAVERSACK_STR("message 2"), &piece));
    haversack_prompt_free(prompt);
}

static void requests_have_limits_and_marks_that_are_refused(void) {
    haversack_limits limits;
    CHECK(haversack_limits_init(&limits, sizeof limits) == HAVERSACK_OK);
    limits.depth = 2;
    haversack_prompt *prompt = NULL;
    haversack_mark_plan *plan = NULL;
    haversack_prediction prediction;
    haversack_error *e = NULL;
    const haversack_counter counter = {.name = HAVERSACK_STR("estimate")};
    haversack_predict_options predicting = {.size = sizeof predicting, .counter = &counter, .rules = HAVERSACK_STR("anthropic"), .limits = &limits};
    haversack_mark_options marking = {.size = sizeof marking, .rules = HAVERSACK_STR("anthropic"), .limits = &limits};
    CHECK(haversack_prompt_from_request(REQUEST, 0, &limits, &prompt, NULL) == HAVERSACK_TOO_DEEP);
    CHECK(haversack_predict(NONE, REQUEST, &predicting, &prediction, NULL) == HAVERSACK_TOO_DEEP);
    CHECK(haversack_cache_marks(REQUEST, NONE, &marking, &plan, NULL) == HAVERSACK_TOO_DEEP);
    limits.size = 3;
    names(haversack_prompt_from_request(REQUEST, 0, &limits, &prompt, &e), HAVERSACK_BAD_ARGUMENT, e, "limits");
    names(haversack_predict(NONE, REQUEST, &predicting, &prediction, &e), HAVERSACK_BAD_ARGUMENT, e, "limits");
    names(haversack_cache_marks(REQUEST, NONE, &marking, &plan, &e), HAVERSACK_BAD_ARGUMENT, e, "limits");
    CHECK(prompt == NULL && plan == NULL);
    predicting.limits = NULL;
    const haversack_str refused = HAVERSACK_STR("{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"\",\"cache_control\":{\"type\":\"ephemeral\"}}]}]}");
    CHECK(haversack_predict(NONE, refused, &predicting, &prediction, &e) == HAVERSACK_FORBIDDEN_MARK);
    CHECK(same(haversack_error_piece(e), HAVERSACK_STR("message 0")));
    haversack_error_free(e);
    const haversack_growth most = haversack_estimate_growth(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    CHECK(most.largest == UINT64_MAX && most.input == UINT64_MAX && most.repeated == UINT64_MAX);
}

static void tools_and_reports(void) {
    haversack_prompt *prompt = usual();
    haversack_error *e = NULL;
    const size_t budget = 3;
    haversack_piece_options options = {.size = sizeof options, .budget = &budget, .owner = HAVERSACK_STR("platform")};
    CHECK(haversack_prompt_add_tool(prompt, HAVERSACK_STR("f"), HAVERSACK_STR("{\"b\": 1.0, \"a\": 2}"), &options, NULL) == HAVERSACK_OK);
    CHECK(haversack_prompt_add_tool(prompt, HAVERSACK_STR("f"), HAVERSACK_STR("{}"), NULL, &e) == HAVERSACK_DUPLICATE_PIECE);
    CHECK(same(haversack_error_piece(e), HAVERSACK_STR("tools/f")));
    haversack_error_free(e);
    CHECK(haversack_prompt_add_tool(prompt, HAVERSACK_STR("g"), HAVERSACK_STR("{"), NULL, &e) == HAVERSACK_INVALID_JSON);
    CHECK(same(haversack_error_piece(e), HAVERSACK_STR("tools/g")));
    haversack_error_free(e);
    options.kind = HAVERSACK_PIECE_FACTS;
    names(haversack_prompt_add_tool(prompt, HAVERSACK_STR("g"), HAVERSACK_STR("{}"), &options, &e), HAVERSACK_INVALID_OPTION, e, "kind");
    options.kind = HAVERSACK_PIECE_TOOL, options.layer = 99;
    CHECK(haversack_prompt_add_tool(prompt, HAVERSACK_STR("g"), HAVERSACK_STR("{}"), &options, &e) == HAVERSACK_UNKNOWN_LAYER);
    CHECK(same(haversack_error_piece(e), HAVERSACK_STR("tools/g")));
    haversack_error_free(e);
    options.size = 3;
    names(haversack_prompt_add_tool(prompt, HAVERSACK_STR("g"), HAVERSACK_STR("{}"), &options, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
    CHECK(haversack_prompt_len(prompt) == 4);

    haversack_string text;
    CHECK(haversack_prompt_tools(prompt, &text, NULL) == HAVERSACK_OK && same((haversack_str){text.ptr, text.len}, HAVERSACK_STR("[{\"a\":2,\"b\":1}]")));
    haversack_string_free(text);
    CHECK(haversack_prompt_render(prompt, &text, NULL) == HAVERSACK_OK && memcmp(text.ptr, "{\"a\":2,\"b\":1}\n\nBe brief.\n\n", 26) == 0);
    haversack_string_free(text);

    haversack_report *report = NULL;
    CHECK(haversack_prompt_report(prompt, (haversack_budget){0}, &report, NULL) == HAVERSACK_INVALID_OPTION);
    names(haversack_prompt_report(prompt, haversack_budget_tokens(9, NULL), &report, &e), HAVERSACK_INVALID_OPTION, e, "counter");
    CHECK(haversack_prompt_report(prompt, haversack_budget_bytes(50), &report, NULL) == HAVERSACK_OK);
    haversack_prompt_free(prompt);
    haversack_piece_size size;
    size_t limit = 0;
    CHECK(haversack_report_total(report) == 55 && haversack_report_over(report) == 5 && haversack_report_budget(report, &limit) && limit == 50);
    CHECK(haversack_report_count(report) == 4 && haversack_report_piece(report, 0, &size) && same(size.name, HAVERSACK_STR("tools/f")));
    CHECK(size.size == 13 && size.budget == 3 && size.over == 10 && same(size.owner, HAVERSACK_STR("platform")) && size.kind == HAVERSACK_PIECE_TOOL);
    CHECK(!haversack_report_piece(report, 4, &size) && haversack_report_layer(report, HAVERSACK_LAYER_STATIC) == 46);
    CHECK(haversack_report_layer(report, UINT32_MAX) == 0 && haversack_report_kind(report, 0) == 0);
    haversack_report_free(report);
}

static void snapshots_and_comparisons_outlive_what_they_came_from(void) {
    char *text = strdup("Be brief.");
    haversack_snapshot *old = snapshot_of(prompt_of((haversack_str){text, 9}, HAVERSACK_STR("Now: 2031-05-06 10:15:59")));
    memset(text, 0, 9), free(text);
    haversack_snapshot *new = snapshot_of(prompt_of(HAVERSACK_STR("Be brief."), HAVERSACK_STR("Now: 2031-05-06 10:16:01")));
    haversack_string json = {NULL, 0};
    haversack_snapshot *stored = NULL;
    CHECK(haversack_snapshot_json(old, &json, NULL) == HAVERSACK_OK && json.ptr[0] == '{');
    CHECK(haversack_snapshot_from_json((haversack_str){json.ptr, json.len}, &stored, NULL) == HAVERSACK_OK);
    haversack_string_free(json);
    haversack_str pieces[3] = {NONE, NONE, HAVERSACK_STR("77")};
    CHECK(haversack_snapshot_names(stored, pieces, 2) == 3 && same(pieces[1], HAVERSACK_STR("clock")) && same(pieces[2], HAVERSACK_STR("77")));
    size_t tokens = 77;
    CHECK(haversack_snapshot_bytes(stored) == 42 && haversack_snapshot_len(stored) == 3 && !haversack_snapshot_tokens(stored, &tokens) && tokens == 77);
    haversack_digests a, b;
    CHECK(haversack_snapshot_digests(old, 2, &a) && haversack_snapshot_digests(stored, 2, &b) && memcmp(&a, &b, sizeof a) == 0);
    CHECK(memcmp(a.sha256, a.canonical_sha256, 64) == 0 && !haversack_snapshot_digests(old, 3, &a) && !haversack_snapshot_digests(old, SIZE_MAX, &a));

    haversack_comparison *exact = NULL, *rough = NULL, *first = NULL, *same_one = NULL;
    CHECK(haversack_compare(old, new, &exact, NULL) == HAVERSACK_OK && haversack_compare(stored, new, &rough, NULL) == HAVERSACK_OK);
    CHECK(haversack_compare(NULL, new, &first, NULL) == HAVERSACK_OK && haversack_compare(new, new, &same_one, NULL) == HAVERSACK_OK);
    haversack_snapshot_free(old), haversack_snapshot_free(stored), haversack_snapshot_free(new);
    size_t at = 0, index = 0;
    CHECK(haversack_comparison_verdict(exact) == HAVERSACK_VERDICT_CHANGED && haversack_comparison_cause(exact) == HAVERSACK_CAUSE_VOLATILE);
    CHECK(same(haversack_comparison_piece(exact), HAVERSACK_STR("clock")) && haversack_comparison_index(exact, &index) && index == 1);
    CHECK(haversack_comparison_at_byte(exact, &at) && at == 20 && haversack_comparison_at_byte_exact(exact) && !haversack_comparison_calm(exact));
    CHECK(haversack_comparison_kept_bytes(exact) == 29 && haversack_comparison_lost_bytes(exact) == 13);
    CHECK(!haversack_comparison_kept_tokens(exact, &tokens) && !haversack_comparison_lost_tokens(exact, &tokens) && tokens == 77);
    haversack_piece_change change;
    CHECK(haversack_comparison_change_count(exact) == 1 && haversack_comparison_change(exact, 0, &change));
    CHECK(change.at_byte == 20 && change.has_at_byte && change.volatile_kind == HAVERSACK_VOLATILE_TIME && change.was.ptr == NULL);
    CHECK(!haversack_comparison_change(exact, 1, &change));
    CHECK(haversack_comparison_at_byte(rough, &at) && at == 0 && !haversack_comparison_at_byte_exact(rough));
    CHECK(haversack_comparison_verdict(first) == HAVERSACK_VERDICT_FIRST && haversack_comparison_calm(first) && haversack_comparison_cause(first) == 0);
    CHECK(haversack_comparison_verdict(same_one) == HAVERSACK_VERDICT_SAME && haversack_comparison_kept_bytes(same_one) == 42);
    CHECK(!haversack_comparison_index(same_one, &index) && haversack_comparison_piece(same_one).ptr == NULL);
    haversack_comparison_free(exact), haversack_comparison_free(rough), haversack_comparison_free(first), haversack_comparison_free(same_one);
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
    haversack_prompt *prompt = usual(), *other = prompt_of(HAVERSACK_STR("Be brief."), HAVERSACK_STR("Now: never"));
    const haversack_section section = {HAVERSACK_STR("memory"), HAVERSACK_STR("likes tea")};
    haversack_frozen *frozen = NULL;
    haversack_note note;
    CHECK(haversack_frozen_new(&section, 1, &frozen, NULL) == HAVERSACK_OK);
    CHECK(haversack_frozen_update(frozen, section.name, HAVERSACK_STR("likes milk"), &note, NULL) == HAVERSACK_OK);
    size_t calls = 0;
    const haversack_counter broken[] = {{.count = failing}, {.count = nonsense}}, both = {.count = failing, .name = HAVERSACK_STR("estimate")},
                            none = {0}, words = {.count = count_words, .userdata = &calls};
    haversack_snapshot *snapshot = NULL;
    haversack_prefix prefix;
    haversack_prediction prediction;
    haversack_note_cost cost;
    haversack_error *e = NULL;
    for (size_t i = 0; i < 2; i++) {
        const haversack_snapshot_options taking = {.size = sizeof taking, .counter = &broken[i]};
        CHECK(haversack_prompt_snapshot(prompt, &taking, &snapshot, &e) == HAVERSACK_COUNTER_FAILED);
        CHECK(same(haversack_error_piece(e), HAVERSACK_STR("rules")));
        haversack_error_free(e);
        haversack_report *report = NULL;
        haversack_budget budget = {.limit = 9, .unit = HAVERSACK_UNIT_TOKENS, .counter = &broken[i]};
        CHECK(haversack_prompt_report(prompt, budget, &report, &e) == HAVERSACK_COUNTER_FAILED && report == NULL);
        CHECK(same(haversack_error_piece(e), HAVERSACK_STR("rules")));
        haversack_error_free(e);
        const haversack_predict_options predicting = {.size = sizeof predicting, .counter = &broken[i]};
        CHECK(haversack_predict(NONE, REQUEST, &predicting, &prediction, NULL) == HAVERSACK_COUNTER_FAILED);
        CHECK(haversack_shared_prefix(prompt, other, &broken[i], &prefix, NULL) == HAVERSACK_COUNTER_FAILED);
        CHECK(haversack_frozen_cost(frozen, &broken[i], &cost, NULL) == HAVERSACK_COUNTER_FAILED);
    }
    const haversack_counter *wrong[] = {&both, &none};
    for (size_t i = 0; i < 2; i++) {
        const haversack_snapshot_options taking = {.size = sizeof taking, .counter = wrong[i]};
        names(haversack_prompt_snapshot(prompt, &taking, &snapshot, &e), HAVERSACK_INVALID_OPTION, e, "counter");
        names(haversack_shared_prefix(prompt, other, wrong[i], &prefix, &e), HAVERSACK_INVALID_OPTION, e, "counter");
        names(haversack_frozen_cost(frozen, wrong[i], &cost, &e), HAVERSACK_INVALID_OPTION, e, "counter");
    }
    names(haversack_frozen_cost(frozen, NULL, &cost, &e), HAVERSACK_BAD_ARGUMENT, e, "counter");
    CHECK(snapshot == NULL && calls == 0);

    const haversack_snapshot_options counted = {.size = sizeof counted, .counter = &words, .key = HAVERSACK_STR("a\0key")};
    const haversack_snapshot_options empty_key = {.size = sizeof empty_key, .key = HAVERSACK_STR("")};
    haversack_snapshot *plain = NULL, *keyed = NULL, *emptily = NULL;
    CHECK(haversack_prompt_snapshot(prompt, &counted, &keyed, NULL) == HAVERSACK_OK && calls == 3);
    CHECK(haversack_prompt_snapshot(prompt, NULL, &plain, NULL) == HAVERSACK_OK);
    CHECK(haversack_prompt_snapshot(prompt, &empty_key, &emptily, NULL) == HAVERSACK_OK);
    size_t tokens = 0;
    CHECK(haversack_snapshot_tokens(keyed, &tokens) && tokens > 0);
    haversack_comparison *comparison = NULL;
    names(haversack_compare(plain, keyed, &comparison, &e), HAVERSACK_INVALID_OPTION, e, "key");
    names(haversack_compare(emptily, plain, &comparison, &e), HAVERSACK_INVALID_OPTION, e, "key"); /* empty is not absent */
    CHECK(haversack_compare(keyed, keyed, &comparison, NULL) == HAVERSACK_OK);
    size_t kept = 0;
    CHECK(haversack_comparison_kept_tokens(comparison, &kept) && kept == tokens);
    haversack_comparison_free(comparison);
    CHECK(haversack_shared_prefix(prompt, other, &words, &prefix, NULL) == HAVERSACK_OK);
    CHECK(prefix.pieces == 1 && prefix.bytes == 14 && prefix.has_tokens == 1 && prefix.tokens > 0 && same(prefix.piece, HAVERSACK_STR("clock")));
    CHECK(haversack_shared_prefix(prompt, prompt, NULL, &prefix, NULL) == HAVERSACK_OK);
    CHECK(prefix.pieces == 3 && prefix.bytes == 42 && prefix.has_tokens == 0 && prefix.piece.ptr == NULL);
    CHECK(haversack_frozen_cost(frozen, &words, &cost, NULL) == HAVERSACK_OK && cost.notes == 1 && cost.tokens > 0 && cost.stale_tokens > 0);
    haversack_snapshot_free(plain), haversack_snapshot_free(keyed), haversack_snapshot_free(emptily);
    haversack_frozen_free(frozen), haversack_prompt_free(prompt), haversack_prompt_free(other);
}

static void volatile_values_and_canonical_forms_own_their_texts(void) {
    haversack_prompt *prompt = usual();
    haversack_volatile_values *values = NULL;
    CHECK(haversack_volatile(prompt, &values, NULL) == HAVERSACK_OK);
    haversack_prompt_free(prompt);
    haversack_volatile_value value;
    CHECK(haversack_volatile_values_count(values) == 1 && haversack_volatile_values_get(values, 0, &value));
    CHECK(same(value.piece, HAVERSACK_STR("clock")) && value.index == 1 && value.at_byte == 5 && value.bytes == 19);
    CHECK(value.layer == HAVERSACK_LAYER_STATIC && value.kind == HAVERSACK_VOLATILE_TIME && !haversack_volatile_values_get(values, 1, &value));
    haversack_volatile_values_free(values);

    char *text = strdup("{\"b\":1.0,\"a\":9007199254740993}");
    haversack_canonical *canonical = NULL;
    CHECK(haversack_canonical_json((haversack_str){text, strlen(text)}, NULL, &canonical, NULL) == HAVERSACK_OK);
    memset(text, 0, strlen(text)), free(text);
    haversack_inexact_number number;
    CHECK(same(haversack_canonical_text(canonical), HAVERSACK_STR("{\"a\":9007199254740992,\"b\":1}")) && !haversack_canonical_same(canonical));
    CHECK(haversack_canonical_inexact_count(canonical) == 1 && haversack_canonical_inexact(canonical, 0, &number) && number.offset == 13);
    CHECK(same(number.read, HAVERSACK_STR("9007199254740993")) && same(number.written, HAVERSACK_STR("9007199254740992")));
    CHECK(!haversack_canonical_inexact(canonical, 1, &number));
    haversack_canonical_free(canonical);
    CHECK(haversack_canonical_json(HAVERSACK_STR("[]"), NULL, &canonical, NULL) == HAVERSACK_OK && haversack_canonical_same(canonical));
    haversack_canonical_free(canonical);
}

static void frozen_sections_are_replayed_and_folded(void) {
    const haversack_section sections[] = {{HAVERSACK_STR("memory"), HAVERSACK_STR("likes tea")}, {HAVERSACK_STR("tools"), NONE}};
    haversack_frozen *frozen = NULL, *again = NULL;
    haversack_error *e = NULL;
    const haversack_section twice[] = {sections[0], sections[0]};
    CHECK(haversack_frozen_new(twice, 2, &frozen, &e) == HAVERSACK_INVALID_OPTION && frozen == NULL);
    size_t index = 0;
    CHECK(haversack_error_index(e, &index) && index == 1);
    names(HAVERSACK_INVALID_OPTION, HAVERSACK_INVALID_OPTION, e, "name");
    CHECK(haversack_frozen_new(NULL, 0, &frozen, NULL) == HAVERSACK_OK && haversack_frozen_names(frozen, NULL, 0) == 0);
    haversack_frozen_free(frozen);

    CHECK(haversack_frozen_new(sections, 2, &frozen, NULL) == HAVERSACK_OK);
    haversack_note note, same_note;
    CHECK(haversack_frozen_update(frozen, sections[0].name, sections[0].text, &note, NULL) == HAVERSACK_OK);
    CHECK(note.version == 0 && note.section.ptr == NULL && note.text.ptr == NULL);
    CHECK(haversack_frozen_update(frozen, sections[1].name, NONE, &note, NULL) == HAVERSACK_OK && note.version == 0); /* nothing to delete */
    CHECK(haversack_frozen_update(frozen, sections[0].name, HAVERSACK_STR("likes milk"), &note, NULL) == HAVERSACK_OK);
    CHECK(note.version == 2 && same(note.section, sections[0].name) && note.text.len > 0);
    for (int i = 0; i < 100; i++) { /* the first note does not move */
        const haversack_str one = HAVERSACK_STR("a"), two = HAVERSACK_STR("b");
        CHECK(haversack_frozen_update(frozen, sections[1].name, i % 2 ? one : two, &same_note, NULL) == HAVERSACK_OK && same_note.version == (uint64_t)i + 2);
    }
    CHECK(haversack_frozen_note(frozen, 0, &same_note) && same(note.text, same_note.text) && haversack_frozen_note_count(frozen) == 101);
    haversack_str text, current, changed[3] = {NONE, NONE, HAVERSACK_STR("77")};
    CHECK(haversack_frozen_text(frozen, sections[0].name, &text, NULL) == HAVERSACK_OK && same(text, sections[0].text));
    CHECK(haversack_frozen_current(frozen, sections[0].name, &current, NULL) == HAVERSACK_OK && same(current, HAVERSACK_STR("likes milk")));

    haversack_string json;
    CHECK(haversack_frozen_json(frozen, &json, NULL) == HAVERSACK_OK);
    CHECK(haversack_frozen_from_json((haversack_str){json.ptr, json.len}, &again, NULL) == HAVERSACK_OK);
    haversack_string_free(json);
    CHECK(haversack_frozen_note_count(again) == 101);
    CHECK(haversack_frozen_fold(frozen, changed, 1) == 2 && same(changed[0], sections[0].name) && changed[1].ptr == NULL);
    CHECK(haversack_frozen_fold(frozen, changed, 2) == 0 && haversack_frozen_note_count(frozen) == 0);
    CHECK(haversack_frozen_fold(again, NULL, 0) == 2);
    CHECK(haversack_frozen_text(again, sections[1].name, &text, NULL) == HAVERSACK_OK && same(text, HAVERSACK_STR("a")));
    CHECK(haversack_frozen_names(again, changed, 2) == 2 && same(changed[1], sections[1].name) && same(changed[2], HAVERSACK_STR("77")));
    haversack_frozen_free(frozen), haversack_frozen_free(again);
}

static void caches_are_predicted_and_marked(void) {
    const haversack_counter words = {.count = count_words};
    const uint64_t ttl = UINT64_MAX;
    haversack_predict_options options = {.size = sizeof options, .counter = &words, .rules = HAVERSACK_STR("vllm"), .elapsed = UINT64_MAX, .ttl = &ttl};
    haversack_prediction first, second;
    CHECK(haversack_predict(NONE, REQUEST, &options, &first, NULL) == HAVERSACK_OK);
    CHECK(first.reason == HAVERSACK_CACHE_FIRST && first.cached == 0 && first.total == first.fresh + first.written && same(first.rules, options.rules));
    options.elapsed = 0;
    CHECK(haversack_predict(REQUEST, REQUEST, &options, &second, NULL) == HAVERSACK_OK);
    CHECK(second.total == first.total && second.cached + second.written + second.fresh == second.total);
    CHECK(haversack_predict(HAVERSACK_STR(""), REQUEST, &options, &second, NULL) == HAVERSACK_INVALID_JSON); /* empty is not absent */

    char *body = malloc(REQUEST.len);
    CHECK(body != NULL);
    memcpy(body, REQUEST.ptr, REQUEST.len);
    haversack_mark_plan *plan = NULL, *again = NULL;
    CHECK(haversack_cache_marks((haversack_str){body, REQUEST.len}, NONE, NULL, &plan, NULL) == HAVERSACK_OK);
    memset(body, 0, REQUEST.len), free(body);
    haversack_cache_mark mark;
    CHECK(haversack_mark_plan_count(plan) == 2 && haversack_mark_plan_mark(plan, 1, &mark) && !haversack_mark_plan_mark(plan, 2, &mark));
    CHECK(mark.reason == HAVERSACK_MARK_REASON_TAIL && mark.has_message == 1 && mark.message == 1 && mark.life.ptr == NULL);
    CHECK(haversack_mark_plan_mark(plan, 0, &mark) && mark.has_message == 0 && same(mark.pointer, HAVERSACK_STR("/system/0")));
    CHECK(same(haversack_mark_plan_rules(plan), HAVERSACK_STR("anthropic")) && haversack_mark_plan_unplaced(plan, NULL, 0) == 0);
    CHECK(haversack_cache_marks(haversack_mark_plan_text(plan), NONE, NULL, &again, NULL) == HAVERSACK_OK);
    CHECK(same(haversack_mark_plan_text(plan), haversack_mark_plan_text(again)));
    haversack_mark_plan_free(plan), haversack_mark_plan_free(again);
    const size_t none = 0;
    const haversack_mark_options no_marks = {.size = sizeof no_marks, .most = &none, .changing = SIZE_MAX};
    CHECK(haversack_cache_marks(REQUEST, REQUEST, &no_marks, &plan, NULL) == HAVERSACK_OK && haversack_mark_plan_count(plan) == 0);
    haversack_mark_plan_free(plan);

    haversack_cache_rules rules;
    size_t count = 0;
    while (haversack_cache_rules_get(count, &rules)) {
        CHECK(rules.name.len > 0 && rules.source.len > 0 && rules.dated.len == 7);
        count++;
    }
    CHECK(count == haversack_cache_rules_count() && count == 8 && !haversack_cache_rules_get(SIZE_MAX, &rules) && haversack_cache_rules_as_of().len > 0);
    CHECK(haversack_cache_rules_of(HAVERSACK_WIRE_BEDROCK, NONE, &rules) && same(rules.name, HAVERSACK_STR("bedrock")));
    CHECK(!haversack_cache_rules_of(HAVERSACK_WIRE_OPENAI_CHAT, HAVERSACK_STR("grok-4.3"), &rules));
}

int main(void) {
    void (*const tests[])(void) = {
        null_handles_answer_nothing,
        outputs_are_required,
        texts_are_checked,
        options_of_other_sizes_and_numbers,
        pieces_are_named_once_and_buffers_filled_no_further,
        requests_have_limits_and_marks_that_are_refused,
        tools_and_reports,
        snapshots_and_comparisons_outlive_what_they_came_from,
        counters_are_asked_and_may_fail,
        volatile_values_and_canonical_forms_own_their_texts,
        frozen_sections_are_replayed_and_folded,
        caches_are_predicted_and_marked,
    };
    size_t count = sizeof tests / sizeof *tests;
    for (size_t i = 0; i < count; i++) {
        tests[i]();
    }
    printf("%zu passed, 0 failed\n", count);
    return 0;
}
