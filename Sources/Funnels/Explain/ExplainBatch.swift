import EventFiles
import TrackingEvents

/// One event as the search for an explanation begins with it.
struct ExplainedEvent: TimedEvent {
    var time: Int64
    /// The steps and exclusions whose names it has, as ``StepMatcher`` numbers them.
    var named: UInt64
    /// The number of what its properties answer, among those of its batch or pass.
    var answers: UInt32
    /// The number of its texts and 1; 0 where they are not kept.
    var texts: UInt32
    var session: Fingerprint
    /// Of the held property's value.
    var hold: Fingerprint

    var steps: UInt32 { UInt32(truncatingIfNeeded: named) }
}

/// What an explanation shows of an event.
struct ExplainedTexts: Sendable {
    var name: String
    /// Empty where the line has none.
    var id: String
    var user: String
    /// At each of ``TestedPaths/all`` that is the event's own, and at the held property.
    var values: [String?]
    var hold: String?
}

/// What the search for explanations keeps of one batch of lines.
struct ExplainBatch: HeadedBatch {
    /// A user in a session.
    struct Link: Sendable, Hashable {
        var session: Fingerprint
        var user: Fingerprint
    }

    /// Whose events are kept.
    enum Selection: Sendable {
        /// Everybody's that fit a name, without their texts.
        case everybody
        /// All of some keys, with their texts.
        case keys(Set<Fingerprint>)
        /// None; only who else was in some sessions.
        case others(Set<Fingerprint>)
    }

    var head: BatchHead
    private(set) var events: [(number: Int, key: Fingerprint, event: ExplainedEvent)] = []
    private(set) var answers: [[UInt64]] = []
    private(set) var texts: [ExplainedTexts] = []
    /// Events without the key, unless that is the user, of which the head knows.
    private(set) var withoutKey: [UInt32] = []
    private(set) var links: Set<Link> = []
    private(set) var identified: [IdentifiedLine] = []
    private(set) var sessionLines: [SessionLine] = []
    var names: [[UInt8]] { table.names }

    private let asked: AskedFunnel
    private let selection: Selection
    private var table = NameTable()
    private var namedByName: [UInt64] = []
    private var numbers: [[UInt64]: UInt32] = [:]
    private var lastLink: Link?

    init(_ asked: AskedFunnel, _ selection: Selection, expecting lines: Int) {
        (self.asked, self.selection) = (asked, selection)
        head = BatchHead(expecting: lines)
    }

    mutating func take(_ line: EventHead) {
        if head.take(line) { takeEvent(line, number: head.events - 1) } else { takeMeta(line) }
    }

    /// Of a summary's rows only those of the keys are looked at.
    mutating func take(_ rows: inout SummaryRows) {
        guard case .keys(let keys) = selection else {
            while let line = rows.next() { take(line) }
            return
        }
        var seen = Array(repeating: false, count: rows.nameCount)
        while !rows.portion.isEmpty {
            let events = rows.nextEvents()
            let before = head.events - events.lowerBound
            head.take(&rows, events)
            for row in events {
                let code = Int(rows.nameCodes[row])
                if !seen[code] {
                    seen[code] = true
                    _ = named(rows.event(row))
                }
                if asked.key.isUser && !keys.contains(rows.user(row)) { continue }
                var line = rows.event(row)
                if keys.contains(asked.key.fingerprint(line)) { line.idText = rows.idText(row) }
                takeEvent(line, number: before + row)
            }
            if let meta = rows.next() { take(meta) }
        }
    }

    private mutating func takeMeta(_ line: EventHead) {
        if asked.joins, let line = IdentifiedLine(line) { identified.append(line) }
        if !asked.paths.sessionReaders.isEmpty, let line = SessionLine(line, asked.paths.sessionReaders) { sessionLines.append(line) }
    }

    private mutating func named(_ line: EventHead) -> UInt64 {
        let name = table.number(of: line.name)
        if name == namedByName.count { namedByName.append(asked.matcher.steps(named: table.names[name])) }
        return namedByName[name]
    }

    private mutating func takeEvent(_ line: EventHead, number: Int) {
        let named = named(line)
        let session = line.session.isEmpty ? Fingerprint.none : .of(line.session)
        if asked.cohort.asksLines && !asked.cohort.admits(line) { return }
        let key = asked.key.fingerprint(line)
        if key.isNone { withoutKey.append(UInt32(number)) }
        switch selection {
        case .everybody:
            if asked.joins && !session.isNone && !key.isNone { note(Link(session: session, user: key)) }
            if named == 0 && !asked.matcher.takesAll { return }
        case .keys(let keys): if !keys.contains(key) { return }
        case .others(let sessions):
            if sessions.contains(session) && !key.isNone { note(Link(session: session, user: key)) }
            return
        }
        if key.isNone { return }
        var event = ExplainedEvent(time: line.time, named: named, answers: 0, texts: 0, session: session, hold: .none)
        let holding = named == 0 ? asked.paths.all.map { _ in UInt64.max } : asked.paths.holding(in: line.props)
        event.answers = numbers[holding] ?? UInt32(answers.count)
        if event.answers == answers.count {
            numbers[holding] = event.answers
            answers.append(holding)
        }
        if let hold = asked.hold { event.hold = hold.withText(in: line.props) { $0.fingerprint } }
        if case .keys = selection {
            texts.append(ExplainedTexts(line, asked))
            event.texts = UInt32(texts.count)
        }
        events.append((number, key, event))
    }

    /// Most lines follow one of the same user and session.
    private mutating func note(_ link: Link) {
        if link == lastLink { return }
        lastLink = link
        links.insert(link)
    }
}

extension ExplainedTexts {
    fileprivate init(_ line: EventHead, _ asked: AskedFunnel) {
        func text(_ reader: PropertyReader) -> String? {
            reader.withText(in: line.props) { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
        name = String(decoding: line.name, as: UTF8.self)
        id = String(decoding: line.idText, as: UTF8.self)
        user = String(decoding: line.user, as: UTF8.self)
        values = asked.paths.all.map { $0.source == .event ? text($0.reader) : nil }
        hold = asked.hold.flatMap(text)
    }
}

/// A funnel made ready for the search of explanations.
struct AskedFunnel: Sendable {
    let definition: FunnelDefinition
    let matcher: StepMatcher
    let key: KeyReader
    let hold: PropertyReader?
    let joins: Bool
    let cohort: CohortTest
    let paths: TestedPaths

    init(_ definition: FunnelDefinition) {
        self.definition = definition
        matcher = StepMatcher(definition)
        key = KeyReader(definition.key)
        hold = definition.hold.map { PropertyReader(path: $0) }
        joins = definition.identify && definition.key == .user
        cohort = CohortTest(definition.cohort, countedBy: definition.key)
        paths = TestedPaths(definition)
    }

    /// - Parameter withSessions: whether it is asked who was in a session.
    func summaryNeeds(withSessions: Bool) -> SummaryNeeds {
        var needs = SummaryNeeds(key: definition.key, joins: joins, cohort: definition.cohort)
        for path in paths.all where path.source == .event { needs.add(path.path, of: definition.takenNames) }
        if let hold = definition.hold { needs.add(hold, of: definition.takenNames) }
        for reader in paths.sessionReaders { needs.add(reader.path, of: [SessionLine.name]) }
        needs.session = needs.session || withSessions || !paths.sessionReaders.isEmpty
        return needs
    }
}
