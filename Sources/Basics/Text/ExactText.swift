/// A text that equals another only if all its bytes do.
///
/// Swift's texts are equal where they look the same: an "é" of one scalar equals one of two. Event files and funnels distinguish the two,
/// so names of what is in files are looked up and compared as ``ExactText``.
package struct ExactText: Sendable, Hashable, Comparable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: ExactText, b: ExactText) -> Bool { a.text.isExactly(b.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }

    package static func < (a: ExactText, b: ExactText) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

extension String {
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    package func begins(exactly prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// The parts between the dots, empty ones included.
    ///
    /// `split` of a text misses a dot that has a combining mark behind it; this does not.
    package var partsBetweenDots: [String] {
        utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The text before each dot, the shortest first: for the path `a.b.c`, `a` and `a.b`, the objects around it.
    package var outerPaths: [ExactText] {
        let keys = partsBetweenDots
        return (1..<max(keys.count, 1)).map { ExactText(keys[..<$0].joined(separator: ".")) }
    }
}
