/* Delivers standard input within 6,000 characters, page after page.
 *
 *   cc -std=c11 deliver.c $(pkg-config --cflags --libs haversack) -o deliver
 */
#include <haversack.h>
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

int main(void) {
    haversack_str payload;
    char *bytes = read_all(stdin, &payload.len);
    payload.ptr = bytes;

    haversack_deliver_options options = {.size = sizeof options};
    haversack_delivery *page = NULL;
    for (;;) {
        haversack_delivery *d = NULL;
        haversack_error *error = NULL;
        if (haversack_deliver(payload, haversack_budget_chars(6000), &options, &d, &error) != HAVERSACK_OK) {
            haversack_str message = haversack_error_message(error);
            fprintf(stderr, "%.*s\n", (int)message.len, message.ptr);
            haversack_error_free(error);
            haversack_delivery_free(page);
            free(bytes);
            return 1;
        }
        haversack_delivery_free(page); /* the cursor was its text, and has been read */
        page = d;

        haversack_str text = haversack_delivery_text(page);
        fwrite(text.ptr, 1, text.len, stdout);
        putchar('\n');

        options.cursor = haversack_delivery_next(page);
        if (options.cursor.ptr == NULL) {
            break;
        }
    }
    haversack_account account = haversack_delivery_account(page);
    fprintf(stderr, "%llu records in all\n", (unsigned long long)account.records.total);
    haversack_delivery_free(page);
    free(bytes);
    return 0;
}
