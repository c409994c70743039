public import Funnels

extension GrammarError {
    /// The error for people, in three lines: what is wrong, the text, and a caret under the place.
    ///
    /// ```
    /// steps, column 4: found the end, expected a step: a name, `*` or `(`
    ///   a >
    ///      ^
    /// ```
    /// It is harmless in a terminal whatever the text holds.
    public func pointing() -> String {
        let before = TerminalText.visible(String(text.prefix(column - 1)))
        let caret = String(repeating: " ", count: TerminalText.width(of: before)) + "^"
        return "\(TerminalText.visible(description))\n  \(TerminalText.visible(text))\n  \(caret)"
    }
}
