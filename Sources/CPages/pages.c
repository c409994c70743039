#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// The compiler follows embedded files: a change in one builds this file again, and nothing else.

static const unsigned char engine[] = {
#embed "explore/engine.js"
};
static const unsigned char page[] = {
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
