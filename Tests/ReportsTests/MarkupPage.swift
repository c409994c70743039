/// A page read back as strictly as XML: each element closed in order, attributes quoted, text without a stray `<` or `&`.
struct MarkupPage {
    private(set) var elements: [String] = []
    /// The name of every attribute, in order.
    private(set) var attributes: [String] = []
    /// The values of every attribute, by its name.
    private(set) var values: [String: [String]] = [:]
    private(set) var problems: [String] = []

    private static let withoutEnd: Set = ["meta", "br"]
    private static let references: Set = ["amp", "lt", "gt", "quot", "#39"]

    init(_ html: String) {
        var open: [String] = []
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<") {
            checkText(rest[..<start], in: open.last)
            guard let end = rest[start...].firstIndex(of: ">") else {
                problems.append("a tag without its end")
                return
            }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.first == "!" {
                if !tag.hasPrefix("!DOCTYPE") { problems.append("a comment") }
            } else if tag.first == "/" {
                if open.popLast() != String(tag.dropFirst()) { problems.append("\(tag) closes something else") }
            } else {
                let name = String(tag.prefix { $0 != " " })
                elements.append(name)
                read(tag.dropFirst(name.count))
                if !Self.withoutEnd.contains(name) { open.append(name) }
            }
        }
        checkText(rest, in: open.last)
        if !open.isEmpty { problems.append("never closed: \(open)") }
    }

    private mutating func read(_ text: Substring) {
        var rest = text
        while rest.first == " " {
            rest = rest.dropFirst()
            let name = String(rest.prefix { $0 != "=" })
            rest = rest.dropFirst(name.count)
            guard rest.hasPrefix("=\"") else { break }
            rest = rest.dropFirst(2)
            let value = rest.prefix { $0 != "\"" }
            checkText(value, in: nil)
            attributes.append(name)
            values[name, default: []].append(String(value))
            rest = rest.dropFirst(value.count + 1)
        }
        if !rest.isEmpty { problems.append("attributes end at \(rest)") }
    }

    private mutating func checkText(_ text: Substring, in element: String?) {
        if element == "style" || element == "script" { return }
        if text.contains(">") { problems.append("a stray > in \(text)") }
        for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            let reference = part.prefix { $0 != ";" }
            if reference.count == part.count || !Self.references.contains(String(reference)) { problems.append("a stray & before \(part)") }
        }
    }
}
