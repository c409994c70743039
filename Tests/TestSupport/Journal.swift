/// The lines of text that a test notes, in order.
package final class Journal {
    package private(set) var lines: [String] = []

    package init() {}

    package func note(_ line: String) { lines.append(line) }
}
