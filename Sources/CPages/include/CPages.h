#ifndef CPAGES_H
#define CPAGES_H

#include <stddef.h>

/// A file that was embedded when this was compiled.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} page_file;

/// The engine, the page and the style of `looptrail explore`.
page_file page_explore_engine(void);
page_file page_explore_page(void);
page_file page_explore_style(void);

/// The script and the style of `looptrail inspect`.
page_file page_inspect_script(void);
page_file page_inspect_style(void);

/// The style of reports for a browser. Colours are named by what they mean and given twice, for light and for dark.
page_file page_report_style(void);

#endif
