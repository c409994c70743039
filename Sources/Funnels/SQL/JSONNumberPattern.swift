import Basics

/// Texts that are numbers by JSON's grammar (RFC 8259 §6), as regular expressions that every engine understands.
enum JSONNumberPattern {
    static let whole = "-?(0|[1-9][0-9]*)"
    static let number = whole + "([.][0-9]+)?([eE][+-]?[0-9]+)?"
}

/// Literals of engines in which a backslash escapes.
enum BackslashLiteral {
    static func quoted(_ text: String) -> String {
        // A line end is escaped, too, or the text would change when the statement is indented.
        let escapes: [Unicode.Scalar: String] = ["\\": #"\\"#, "'": #"\'"#, "\n": #"\n"#, "\0": #"\0"#]
        return "'\(text.replacingScalars { escapes[$0] })'"
    }
}
