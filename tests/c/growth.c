/* growth CALLS [watched]: many calls of every outcome, and the memory of the process before and after them.
 * "watched" leaves the judgement to a sanitizer or to valgrind, which hold freed memory back themselves. */
#include "case.h"

#include <unistd.h>

/* Bytes of memory of this process that are in use. */
static size_t resident(void) {
    size_t total, pages;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%zu %zu", &total, &pages) == 2);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void one_round(size_t i) {
    static const char list[] = "{\"early\":[1,2,3],\"late\":[\"a record\",\"a record\",\"a record\",\"a record\",\"a record\"]}";
    static const haversack_str select[] = {{"/late", 5}};
    haversack_str payload = {list, sizeof list - 1};
    haversack_deliver_options options = {.size = sizeof options};
    haversack_delivery *d = NULL;
    haversack_error *e = NULL;
    haversack_budget budget = haversack_budget_bytes(i % 2 ? 1000 : 5);
    switch (i % 5) {
    case 0: budget = TOKENS(1000, count_words, NULL); break;
    case 1: options.select = (haversack_strs){select, 1}; break;
    case 2: payload = HAVERSACK_STR("fo\xff"); break;
    case 3: options.hint = (haversack_str){NULL, 5}; break;
    default: break;
    }
    haversack_status status = haversack_deliver(payload, budget, &options, &d, &e);
    CHECK((status == HAVERSACK_OK) == (d != NULL) && (d == NULL) == (e != NULL));
    if (d != NULL) {
        haversack_string json;
        CHECK(haversack_delivery_json(d, &json, &e) == HAVERSACK_OK);
        haversack_string_free(json);
    }
    haversack_delivery_free(d);
    haversack_error_free(e);
}

int main(int argc, char **argv) {
    size_t calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    for (size_t i = 0; i < 1000; i++) {
        one_round(i);
    }
    size_t before = resident();
    for (size_t i = 0; i < calls; i++) {
        one_round(i);
    }
    size_t after = resident();
    printf("%zu calls, %zu bytes before, %zu after\n", calls, before, after);
    CHECK(argc > 2 || after < before + (1 << 20));
    printf("1 passed, 0 failed\n");
    return 0;
}
