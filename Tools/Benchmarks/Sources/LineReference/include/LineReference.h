#ifndef LINE_REFERENCE_H
#define LINE_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/// The texts and numbers of one event line.
struct line_reference {
    int64_t t_ms, seq, position;
    const char *name, *user, *session, *id, *system, *screen, *product;
    double price;
};

/// Writes the line of an event of four properties by one `snprintf`, to measure C's own formatting alone.
/// Returns the length.
int line_by_snprintf(char *bytes, size_t size, const struct line_reference *line);

#endif
