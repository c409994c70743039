/// Finds the steps and exclusions of one funnel that an event fits. Names are looked up once per batch and name, properties only
/// where a test asks for one.
///
/// Bits 0 to 31 are the steps, bits 32 to 63 the exclusions.
struct StepMatcher: Sendable {
    private let byName: [[UInt8]: UInt64]
    /// What every event's name fits.
    let anyName: UInt64
    /// Whether events that fit nothing are kept too.
    let takesAll: Bool
    /// What has tests, and the tests of each step and exclusion.
    private let tested: UInt64
    private let tests: [[CompiledTest]]

    init(_ definition: FunnelDefinition) {
        var byName: [[UInt8]: UInt64] = [:]
        var (anyName, tested) = (UInt64(0), UInt64(0))
        var tests = Array(repeating: [CompiledTest](), count: 64)
        for (index, pattern) in Self.numbered(definition) {
            let bit = UInt64(1) << UInt64(index)
            switch pattern.names {
            case .any: anyName |= bit
            case .oneOf(let names): for name in names { byName[Array(name.utf8), default: 0] |= bit }
            }
            // What is asked of the session is answered when all is read.
            tests[index] = pattern.tests.filter { $0.source == .event }.map(CompiledTest.init)
            if !tests[index].isEmpty { tested |= bit }
        }
        self.byName = byName
        self.anyName = anyName
        self.tested = tested
        self.tests = tests
        takesAll = definition.order.keepsUnmatched || definition.compat?.ordersStrictly ?? false
    }

    /// The patterns of a definition, each with its bit's number.
    static func numbered(_ definition: FunnelDefinition) -> [(bit: Int, pattern: EventPattern)] {
        definition.steps.enumerated().map { ($0, $1.pattern) } + definition.exclusions.enumerated().map { ($0 + 32, $1.pattern) }
    }

    /// Whether an event's properties are asked.
    var hasTests: Bool { tested != 0 }

    /// The steps and exclusions that a name fits, whatever the properties.
    func steps(named name: [UInt8]) -> UInt64 { anyName | byName[name, default: 0] }

    /// Those of `steps` whose tests hold for these properties.
    @inline(__always)
    func steps(of steps: UInt64, holdingFor props: UnsafeRawBufferPointer) -> UInt64 {
        steps & tested == 0 ? steps : check(steps, props)
    }

    private func check(_ steps: UInt64, _ props: UnsafeRawBufferPointer) -> UInt64 {
        var holding = steps
        for step in (steps & tested).bitNumbers where !tests[step].allSatisfy({ $0.holds(in: props) }) {
            holding &= ~(1 << UInt64(step))
        }
        return holding
    }
}
