#!/usr/bin/env python3
"""Opens the HTML reports in a real browser: no console message, no request, every chart visible, readable with scripts off.

    swift build -c release --product looptrail && Tools/conformance/html_report.py

Needs Chromium (Debian: `apt-get install chromium`). Writes pictures of every page, light and dark, wide and narrow,
and its print as PDF into the folder `--pictures`, for people to look at.
"""

import json
import os
import re
import tempfile

from browser import Browser, Page
from harness import ROOT, Checks, Looptrail, arguments

HOSTILE = [
    "</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</title></style><svg onload=alert(1)>", "<!--", "&lt;b&gt;",
    "\x1b[2J\x1b]0;x\x07", "=HYPERLINK(\"http://x.example\")", "n" * 200, "\u202egpj.exe", "\u05e9\u05dc\u05d5\u05dd 12 (a)", "購入完了",
    "a|b`c", "javascript:alert(1)", "@import url(http://x.example)", "a\nb\u2028c",
]

POLICY = "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"

# For each chart: how many shapes with a size it draws, which of its elements lie outside it, and which texts overlap.
CHARTS = """(() => [...document.querySelectorAll('svg.chart')].map(svg => {
  const box = svg.getBoundingClientRect();
  const shown = [...svg.querySelectorAll('rect, circle, path, text')].filter(one => getComputedStyle(one).display !== 'none');
  const boxes = shown.map(one => ({one, at: one.getBoundingClientRect()}));
  const outside = boxes.filter(({at}) => at.left < box.left - 1 || at.right > box.right + 1 || at.top < box.top - 1 || at.bottom > box.bottom + 1);
  const texts = boxes.filter(({one}) => one.tagName === 'text');
  const overlaps = texts.flatMap(({one: a, at: p}, i) => texts.slice(i + 1).filter(({at: q}) =>
    p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 4 && q.top < p.bottom - 4).map(({one: b}) => [a.textContent, b.textContent]));
  return {
    label: svg.getAttribute('aria-labelledby').split(' ').map(id => document.getElementById(id).textContent).join(': '),
    width: box.width, height: box.height, drawn: boxes.filter(({one, at}) => one.tagName !== 'text' && at.width > 0 && at.height > 0).length,
    texts: texts.length, outside: outside.map(({one}) => one.outerHTML.slice(0, 200)), overlaps,
    table: svg.closest('figure').querySelector('table') !== null,
  };
}))()"""

# The least contrast of any text with its background (WCAG 2.2). The background of a text in a chart is the chart's card.
CONTRAST = """(() => {
  const parts = color => (color.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = one => { for (let at = one; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor; if ((parts(color)[3] ?? 1) > 0) return parts(color); } return [255, 255, 255]; };
  const found = [...document.querySelectorAll('h1, h2, h3, p, dt, dd, th, td, caption, a, svg text')].filter(one => one.getClientRects().length)
    .map(one => { const style = getComputedStyle(one), [a, b] = [light(parts(one.closest('svg') ? style.fill : style.color)), light(behind(one))];
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), one.textContent.slice(0, 40)]; });
  return found.reduce((least, one) => one[0] < least[0] ? one : least, [21, '']);
})()"""


# Saved funnels such as a team looks at every week.
FUNNELS = [
    {"name": "Checkout", "steps": "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded", "window": "1h",
     "by": "session", "breakdown": "props.sku:step=2"},
    {"name": "Payment", "steps": "checkout_started > payment_succeeded", "window": "1h", "by": "session"},
    {"name": "Coupons", "steps": "cart_added > coupon_applied > checkout_started > payment_succeeded", "window": "1d"},
]
# How many pages of paper these reports may take.
MOST_PAGES = {"report": 12, "groups": 4}


def write_hostile(path):
    with open(path, "w", encoding="utf-8") as file:
        for user in range(40):
            for step, name in enumerate(HOSTILE):
                if user % (step + 2) == 0 or step < 3:
                    line = {"v": 1, "t_ms": 1767225600000 + user * 60000 + step * 1000 * (user + 1), "id": f"{user}-{step}", "name": name, "user": f"u{user}"}
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")


def quoted(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def make_pages(looptrail, folder):
    """Writes reports of every kind, over the demo and over hostile names. Returns name, path and expected number of charts of each."""
    demo, hostile = os.path.join(folder, "demo"), os.path.join(folder, "hostile.ndjson")
    write_hostile(hostile)
    pages = []

    def page(name, charts, *call, exits=(0,)):
        path = os.path.join(folder, name + ".html")
        done = looptrail.run(*call, "--quiet", "-o", path)
        if done.returncode not in exits:
            raise RuntimeError(f"`looptrail {' '.join(call)}` exited with {done.returncode}: {done.stderr.strip()}")
        pages.append((name, path, charts))

    page("demo", 2, "demo", demo)
    page("events", 1, "events", demo)
    page("timings", 1, "timings", demo)
    page("check", 0, "check", demo)
    page("props", 1, "props", "product_viewed", demo)
    page("paths", 1, "paths", demo, "--from", "catalog_viewed")
    page("retention", 1, "retention", demo, "--start", "catalog_viewed", "--return", "catalog_viewed", "--breakdown", "props.sku")
    page("why", 0, "why", demo, "--steps", "cart_added > checkout_started > payment_succeeded", "--window", "1h", "--by", "session")
    page("before", 1, "paths", demo, "--to", "payment_succeeded")
    funnels = os.path.join(folder, "funnels.json")
    with open(funnels, "w", encoding="utf-8") as file:
        json.dump(FUNNELS, file)
    # The first funnel has a breakdown, which adds charts of its groups: bars, times, and lines of the trend.
    page("report", 13, "report", demo, "--funnels", funnels, "--every", "day", "--no-why")
    page("groups", 4, "funnel", demo, "--steps", "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded",
         "--window", "1h", "--breakdown", "props.sku", "--top", "12")
    page("trend", 2, "trend", demo, "--steps", "checkout_started > payment_succeeded", "--window", "1h", "--by", "session", "--breakdown",
         "session.platform")
    page("compared", 4, "report", demo, "--steps", "checkout_started > payment_succeeded", "--window", "1h", "--by", "session", "--since",
         "2026-01-08", "--compare", "2026-01-01..2026-01-08", "--every", "day", "--no-why")
    page("report-more", 10, "report", demo, "--funnels", funnels, "--compare", "2026-01-01..2026-01-08", "--since", "2026-01-08", "--why",
         "--start", "catalog_viewed", "--return", "catalog_viewed")
    page("hostile-retention", 1, "retention", hostile, "--start", quoted(HOSTILE[0]), "--return", quoted(HOSTILE[1]))
    page("hostile-why", 0, "why", hostile, "--steps", " > ".join(map(quoted, HOSTILE[:3])), "--min-count", "1", "--window", "1h")
    page("hostile-props", 0, "props", HOSTILE[0], hostile)
    page("hostile-paths", 1, "paths", hostile, "--from", HOSTILE[0])
    page("hostile-funnel", 2, "funnel", hostile, "--steps", " > ".join(map(quoted, HOSTILE[:3])))
    page("hostile-many", 2, "funnel", hostile, "--steps", " > ".join(map(quoted, HOSTILE)))
    page("hostile-events", 1, "events", hostile)
    page("hostile-check", 0, "check", hostile, exits=(0, 3))
    page("empty", 0, "funnel", os.devnull, "--steps", "a > b")
    return pages


# Width in CSS pixels, whether dark, whether scripts may run.
SIGHTS = ((1280, False, True), (1280, True, False), (420, False, False), (420, True, True), (320, False, True))
# One page for each kind of result and of chart. The other pages differ from these in their data only.
ONE_EACH = {"events", "timings", "check", "props", "paths", "retention", "why", "report", "compared", "trend", "hostile-many", "empty"}


def look(checks, browser, name, path, charts, pictures, sights):
    for width, dark, scripts in sights:
        label = f"{name} at {width}, {'dark' if dark else 'light'}, scripts {'on' if scripts else 'off'}"
        page = Page(browser, path, width, dark=dark, scripts=scripts)
        checks.equal(f"{label}: nothing in the console", page.messages(), [])
        checks.equal(f"{label}: no request", page.requests(), [])
        found = page.value(CHARTS)
        checks.equal(f"{label}: charts", len(found), charts)
        for chart in found:
            where = f"{label}: {chart['label'][:30]}"
            checks.that(f"{where} has a size", chart["width"] > 200 and chart["height"] > 30, str(chart))
            checks.that(f"{where} shows shapes and words", chart["drawn"] > 0 and chart["texts"] > 0, str(chart))
            checks.equal(f"{where} draws nothing outside itself", chart["outside"], [])
            checks.equal(f"{where} has no overlapping texts", chart["overlaps"], [])
            checks.that(f"{where} has its table", chart["table"])
        text = page.value("document.body.innerText")
        checks.that(f"{label}: readable", len(text) > 200 and "Input" in text, text[:200])
        checks.that(f"{label}: no sideways scrolling", page.value("document.documentElement.scrollWidth") <= width)
        least = page.value(CONTRAST)
        checks.that(f"{label}: contrast", least[0] >= 4.5, str(least))
        checks.equal(f"{label}: one script, which is data", page.value("[...document.scripts].map(one => one.type)"), ["application/json"])
        data = page.value("document.getElementById('report').textContent")
        checks.that(f"{label}: the data is JSON", json.loads(data)["schema"] == 1)
        if width == 1280:
            wide = page.value("[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.ariaLabel)")
            checks.that(f"{label}: no column is out of sight", "hostile" in name or not wide, str(wide))
        if pictures:
            page.screenshot(os.path.join(pictures, f"{name}-{width}-{'dark' if dark else 'light'}.png"))
        page.close()
    # Paper does not scroll sideways. A4 has 680 CSS pixels between its margins.
    page = Page(browser, path, 680, dark=True, media="print")
    wide = page.value("[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.ariaLabel)")
    checks.equal(f"{name} in print: nothing is wider than the paper", wide, [])
    checks.equal(f"{name} in print: black on white", page.value("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
    # A CSS pixel is three quarters of a point.
    small = page.value("[...document.querySelectorAll('h1, h2, h3, p, dt, dd, th, td, caption, a, svg text')]"
        ".filter(one => one.getClientRects().length && parseFloat(getComputedStyle(one).fontSize) * 0.75 < 7.99)"
        ".map(one => getComputedStyle(one).fontSize + ' ' + one.textContent.slice(0, 40))")
    checks.equal(f"{name} in print: text of 8 pt at least", small, [])
    if pictures:
        page.screenshot(os.path.join(pictures, f"{name}-print.png"))
        page.pdf(os.path.join(pictures, f"{name}.pdf"))
    if name in MOST_PAGES:
        pdf = path + ".pdf"
        page.pdf(pdf)
        with open(pdf, "rb") as file:
            pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", file.read()))
        checks.that(f"{name} in print: at most {MOST_PAGES[name]} pages", 0 < pages <= MOST_PAGES[name], str(pages))
    page.close()


def misbehave(checks, browser, folder):
    """Opens pages that do what ours never do, and checks that `Page` sees it: otherwise its silence would prove nothing."""
    path = os.path.join(folder, "bad.html")
    for name, body in [
        ("a script", "<script>console.log(1)</script>"), ("a refused script", POLICY + "<script>1</script>"),
        ("an error", "<script>nothing()</script>"), ("a refused picture", POLICY + "<img src='data:image/gif;base64,R0lGOD'>"),
    ]:
        with open(path, "w", encoding="utf-8") as file:
            file.write("<!DOCTYPE html><html lang=en><title>bad</title>" + body)
        page = Page(browser, path, 400)
        checks.that(f"{name} is seen", page.messages())
        page.close()
    with open(path, "w", encoding="utf-8") as file:
        file.write("<!DOCTYPE html><html lang=en><title>bad</title><img src='other.png'>")
    page = Page(browser, path, 400)
    checks.that("a request is seen", any(url.endswith("other.png") for url in page.requests()))
    page.close()


def main():
    parser = arguments(__doc__)
    parser.add_argument("--pictures", default=os.path.join(ROOT, ".build/report-pictures"), help="where pictures go; empty for none")
    parser.add_argument("--one-each", action="store_true", help="one page of each kind, wide and light, and narrow and dark")
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    program = Browser.find()
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    if program:
        with tempfile.TemporaryDirectory() as folder, Browser(program) as browser:
            misbehave(checks, browser, folder)
            for name, path, charts in make_pages(looptrail, folder):
                if not options.one_each or name in ONE_EACH:
                    look(checks, browser, name, path, charts, options.pictures, SIGHTS[:1] + SIGHTS[3:4] if options.one_each else SIGHTS)
    else:
        checks.missing("chromium", "apt-get install chromium")
    checks.close()


if __name__ == "__main__":
    main()
