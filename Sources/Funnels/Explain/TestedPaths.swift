import TrackingEvents

/// What a funnel asks of properties with its tests and its held property, path by path.
struct TestedPaths: Sendable {
    struct Path: Sendable {
        let source: PropertySource
        let path: [String]
        let reader: PropertyReader
        /// Texts that the tests answer differently. `holding` has the patterns whose tests here hold, numbered as ``StepMatcher`` does.
        private(set) var values: [(text: String, holding: UInt64)] = []
        private let tests: [(bit: UInt64, test: CompiledTest)]

        init(_ source: PropertySource, _ path: [String], _ tests: [(bit: Int, test: PropertyTest)]) {
            (self.source, self.path) = (source, path)
            reader = PropertyReader(path: path)
            self.tests = tests.map { (1 << UInt64($0.bit), CompiledTest($0.test)) }
            for text in Self.candidates(tests.map(\.test)) {
                let holding = holding(text)
                if !values.contains(where: { $0.holding == holding }) { values.append((text, holding)) }
            }
        }

        /// The patterns whose tests of this path hold for a text, with the patterns that do not test it; `nil` is a missing value.
        func holding(_ text: String?) -> UInt64 {
            guard var text else { return tests.reduce(.max) { $1.test.holdsWithoutValue ? $0 : $0 & ~$1.bit } }
            return text.withUTF8 { bytes in tests.reduce(.max) { $1.test.holds(for: UnsafeRawBufferPointer(bytes)) ? $0 : $0 & ~$1.bit } }
        }

        /// Texts at, beside and between the tests' values: whatever the tests answer to any text, they answer to one of these, too.
        private static func candidates(_ tests: [PropertyTest]) -> [String] {
            let texts = tests.map(\.value)
            let numbers = texts.compactMap { text in Array(text.utf8).withUnsafeBytes { NumberText($0) } == nil ? nil : Double(text) }
                .sorted()
            let between = zip(numbers, numbers.dropFirst()).map { ($0 + $1) / 2 }
            let others = (numbers.map { $0 + 1 } + numbers.map { $0 - 1 } + between).map { Int64(exactly: $0).map { "\($0)" } ?? "\($0)" }
            let parts = tests.filter { $0.comparison == .contains }.map(\.value)
            let longer = texts.map { $0 + "_" } + [" "] + texts.flatMap { text in parts.map { text + $0 } } + [parts.joined()]
            return (texts + others + longer).filter { !$0.isEmpty }
        }
    }

    private(set) var all: [Path] = []
    /// The index of the held property.
    let hold: Int?
    /// The index of the property that is the funnel's key, if a test asks for it.
    let key: Int?

    init(_ definition: FunnelDefinition) {
        let tests = StepMatcher.numbered(definition).flatMap { bit, pattern in pattern.tests.map { (bit, $0) } }
        let held = definition.hold.map { (PropertySource.event, $0) }
        for (source, path) in tests.map({ ($0.1.source, $0.1.path) }) + [held].compactMap(\.self)
        where !all.contains(where: { $0.source == source && $0.path == path }) {
            all.append(Path(source, path, tests.filter { $0.1.source == source && $0.1.path == path }))
        }
        hold = all.firstIndex { $0.source == .event && $0.path == definition.hold }
        key = all.firstIndex { definition.key == ($0.source == .event ? .property($0.path) : .context($0.path)) }
    }
}
