import Basics

package struct LogChange: Sendable, Hashable {
    /// The path to the difference, `cart.items[2].qty`; empty for the state as a whole. Escaped, like everything here.
    package let path: String
    /// What was there; `nil` for what was inserted.
    package var old: String?
    /// What is there; `nil` for what was removed.
    package var new: String?
    /// A remark beside or instead of the values, such as `1,000 of 2,000 elements replaced by 3`.
    package internal(set) var note: String?

    /// `cart.items[2].qty: 1 → 2`, `tags: + "new"`, `tags: − "old"`.
    fileprivate func append(to bytes: ByteBuffer) {
        bytes.append(path.utf8)
        if !path.isEmpty { bytes.append(": ") }
        if let old {
            if new == nil { bytes.append("− ") }
            bytes.append(old.utf8)
        }
        if let new {
            bytes.append(old == nil ? "+ " : " → ")
            bytes.append(new.utf8)
        }
        guard let note else { return }
        if old != nil || new != nil { bytes.append(" ") }
        bytes.append(note.utf8)
    }
}

/// All that was found between two states, or as much of it as is shown.
package struct LogChanges: Sendable, Hashable {
    /// The first of the changes, in the order of the state's own parts.
    package var shown: [LogChange] = []
    /// How many changes were found beyond these.
    package internal(set) var more = 0
    /// `false` if the states are so large that the comparison was ended before it was through.
    package internal(set) var isComplete = true

    package var isEmpty: Bool { shown.isEmpty && more == 0 }

    /// `a: 1 → 2, b: + 3, … 12 more`; `no change` where there is none.
    package var text: String { ByteBuffer.text(capacity: 256, append) }

    func append(to bytes: ByteBuffer) {
        let start = bytes.count
        func separate() { if bytes.count > start { bytes.append(", ") } }
        for change in shown {
            separate()
            change.append(to: bytes)
        }
        if more > 0 {
            separate()
            bytes.append("… \(more) more".utf8)
        }
        if !isComplete {
            separate()
            bytes.append("… the rest was not compared")
        }
        if bytes.count == start { bytes.append("no change") }
    }
}
