public import LoopFlux

/// Questions to what was recorded. All of them look through every action: O(n).
extension ActionRecorder {
    /// Every action as it was dispatched, the muted ones included.
    public var actions: [any Action] { entries.map(\.action) }

    /// The actions that the handlers were told, as they were told.
    public var told: [any Action] { entries.compactMap(\.told) }

    /// The actions that were kept back here.
    public var muted: [any Action] { entries.filter(\.isMuted).map(\.action) }

    /// The actions of exactly this type.
    public func actions<Told: Action>(of type: Told.Type) -> [Told] { actions.compactMap { $0 as? Told } }

    /// The actions of exactly this type for which the condition holds.
    public func actions<Told: Action>(of type: Told.Type, where isWanted: (Told) -> Bool) -> [Told] {
        actions(of: type).filter(isWanted)
    }

    /// Whether there was an action of exactly this type for which the condition holds.
    public func contains<Told: Action>(_ type: Told.Type, where isWanted: (Told) -> Bool = { _ in true }) -> Bool {
        actions(of: type).contains(where: isWanted)
    }

    /// How many actions of exactly this type there were.
    public func count<Told: Action>(of type: Told.Type) -> Int { actions(of: type).count }
}
