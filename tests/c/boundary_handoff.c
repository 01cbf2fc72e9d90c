/* What the border promises of handoffs, fleets, sessions, tallies, transcripts and tiers: NULL anywhere, lengths that are
 * too large, text that is none, options of other sizes, numbers that are none, short buffers, counters that fail, and
 * what outlives what. */
#define _GNU_SOURCE /* memmem */
#include "case.h"

#define NONE ((haversack_str){NULL, 0})
#define FOUND "{\"kind\":\"findings\",\"findings\":[{\"text\":\"Port 8080.\",\"sources\":[\"message 1\",\"c-1-ab\"]},{\"text\":\"b\",\"sources\":[\"x\"]}]}"
#define CALLS "[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"},{\"role\":\"user\",\"content\":\"c\"}]"

static const haversack_str ANSWER = HAVERSACK_STR(FOUND), BAD = {"x", SIZE_MAX}, MISSING = {NULL, 3}, TORN = HAVERSACK_STR("a\xff");

/* The call failed with this status and named this argument; the error is freed. */
static void names(haversack_status got, haversack_status status, haversack_error *error, const char *argument) {
    CHECK(got == status && error != NULL && haversack_error_status(error) == status);
    CHECK(same(haversack_error_argument(error), argument ? (haversack_str){argument, strlen(argument)} : NONE));
    haversack_error_free(error);
}

static haversack_handoff *handoff_of(haversack_str text) {
    haversack_handoff *handoff = NULL;
    CHECK(haversack_handoff_parse(text, NONE, NONE, &handoff, NULL) == HAVERSACK_OK);
    return handoff;
}

static haversack_transcript *transcript_of(haversack_str lines) {
    haversack_transcript *transcript = NULL;
    CHECK(haversack_transcript_from_jsonl(lines, &transcript, NULL) == HAVERSACK_OK);
    return transcript;
}

static haversack_history *history_of(haversack_str text) {
    haversack_history *history = NULL;
    CHECK(haversack_history_parse(text, NULL, &history, NULL) == HAVERSACK_OK);
    return history;
}

static void null_handles_answer_nothing(void) {
    haversack_handoff_free(NULL), haversack_unresolved_sources_free(NULL), haversack_rendered_free(NULL), haversack_fleet_free(NULL);
    haversack_session_free(NULL), haversack_features_free(NULL), haversack_tally_free(NULL), haversack_survivals_free(NULL);
    haversack_transcript_free(NULL), haversack_transcript_hits_free(NULL), haversack_references_free(NULL);
    haversack_transcript_index_free(NULL), haversack_tiers_free(NULL);
    size_t n = 77;
    haversack_str text = HAVERSACK_STR("77");
    haversack_finding finding;
    CHECK(haversack_handoff_kind_of(NULL) == 0 && !haversack_handoff_is_answer(NULL) && haversack_handoff_problem_of(NULL) == 0);
    CHECK(haversack_handoff_finding_count(NULL) == 0 && !haversack_handoff_finding(NULL, 0, &finding));
    CHECK(haversack_handoff_sources(NULL, 0, &text, 1) == 0 && haversack_handoff_looked(NULL, &text, 1) == 0);
    CHECK(haversack_handoff_reason(NULL).ptr == NULL && haversack_handoff_text(NULL).ptr == NULL);
    CHECK(!haversack_handoff_offset(NULL, &n) && !haversack_handoff_index(NULL, &n));
    haversack_unresolved_source source;
    CHECK(haversack_unresolved_sources_count(NULL) == 0 && !haversack_unresolved_sources_get(NULL, 0, &source));
    CHECK(haversack_rendered_text(NULL).ptr == NULL && haversack_rendered_rule(NULL).ptr == NULL && !haversack_rendered_complete(NULL));
    CHECK(haversack_rendered_account(NULL).records.total == 0);
    CHECK(haversack_fleet_count(NULL, 1) == 0 && haversack_fleet_total(NULL) == 0 && haversack_fleet_account(NULL).bytes.total == 0);
    haversack_session_file file;
    haversack_feature feature;
    CHECK(haversack_session_count(NULL) == 0 && !haversack_session_get(NULL, 0, &file));
    CHECK(haversack_features_count(NULL) == 0 && !haversack_features_get(NULL, 0, &feature));
    haversack_sums sums;
    haversack_survival survival;
    uint32_t boundary = 77;
    CHECK(haversack_tally_boundaries(NULL, &boundary, 1) == 0 && !haversack_tally_sums(NULL, 1, &sums));
    CHECK(haversack_survivals_count(NULL) == 0 && !haversack_survivals_get(NULL, 0, &survival));
    haversack_damage damage;
    haversack_transcript_hit hit;
    haversack_reference reference;
    CHECK(haversack_transcript_last(NULL) == 0 && haversack_transcript_damage(NULL, &damage, 1) == 0 && haversack_transcript_jsonl(NULL).ptr == NULL);
    CHECK(haversack_transcript_hits_count(NULL) == 0 && !haversack_transcript_hits_get(NULL, 0, &hit));
    CHECK(haversack_references_count(NULL) == 0 && !haversack_references_get(NULL, 0, &reference));
    CHECK(haversack_transcript_index_last(NULL) == 0 && haversack_transcript_index_length(NULL) == 0);
    CHECK(haversack_tiers_invariant(NULL).ptr == NULL && haversack_tiers_working(NULL).ptr == NULL && haversack_tiers_ledger(NULL) == NULL);
    CHECK(haversack_tiers_kept(NULL, &n, 1) == 0 && haversack_tiers_account(NULL).records.total == 0);
    CHECK(n == 77 && boundary == 77 && same(text, HAVERSACK_STR("77")));

    haversack_error *e = NULL;
    haversack_string json;
    haversack_rendered *rendered = NULL;
    haversack_unresolved_sources *open = NULL;
    haversack_survivals *survivals = NULL;
    haversack_transcript_hits *hits = NULL;
    haversack_references *references = NULL;
    haversack_tiers *tiers = NULL;
    haversack_message_range range;
    haversack_byte_range bytes;
    haversack_fleet *fleet = haversack_fleet_new();
    uint64_t number;
    names(haversack_handoff_unresolved(NULL, NULL, NULL, &open, &e), HAVERSACK_BAD_ARGUMENT, e, "handoff");
    names(haversack_handoff_render(NULL, NULL, &rendered, &e), HAVERSACK_BAD_ARGUMENT, e, "handoff");
    names(haversack_handoff_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "handoff");
    names(haversack_rendered_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "rendered");
    names(haversack_fleet_add(NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "fleet");
    names(haversack_fleet_add(fleet, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "handoff");
    names(haversack_fleet_table(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "fleet");
    names(haversack_fleet_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "fleet");
    names(haversack_tally_add(NULL, 1, (haversack_account){0}, false, &e), HAVERSACK_BAD_ARGUMENT, e, "tally");
    names(haversack_tally_seen(NULL, NONE, true, &e), HAVERSACK_BAD_ARGUMENT, e, "tally");
    names(haversack_tally_survival(NULL, &survivals, &e), HAVERSACK_BAD_ARGUMENT, e, "tally");
    names(haversack_tally_table(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "tally");
    names(haversack_tally_svg(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "tally");
    names(haversack_tally_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "tally");
    names(haversack_transcript_append(NULL, HAVERSACK_STR("{}"), &number, &e), HAVERSACK_BAD_ARGUMENT, e, "transcript");
    names(haversack_transcript_read(NULL, 1, 1, NULL, 0, &n, &e), HAVERSACK_BAD_ARGUMENT, e, "transcript");
    names(haversack_transcript_array(NULL, 1, 1, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "transcript");
    names(haversack_transcript_search(NULL, NONE, &hits, &e), HAVERSACK_BAD_ARGUMENT, e, "transcript");
    names(haversack_transcript_resolve(NULL, NONE, &range, &e), HAVERSACK_BAD_ARGUMENT, e, "transcript");
    names(haversack_transcript_check(NULL, NONE, &references, &e), HAVERSACK_BAD_ARGUMENT, e, "transcript");
    names(haversack_transcript_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "transcript");
    names(haversack_transcript_index_feed(NULL, NONE, &e), HAVERSACK_BAD_ARGUMENT, e, "index");
    names(haversack_transcript_index_range(NULL, 1, 1, &bytes, &e), HAVERSACK_BAD_ARGUMENT, e, "index");
    names(haversack_transcript_index_resolve(NULL, NONE, &range, &e), HAVERSACK_BAD_ARGUMENT, e, "index");
    names(haversack_tiers_new(NONE, NULL, NULL, NULL, &tiers, &e), HAVERSACK_BAD_ARGUMENT, e, "history");
    names(haversack_tiers_json(NULL, &json, &e), HAVERSACK_BAD_ARGUMENT, e, "tiers");
    CHECK(!rendered && !open && !survivals && !hits && !references && !tiers && n == 77 && haversack_fleet_total(fleet) == 0);
    CHECK(haversack_fleet_add(fleet, NULL, NULL) == HAVERSACK_BAD_ARGUMENT);
    haversack_fleet_free(fleet);
}

static void outputs_are_required(void) {
    haversack_error *e = NULL;
    haversack_handoff *handoff = handoff_of(ANSWER);
    haversack_fleet *fleet = haversack_fleet_new();
    haversack_tally *tally = haversack_tally_new();
    haversack_transcript *transcript = transcript_of(HAVERSACK_STR("{}\n"));
    haversack_transcript_index *index = haversack_transcript_index_new();
    haversack_history *history = history_of(HAVERSACK_STR(CALLS));
    haversack_rendered *rendered = NULL;
    haversack_tiers *tiers = NULL;
    CHECK(haversack_handoff_render(handoff, NULL, &rendered, NULL) == HAVERSACK_OK);
    CHECK(haversack_tiers_new(NONE, NULL, history, NULL, &tiers, NULL) == HAVERSACK_OK);
    names(haversack_handoff_parse(ANSWER, NONE, NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_handoff");
    names(haversack_handoff_unresolved(handoff, NULL, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_sources");
    names(haversack_handoff_render(handoff, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_rendered");
    names(haversack_handoff_json(handoff, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_rendered_json(rendered, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_fleet_table(fleet, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_text");
    names(haversack_fleet_json(fleet, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_session_new(HAVERSACK_STR("2031-06-01"), NONE, NULL, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_session");
    names(haversack_read_features(HAVERSACK_STR("[]"), NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_features");
    names(haversack_tally_survival(tally, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_survivals");
    names(haversack_tally_table(tally, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_text");
    names(haversack_tally_svg(tally, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_text");
    names(haversack_tally_json(tally, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_tally_from_json(NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_tally");
    names(haversack_transcript_append(transcript, HAVERSACK_STR("{}"), NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_number");
    names(haversack_transcript_read(transcript, 1, 1, NULL, 0, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_count");
    names(haversack_transcript_array(transcript, 1, 1, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_transcript_search(transcript, HAVERSACK_STR("a"), NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_hits");
    names(haversack_transcript_resolve(transcript, HAVERSACK_STR("1"), NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_range");
    names(haversack_transcript_check(transcript, NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_references");
    names(haversack_references_in(NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_references");
    names(haversack_transcript_from_jsonl(NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_transcript");
    names(haversack_transcript_json(transcript, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    names(haversack_transcript_from_json(NONE, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_transcript");
    names(haversack_transcript_index_range(index, 1, 1, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_range");
    names(haversack_transcript_index_resolve(index, HAVERSACK_STR("1"), NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_range");
    names(haversack_read_lines(NONE, 1, NULL, 0, NULL, 0, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_counts");
    names(haversack_tiers_new(NONE, NULL, history, NULL, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_tiers");
    names(haversack_tiers_json(tiers, NULL, &e), HAVERSACK_BAD_ARGUMENT, e, "out_json");
    CHECK(haversack_transcript_last(transcript) == 1); /* nothing was appended */
    CHECK(haversack_tally_json(tally, NULL, NULL) == HAVERSACK_BAD_ARGUMENT);
    CHECK(!haversack_handoff_finding(handoff, 0, NULL) && !haversack_tally_sums(tally, 1, NULL));
    haversack_handoff_free(handoff), haversack_fleet_free(fleet), haversack_tally_free(tally), haversack_transcript_free(transcript);
    haversack_transcript_index_free(index), haversack_history_free(history), haversack_rendered_free(rendered), haversack_tiers_free(tiers);
}

static void texts_are_checked(void) {
    const struct {
        haversack_str text;
        haversack_status status;
    } all[] = {{BAD, HAVERSACK_BAD_ARGUMENT}, {MISSING, HAVERSACK_BAD_ARGUMENT}, {TORN, HAVERSACK_INVALID_UTF8}};
    const haversack_str day = HAVERSACK_STR("2031-06-01");
    haversack_handoff *handoff = NULL;
    haversack_session *session = NULL;
    haversack_features *features = NULL;
    haversack_tally *tally = haversack_tally_new(), *other = NULL;
    haversack_transcript *transcript = transcript_of(HAVERSACK_STR("{}\n")), *second = NULL;
    haversack_transcript_hits *hits = NULL;
    haversack_references *references = NULL;
    haversack_transcript_index *index = haversack_transcript_index_new();
    haversack_history *history = history_of(HAVERSACK_STR(CALLS));
    haversack_tiers *tiers = NULL;
    haversack_message_range range;
    haversack_line_counts counts;
    haversack_error *e = NULL;
    uint64_t number;
    for (size_t i = 0; i < 3; i++) {
        const haversack_str bad = all[i].text;
        const haversack_status status = all[i].status;
        names(haversack_handoff_parse(bad, NONE, NONE, &handoff, &e), status, e, "text");
        names(haversack_handoff_parse(NONE, bad, NONE, &handoff, &e), status, e, "status");
        names(haversack_handoff_parse(NONE, NONE, bad, &handoff, &e), status, e, "stop_reason");
        names(haversack_session_new(bad, NONE, NULL, NULL, &session, &e), status, e, "date");
        names(haversack_session_new(day, bad, NULL, NULL, &session, &e), status, e, "goal");
        const haversack_str lines[] = {HAVERSACK_STR("a"), bad};
        const haversack_feature plan[] = {{HAVERSACK_STR("a"), 1, 0}, {bad, 0, 0}};
        size_t at = 77;
        haversack_session_options options = {.done = {lines, 2}};
        CHECK(haversack_session_new(day, NONE, NULL, &options, &session, &e) == status && haversack_error_index(e, &at) && at == 1);
        CHECK(same(haversack_error_argument(e), HAVERSACK_STR("done")));
        haversack_error_free(e);
        options = (haversack_session_options){.next = {lines + 1, 1}};
        names(haversack_session_new(day, NONE, NULL, &options, &session, &e), status, e, "next");
        options = (haversack_session_options){.features = plan, .feature_count = 2};
        CHECK(haversack_session_new(day, NONE, NULL, &options, &session, &e) == status && haversack_error_index(e, &at) && at == 1);
        CHECK(same(haversack_error_argument(e), HAVERSACK_STR("features")));
        haversack_error_free(e);
        names(haversack_read_features(bad, &features, &e), status, e, "json");
        names(haversack_tally_seen(tally, bad, true, &e), status, e, "key");
        names(haversack_tally_from_json(bad, &other, &e), status, e, "json");
        names(haversack_transcript_append(transcript, bad, &number, &e), status, e, "message");
        names(haversack_transcript_search(transcript, bad, &hits, &e), status, e, "needle");
        names(haversack_transcript_resolve(transcript, bad, &range, &e), status, e, "reference");
        names(haversack_transcript_check(transcript, bad, &references, &e), status, e, "text");
        names(haversack_references_in(bad, &references, &e), status, e, "text");
        names(haversack_transcript_from_jsonl(bad, &second, &e), status, e, "text");
        names(haversack_transcript_from_json(bad, &second, &e), status, e, "json");
        names(haversack_tiers_new(bad, NULL, history, NULL, &tiers, &e), status, e, "invariant");
    }
    for (size_t i = 0; i < 2; i++) {
        names(haversack_transcript_index_feed(index, all[i].text, &e), HAVERSACK_BAD_ARGUMENT, e, "bytes");
        names(haversack_read_lines(all[i].text, 1, NULL, 0, NULL, 0, &counts, &e), HAVERSACK_BAD_ARGUMENT, e, "bytes");
    }
    CHECK(!handoff && !session && !features && !other && !second && !hits && !references && !tiers);
    CHECK(haversack_transcript_last(transcript) == 1 && haversack_transcript_index_length(index) == 0);
    /* Lines of a file need not be text: those that are none are damage with its place. */
    haversack_message message = {77, NONE};
    haversack_damage damage[2] = {{.number = 77}, {.number = 77}};
    CHECK(haversack_transcript_index_feed(index, HAVERSACK_STR("{}\na\xff\n"), NULL) == HAVERSACK_OK && haversack_transcript_index_last(index) == 2);
    CHECK(haversack_read_lines(HAVERSACK_STR("{}\na\xff\n"), 5, &message, 1, damage, 2, &counts, NULL) == HAVERSACK_OK);
    CHECK(counts.messages == 1 && counts.damage == 1 && message.number == 5 && same(message.text, HAVERSACK_STR("{}")));
    CHECK(damage[0].number == 6 && damage[0].kind == HAVERSACK_DAMAGE_INVALID_UTF8 && damage[0].offset == 1 && damage[0].bytes == 3);
    CHECK(damage[1].number == 77);
    haversack_tally_free(tally), haversack_transcript_free(transcript), haversack_transcript_index_free(index), haversack_history_free(history);
}

static void options_of_other_sizes_and_numbers(void) {
    haversack_error *e = NULL;
    const haversack_str day = HAVERSACK_STR("2031-06-01");
    haversack_session *session = NULL;
    haversack_tiers *tiers = NULL;
    haversack_tally *tally = haversack_tally_new();
    haversack_fleet *fleet = haversack_fleet_new();
    haversack_history *history = history_of(HAVERSACK_STR(CALLS));
    haversack_session_options writing = {0}; /* size 0: that of the first version */
    haversack_tier_options tiering = {0};
    CHECK(haversack_session_new(day, NONE, NULL, &writing, &session, NULL) == HAVERSACK_OK);
    CHECK(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, NULL) == HAVERSACK_OK);
    haversack_session_free(session), session = NULL;
    haversack_tiers_free(tiers), tiers = NULL;
    const size_t sizes[] = {1, sizeof(size_t), 5000, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        writing.size = tiering.size = sizes[i];
        names(haversack_session_new(day, NONE, NULL, &writing, &session, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
        names(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, &e), HAVERSACK_BAD_ARGUMENT, e, "options");
    }
    writing.size = sizeof writing, tiering.size = sizeof tiering;

    writing.feature_count = 1;
    names(haversack_session_new(day, NONE, NULL, &writing, &session, &e), HAVERSACK_BAD_ARGUMENT, e, "features");
    haversack_feature feature = {HAVERSACK_STR("a"), 2, 0};
    writing.features = &feature, writing.feature_count = SIZE_MAX;
    names(haversack_session_new(day, NONE, NULL, &writing, &session, &e), HAVERSACK_BAD_ARGUMENT, e, "features");
    writing.feature_count = 1;
    names(haversack_session_new(day, NONE, NULL, &writing, &session, &e), HAVERSACK_INVALID_OPTION, e, "passes");
    feature = (haversack_feature){HAVERSACK_STR("a"), 1, 1};
    names(haversack_session_new(day, NONE, NULL, &writing, &session, &e), HAVERSACK_BAD_ARGUMENT, e, "features");
    const haversack_str none_such[] = {HAVERSACK_STR(""), HAVERSACK_STR("2031-02-29"), HAVERSACK_STR("2031-6-1"), HAVERSACK_STR("2031-06-01\n")};
    for (size_t i = 0; i < 4; i++) {
        names(haversack_session_new(none_such[i], NONE, NULL, NULL, &session, &e), HAVERSACK_INVALID_OPTION, e, "date");
    }

    const size_t raw_steps[] = {0, SIZE_MAX}, pins[] = {1, 3, SIZE_MAX};
    tiering.raw_steps = raw_steps;
    names(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, &e), HAVERSACK_INVALID_OPTION, e, "raw_steps");
    tiering.raw_steps = raw_steps + 1, tiering.pinned_len = 1;
    names(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, &e), HAVERSACK_BAD_ARGUMENT, e, "pinned");
    tiering.pinned = pins, tiering.pinned_len = SIZE_MAX;
    names(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, &e), HAVERSACK_BAD_ARGUMENT, e, "pinned");
    tiering.pinned_len = 3;
    names(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, &e), HAVERSACK_INVALID_OPTION, e, "pinned");
    tiering.pinned_len = 1;
    haversack_budget budget = {0};
    tiering.ledger = &budget;
    names(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, &e), HAVERSACK_INVALID_OPTION, e, "unit");
    budget = haversack_budget_tokens(9, NULL);
    names(haversack_tiers_new(NONE, NULL, history, &tiering, &tiers, &e), HAVERSACK_INVALID_OPTION, e, "counter");
    CHECK(session == NULL && tiers == NULL);

    const uint32_t numbers[] = {0, 20, 999, UINT32_MAX};
    haversack_sums sums;
    for (size_t i = 0; i < 4; i++) {
        const uint32_t no = numbers[i];
        names(haversack_tally_add(tally, no, (haversack_account){0}, false, &e), HAVERSACK_INVALID_OPTION, e, "boundary");
        CHECK(!haversack_tally_sums(tally, no, &sums) && haversack_fleet_count(fleet, no) == 0);
        CHECK(haversack_handoff_kind_name(no).ptr == NULL && haversack_handoff_problem_name(no).ptr == NULL);
        CHECK(haversack_boundary_name(no).ptr == NULL && haversack_damage_kind_name(no).ptr == NULL);
    }
    haversack_tally_free(tally), haversack_fleet_free(fleet), haversack_history_free(history);
}

static void handoffs_that_are_none(void) {
    const struct {
        haversack_str text;
        uint32_t kind, problem;
    } all[] = {
        {NONE, HAVERSACK_HANDOFF_SILENT, 0},
        {HAVERSACK_STR(""), HAVERSACK_HANDOFF_SILENT, 0},
        {HAVERSACK_STR("\0"), HAVERSACK_HANDOFF_SILENT, 0},
        {HAVERSACK_STR("{\"kind\":\"findings\"\0}"), HAVERSACK_HANDOFF_UNCHECKABLE, HAVERSACK_HANDOFF_PROBLEM_NOT_JSON},
        {HAVERSACK_STR("[]"), HAVERSACK_HANDOFF_UNCHECKABLE, HAVERSACK_HANDOFF_PROBLEM_NOT_AN_OBJECT},
        {HAVERSACK_STR("{\"kind\":\"silent\"}"), HAVERSACK_HANDOFF_UNCHECKABLE, HAVERSACK_HANDOFF_PROBLEM_UNKNOWN_KIND},
        {HAVERSACK_STR("{\"kind\":\"empty\",\"looked\":[]}"), HAVERSACK_HANDOFF_UNCHECKABLE, HAVERSACK_HANDOFF_PROBLEM_NOTHING_LOOKED},
    };
    size_t n = 77;
    haversack_finding finding;
    haversack_str text = HAVERSACK_STR("77");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        haversack_handoff *h = handoff_of(all[i].text);
        CHECK(haversack_handoff_kind_of(h) == all[i].kind && haversack_handoff_problem_of(h) == all[i].problem && !haversack_handoff_is_answer(h));
        CHECK(haversack_handoff_text(h).ptr != NULL && haversack_handoff_text(h).len == all[i].text.len);
        CHECK(haversack_handoff_finding_count(h) == 0 && !haversack_handoff_finding(h, 0, &finding) && !haversack_handoff_finding(h, SIZE_MAX, &finding));
        CHECK(haversack_handoff_sources(h, SIZE_MAX, &text, 1) == 0 && haversack_handoff_looked(h, &text, 1) == 0);
        CHECK(haversack_handoff_offset(h, &n) == (all[i].problem == HAVERSACK_HANDOFF_PROBLEM_NOT_JSON));
        CHECK(!haversack_handoff_index(h, NULL) && haversack_handoff_reason(h).ptr == NULL);
        haversack_handoff_free(h);
    }
    CHECK(n == 18 && same(text, HAVERSACK_STR("77")));
    buffer deep = {0};
    for (size_t i = 0; i < 100000; i++) append(&deep, "[", 1);
    haversack_handoff *h = handoff_of((haversack_str){deep.ptr, deep.len});
    CHECK(haversack_handoff_problem_of(h) == HAVERSACK_HANDOFF_PROBLEM_NOT_JSON && haversack_handoff_offset(h, &n) && n < 1000);
    haversack_handoff_free(h), free(deep.ptr);
}

static void handoffs_own_their_texts_and_fill_no_further(void) {
    char *text = strdup(FOUND);
    haversack_handoff *h = handoff_of((haversack_str){text, strlen(text)});
    memset(text, 'x', strlen(text)), free(text);
    haversack_finding finding;
    haversack_str sources[3] = {NONE, NONE, HAVERSACK_STR("77")};
    CHECK(haversack_handoff_finding(h, 0, &finding) && same(finding.text, HAVERSACK_STR("Port 8080.")) && finding.source_count == 2);
    CHECK(haversack_handoff_sources(h, 0, sources, 1) == 2 && same(sources[0], HAVERSACK_STR("message 1")) && sources[1].ptr == NULL);
    CHECK(haversack_handoff_sources(h, 0, sources, 3) == 2 && same(sources[1], HAVERSACK_STR("c-1-ab")) && same(sources[2], HAVERSACK_STR("77")));
    CHECK(haversack_handoff_sources(h, 0, NULL, 9) == 2);

    /* Sources lead to messages of the transcript and to keys of the offloads. */
    haversack_transcript *transcript = transcript_of(HAVERSACK_STR("{}\n"));
    haversack_offloads *offloads = haversack_offloads_new();
    haversack_unresolved_sources *open = NULL, *none = NULL;
    haversack_unresolved_source source;
    CHECK(haversack_handoff_unresolved(h, NULL, offloads, &none, NULL) == HAVERSACK_OK && haversack_unresolved_sources_count(none) == 3);
    CHECK(haversack_handoff_unresolved(h, transcript, offloads, &open, NULL) == HAVERSACK_OK);
    haversack_rendered *rendered = NULL;
    CHECK(haversack_handoff_render(h, NULL, &rendered, NULL) == HAVERSACK_OK);
    haversack_transcript_free(transcript), haversack_offloads_free(offloads), haversack_handoff_free(h);
    CHECK(haversack_unresolved_sources_count(open) == 2 && haversack_unresolved_sources_get(open, 0, &source));
    CHECK(source.finding == 0 && same(source.source, HAVERSACK_STR("c-1-ab")));
    CHECK(haversack_unresolved_sources_get(open, 1, &source) && source.finding == 1 && same(source.source, HAVERSACK_STR("x")));
    CHECK(!haversack_unresolved_sources_get(open, 2, &source) && !haversack_unresolved_sources_get(open, 0, NULL));
    haversack_unresolved_sources_free(open), haversack_unresolved_sources_free(none);
    CHECK(haversack_rendered_complete(rendered) && haversack_rendered_account(rendered).records.kept == 2 && haversack_rendered_rule(rendered).len > 0);
    CHECK(memcmp(haversack_rendered_text(rendered).ptr, "# Handoff: findings", 19) == 0);
    haversack_rendered_free(rendered);

    transcript = haversack_transcript_new(), offloads = haversack_offloads_new();
    haversack_prepared *prepared = NULL;
    haversack_pointer *pointer = NULL;
    const haversack_budget over = haversack_budget_bytes(1);
    const haversack_offload_options options = {.size = sizeof options, .over = &over, .preview = &over};
    CHECK(haversack_offloads_prepare(offloads, HAVERSACK_STR("a payload"), HAVERSACK_STR("c1"), &options, &prepared, NULL) == HAVERSACK_OK);
    const haversack_str key = haversack_prepared_key(prepared);
    CHECK(haversack_offloads_commit(offloads, key, HAVERSACK_STR("stored/1"), NULL, &pointer, NULL) == HAVERSACK_OK);
    buffer found = {0};
    const char before[] = "{\"kind\":\"findings\",\"findings\":[{\"text\":\"a\",\"sources\":[\"message 1\",\"", after[] = "\"]}]}";
    append(&found, before, sizeof before - 1), append(&found, key.ptr, key.len), append(&found, after, sizeof after - 1);
    h = handoff_of((haversack_str){found.ptr, found.len});
    CHECK(haversack_handoff_unresolved(h, transcript, offloads, &open, NULL) == HAVERSACK_OK && haversack_unresolved_sources_count(open) == 1);
    CHECK(haversack_unresolved_sources_get(open, 0, &source) && same(source.source, HAVERSACK_STR("message 1")));
    haversack_unresolved_sources_free(open), haversack_handoff_free(h), haversack_pointer_free(pointer), haversack_prepared_free(prepared);
    haversack_transcript_free(transcript), haversack_offloads_free(offloads), free(found.ptr);
}

static bool count_badly(void *userdata, haversack_str text, size_t *out_count) {
    (void)text;
    *out_count = *(size_t *)userdata;
    return *out_count != 0;
}

static void counters_are_asked_and_may_fail(void) {
    haversack_error *e = NULL;
    haversack_handoff *h = handoff_of(ANSWER);
    haversack_history *history = history_of(HAVERSACK_STR(CALLS));
    haversack_rendered *rendered = NULL;
    haversack_tiers *tiers = NULL;
    size_t calls = 0, broken[] = {0, SIZE_MAX};
    haversack_budget budget = TOKENS(100, count_words, &calls);
    haversack_tier_options options = {.size = sizeof options, .ledger = &budget};
    CHECK(haversack_handoff_render(h, &budget, &rendered, NULL) == HAVERSACK_OK && calls > 0);
    haversack_rendered_free(rendered), rendered = NULL;
    for (size_t i = 0; i < 2; i++) {
        budget = TOKENS(100, count_badly, &broken[i]);
        names(haversack_handoff_render(h, &budget, &rendered, &e), HAVERSACK_COUNTER_FAILED, e, NULL);
        names(haversack_tiers_new(NONE, NULL, history, &options, &tiers, &e), HAVERSACK_COUNTER_FAILED, e, NULL);
    }
    budget = haversack_budget_chars(5);
    size_t needed = 0, available = 0;
    CHECK(haversack_handoff_render(h, &budget, &rendered, &e) == HAVERSACK_BUDGET_TOO_SMALL && haversack_error_needed(e, &needed));
    CHECK(haversack_error_available(e, &available) && available == 5 && haversack_error_unit(e) == HAVERSACK_UNIT_CHARS);
    haversack_error_free(e);
    budget = haversack_budget_chars(needed);
    CHECK(haversack_handoff_render(h, &budget, &rendered, NULL) == HAVERSACK_OK && !haversack_rendered_complete(rendered));
    CHECK(haversack_rendered_account(rendered).records.omitted == 2 && haversack_rendered_text(rendered).len == needed);
    haversack_rendered_free(rendered), rendered = NULL;
    budget = (haversack_budget){.limit = 9};
    names(haversack_handoff_render(h, &budget, &rendered, &e), HAVERSACK_INVALID_OPTION, e, "unit");
    CHECK(rendered == NULL && tiers == NULL);
    haversack_handoff_free(h), haversack_history_free(history);
}

static void fleets_and_sessions_need_nothing_more(void) {
    haversack_fleet *fleet = haversack_fleet_new();
    const haversack_str answers[] = {ANSWER, NONE, HAVERSACK_STR("{\"kind\":\"empty\",\"looked\":[\"logs\"]}"), HAVERSACK_STR("fine")};
    for (size_t i = 0; i < 4; i++) {
        haversack_handoff *h = handoff_of(answers[i]);
        CHECK(haversack_fleet_add(fleet, h, NULL) == HAVERSACK_OK);
        haversack_handoff_free(h);
    }
    CHECK(haversack_fleet_total(fleet) == 4 && haversack_fleet_count(fleet, HAVERSACK_HANDOFF_SILENT) == 1);
    CHECK(haversack_fleet_count(fleet, HAVERSACK_HANDOFF_EMPTY) == 1 && haversack_fleet_account(fleet).records.omitted == 2);
    haversack_tally *tally = haversack_tally_new();
    CHECK(haversack_tally_add(tally, HAVERSACK_BOUNDARY_HANDOFF, haversack_fleet_account(fleet), false, NULL) == HAVERSACK_OK);
    haversack_sums sums;
    CHECK(haversack_tally_sums(tally, HAVERSACK_BOUNDARY_HANDOFF, &sums) && sums.lost == 2 && sums.calls == 1);
    haversack_fleet_free(fleet), haversack_tally_free(tally);

    char goal[] = "ship it", done[] = "x\n## Goal";
    const haversack_str lines[] = {{done, sizeof done - 1}};
    const haversack_feature plan[] = {{HAVERSACK_STR("login"), 1, 0}, {HAVERSACK_STR(""), 0, 0}};
    const haversack_session_options options = {.size = sizeof options, .done = {lines, 1}, .features = plan, .feature_count = 2};
    haversack_ledger *ledger = haversack_ledger_new(), *read = NULL;
    haversack_session *session = NULL;
    CHECK(haversack_session_new(HAVERSACK_STR("2031-06-01"), (haversack_str){goal, sizeof goal - 1}, ledger, &options, &session, NULL) == HAVERSACK_OK);
    memset(goal, 'y', sizeof goal), memset(done, 'y', sizeof done);
    haversack_ledger_free(ledger);
    haversack_session_file file;
    CHECK(haversack_session_count(session) == 3 && !haversack_session_get(session, 3, &file) && haversack_session_get(session, 0, &file));
    CHECK(same(file.name, HAVERSACK_STR("progress.md")) && memmem(file.text.ptr, file.text.len, "- \"ship it\"\n", 12) != NULL);
    CHECK(memmem(file.text.ptr, file.text.len, "- \"x\\n## Goal\"\n", 15) != NULL);
    haversack_features *features = NULL;
    haversack_feature feature;
    CHECK(haversack_session_get(session, 1, &file) && haversack_read_features(file.text, &features, NULL) == HAVERSACK_OK);
    CHECK(haversack_session_get(session, 2, &file) && haversack_ledger_from_json(file.text, &read, NULL) == HAVERSACK_OK);
    haversack_session_free(session), haversack_ledger_free(read);
    CHECK(haversack_features_count(features) == 2 && haversack_features_get(features, 0, &feature) && feature.passes == 1);
    CHECK(same(feature.name, HAVERSACK_STR("login")) && haversack_features_get(features, 1, &feature) && same(feature.name, HAVERSACK_STR("")));
    CHECK(!haversack_features_get(features, 2, &feature) && !haversack_features_get(features, 0, NULL));
    haversack_features_free(features), features = NULL;
    haversack_error *e = NULL;
    const haversack_str bad[] = {NONE, HAVERSACK_STR("{}"), HAVERSACK_STR("[{\"name\":\"a\",\"passes\":1}]"), HAVERSACK_STR("[[\"a\",true]]")};
    for (size_t i = 0; i < 4; i++) {
        size_t at;
        CHECK(haversack_read_features(bad[i], &features, &e) == HAVERSACK_INVALID_STATE && haversack_error_offset(e, &at) && at <= bad[i].len);
        haversack_error_free(e);
    }
    CHECK(features == NULL);
}

static void books_that_cannot_be(void) {
    haversack_error *e = NULL;
    haversack_tally *tally = haversack_tally_new(), *other = NULL;
    haversack_account account = {.records = {.total = 10, .kept = 3, .omitted = 1}};
    size_t needed = 0, available = 0;
    CHECK(haversack_tally_add(tally, HAVERSACK_BOUNDARY_DELIVERY, account, false, &e) == HAVERSACK_OPEN_BOOKS);
    CHECK(haversack_error_needed(e, &needed) && needed == 10 && haversack_error_available(e, &available) && available == 4);
    haversack_error_free(e);
    account = (haversack_account){.bytes = {.total = 3, .kept = UINT64_MAX, .shrunk = 4}};
    names(haversack_tally_add(tally, HAVERSACK_BOUNDARY_DELIVERY, account, false, &e), HAVERSACK_OPEN_BOOKS, e, "account");
    account = (haversack_account){.records = {.total = UINT64_MAX, .kept = UINT64_MAX}};
    names(haversack_tally_add(tally, HAVERSACK_BOUNDARY_DELIVERY, account, false, &e), HAVERSACK_LIMIT_EXCEEDED, e, "account");
    account = (haversack_account){.has_claimed = UINT64_MAX};
    names(haversack_tally_add(tally, HAVERSACK_BOUNDARY_DELIVERY, account, false, &e), HAVERSACK_INVALID_OPTION, e, "has_claimed");
    account = (haversack_account){.records = {.total = 2, .offloaded = 1, .omitted = 1}, .has_claimed = 1};
    CHECK(haversack_tally_boundaries(tally, NULL, 0) == 0);
    CHECK(haversack_tally_add(tally, HAVERSACK_BOUNDARY_OFFLOAD, account, false, NULL) == HAVERSACK_OK);
    CHECK(haversack_tally_add(tally, HAVERSACK_BOUNDARY_CLEAR, account, true, NULL) == HAVERSACK_OK);
    uint32_t boundaries[3] = {77, 77, 77};
    CHECK(haversack_tally_boundaries(tally, boundaries, 1) == 2 && boundaries[0] == HAVERSACK_BOUNDARY_OFFLOAD && boundaries[1] == 77);
    CHECK(haversack_tally_boundaries(tally, boundaries, 3) == 2 && boundaries[1] == HAVERSACK_BOUNDARY_CLEAR && boundaries[2] == 77);
    haversack_sums sums;
    CHECK(haversack_tally_sums(tally, HAVERSACK_BOUNDARY_OFFLOAD, &sums) && sums.recoverable == 1 && sums.lost == 1);
    CHECK(haversack_tally_sums(tally, HAVERSACK_BOUNDARY_CLEAR, &sums) && sums.recoverable == 2 && sums.lost == 0);

    char key[1025];
    memset(key, 'k', sizeof key);
    names(haversack_tally_seen(tally, (haversack_str){key, 1025}, true, &e), HAVERSACK_LIMIT_EXCEEDED, e, "key");
    CHECK(haversack_tally_seen(tally, (haversack_str){key, 1024}, true, NULL) == HAVERSACK_OK && haversack_tally_seen(tally, NONE, false, NULL) == HAVERSACK_OK);
    memset(key, 'x', sizeof key);
    haversack_survivals *survivals = NULL;
    haversack_survival one;
    CHECK(haversack_tally_survival(tally, &survivals, NULL) == HAVERSACK_OK);
    haversack_string json, table;
    CHECK(haversack_tally_json(tally, &json, NULL) == HAVERSACK_OK && haversack_tally_table(tally, &table, NULL) == HAVERSACK_OK);
    haversack_tally_free(tally);
    CHECK(haversack_survivals_count(survivals) == 2 && haversack_survivals_get(survivals, 0, &one) && one.key.len == 0 && one.per_10_000 == 0 && !one.rare);
    CHECK(haversack_survivals_get(survivals, 1, &one) && one.key.len == 1024 && one.key.ptr[0] == 'k' && one.per_10_000 == 10000);
    CHECK(!haversack_survivals_get(survivals, 2, &one) && !haversack_survivals_get(survivals, 0, NULL));
    haversack_survivals_free(survivals), haversack_string_free(table);

    /* Any byte of stored books that is another one: an error, or books that close. */
    for (size_t i = 0; i < json.len; i++) {
        const char was = json.ptr[i], others[] = {0, '0', '}', (char)0xff};
        for (size_t j = 0; j < 4; j++) {
            json.ptr[i] = others[j];
            if (haversack_tally_from_json((haversack_str){json.ptr, json.len}, &other, &e) == HAVERSACK_OK) {
                for (uint32_t b = 1; haversack_boundary_name(b).ptr; b++) {
                    if (!haversack_tally_sums(other, b, &sums)) continue;
                    CHECK(sums.records.total == sums.records.kept + sums.records.shrunk + sums.records.offloaded + sums.records.omitted);
                }
                haversack_tally_free(other), other = NULL;
            } else {
                CHECK(other == NULL && e != NULL);
                haversack_error_free(e);
            }
        }
        json.ptr[i] = was;
        CHECK(haversack_tally_from_json((haversack_str){json.ptr, i}, &other, NULL) == HAVERSACK_INVALID_STATE);
    }
    haversack_string_free(json);
}

static void transcripts_with_damage(void) {
    haversack_error *e = NULL;
    haversack_transcript *t = transcript_of(HAVERSACK_STR("{\"a\":1}\n\n{\"b\n[3]\n{\"c\":\"say \\\"hi\\\"\"}\n{\"d\":\"x"));
    CHECK(haversack_transcript_last(t) == 6);
    haversack_damage damage[5] = {{.number = 77}, {.number = 77}, {.number = 77}, {.number = 77}, {.number = 77}};
    CHECK(haversack_transcript_damage(t, NULL, 0) == 4 && haversack_transcript_damage(t, damage, 1) == 4 && damage[1].number == 77);
    CHECK(haversack_transcript_damage(t, damage, 5) == 4 && damage[4].number == 77);
    const uint32_t kinds[] = {HAVERSACK_DAMAGE_BLANK, HAVERSACK_DAMAGE_INVALID_JSON, HAVERSACK_DAMAGE_NOT_AN_OBJECT, HAVERSACK_DAMAGE_TRUNCATED};
    for (size_t i = 0; i < 4; i++) CHECK(damage[i].kind == kinds[i] && damage[i].number == (i < 3 ? i + 2 : 6));

    haversack_message messages[3] = {{77, NONE}, {77, NONE}, {77, NONE}};
    size_t count = 77;
    CHECK(haversack_transcript_read(t, 1, 6, messages, 1, &count, NULL) == HAVERSACK_OK && count == 2 && messages[1].number == 77);
    CHECK(haversack_transcript_read(t, 1, 6, messages, 3, &count, NULL) == HAVERSACK_OK && count == 2 && messages[2].number == 77);
    CHECK(messages[1].number == 5 && same(messages[0].text, HAVERSACK_STR("{\"a\":1}")));
    CHECK(haversack_transcript_read(t, 2, 2, messages, 3, &count, NULL) == HAVERSACK_OK && count == 0);
    const uint64_t none[][2] = {{0, 0}, {0, 1}, {1, 0}, {2, 1}, {7, 7}, {1, 7}, {UINT64_MAX, UINT64_MAX}, {1, UINT64_MAX}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        size_t at = 77, last = 77;
        haversack_string json = {NULL, 0};
        CHECK(haversack_transcript_read(t, none[i][0], none[i][1], messages, 3, &count, &e) == HAVERSACK_NO_SUCH_MESSAGE && count == 0);
        CHECK(haversack_error_index(e, &at) && (at == none[i][0] || at == none[i][1]) && haversack_error_available(e, &last) && last == 6);
        haversack_error_free(e);
        names(haversack_transcript_array(t, none[i][0], none[i][1], &json, &e), HAVERSACK_NO_SUCH_MESSAGE, e, NULL);
        CHECK(json.ptr == NULL);
    }
    haversack_message_range range = {77, 77};
    const haversack_str references[] = {NONE, HAVERSACK_STR("message"), HAVERSACK_STR("message 1 and more"), HAVERSACK_STR("message -1")};
    for (size_t i = 0; i < 4; i++) names(haversack_transcript_resolve(t, references[i], &range, &e), HAVERSACK_INVALID_OPTION, e, "reference");
    names(haversack_transcript_resolve(t, HAVERSACK_STR("messages 3-7"), &range, &e), HAVERSACK_NO_SUCH_MESSAGE, e, NULL);
    names(haversack_transcript_resolve(t, HAVERSACK_STR("message 0"), &range, &e), HAVERSACK_NO_SUCH_MESSAGE, e, NULL);
    CHECK(range.first == 77 && haversack_transcript_resolve(t, HAVERSACK_STR("[#5]"), &range, NULL) == HAVERSACK_OK && range.last == 5);

    /* Exact words, and what a text claims of them. */
    haversack_references *told = NULL, *unasked = NULL;
    haversack_reference one;
    const haversack_str claim = HAVERSACK_STR("message 5: \"say \"hi\"\", message 1 says \"b\", messages 1-900000000000000 \"x\"");
    CHECK(haversack_transcript_check(t, claim, &told, NULL) == HAVERSACK_OK && haversack_references_in(claim, &unasked, NULL) == HAVERSACK_OK);
    haversack_transcript_hits *hits = NULL;
    haversack_transcript_hit hit;
    CHECK(haversack_transcript_search(t, HAVERSACK_STR("say \"hi\""), &hits, NULL) == HAVERSACK_OK);
    uint64_t number = 77;
    const haversack_str bad[] = {NONE, HAVERSACK_STR("{"), HAVERSACK_STR("[]"), HAVERSACK_STR("{}{}"), HAVERSACK_STR("\"{}\"")};
    for (size_t i = 0; i < 5; i++) CHECK(haversack_transcript_append(t, bad[i], &number, NULL) != HAVERSACK_OK);
    CHECK(number == 77 && haversack_transcript_last(t) == 6 && haversack_transcript_damage(t, damage, 4) == 4 && damage[3].kind == HAVERSACK_DAMAGE_TRUNCATED);
    CHECK(haversack_transcript_append(t, HAVERSACK_STR("{\n\"e\": 1}"), &number, NULL) == HAVERSACK_OK && number == 7);
    CHECK(haversack_transcript_damage(t, damage, 4) == 4 && damage[3].kind == HAVERSACK_DAMAGE_INVALID_JSON);
    const haversack_str lines = haversack_transcript_jsonl(t);
    CHECK(lines.len > 8 && memcmp(lines.ptr + lines.len - 8, "{\"e\":1}\n", 8) == 0);
    haversack_transcript_free(t);
    CHECK(haversack_transcript_hits_count(hits) == 1 && haversack_transcript_hits_get(hits, 0, &hit) && hit.number == 5 && hit.count == 1);
    CHECK(!haversack_transcript_hits_get(hits, 1, &hit) && !haversack_transcript_hits_get(hits, 0, NULL));
    CHECK(haversack_references_count(told) == 3 && haversack_references_get(told, 0, &one) && one.exists && one.has_holds && one.holds);
    CHECK(same(one.quote, HAVERSACK_STR("say ")) && haversack_references_get(told, 1, &one) && one.has_holds && !one.holds && one.at == 23);
    CHECK(haversack_references_get(told, 2, &one) && !one.exists && !one.has_holds && one.last == 900000000000000);
    CHECK(!haversack_references_get(told, 3, &one) && haversack_references_get(unasked, 0, &one) && !one.exists && !one.has_holds);
    haversack_transcript_hits_free(hits), haversack_references_free(told), haversack_references_free(unasked);
}

static void files_are_read_by_their_index(void) {
    static const char file[] = "{\"a\":1}\n{\"b\xff\":2}\r\n{\"c\":3}";
    const haversack_str whole = {file, sizeof file - 1};
    haversack_transcript_index *index = haversack_transcript_index_new();
    haversack_byte_range range = {77, 77};
    haversack_error *e = NULL;
    names(haversack_transcript_index_range(index, 1, 1, &range, &e), HAVERSACK_NO_SUCH_MESSAGE, e, NULL);
    CHECK(haversack_transcript_index_feed(index, NONE, NULL) == HAVERSACK_OK && haversack_transcript_index_last(index) == 0);
    for (size_t i = 0; i < whole.len; i++) CHECK(haversack_transcript_index_feed(index, (haversack_str){file + i, 1}, NULL) == HAVERSACK_OK);
    CHECK(haversack_transcript_index_last(index) == 3 && haversack_transcript_index_length(index) == whole.len);
    const uint64_t none[][2] = {{0, 1}, {3, 2}, {4, 4}, {1, UINT64_MAX}};
    for (size_t i = 0; i < 4; i++) names(haversack_transcript_index_range(index, none[i][0], none[i][1], &range, &e), HAVERSACK_NO_SUCH_MESSAGE, e, NULL);
    CHECK(range.start == 77 && haversack_transcript_index_range(index, 2, 3, &range, NULL) == HAVERSACK_OK && range.start == 8 && range.end == whole.len);
    haversack_message messages[2] = {{77, NONE}, {77, NONE}};
    haversack_line_counts counts;
    const haversack_str bytes = {file + range.start, (size_t)(range.end - range.start)};
    CHECK(haversack_read_lines(bytes, 2, NULL, 0, NULL, 0, &counts, NULL) == HAVERSACK_OK && counts.messages == 1 && counts.damage == 1);
    CHECK(haversack_read_lines(bytes, 2, messages, 2, NULL, 9, &counts, NULL) == HAVERSACK_OK);
    CHECK(messages[0].number == 3 && messages[0].text.ptr == file + whole.len - 7 && messages[1].number == 77);
    /* Numbers stop at the largest one. */
    CHECK(haversack_read_lines(HAVERSACK_STR("{}\n{}\n"), UINT64_MAX, messages, 2, NULL, 0, &counts, NULL) == HAVERSACK_OK);
    CHECK(messages[0].number == UINT64_MAX && messages[1].number == UINT64_MAX);
    haversack_transcript_index_free(index);
}

static void tiers_outlive_what_they_came_from(void) {
    haversack_history *history = history_of(HAVERSACK_STR(CALLS));
    haversack_ledger *ledger = haversack_ledger_new();
    char invariant[] = "never delete";
    haversack_tiers *tiers = NULL;
    CHECK(haversack_tiers_new((haversack_str){invariant, sizeof invariant - 1}, ledger, history, NULL, &tiers, NULL) == HAVERSACK_OK);
    memset(invariant, 'x', sizeof invariant);
    haversack_history_free(history), haversack_ledger_free(ledger);
    CHECK(same(haversack_tiers_invariant(tiers), HAVERSACK_STR("never delete")) && same(haversack_tiers_working(tiers), HAVERSACK_STR(CALLS)));
    size_t kept[4] = {77, 77, 77, 77};
    CHECK(haversack_tiers_kept(tiers, NULL, 0) == 3 && haversack_tiers_kept(tiers, kept, 2) == 3 && kept[1] == 1 && kept[2] == 77);
    CHECK(haversack_tiers_kept(tiers, kept, 4) == 3 && kept[2] == 2 && kept[3] == 77 && haversack_tiers_account(tiers).records.kept == 3);
    haversack_rendered *facts = haversack_tiers_ledger(tiers), *again = haversack_tiers_ledger(tiers);
    haversack_tiers_free(tiers);
    CHECK(facts != again && same(haversack_rendered_text(facts), haversack_rendered_text(again)) && haversack_rendered_complete(facts));
    haversack_rendered_free(facts), haversack_rendered_free(again);
}

int main(void) {
    void (*const tests[])(void) = {
        null_handles_answer_nothing,
        outputs_are_required,
        texts_are_checked,
        options_of_other_sizes_and_numbers,
        handoffs_that_are_none,
        handoffs_own_their_texts_and_fill_no_further,
        counters_are_asked_and_may_fail,
        fleets_and_sessions_need_nothing_more,
        books_that_cannot_be,
        transcripts_with_damage,
        files_are_read_by_their_index,
        tiers_outlive_what_they_came_from,
    };
    const size_t count = sizeof tests / sizeof *tests;
    for (size_t i = 0; i < count; i++) {
        tests[i]();
    }
    printf("%zu passed, 0 failed\n", count);
    return 0;
}
