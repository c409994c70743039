/// Follows the events of each key in turn and finds its chains, by one of the ways to count.
protocol ChainEngine: AnyObject {
    /// Its starts may be set to another range of time than that of the definition.
    var rules: ChainRules { get set }
    /// How many steps the deepest spoilt attempt of the key reached; 0 if none is spoilt. If the key counts nevertheless, it may be 0.
    var spoiltDepth: Int { get }

    /// Takes the events of the next key, by rising time. Calls `body` with each attempt that counts: the best, if there is one, or all.
    ///
    /// - Parameter dataEnd: when the data ends, in milliseconds since 1970 UTC.
    func follow(_ events: UnsafeBufferPointer<StepEvent>, dataEnd: Int64, _ body: (FunnelChain) -> Void)
}

extension ChainEngine { var spoiltDepth: Int { 0 } }

/// What all engines need of a definition.
struct ChainRules {
    let layout: StepLayout
    /// Whether an event that an attempt does not take ends it.
    let isStrict: Bool
    let window: UInt64
    /// In milliseconds, as ``window`` is; the largest number where there is no limit.
    let stepWindow: UInt64
    var starts: StartRange
    /// For each exclusion, the steps on which it spoils attempts, and those on which it ends them, as bits.
    let spoiling: [UInt32]
    let ending: [UInt32]
    /// Whether anything may be spoilt.
    var spoils: Bool
    /// When the data ends, in milliseconds since 1970 UTC, for an engine that asks before it has seen all events of a key.
    var dataEnd = Int64.max

    init(_ definition: FunnelDefinition) {
        layout = StepLayout(definition.steps)
        isStrict = definition.order.keepsUnmatched
        window = UInt64(definition.windowMilliseconds)
        stepWindow = definition.limitingStepWindow.map { UInt64($0) } ?? .max
        starts = StartRange(definition)
        let standing = definition.exclusions.map { $0.standing(of: definition.steps.count) }
        spoiling = zip(definition.exclusions, standing).map { $0.spoils ? $1 : 0 }
        ending = zip(definition.exclusions, standing).map { $0.spoils ? 0 : $1 }
        spoils = definition.exclusions.contains(where: \.spoils)
    }

    @inline(__always)
    func mayStart(at time: Int64) -> Bool { starts.contains(time) }

    /// Whether an attempt can take a step at `time`. As neither `start` nor `last` is later, the differences fit unsigned numbers.
    @inline(__always)
    func allows(start: Int64, last: Int64, at time: Int64) -> Bool {
        UInt64(bitPattern: time &- start) <= window && UInt64(bitPattern: time &- last) <= stepWindow
    }

    /// The steps of all exclusions in a set, as bits. `steps` has those of each exclusion.
    func standing(_ exclusions: UInt32, in steps: [UInt32]) -> UInt32 { exclusions.bitNumbers.reduce(0) { $0 | steps[$1] } }
}

extension Int64 {
    /// Whether a window that begins at this time goes on after the end of the data. One that begins after that end does.
    func isOpen(for window: UInt64, at dataEnd: Int64) -> Bool { self > dataEnd || UInt64(bitPattern: dataEnd &- self) < window }
}
