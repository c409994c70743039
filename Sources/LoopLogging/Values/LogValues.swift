import Basics
import LoopCore

/// How a log looks into values that do not describe themselves. The text is the same either way.
public enum LogReflection: Sendable, Hashable {
    /// What a type holds is asked of the Swift runtime once; its values are then read where they lie.
    case inPlace
    /// Each value is looked at through `Mirror`, not through functions without a public spelling: ten fields take several times as long.
    case mirror
}

/// How events, states and errors become text in a log: described, cut to a limit, made fit for one line, with sensitive values masked.
///
/// ```swift
/// system.attach(.log(LogOptions(values: LogValues(event: { _ in "" }, state: { "\($0.cart.count) in the cart" }))))
/// ```
/// What the closures return is data like any other: it is cut and escaped too.
public struct LogValues<State, Event>: Sendable {
    let limit: Int
    let describeEvent: (@Sendable (Event) -> String)?
    let describeState: (@Sendable (State) -> String)?
    package var reflection: LogReflection
    /// What an attached log keeps from line to line; `nil` where a text is made once in a while.
    private var keeper: LogScratchKeeper?

    /// - Parameters:
    ///   - limit: how much of each value is shown, in Unicode scalars before escaping; a cut value ends in `…`. 256 keep a line readable.
    ///   - event: describes an event, in place of `String(describing:)`. The event's name is shown in any case.
    ///   - state: describes a state, in place of `String(describing:)`.
    ///   - reflection: how a log looks into values.
    public init(
        limit: Int = 256, event: (@Sendable (Event) -> String)? = nil, state: (@Sendable (State) -> String)? = nil,
        reflection: LogReflection = .inPlace
    ) { (self.reflection, self.limit, describeEvent, describeState) = (reflection, min(max(limit, 0), .max - 1), event, state) }

    /// These settings with a cache of what is found out about types, for many lines.
    package func keepingLayouts() -> LogValues {
        var values = self
        values.keeper = LogScratchKeeper(reflection)
        return values
    }

    func line(_ write: (LogLine<State, Event>) -> Void) -> String {
        use { scratch in
            write(LogLine(values: self, scratch: scratch))
            return scratch.bytes.text
        }
    }

    private func use<Result>(_ body: (LogScratch) -> Result) -> Result {
        keeper?.use(body) ?? body(LogScratch(layouts: nil, bytes: ByteBuffer(capacity: 512)))
    }

    /// The event's name and what it carries: `load(sku: "a1")`. A description that does not begin with the name has it in front.
    public func text(ofEvent event: Event) -> String { line { $0.event(event) } }

    /// The name alone: `load`.
    package func text(ofNameOf event: Event) -> String { line { $0.text(made: $0.eventName(event)) } }

    /// The state, or what the closure for states says of it.
    public func text(ofState state: State) -> String { line { $0.state(state) } }

    /// What the error says of itself.
    public func text(ofError error: any Error) -> String { line { $0.value(error) } }

    /// What two states differ in: `a: 1 → 2, b: + 3, … 12 more`; `no change` if nothing. Each value is cut as ``text(ofState:)`` does.
    ///
    /// - Parameter max: how many changes are shown one by one.
    /// - Complexity: that of the parts' own `==`, which compares equal parts; of what differs, some ten thousand values are looked at.
    public func text(ofChangesFrom old: State, to new: State, max: Int = 16) -> String { changes(from: old, to: new, max: max).text }

    package func changes(from old: State, to new: State, max: Int = 16) -> LogChanges { use { changes(from: old, to: new, max: max, $0) } }

    func changes(from old: State, to new: State, max: Int, _ scratch: LogScratch) -> LogChanges {
        var diff = StateDiff(limit: limit, maxChanges: max, layouts: scratch.layouts, bytes: scratch.bytes)
        if !diff.compareInPlace(old, new) { diff.compare(old, new) }
        return diff.changes
    }
}
