/// Notes in words, in their order.
package final class Journal {
    package private(set) var lines: [String] = []

    package init() {}

    package func note(_ line: String) { lines.append(line) }
}
