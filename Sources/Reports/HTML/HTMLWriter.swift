import CPages

/// Writes HTML and SVG as it comes. All text passes through ``escaped(_:)``; there is no other way in but for text of ours that is
/// known when the program is compiled.
struct HTMLWriter {
    private(set) var html = ""

    /// An attribute that is `nil` is left out.
    typealias Attributes = KeyValuePairs<StaticString, String?>

    /// An element with what is inside it, and a line feed behind it if it is a block of its own.
    mutating func element(
        _ name: StaticString, _ attributes: Attributes = [:], isBlock: Bool = false, _ inside: (inout HTMLWriter) -> Void
    ) {
        open(name, attributes)
        inside(&self)
        html += "</\(name)>"
        if isBlock { html += "\n" }
    }

    /// A block whose parts stand on lines of their own.
    mutating func blocks(_ name: StaticString, _ attributes: Attributes = [:], _ inside: (inout HTMLWriter) -> Void) {
        element(name, attributes, isBlock: true) { writer in
            writer.markup("\n")
            inside(&writer)
        }
    }

    /// An element that holds words of ours.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], isBlock: Bool = false, words: String) {
        element(name, attributes, isBlock: isBlock) { $0.words(words) }
    }

    /// An element that has no end: `meta`.
    mutating func open(_ name: StaticString, _ attributes: Attributes = [:]) {
        html += "<\(name)"
        for (key, value) in attributes { if let value { html += " \(key)=\"\(Self.escaped(value))\"" } }
        html += ">"
    }

    /// Text of ours, or of anybody where its direction is taken care of.
    mutating func words(_ text: String) { html += Self.escaped(text) }

    /// Text from data: what acts is spelled out, and its direction stays its own.
    mutating func data(_ text: String) { html += "<bdi>\(Self.escaped(text))</bdi>" }

    /// A value of a report.
    mutating func value(_ value: ReportValue, in zone: TimeZoneRules) {
        if case .data(let text) = value { data(text) } else { words(value.shown(in: zone)) }
    }

    /// Values under what they are called.
    mutating func list(_ facts: [ReportFact], in zone: TimeZoneRules, kind: String? = nil, isBlock: Bool = false) {
        element("dl", ["class": kind], isBlock: isBlock) { writer in
            for fact in facts {
                writer.element("div") { writer in
                    writer.element("dt", words: fact.label)
                    writer.element("dd", ["class": fact.isAlarm ? "alarm" : nil]) { writer in
                        if case .data(let text) = fact.value { writer.data(text) } else { writer.words(fact.shown(in: zone)) }
                    }
                }
            }
        }
    }

    /// Values under a heading; nothing without any.
    mutating func facts(
        _ heading: StaticString, _ title: (inout HTMLWriter) -> Void, _ facts: [ReportFact], in zone: TimeZoneRules
    ) {
        if facts.isEmpty { return }
        element("div", ["class": "facts"], isBlock: true) { writer in
            writer.element(heading, [:], title)
            writer.list(facts, in: zone)
        }
    }

    /// A sentence about a result, behind what it is of.
    mutating func finding(_ finding: ReportFinding, of subject: (inout HTMLWriter) -> Void = { _ in }) {
        let kind = finding.isLoss ? "finding worse" : finding.isDifference ? "finding" : "finding none"
        element("p", ["class": kind], isBlock: true) { writer in
            subject(&writer)
            if let subject = finding.subject {
                writer.data(subject)
                writer.words(" ")
            }
            writer.words(finding.words)
        }
    }

    /// Markup of ours.
    mutating func markup(_ markup: StaticString) { html += "\(markup)" }

    /// A file of ours.
    mutating func markup(_ file: page_file) {
        html += String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }

    /// What another writer wrote.
    mutating func append(_ other: HTMLWriter) { html += other.html }

    /// JSON inside a `script` element, which ends at `</script` wherever that stands: in JSON these signs occur in texts only,
    /// and there they may be written as numbers.
    mutating func json(_ json: String) {
        for byte in json.unicodeScalars {
            switch byte {
            case "<": html += "\\u003c"
            case ">": html += "\\u003e"
            case "&": html += "\\u0026"
            default: html.unicodeScalars.append(byte)
            }
        }
    }

    /// The text without anything that HTML reads as markup, in content and in quoted attributes, and with every character that acts
    /// spelled out.
    static func escaped(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">") && byte != UInt8(ascii: "&")
                && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
        }
        if isPlain { return text }
        var escaped = ""
        for scalar in TerminalText.visible(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
