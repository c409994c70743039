import Testing

@testable import Reports

@Suite("HTML")
struct HTMLTests {
    @Test(
        "text is escaped in content and in attributes",
        arguments: [
            ("a", "a"), ("<b>", "&lt;b&gt;"), ("&amp;", "&amp;amp;"), ("\"'", "&quot;&#39;"), ("a\nb", #"a\nb"#), ("\u{1B}", #"\u{1B}"#),
            ("購入", "購入"), ("\u{202E}", #"\u{202E}"#), ("`=", "`="),
        ])
    func escaped(text: String, html: String) {
        #expect(HTML.element("p", ["title": text], .words(text)).text == "<p title=\"\(html)\">\(html)</p>")
    }

    @Test func `data keeps its direction to itself`() {
        #expect(HTML.all([.data("<i>"), .isolated("שלום"), .isolated("a")]).text == "<bdi>&lt;i&gt;</bdi>\u{2068}שלום\u{2069}a")
    }

    @Test func `JSON in a page holds nothing that ends it`() {
        let json = HTML.json(#"{"a":"</script><!-- & ü"}"#)
        #expect(json.text == #"{"a":"\u003c/script\u003e\u003c!-- \u0026 ü"}"#)
    }

    @Test(
        "numbers have three digits behind the point at most",
        arguments: [
            (0, "0"), (1, "1"), (0.5, "0.5"), (1.0 / 3, "0.333"), (2.0 / 3, "0.667"), (-1.25, "-1.25"), (-0.0001, "0"), (100, "100"),
            (.nan, "0"), (.infinity, "0"), (1e300, "0"),
        ] as [(Double, String)])
    func number(value: Double, text: String) { #expect(SVGCanvas.number(value) == text) }
}
