#!/usr/bin/env python3
"""The SQL under Dashboards/ is what `looptrail sql` prints.

    Tools/conformance/printed_sql.py            # compares
    Tools/conformance/printed_sql.py --write    # writes the files again
"""

import os

from harness import ROOT, Checks, Looptrail, arguments

CHECKOUT = "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded"
SOURCES = {"clickhouse": "looptrail.events", "duckdb": "looptrail-demo/events/*.ndjson.gz", "spark": "looptrail-demo/events/*.ndjson.gz"}
FORMS = {"schema.sql": ["--as", "schema"], "checkout.sql": ["--steps", CHECKOUT, "--window", "1h"]}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--write", action="store_true", help="write the files in place of comparing them")
    options = parser.parse_args()
    checks, looptrail = Checks(), Looptrail(options.binary)
    for dialect, source in SOURCES.items():
        for name, flags in FORMS.items():
            done = looptrail.run("sql", "--dialect", dialect, "--from", source, *flags)
            path = os.path.join(ROOT, "Dashboards", dialect, name)
            if options.write:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(done.stdout)
            with open(path, encoding="utf-8") as file:
                checks.that(f"Dashboards/{dialect}/{name}", done.returncode == 0 and file.read() == done.stdout, "run this with --write")
    checks.close()


if __name__ == "__main__":
    main()
