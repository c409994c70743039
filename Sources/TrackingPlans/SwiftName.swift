import Basics

/// Names of a plan as names of Swift.
///
/// Words end at anything but letters and digits, and before a capital after a small letter: `cart_added` and `cartAdded` have the same two.
package enum SwiftName {
    /// Swift's keywords that cannot be a name without backticks (The Swift Programming Language, "Lexical Structure").
    private static let reserved: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
        "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        func end() {
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        for scalar in text.unicodeScalars {
            // A name of Swift may have some of the numbers and marks that are not alphabetic. Of all these only 0 to 9 stay.
            guard scalar.properties.isAlphabetic && scalar.properties.isXIDContinue || ("0"..."9").contains(scalar) else {
                end()
                wasSmall = false
                continue
            }
            if wasSmall && scalar.properties.isUppercase { end() }
            word.unicodeScalars.append(scalar)
            wasSmall = scalar.properties.isLowercase
        }
        end()
        return words
    }

    package static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// A type's name; `nil` if nothing is left of one of the texts.
    package static func type(_ texts: String...) -> String? { type(texts, taken: []) }

    /// The types that the generated source itself names; a nested type of the same name would hide one.
    static let takenTypes: Set<String> = [
        "Bool", "CaseIterable", "Double", "Equatable", "Int", "Made", "PlannedEvent", "Sendable", "String", "Swift", "TrackingEvent",
        "TrackingProperties", "TrackingValue",
    ]

    package static func nestedType(_ texts: String...) -> String? { type(texts, taken: takenTypes) }

    private static func type(_ texts: [String], taken: Set<String>) -> String? {
        let parts = texts.map { words($0).map(capitalised).joined() }
        if parts.contains("") { return nil }
        let name = parts.joined()
        let isTaken = taken.contains(name) || ["Type", "Protocol", "Self", "Any"].contains(name)
        return isTaken ? name + "_" : begun(name)
    }

    /// The name of an event's function: a member's name, with `_` behind it if Swift or the generated type has that name already.
    package static func function(_ event: String) -> String? {
        member(event).map { ["init", "self", "trackingEvent"].contains($0) ? $0 + "_" : $0 }
    }

    /// A member's or a parameter's name, without backticks; `nil` if nothing is left of the text.
    package static func member(_ text: String) -> String? {
        let words = words(text)
        return words.first.map { begun($0.lowercased() + words.dropFirst().map(capitalised).joined()) }
    }

    /// Puts `_` before a name that begins with a digit or a mark: Swift refuses those.
    private static func begun(_ name: String) -> String { name.unicodeScalars.first?.properties.isXIDStart == true ? name : "_" + name }

    package static func declared(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

    package static func literal(_ text: String) -> String {
        let literal = text.replacingScalars { scalar in
            if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
            if scalar == "\n" { return "\\n" }
            let escaped: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
            return escaped.contains(scalar.properties.generalCategory) ? "\\u{\(String(scalar.value, radix: 16))}" : nil
        }
        return "\"\(literal)\""
    }
}
