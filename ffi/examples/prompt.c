/* Compares a request with the one before it: which piece breaks the cache, where, why, and what it costs.
 *
 *   cc -std=c11 prompt.c $(pkg-config --cflags --libs haversack) -o prompt
 *   ./prompt previous.json next.json [RULES]
 *
 * RULES are cache rules by name, such as vllm; without them those of the request's format and model.
 */
#include <haversack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    size_t room = 0;
    char *bytes = NULL;
    for (*len = 0; !feof(file) && !ferror(file);) {
        if (*len + 65536 > room) {
            room = room * 2 + 65536;
            bytes = realloc(bytes, room);
            if (bytes == NULL) {
                abort();
            }
        }
        *len += fread(bytes + *len, 1, 65536, file);
    }
    fclose(file);
    return bytes;
}

/* The snapshot of a request, taken apart into its pieces. */
static haversack_status take(haversack_str body, haversack_snapshot **snapshot, haversack_error **error) {
    haversack_prompt *prompt = NULL;
    haversack_status status = haversack_prompt_from_request(body, HAVERSACK_WIRE_AUTO, NULL, &prompt, error);
    if (status == HAVERSACK_OK) {
        status = haversack_prompt_snapshot(prompt, NULL, snapshot, error);
    }
    haversack_prompt_free(prompt);
    return status;
}

/* Prints every difference, and what is lost with the first one. */
static haversack_status compare(haversack_str previous, haversack_str next, haversack_error **error) {
    haversack_snapshot *before = NULL, *now = NULL;
    haversack_comparison *comparison = NULL;
    haversack_status status = take(previous, &before, error);
    if (status == HAVERSACK_OK) {
        status = take(next, &now, error);
    }
    if (status == HAVERSACK_OK) {
        status = haversack_compare(before, now, &comparison, error);
    }
    haversack_snapshot_free(before);
    haversack_snapshot_free(now);
    if (status == HAVERSACK_OK) {
        const haversack_str verdict = haversack_verdict_name(haversack_comparison_verdict(comparison));
        printf("%.*s: %zu bytes kept, %zu lost\n", (int)verdict.len, verdict.ptr, haversack_comparison_kept_bytes(comparison),
               haversack_comparison_lost_bytes(comparison));
        haversack_piece_change c;
        for (size_t i = 0; haversack_comparison_change(comparison, i, &c); i++) {
            const haversack_str cause = haversack_cause_name(c.cause);
            printf("%.*s at byte %zu: %.*s\n", (int)c.piece.len, c.piece.ptr, c.at_byte, (int)cause.len, cause.ptr);
        }
    }
    haversack_comparison_free(comparison);
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s previous.json next.json [RULES]\n", argv[0]);
        return 2;
    }
    haversack_str previous, next;
    char *first = read_all(argv[1], &previous.len), *second = read_all(argv[2], &next.len);
    previous.ptr = first, next.ptr = second;

    haversack_error *error = NULL;
    haversack_status status = compare(previous, next, &error);
    if (status == HAVERSACK_OK) {
        const haversack_counter counter = {.size = sizeof counter, .name = HAVERSACK_STR("estimate")};
        haversack_predict_options options = {.size = sizeof options, .counter = &counter};
        if (argc > 3) {
            options.rules = (haversack_str){argv[3], strlen(argv[3])};
        }
        haversack_prediction p;
        status = haversack_predict(previous, next, &options, &p, &error);
        if (status == HAVERSACK_OK) {
            const haversack_str reason = haversack_cache_reason_name(p.reason);
            printf("%.*s, %.*s: %zu tokens cached, %zu written, %zu fresh\n", (int)p.rules.len, p.rules.ptr, (int)reason.len,
                   reason.ptr, p.cached, p.written, p.fresh);
        }
    }
    if (status != HAVERSACK_OK) {
        const haversack_str message = haversack_error_message(error);
        fprintf(stderr, "%.*s\n", (int)message.len, message.ptr);
        haversack_error_free(error);
    }
    free(first), free(second);
    return status != HAVERSACK_OK;
}
