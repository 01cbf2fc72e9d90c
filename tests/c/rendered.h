/* What cases of ledgers, memories, handoffs and tiers share: a rendered text and its books. Part of vectors.c, behind
 * prompts.h. */
#ifndef HAVERSACK_TESTS_RENDERED_H
#define HAVERSACK_TESTS_RENDERED_H

static json_t *counts_json(haversack_counts c) {
    return json_pack("{so so so so so}", "total", size_json((size_t)c.total), "kept", size_json((size_t)c.kept), "shrunk",
                     size_json((size_t)c.shrunk), "offloaded", size_json((size_t)c.offloaded), "omitted", size_json((size_t)c.omitted));
}

static json_t *account_json(haversack_account a) {
    return json_pack("{so so so so}", "records", counts_json(a.records), "bytes", counts_json(a.bytes), "fields_removed",
                     size_json((size_t)a.fields_removed), "claimed", a.has_claimed ? counts_json(a.claimed) : json_null());
}

/* The budget among these options, or NULL. */
static const haversack_budget *budget_in(const json_t *given, haversack_budget *room) {
    *room = budget_of(given);
    return room->unit ? room : NULL;
}

/* Two ways to the same answer: `got`, which is given back, and the text that the library wrote itself, which is freed. */
static json_t *as_written(const char *what, json_t *got, haversack_string json) {
    json_t *written = loaded(json);
    if (!json_equal(got, written)) {
        char *is = json_dumps(got, JSON_COMPACT), *want = json_dumps(written, JSON_COMPACT);
        WRONG("the parts of %s are %s, its JSON is %s", what, is, want);
        free(is), free(want);
    }
    json_decref(written);
    return got;
}

/* A rendered text, which is freed. */
static json_t *rendered_json(haversack_rendered *r) {
    haversack_string json;
    CHECK(haversack_rendered_json(r, &json, NULL) == HAVERSACK_OK);
    const haversack_account account = haversack_rendered_account(r);
    json_t *got = json_pack("{so so so}", "text", text_json(haversack_rendered_text(r)), "account", account_json(account), "rule",
                            text_json(haversack_rendered_rule(r)));
    CHECK(haversack_rendered_complete(r) == (account.records.kept == account.records.total));
    haversack_rendered_free(r);
    return as_written("a rendered text", got, json);
}

/* {"answer": …} of a call that worked, else {"error": …}; the error is freed. */
static json_t *answer_or(json_t *answer, haversack_error *error) {
    CHECK((answer == NULL) == (error != NULL));
    return error ? error_json(error) : answer_of(answer);
}

#endif
