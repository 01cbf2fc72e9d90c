/* Many threads deliver at once, read one delivery together, and free what another thread made. */
#include "case.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 500 };

static const char text[] = "[{\"id\":2512292042121000001},{\"id\":2}]";
static haversack_delivery *shared;

/* Delivers, reads its own and the shared delivery, and gives its last one away. */
static void *work(void *made) {
    haversack_str payload = {text, sizeof text - 1};
    haversack_delivery *last = NULL;
    size_t calls = 0;
    for (int i = 0; i < ROUNDS; i++) {
        haversack_delivery_free(last);
        last = NULL;
        haversack_budget budget = i % 2 ? haversack_budget_bytes(100) : TOKENS(100, count_words, &calls);
        CHECK(haversack_deliver(payload, budget, NULL, &last, NULL) == HAVERSACK_OK);
        CHECK(same(haversack_delivery_text(last), payload));
        CHECK(same(haversack_delivery_text(shared), payload));
        haversack_string json;
        CHECK(haversack_delivery_json(shared, &json, NULL) == HAVERSACK_OK);
        haversack_string_free(json);
        haversack_error *e = NULL;
        CHECK(haversack_deliver(HAVERSACK_STR("\xff"), budget, NULL, &shared, &e) == HAVERSACK_INVALID_UTF8);
        haversack_error_free(e);
    }
    CHECK(calls > 0);
    *(haversack_delivery **)made = last;
    return NULL;
}

int main(void) {
    haversack_str payload = {text, sizeof text - 1};
    CHECK(haversack_deliver(payload, haversack_budget_bytes(100), NULL, &shared, NULL) == HAVERSACK_OK);
    pthread_t threads[THREADS];
    haversack_delivery *made[THREADS];
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, work, &made[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        haversack_delivery_free(made[i]); /* another thread's; what the next one reads is its own */
    }
    haversack_delivery_free(shared);
    printf("1 passed, 0 failed\n");
    return 0;
}
