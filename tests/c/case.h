/* Reading shared cases: input, options and expectation as JSON, with what every C test needs around it. */
#ifndef HAVERSACK_TESTS_CASE_H
#define HAVERSACK_TESTS_CASE_H

#include <haversack.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with a message: a test that cannot go on has failed. */
#define FAIL(...) (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(1))
#define CHECK(condition) ((condition) ? (void)0 : (void)FAIL("not true: %s", #condition))

/* A growing text. */
typedef struct buffer {
    char *ptr;
    size_t len, room;
} buffer;

static inline void append(buffer *to, const void *bytes, size_t len) {
    if (len == 0) {
        return;
    }
    if (to->len + len > to->room) {
        to->room = (to->len + len) * 2;
        to->ptr = realloc(to->ptr, to->room);
        CHECK(to->ptr != NULL);
    }
    memcpy(to->ptr + to->len, bytes, len);
    to->len += len;
}

static inline haversack_str view(const json_t *string) {
    if (!json_is_string(string)) {
        return (haversack_str){NULL, 0};
    }
    return (haversack_str){json_string_value(string), json_string_length(string)};
}

static inline bool same(haversack_str a, haversack_str b) {
    return (a.ptr == NULL) == (b.ptr == NULL) && a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline void append_string(buffer *to, const json_t *string) {
    haversack_str s = view(string);
    append(to, s.ptr, s.len);
}

/* Writes `template` with every "$i" replaced by the number. */
static inline void append_row(buffer *to, const json_t *template, json_int_t number) {
    haversack_str s = view(template);
    char digits[32];
    int count = snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, number);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '$' && i + 1 < s.len && s.ptr[i + 1] == 'i') {
            append(to, digits, (size_t)count);
            i++;
        } else {
            append(to, s.ptr + i, 1);
        }
    }
}

/* Builds an input: a string, {hex}, {repeat, times}, {rows, template, join, before, after} or {concat}. */
static inline void append_input(buffer *to, const json_t *input) {
    const json_t *part;
    if (json_is_string(input)) {
        append_string(to, input);
    } else if ((part = json_object_get(input, "hex"))) {
        int used = 0;
        unsigned byte;
        for (const char *hex = json_string_value(part); sscanf(hex, " %2x%n", &byte, &used) == 1; hex += used) {
            append(to, &(unsigned char){(unsigned char)byte}, 1);
        }
    } else if ((part = json_object_get(input, "repeat"))) {
        json_int_t times = json_integer_value(json_object_get(input, "times"));
        for (json_int_t i = 0; i < times; i++) {
            append_string(to, part);
        }
    } else if ((part = json_object_get(input, "template"))) {
        json_int_t rows = json_integer_value(json_object_get(input, "rows"));
        append_string(to, json_object_get(input, "before"));
        for (json_int_t i = 0; i < rows; i++) {
            if (i > 0) {
                append_string(to, json_object_get(input, "join"));
            }
            append_row(to, part, i);
        }
        append_string(to, json_object_get(input, "after"));
    } else if ((part = json_object_get(input, "concat"))) {
        for (size_t i = 0; i < json_array_size(part); i++) {
            append_input(to, json_array_get(part, i));
        }
    } else {
        FAIL("an input of an unknown kind");
    }
}

/* The test counter "words": runs of ASCII letters, digits, `_` and bytes from 0x80 up give one token per started 6
 * bytes, ASCII white space gives none, every other byte is one token. `userdata` is NULL, or counts the calls. */
static inline bool count_words(void *userdata, haversack_str text, size_t *out_count) {
    size_t tokens = 0, run = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char b = (unsigned char)text.ptr[i];
        bool word = b >= 0x80 || b == '_' || (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
        if (word) {
            tokens += run++ % 6 == 0;
            continue;
        }
        run = 0;
        tokens += !(b == ' ' || b == '\t' || b == '\n' || b == '\v' || b == '\f' || b == '\r');
    }
    if (userdata != NULL) {
        ++*(size_t *)userdata;
    }
    *out_count = tokens;
    return true;
}

/* A budget of tokens as a function counts them, for the rest of the block. */
#define TOKENS(limit, function, data) \
    haversack_budget_tokens((limit), &(const haversack_counter){.size = sizeof(haversack_counter), .userdata = (data), .count = (function)})

#endif
