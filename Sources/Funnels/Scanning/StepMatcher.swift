/// Finds the steps of one funnel that an event fits. Names are looked up once per batch and name, properties only where a test
/// asks for one.
struct StepMatcher: Sendable {
    private let byName: [[UInt8]: UInt32]
    private let anyName: UInt32
    /// Steps that have tests, and the tests of each step.
    private let tested: UInt32
    private let tests: [[CompiledTest]]

    init(_ definition: FunnelDefinition) {
        var byName: [[UInt8]: UInt32] = [:]
        var (anyName, tested) = (UInt32(0), UInt32(0))
        for (place, step) in definition.steps.enumerated() {
            let bit = UInt32(1) << UInt32(place)
            switch step.pattern.names {
            case .any: anyName |= bit
            case .oneOf(let names): for name in names { byName[Array(name.utf8), default: 0] |= bit }
            }
            if !step.pattern.tests.isEmpty { tested |= bit }
        }
        self.byName = byName
        self.anyName = anyName
        self.tested = tested
        tests = definition.steps.map { $0.pattern.tests.map(CompiledTest.init) }
    }

    /// The steps that a name fits, whatever the properties.
    func steps(named name: [UInt8]) -> UInt32 { anyName | byName[name, default: 0] }

    /// Those of `steps` whose tests hold for these properties.
    @inline(__always)
    func steps(of steps: UInt32, holdingFor props: UnsafeRawBufferPointer) -> UInt32 {
        steps & tested == 0 ? steps : check(steps, props)
    }

    private func check(_ steps: UInt32, _ props: UnsafeRawBufferPointer) -> UInt32 {
        var holding = steps
        var open = steps & tested
        while open != 0 {
            let step = open.trailingZeroBitCount
            open &= open - 1
            if !tests[step].allSatisfy({ $0.holds(in: props) }) { holding &= ~(1 << UInt32(step)) }
        }
        return holding
    }
}
