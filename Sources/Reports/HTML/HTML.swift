import Basics
import CPages

/// HTML and SVG. All text passes through ``escaped(_:)``, except markup that is known at compile time, and the JSON of ``json(_:)``.
struct HTML {
    private(set) var text: String

    /// An attribute that is `nil` is left out.
    typealias Attributes = KeyValuePairs<StaticString, String?>

    static let nothing = HTML(text: "")

    static func += (html: inout HTML, more: HTML) { html.text += more.text }

    static func all(_ parts: [HTML]) -> HTML { HTML(text: parts.map(\.text).joined()) }

    /// An element with what is inside it, and a line feed behind it if it is a block of its own.
    static func element(_ name: StaticString, _ attributes: Attributes, isBlock: Bool = false, _ inside: HTML...) -> HTML {
        let written = attributes.map { key, value in value.map { " \(key)=\"\(escaped($0))\"" } ?? "" }
        return HTML(text: "<\(name)\(written.joined())>\(all(inside).text)</\(name)>\(isBlock ? "\n" : "")")
    }

    static func element(_ name: StaticString, isBlock: Bool = false, _ inside: HTML...) -> HTML {
        element(name, [:], isBlock: isBlock, all(inside))
    }

    /// A block whose parts stand on lines of their own.
    static func blocks(_ name: StaticString, _ attributes: Attributes, _ inside: HTML...) -> HTML {
        element(name, attributes, isBlock: true, markup("\n"), all(inside))
    }

    static func blocks(_ name: StaticString, _ inside: HTML...) -> HTML { blocks(name, [:], all(inside)) }

    /// Looptrail's own words, or any text whose direction is taken care of.
    static func words(_ text: String) -> HTML { HTML(text: escaped(text)) }

    /// Text from data: characters that act are spelled out, and its direction does not reach beyond it.
    static func data(_ text: String) -> HTML { element("bdi", words(text)) }

    /// Text from data inside a picture, where `bdi` is not an element.
    static func isolated(_ text: String) -> HTML { sentence(BidiText.isolated(TerminalText.visible(text))) }

    /// Looptrail's own words with texts from data in them. Isolates stay: those of the data were spelled out before.
    static func sentence(_ text: String) -> HTML {
        HTML(text: text.map { BidiText.isIsolate($0) ? String($0) : escaped(String($0)) }.joined())
    }

    static func value(_ value: ReportValue, in zone: TimeZoneRules) -> HTML {
        if case .data(let text) = value { data(text) } else { words(value.shown(in: zone)) }
    }

    static func list(_ facts: [ReportFact], in zone: TimeZoneRules, kind: String? = nil, isBlock: Bool = false) -> HTML {
        let items = facts.map { fact in
            let value = if case .data(let text) = fact.value { data(text) } else { words(fact.shown(in: zone)) }
            return element("div", element("dt", words(fact.label)), element("dd", ["class": fact.isAlarm ? "alarm" : nil], value))
        }
        return element("dl", ["class": kind], isBlock: isBlock, all(items))
    }

    /// Values under a heading; nothing if there are no values.
    static func facts(_ heading: StaticString, _ title: HTML, _ facts: [ReportFact], in zone: TimeZoneRules) -> HTML {
        if facts.isEmpty { return nothing }
        return element("div", ["class": "facts"], isBlock: true, element(heading, title), list(facts, in: zone))
    }

    /// A sentence about a result, behind a head that says what it is of.
    static func finding(_ finding: ReportFinding, of head: HTML = nothing) -> HTML {
        let kind = finding.isLoss ? "finding worse" : finding.isDifference ? "finding" : "finding none"
        let subject = finding.subject.map { all([data($0), words(" ")]) } ?? nothing
        return element("p", ["class": kind], isBlock: true, head, subject, words(finding.words))
    }

    /// Looptrail's own markup.
    static func markup(_ markup: StaticString) -> HTML { HTML(text: "\(markup)") }

    static func markup(_ file: page_file) -> HTML {
        HTML(text: String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self))
    }

    /// JSON inside a `script` element, which any `</script` would end. `<`, `>` and `&` occur in texts only, and stand there as numbers.
    static func json(_ json: String) -> HTML {
        HTML(text: json.replacingScalars { "<>&".unicodeScalars.contains($0) ? "\\u00\(String($0.value, radix: 16))" : nil })
    }

    /// The text without anything that HTML reads as markup, in content and in quoted attributes. Each character that acts is spelled out.
    static func escaped(_ text: String) -> String {
        TerminalText.visible(text).replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }
}
