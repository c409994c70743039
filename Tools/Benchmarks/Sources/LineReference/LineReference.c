#include "LineReference.h"

#include <inttypes.h>
#include <stdio.h>

int line_by_snprintf(char *bytes, size_t size, const struct line_reference *line) {
    return snprintf(
        bytes, size,
        "{\"v\":1,\"t_ms\":%" PRId64 ",\"name\":\"%s\",\"user\":\"%s\",\"session\":\"%s\",\"seq\":%" PRId64
        ",\"id\":\"%s\",\"system\":\"%s\",\"props\":{\"screen\":\"%s\",\"product\":\"%s\",\"price\":%.2f,\"position\":%" PRId64 "}}\n",
        line->t_ms, line->name, line->user, line->session, line->seq, line->id, line->system, line->screen, line->product, line->price,
        line->position);
}
