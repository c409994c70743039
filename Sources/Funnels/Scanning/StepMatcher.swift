/// Finds the steps and exclusions of one funnel that an event fits: bits 0 to 31 are the steps, bits 32 to 63 the exclusions.
struct StepMatcher: Sendable {
    private let byName: [[UInt8]: UInt64]
    /// The steps and exclusions that every name fits.
    let anyName: UInt64
    /// Whether events that fit nothing are kept too.
    let takesAll: Bool
    /// The tests of properties, each with the bit of its step or exclusion; ``tested`` has all these bits.
    private let tests: [(bit: UInt64, test: CompiledTest)]
    let tested: UInt64

    init(_ definition: FunnelDefinition) {
        var byName: [[UInt8]: UInt64] = [:]
        var anyName: UInt64 = 0
        var tests: [(bit: UInt64, test: CompiledTest)] = []
        for (index, pattern) in Self.numbered(definition) {
            let bit = UInt64(1) << UInt64(index)
            switch pattern.names {
            case .any: anyName |= bit
            case .oneOf(let names): for name in names { byName[Array(name.utf8), default: 0] |= bit }
            }
            // Tests of the session are answered once all lines are read.
            tests += pattern.tests.filter { $0.source == .event }.map { (bit, CompiledTest($0)) }
        }
        (self.byName, self.anyName, self.tests) = (byName, anyName, tests)
        tested = tests.reduce(0) { $0 | $1.bit }
        takesAll = definition.order.keepsUnmatched || definition.compat?.ordersStrictly ?? false
    }

    static func numbered(_ definition: FunnelDefinition) -> [(bit: Int, pattern: EventPattern)] {
        definition.steps.enumerated().map { ($0, $1.pattern) } + definition.exclusions.enumerated().map { ($0 + 32, $1.pattern) }
    }

    /// The steps and exclusions that a name fits, whatever the properties.
    func steps(named name: [UInt8]) -> UInt64 { anyName | byName[name, default: 0] }

    /// Those of `steps` whose tests hold for these properties.
    @inline(__always)
    func steps(of steps: UInt64, holdingFor props: EventProperties) -> UInt64 { steps & tested == 0 ? steps : check(steps, props) }

    private func check(_ steps: UInt64, _ props: EventProperties) -> UInt64 {
        var holding = steps
        for (bit, test) in tests where holding & bit != 0 && !test.holds(in: props) { holding &= ~bit }
        return holding
    }
}
