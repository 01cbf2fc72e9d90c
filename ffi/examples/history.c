/* Checks a chat history on standard input, repairs it, and cuts it to a number of characters of JSON.
 *
 *   cc -std=c11 history.c $(pkg-config --cflags --libs haversack) -o history
 *   ./history 6000 < request.json
 */
#include <haversack.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_all(FILE *file, size_t *len) {
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
    return bytes;
}

static void say(haversack_str text) { fprintf(stderr, "%.*s\n", (int)text.len, text.ptr); }

/* Prints what is wrong with `history`. */
static haversack_status check(const haversack_history *history, haversack_error **error) {
    haversack_violations *found = NULL;
    const haversack_status status = haversack_history_violations(history, true, &found, error);
    haversack_violation v;
    for (size_t i = 0; status == HAVERSACK_OK && haversack_violations_get(found, i, &v); i++) {
        const haversack_str kind = haversack_violation_name(v.kind);
        fprintf(stderr, "message %zu, %.*s: ", v.index, (int)kind.len, kind.ptr);
        say(v.message);
    }
    haversack_violations_free(found);
    return status;
}

/* Writes the newest part of `history` that fits; all of it when it does. */
static haversack_status cut(const haversack_history *history, haversack_budget keep, haversack_error **error) {
    haversack_cut *cut = NULL;
    const haversack_status status = haversack_history_cut(history, keep, NULL, &cut, error);
    if (status == HAVERSACK_OK) {
        const bool found = haversack_cut_found(cut);
        const haversack_str text = found ? haversack_cut_text(cut) : haversack_history_text(history);
        say(found ? haversack_cut_reason(cut) : haversack_nothing_to_cut_name(haversack_cut_nothing(cut)));
        fwrite(text.ptr, 1, text.len, stdout);
        putchar('\n');
    }
    haversack_cut_free(cut);
    return status;
}

int main(int argc, char **argv) {
    const haversack_budget keep = haversack_budget_chars(argc > 1 ? strtoumax(argv[1], NULL, 10) : 6000);
    haversack_str text;
    char *bytes = read_all(stdin, &text.len);
    text.ptr = bytes;

    haversack_error *error = NULL;
    haversack_history *history = NULL, *repaired = NULL;
    haversack_repair *repair = NULL;
    haversack_status status = haversack_history_parse(text, NULL, &history, &error);
    if (status == HAVERSACK_OK) {
        status = check(history, &error);
    }
    if (status == HAVERSACK_OK) {
        const haversack_repair_options sending = {.size = sizeof sending, .sending = 1};
        status = haversack_history_repair(history, &sending, &repair, &error);
    }
    if (status == HAVERSACK_OK) {
        status = haversack_history_parse(haversack_repair_text(repair), NULL, &repaired, &error);
    }
    if (status == HAVERSACK_OK) {
        status = cut(repaired, keep, &error);
    }
    if (status != HAVERSACK_OK) {
        say(haversack_error_message(error));
        haversack_error_free(error);
    }
    haversack_history_free(repaired);
    haversack_repair_free(repair);
    haversack_history_free(history);
    free(bytes);
    return status != HAVERSACK_OK;
}
