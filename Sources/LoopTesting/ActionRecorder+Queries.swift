public import LoopFlux

/// Queries over the recorded actions, each O(n).
extension ActionRecorder {
    /// Every action as it was dispatched, muted ones included.
    public var actions: [any Action] { entries.map(\.action) }

    /// The actions that the handlers received.
    public var delivered: [any Action] { entries.compactMap(\.delivered) }

    /// The actions that this recorder swallowed.
    public var muted: [any Action] { entries.filter(\.isMuted).map(\.action) }

    /// The actions of this type.
    public func actions<Recorded: Action>(of type: Recorded.Type) -> [Recorded] { actions.compactMap { $0 as? Recorded } }

    /// The actions of this type for which the condition holds.
    public func actions<Recorded: Action>(of type: Recorded.Type, where isWanted: (Recorded) -> Bool) -> [Recorded] {
        actions(of: type).filter(isWanted)
    }

    /// Whether there was an action of this type for which the condition holds.
    public func contains<Recorded: Action>(_ type: Recorded.Type, where isWanted: (Recorded) -> Bool = { _ in true }) -> Bool {
        actions(of: type).contains(where: isWanted)
    }

    /// How many actions of this type there were.
    public func count<Recorded: Action>(of type: Recorded.Type) -> Int { actions(of: type).count }
}
