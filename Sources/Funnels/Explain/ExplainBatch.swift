import EventFiles

/// One event of a key: of the data, or one that the search for an explanation changed or added.
struct TrialEvent: Sendable {
    var time: Int64
    /// The steps and exclusions whose names it has, as ``StepMatcher`` numbers them.
    var named: UInt64
    /// The text at each of ``TestedPaths/all``. Texts of the session are filled in once all is read.
    var values: [String?]
    var session: Fingerprint
    /// The time of the session's line whose context the event has; `nil` without such a line.
    var line: Int64?
    var name: String
    /// Empty where the line has none.
    var id = ""
}

/// A funnel made ready for the search of explanations.
struct AskedFunnel: Sendable {
    let plan: CompiledFunnel
    let funnel: CompiledFunnel.Single
    let paths: TestedPaths

    /// Counts users without groups, whatever the funnel counts: the search explains keys.
    init(_ definition: FunnelDefinition) {
        var definition = definition
        (definition.counting, definition.breakdown) = (.users, nil)
        plan = CompiledFunnel([definition], keepsKeys: true)
        funnel = plan.funnels[0]
        paths = TestedPaths(definition)
    }

    func summaryNeeds(_ selection: ExplainBatch.Selection) -> SummaryNeeds {
        var needs = plan.summaryNeeds
        needs.session = needs.session || funnel.joinsKeys
        needs.countsLines = !selection.keys.all.isEmpty
        return needs
    }
}

/// What the search for explanations keeps of one batch of lines.
struct ExplainBatch: HeadedBatch {
    struct Link: Sendable, Hashable {
        var session: Fingerprint
        var user: Fingerprint
    }

    /// Keys whose events are kept, and sessions whose users are looked for.
    struct Selection: Sendable {
        let keys: FingerprintNumbers
        let sessions: FingerprintNumbers

        init(keys: Set<Fingerprint> = [], sessions: Set<Fingerprint> = []) {
            (self.keys, self.sessions) = (FingerprintNumbers(keys), FingerprintNumbers(sessions))
        }
    }

    var head: BatchHead
    private(set) var events: [(number: Int, key: Fingerprint, user: Fingerprint, event: TrialEvent)] = []
    /// The numbers of events without the key. Where the key is the user, the head's own count is used instead.
    private(set) var withoutKey: [UInt32] = []
    /// Where the key is the session's context, the number, the session and the time of each event that has a session.
    private(set) var sessions: [(number: Int, session: Fingerprint, time: Int64)] = []
    private(set) var links: Set<Link> = []
    private(set) var keyTexts: [Fingerprint: String] = [:]
    /// When each session that is asked for had its last event, where sessions are keys.
    private(set) var lastOfSession: [Fingerprint: Int64] = [:]
    private(set) var identified: [IdentifiedLine] = []
    private(set) var sessionLines: [SessionLine] = []
    var names: [[UInt8]] { table.names }

    private let asked: AskedFunnel
    private let selection: Selection
    private var table = NameTable()
    private var named: [(text: String, patterns: UInt64)] = []

    init(_ asked: AskedFunnel, _ selection: Selection, expecting lines: Int) {
        (self.asked, self.selection) = (asked, selection)
        head = BatchHead(expecting: selection.keys.all.isEmpty ? 0 : lines)
    }

    mutating func take(_ line: EventHead) {
        if head.take(line) {
            takeEvent(line, number(of: line.name), event: head.events - 1) { line.idText }
        } else {
            if asked.plan.joins, let line = IdentifiedLine(line) { identified.append(line) }
            if !asked.plan.sessionPaths.isEmpty, let line = SessionLine(line, asked.plan.sessionPaths) { sessionLines.append(line) }
        }
    }

    /// Where users are keys, skips the rows of a summary that have none of the asked users, or none of the asked sessions.
    mutating func take(_ rows: inout SummaryRows) {
        let isUser = asked.plan.keys[0].isUser
        let isUserAsked = isUser && selection.sessions.all.isEmpty ? rows.users { selection.keys.known($0) != nil } : nil
        let isSessionAsked = isUser && selection.keys.all.isEmpty ? rows.sessions { selection.sessions.known($0) != nil } : nil
        var names = Array(repeating: -1, count: rows.nameCount)
        while !rows.portion.isEmpty {
            let (events, before) = head.takeEvents(of: &rows)
            for row in events {
                let code = Int(rows.nameCodes[row])
                if names[code] < 0 { names[code] = number(of: rows.event(row).name) }
                if let isUserAsked, !(rows.userNumber(row).map { isUserAsked[$0] } ?? false) { continue }
                if let isSessionAsked, !(rows.sessionNumber(row).map { isSessionAsked[$0] } ?? false) { continue }
                takeEvent(rows.event(row), names[code], event: before + row) { rows.idText(row) }
            }
            if let meta = rows.next() { take(meta) }
        }
    }

    private mutating func number(of name: UnsafeRawBufferPointer) -> Int {
        let number = table.number(of: name)
        if number == named.count {
            named.append((String(decoding: name, as: UTF8.self), asked.funnel.matcher.steps(named: table.names[number])))
        }
        return number
    }

    private mutating func takeEvent(_ line: EventHead, _ name: Int, event number: Int, id: () -> UnsafeRawBufferPointer) {
        let key = asked.plan.keys[0].fingerprint(line)
        let (isWanted, session) = (selection.keys.known(key) != nil, line.session.fingerprint)
        if isWanted && asked.plan.asksForSilence { lastOfSession[key] = max(lastOfSession[key] ?? .min, line.time) }
        if key.isNone { return withoutKey.append(UInt32(number)) }
        if asked.funnel.questions.key != nil { sessions.append((number, session, line.time)) }
        if asked.funnel.cohort.asksLines && !asked.funnel.cohort.admits(line) { return }
        if asked.funnel.joinsKeys, !session.isNone, isWanted || selection.sessions.known(session) != nil {
            links.insert(Link(session: session, user: key))
        }
        guard isWanted, named[name].patterns != 0 || asked.funnel.matcher.takesAll else { return }
        if keyTexts[key] == nil { keyTexts[key] = asked.plan.keys[0].withText(line) { String(decoding: $0, as: UTF8.self) } }
        let values = asked.paths.all.map { path in
            path.source == .session
                ? nil : line.properties.withText(at: path.reader) { text in text.map { String(decoding: $0, as: UTF8.self) } }
        }
        let event = TrialEvent(
            time: line.time, named: named[name].patterns, values: values, session: session, name: named[name].text,
            id: String(decoding: id(), as: UTF8.self))
        events.append((number, key, line.user.fingerprint, event))
    }
}
