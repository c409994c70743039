import Testing

@testable import Reports

@Suite("HTML writer")
struct HTMLWriterTests {
    @Test(
        "text is escaped in content and in attributes",
        arguments: [
            ("a", "a"), ("<b>", "&lt;b&gt;"), ("&amp;", "&amp;amp;"), ("\"'", "&quot;&#39;"), ("a\nb", #"a\nb"#), ("\u{1B}", #"\u{1B}"#),
            ("購入", "購入"), ("\u{202E}", #"\u{202E}"#), ("`=", "`="),
        ])
    func escaped(text: String, html: String) {
        var writer = HTMLWriter()
        writer.element("p", ["title": text], words: text)
        #expect(writer.html == "<p title=\"\(html)\">\(html)</p>")
    }

    @Test func `data keeps its direction to itself`() {
        var writer = HTMLWriter()
        writer.data("<i>")
        writer.isolated("שלום")
        writer.isolated("a")
        #expect(writer.html == "<bdi>&lt;i&gt;</bdi>\u{2068}שלום\u{2069}a")
    }

    @Test func `JSON in a page holds nothing that ends it`() {
        var writer = HTMLWriter()
        writer.json(#"{"a":"</script><!-- & ü"}"#)
        #expect(writer.html == #"{"a":"\u003c/script\u003e\u003c!-- \u0026 ü"}"#)
    }

    @Test(
        "numbers have three digits behind the point at most",
        arguments: [
            (0, "0"), (1, "1"), (0.5, "0.5"), (1.0 / 3, "0.333"), (2.0 / 3, "0.667"), (-1.25, "-1.25"), (-0.0001, "0"), (100, "100"),
            (.nan, "0"), (.infinity, "0"), (1e300, "0"),
        ])
    func number(value: Double, text: String) { #expect(SVGCanvas.number(value) == text) }
}
