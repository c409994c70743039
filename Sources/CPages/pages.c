#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The compiler follows embedded files: a change in one builds this file again, and nothing else.

// The parts of the engine are one script. What they define, the page's own script uses.
static const unsigned char engine[] = {
#embed "explore/data.js" suffix(,)
#embed "explore/grammar.js" suffix(,)
#embed "explore/events.js" suffix(,)
#embed "explore/chains.js" suffix(,)
#embed "explore/counting.js" suffix(,)
#embed "explore/claims.js" suffix(,)
#embed "explore/trend.js" suffix(,)
#embed "explore/cohorts.js" suffix(,)
#embed "explore/ask.js"
};
static const unsigned char page[] = {
#embed "shared/elements.js" suffix(,)
#embed "explore/page.js"
};
static const unsigned char style[] = {
#embed "explore/explore.css"
};

static const unsigned char report[] = {
#embed "report/report.css"
};

page_file page_explore_engine(void) { return (page_file){engine, sizeof engine}; }
page_file page_explore_page(void) { return (page_file){page, sizeof page}; }
page_file page_explore_style(void) { return (page_file){style, sizeof style}; }
page_file page_report_style(void) { return (page_file){report, sizeof report}; }
