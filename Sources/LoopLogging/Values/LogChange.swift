/// One place at which two states differ.
public struct LogChange: Sendable, Hashable, CustomStringConvertible {
    /// The way to the place, `cart.items[2].qty`; empty for the state as a whole. Escaped, like everything here.
    public var path: String
    /// What was there; `nil` for what was inserted.
    public var old: String?
    /// What is there; `nil` for what was removed.
    public var new: String?
    /// What there is to say beside or instead of values, such as `1,000 of 2,000 elements replaced by 3`.
    public var note: String?

    /// A change at a path.
    public init(path: String, old: String? = nil, new: String? = nil, note: String? = nil) {
        self.path = path
        self.old = old
        self.new = new
        self.note = note
    }

    /// `cart.items[2].qty: 1 → 2`, `tags: + "new"`, `tags: − "old"`.
    public var description: String {
        let what =
            switch (old, new) {
            case (let old?, let new?): "\(old) → \(new)"
            case (nil, let new?): "+ \(new)"
            case (let old?, nil): "− \(old)"
            case (nil, nil): ""
            }
        let text = [what, note ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        return path.isEmpty ? text : "\(path): \(text)"
    }
}

/// All that was found between two states, or as much of it as is told.
public struct LogChanges: Sendable, Hashable {
    /// So many are told one by one unless another number is given.
    public static let most = 16

    /// The first of the changes, in the order of the state's own parts.
    public var told: [LogChange] = []
    /// How many changes were found beyond these.
    public var more = 0
    /// `false` if the states are so large that the comparison was ended before it was through.
    public var isComplete = true

    /// Whether nothing was found.
    public var isEmpty: Bool { told.isEmpty && more == 0 }

    /// `a: 1 → 2, b: + 3, … 12 more`; `no change` where there is none.
    public var text: String {
        var parts = told.map(\.description)
        if more > 0 { parts.append("… \(more) more") }
        if !isComplete { parts.append("… the rest was not compared") }
        return parts.isEmpty ? "no change" : parts.joined(separator: ", ")
    }
}
