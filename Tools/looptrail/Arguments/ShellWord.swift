import Basics

/// Writes arguments so that a shell reads them back as they are.
enum ShellWord {
    /// Whether every shell takes this byte literally.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: ":"),
            UInt8(ascii: ","), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    static func quoted(_ word: String) -> String {
        if !word.isEmpty && word.utf8.allSatisfy(isPlain) { return word }
        return inQuotes(word)
    }

    /// The text between quotes, even where no shell needs them.
    static func inQuotes(_ text: String) -> String {
        "'" + text.replacingScalars { $0 == "'" ? #"'\''"# : nil } + "'"
    }
}
