/// The step grammar, read by recursive descent.
///
/// ```
/// steps  = step *( ">" step )
/// step   = ( name / "*" / "(" name *( "|" name ) ")" ) [ "[" test *( "," test ) "]" ] [ "?" ]
/// test   = path op value          op = one of FilterOperator.allCases
/// name   = bare / quoted
/// path   = segment *( "." segment )             segment = bare / quoted
/// ```
/// Blanks, tabs and line ends around a piece are ignored; inside a bare name, tabs and line ends are refused.
struct StepGrammar {
    /// The most steps of a funnel: as many as ``StepEvent/steps`` has bits.
    static let mostSteps = 32

    var cursor: GrammarCursor
    /// A character that ends a path outside quotes; `nil` for none.
    private var mark: Unicode.Scalar?

    /// Where the parts of a pattern begin, in scalars from 0.
    struct PatternColumns {
        /// None for `*`.
        var names: [(name: String, index: Int)] = []
        var tests: [Int] = []
    }

    /// Where the parts of each pattern read so far begin, in order.
    private(set) var columns: [PatternColumns] = []

    init(_ text: String, subject: String = "steps") { cursor = GrammarCursor(text, subject: subject) }

    /// Characters that a bare name cannot hold. It cannot hold control characters either.
    static func endsName(_ scalar: Unicode.Scalar) -> Bool { ">()|[]?\"@!".unicodeScalars.contains(scalar) }

    /// Characters that end a bare segment of a path: those that end a name, and some more.
    static func endsSegment(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == "," || FilterOperator.signs.contains(scalar) || endsName(scalar)
    }

    static func endsValue(_ scalar: Unicode.Scalar) -> Bool { scalar == "," || scalar == "]" || scalar == "\"" }

    /// No bare text begins or ends with one of these: they were meant to be straight quotes.
    static let curlyQuotes: [Unicode.Scalar] = ["\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{201A}", "\u{AB}", "\u{BB}"]

    mutating func steps() throws(GrammarError) -> [FunnelStep] {
        var steps: [FunnelStep] = []
        while true {
            cursor.skipSpace()
            if steps.count == Self.mostSteps { throw cursor.failure(expected: "at most \(Self.mostSteps) steps", found: "one more step") }
            let pattern = try pattern()
            let end = cursor.position
            let isOptional = cursor.take("?")
            if isOptional && steps.isEmpty { throw cursor.failure(expected: "`>` or the end: the first step is never optional", at: end) }
            steps.append(FunnelStep(pattern, isOptional: isOptional))
            cursor.skipSpace()
            if cursor.current == nil { return steps }
            if !cursor.take(">") { throw cursor.failure(expected: expectedAfterStep(pattern, isOptional)) }
        }
    }

    /// `[ "props." / "session." ] path`, a property as flags name it, to the end or a mark.
    ///
    /// - Parameters:
    ///   - mark: ends the property outside quotes, as the end of the text does. If there is a mark, a comma ends it, too.
    ///   - expected: what could stand here, for the error.
    mutating func property(
        before mark: Unicode.Scalar? = nil, expected: String = "the name of a property or `session.<path>`"
    ) throws(GrammarError) -> FunnelBreakdown.Property {
        self.mark = mark
        cursor.skipSpace()
        if cursor.current == nil || cursor.current == mark { throw cursor.failure(expected: expected) }
        let source = [PropertySource.event, .session].first { cursor.stands($0.prefix) }
        if let source { cursor.skip(source.prefix) }
        let path = try path()
        let isOver = cursor.current == nil || mark != nil && (cursor.current == mark || cursor.current == ",")
        guard isOver else { throw cursor.failure(expected: "`.` or the end") }
        return FunnelBreakdown.Property(source: source ?? .event, path: path)
    }

    /// `name`, `*` or a group, with its tests. `kind` is what it is, for the error.
    mutating func pattern(of kind: String = "a step") throws(GrammarError) -> EventPattern {
        columns.append(PatternColumns())
        let names = try names(of: kind)
        let tests = cursor.take("[") ? try tests() : []
        cursor.skipSpace()
        return EventPattern(names: names, tests: tests)
    }

    private func expectedAfterStep(_ pattern: EventPattern, _ isOptional: Bool) -> String {
        if isOptional { return "`>` or the end" }
        let needsQuotes = cursor.current.map { "\"@!)|]".unicodeScalars.contains($0) } ?? false
        return (pattern.tests.isEmpty ? "`[`, " : "") + "`?`, `>` or the end"
            + (needsQuotes ? " (a name with this character in it goes in quotes)" : "")
    }

    private mutating func names(of kind: String) throws(GrammarError) -> EventPattern.Names {
        let isGroup = cursor.take("(")
        var list: [String] = []
        repeat {
            if isGroup { cursor.skipSpace() }
            let start = cursor.position
            let name = try name(expected: isGroup ? "a name" : "\(kind): a name, `*` or `(`")
            if name == "*", cursor.slice(start..<start + 1) == "*" {
                if !isGroup { return .any }
                throw cursor.failure(expected: "a name: `*` stands alone, for any event (an event of that name is `\"*\"`)", at: start)
            }
            columns[columns.count - 1].names.append((name, start))
            list.append(name)
        } while isGroup && cursor.take("|")
        if isGroup && !cursor.take(")") { throw cursor.failure(expected: "`|` or `)`") }
        return .oneOf(list)
    }

    private mutating func name(expected: String) throws(GrammarError) -> String {
        cursor.current == "\"" ? try quoted() : try bare(expected: expected, endsAt: Self.endsName)
    }

    private mutating func bare(expected: String, endsAt ends: (Unicode.Scalar) -> Bool) throws(GrammarError) -> String {
        let start = cursor.position
        while let scalar = cursor.current, !ends(scalar) { cursor.advance() }
        let range = cursor.trimmed(start..<cursor.position)
        if let control = cursor.scalars[range].firstIndex(where: { $0.properties.generalCategory == .control }) {
            throw cursor.failure(expected: "a name without control characters (or the name in quotes)", at: control)
        }
        if range.isEmpty { throw cursor.failure(expected: expected) }
        return try withoutCurlyQuotes(range)
    }

    /// The bare text in a range. Throws if the text begins or ends with a curly quote.
    private func withoutCurlyQuotes(_ range: Range<Int>) throws(GrammarError) -> String {
        let text = cursor.slice(range)
        for index in [range.lowerBound, range.upperBound - 1] where Self.curlyQuotes.contains(cursor.scalars[index]) {
            throw cursor.failure(expected: "a straight quote, `\"` (a text with this character in it goes in quotes)", at: index)
        }
        return text
    }

    private mutating func quoted() throws(GrammarError) -> String {
        let opening = cursor.position
        cursor.advance()
        var text = String.UnicodeScalarView()
        while let scalar = cursor.current {
            if scalar == "\"" {
                cursor.advance()
                return String(text)
            }
            if scalar == "\\" {
                let lone = cursor.position
                cursor.advance()
                guard let escaped = cursor.current, escaped == "\"" || escaped == "\\" else {
                    throw cursor.failure(expected: "`\\\"` or `\\\\`: there are no other escapes", found: "a lone `\\`", at: lone)
                }
                text.append(escaped)
            } else {
                text.append(scalar)
            }
            cursor.advance()
        }
        throw cursor.failure(expected: "`\"`, to close the one at column \(cursor.slice(0..<opening).count + 1)")
    }

    private mutating func tests() throws(GrammarError) -> [PropertyTest] {
        var tests: [PropertyTest] = []
        while true {
            cursor.skipSpace()
            columns[columns.count - 1].tests.append(cursor.position)
            let (source, path) = try testPath()
            let comparison = try comparison()
            let value = try value()
            tests.append(PropertyTest(path: path, in: source, comparison: comparison, value: value))
            if cursor.take("]") { return tests }
            if !cursor.take(",") { throw cursor.failure(expected: "`,` or `]`") }
        }
    }

    /// A test's path, which leads into the event's properties, or after a bare `session.` into the session's.
    private mutating func testPath() throws(GrammarError) -> (PropertySource, [String]) {
        cursor.skipSpace()
        let (start, isBare) = (cursor.position, cursor.current != "\"")
        let path = try path()
        guard isBare, path.count > 1 else { return (.event, path) }
        if path[0] == "props" {
            let meant = GrammarText.path(Array(path.dropFirst()))
            throw cursor.failure(
                expected: "`\(meant)`: tests ask about the event's properties (one that is called props is `\"props\"`)", found: "`props.`",
                at: start)
        }
        return path[0] == "session" ? (.session, Array(path.dropFirst())) : (.event, path)
    }

    private mutating func path() throws(GrammarError) -> [String] {
        var path: [String] = []
        repeat {
            cursor.skipSpace()
            let mark = mark
            path.append(
                cursor.current == "\"" ? try quoted() : try bare(expected: "a property's key") { Self.endsSegment($0) || $0 == mark })
            cursor.skipSpace()
        } while cursor.take(".")
        return path
    }

    private mutating func comparison() throws(GrammarError) -> FilterOperator {
        let start = cursor.position
        guard let found = takeOperator() else {
            throw cursor.failure(expected: "\(FilterOperator.allCases.map { "`\($0)`" }.joined(separator: ", ")), or `.` and a deeper key")
        }
        let only = cursor.position
        var end = only
        cursor.skipSpace()
        while takeOperator() != nil {
            end = cursor.position
            cursor.skipSpace()
        }
        if end == only { return found }
        let signs = cursor.slice(start..<end)
        throw cursor.failure(
            expected: "`\(FilterOperator.meant(by: signs))` (a value that begins with an operator goes in quotes)", found: "`\(signs)`",
            at: start)
    }

    /// Steps over one operator, the longest that stands here.
    private mutating func takeOperator() -> FilterOperator? {
        let found = FilterOperator.allCases.filter { cursor.stands($0.spelling) }.max { $0.spelling.count < $1.spelling.count }
        if let found { cursor.skip(found.spelling) }
        return found
    }

    private mutating func value() throws(GrammarError) -> String {
        cursor.skipSpace()
        if cursor.current == "\"" { return try quoted() }
        let start = cursor.position
        while let scalar = cursor.current, !Self.endsValue(scalar) { cursor.advance() }
        if cursor.current == "\"" { throw cursor.failure(expected: "`,` or `]` (a value with quotes in it goes in quotes)") }
        let range = cursor.trimmed(start..<cursor.position)
        if range.isEmpty { throw cursor.failure(expected: "a value (the empty one is `\"\"`)") }
        return try withoutCurlyQuotes(range)
    }
}
