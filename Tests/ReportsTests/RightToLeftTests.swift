import TestSupport
import Testing

@testable import Reports

/// A name in Hebrew or Arabic turns the numbers beside it, unless it is isolated.
@Suite("Names that run from right to left")
struct RightToLeftTests {
    /// What stands outside of every isolate, or `nil` where an isolate is not closed, or closed before it began.
    private func outside(_ line: Substring) -> String? {
        var open = 0
        var outside = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\u{2068}": open += 1
            case "\u{2069}": open -= 1
            default: if open == 0 { outside.append(scalar) }
            }
            if open < 0 { return nil }
        }
        return open == 0 ? String(outside) : nil
    }

    private static let widths: [Int?] = isNight ? [nil, 30, 40, 50, 60, 80, 100, 140] : [nil, 30, 50, 100]

    @Test(
        "no line of a table has a name that is not isolated, nor an isolate that is not closed, at any width",
        arguments: widths, ["שלום 12 (a)", "مرحبا", String(repeating: "שלום ", count: 40)])
    func tables(columns: Int?, name: String) throws {
        for result in try SampleResults.everything(named: name) {
            for line in TableReport(TextStyle(width: columns)).text(of: ReportDocument(result)).split(separator: "\n") {
                let rest = try #require(outside(line), "\(line)")
                #expect(!BidiText.needsIsolation(rest), "\(line)")
            }
        }
    }

    @Test func `no format spells out the isolates of ours`() throws {
        for result in try SampleResults.everything(named: "שלום") {
            for format in ReportFormats.texts() {
                #expect(!format.text(of: ReportDocument(result)).contains(#"\u{2068}"#), "\(result.section.kind) \(format.name)")
            }
        }
    }

    @Test func `where only ASCII is wanted there is no isolate`() throws {
        for result in try SampleResults.everything(named: "שלום") {
            let text = TableReport(TextStyle(width: 60, isASCII: true)).text(of: ReportDocument(result))
            #expect(!text.unicodeScalars.contains { $0 == "\u{2068}" || $0 == "\u{2069}" })
        }
    }

    @Test(
        "a part of a text gets back the ends of isolates that were cut off it",
        arguments: [
            ("", ""), ("abc", "abc"), ("\u{2068}a\u{2069}", "\u{2068}a\u{2069}"), ("x \u{2068}a", "x \u{2068}a\u{2069}"),
            ("a\u{2069} x", "\u{2068}a\u{2069} x"), ("a\u{2069} \u{2068}b", "\u{2068}a\u{2069} \u{2068}b\u{2069}"),
            ("\u{2068}a\u{2068}b\u{2069}", "\u{2068}a\u{2068}b\u{2069}\u{2069}"),
        ])
    func closed(part: String, whole: String) {
        #expect(BidiText.closed(part).unicodeScalars.elementsEqual(whole.unicodeScalars))
    }

    @Test("cut from either side, an isolated text stays so and fits", arguments: 1...12)
    func cut(columns: Int) throws {
        let text = "ab \(BidiText.isolated("שלום")) cd"
        for cut in [TerminalText.cut(text, to: columns), TerminalText.cutStart(text, to: columns)] {
            #expect(TerminalText.width(of: cut) <= columns)
            #expect(!BidiText.needsIsolation(try #require(outside(cut[...]))))
        }
    }
}
