#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char script[] = {
#embed "shared/elements.js" suffix(,)
#embed "inspect/inspect.js"
};
static const unsigned char style[] = {
#embed "inspect/inspect.css"
};

page_file page_inspect_script(void) { return (page_file){script, sizeof script}; }
page_file page_inspect_style(void) { return (page_file){style, sizeof style}; }
