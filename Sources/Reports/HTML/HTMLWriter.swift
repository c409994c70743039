import CPages

/// Writes HTML and SVG as it comes. All text passes through ``escaped(_:)``; there is no other way in but for text of ours that is
/// known when the program is compiled.
struct HTMLWriter {
    private(set) var html = ""

    /// An element with what is inside it, and a line feed behind it if it is a block of its own.
    mutating func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], isBlock: Bool = false,
        _ inside: (inout HTMLWriter) -> Void
    ) {
        open(name, attributes)
        inside(&self)
        html += "</\(name)>"
        if isBlock { html += "\n" }
    }

    /// An element that holds words of ours.
    mutating func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], isBlock: Bool = false, words: String
    ) {
        element(name, attributes, isBlock: isBlock) { $0.words(words) }
    }

    /// An element that has no end: `meta`.
    mutating func open(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]) {
        html += "<\(name)"
        for (key, value) in attributes { html += " \(key)=\"\(Self.escaped(value))\"" }
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

    /// A fact's value.
    mutating func value(_ fact: ReportFact, in zone: TimeZoneRules) {
        if case .data(let text) = fact.value { data(text) } else { words(fact.shown(in: zone)) }
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
