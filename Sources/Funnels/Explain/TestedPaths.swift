import EventFiles
import TrackingEvents

/// What a funnel's tests ask of properties, path by path: which patterns an event fits, and which it would fit with another value.
///
/// Patterns are numbered as ``StepMatcher`` numbers steps and exclusions.
struct TestedPaths: Sendable {
    struct Path: Sendable {
        let source: PropertySource
        let path: [String]
        let reader: PropertyReader
        /// Texts that the tests answer differently, and the patterns whose tests here hold for each.
        private(set) var values: [(text: String, holding: UInt64)] = []
        private let tests: [(bit: UInt64, test: CompiledTest)]

        init(_ source: PropertySource, _ path: [String], _ tests: [(bit: Int, test: PropertyTest)]) {
            (self.source, self.path) = (source, path)
            reader = PropertyReader(path: path)
            self.tests = tests.map { (1 << UInt64($0.bit), CompiledTest($0.test)) }
            for text in Self.candidates(tests.map(\.test)) {
                let holding = Array(text.utf8).withUnsafeBytes { self.holding($0) }
                if !values.contains(where: { $0.holding == holding }) { values.append((text, holding)) }
            }
        }

        /// The patterns whose tests of this path hold for a text; for a missing one with `nil`.
        func holding(_ text: UnsafeRawBufferPointer?) -> UInt64 {
            var holding = UInt64.max
            for (bit, test) in tests where !(text.map(test.holds(for:)) ?? test.holdsWithoutValue) { holding &= ~bit }
            return holding
        }

        /// Texts at, beside and between what the tests compare with: every answer that some text gets, one of these gets.
        private static func candidates(_ tests: [PropertyTest]) -> [String] {
            let texts = tests.map(\.value)
            var candidates = texts
            let numbers = texts.compactMap { text in Array(text.utf8).withUnsafeBytes { NumberText($0) } == nil ? nil : Double(text) }
                .sorted()
            let between = zip(numbers, numbers.dropFirst()).map { ($0 + $1) / 2 }
            for number in numbers.map({ $0 + 1 }) + numbers.map({ $0 - 1 }) + between {
                candidates.append(Int64(exactly: number).map { "\($0)" } ?? "\(number)")
            }
            candidates += texts.map { $0 + "_" } + [" "]
            let parts = tests.filter { $0.comparison == .contains }.map(\.value)
            candidates += texts.flatMap { text in parts.map { text + $0 } } + [parts.joined()]
            return candidates.filter { !$0.isEmpty }
        }
    }

    private(set) var all: [Path] = []
    /// The paths of a session's line, in the order in which ``SessionContexts`` knows them.
    let sessionReaders: [PropertyReader]

    /// - Parameter key: of the funnel; a context of the session is the last of the session's paths.
    init(_ definition: FunnelDefinition) {
        let tests = StepMatcher.numbered(definition).flatMap { bit, pattern in pattern.tests.map { (bit, $0) } }
        for (_, test) in tests where !all.contains(where: { $0.source == test.source && $0.path == test.path }) {
            all.append(Path(test.source, test.path, tests.filter { $0.1.source == test.source && $0.1.path == test.path }))
        }
        var readers = all.filter { $0.source == .session }.map(\.reader)
        if case .context(let path) = definition.key { readers.append(PropertyReader(path: path)) }
        sessionReaders = readers
    }

    /// What holds of an event's own properties, path by path; a session's are not known yet.
    func holding(in properties: UnsafeRawBufferPointer) -> [UInt64] {
        all.map { path in path.source == .session ? .max : path.reader.withText(in: properties) { path.holding($0) } }
    }

    /// What holds of a session's properties as they were at a time, in front of what holds of the event's own.
    func answered(_ holding: [UInt64], in session: Fingerprint, at time: Int64, _ contexts: SessionContexts) -> [UInt64] {
        var (holding, number) = (holding, 0)
        for (index, path) in all.enumerated() where path.source == .session {
            let value = contexts.value(number, of: session, at: time)
            holding[index] = value.map { $0.withUnsafeBytes { path.holding($0) } } ?? path.holding(nil)
            number += 1
        }
        return holding
    }
}
