/// The lines in which two values differ, `-` for what was expected and `+` for what was found.
///
/// Values that print alike are shown as they are, once.
func difference<Value>(expected: Value, found: Value) -> String {
    let expectedLines = lines(of: expected)
    let foundLines = lines(of: found)
    let changes = foundLines.difference(from: expectedLines)
    if changes.isEmpty { return "both print as\n    " + expectedLines.joined(separator: "\n    ") }
    var text: [String] = []
    for change in changes.removals {
        if case .remove(_, let line, _) = change { text.append("  - \(line)") }
    }
    for change in changes.insertions {
        if case .insert(_, let line, _) = change { text.append("  + \(line)") }
    }
    return text.joined(separator: "\n")
}

private func lines<Value>(of value: Value) -> [String] {
    var text = ""
    dump(value, to: &text)
    return text.split(separator: "\n").map(String.init)
}
