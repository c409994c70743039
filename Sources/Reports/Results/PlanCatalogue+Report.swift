import Basics
public import Funnels
public import TrackingPlans

/// A tracking plan for people to read, with what files say about its events.
public struct PlanCatalogue: Sendable, Reportable {
    public let plan: TrackingPlan
    /// What occurs in files; `nil` if none were read.
    public let seen: EventCatalogue?

    public init(_ plan: TrackingPlan, seen: EventCatalogue? = nil) { (self.plan, self.seen) = (plan, seen) }

    private func entry(of event: PlannedEventDeclaration) -> EventCatalogue.Entry? { seen?.entries.first { $0.name.isExactly(event.name) } }

    private var unplanned: [EventCatalogue.Entry] { seen?.entries.filter { plan.event(named: $0.name) == nil } ?? [] }

    public var section: ReportSection {
        let figures = [ReportFigure(title: "Events", table: events), ReportFigure(title: "Properties", table: properties)]
        let others = [("Lists of values", lists), ("In the files, and not in the plan", strangers)].filter { !$1.rows.isEmpty }
        return ReportSection(
            kind: "plan", title: plan.version.map { "\(plan.name) \($0)" } ?? plan.name, period: seen?.input.period,
            highlights: [
                ReportFact("Events", .count(plan.events.count)),
                ReportFact("Properties", .count(plan.events.reduce(0) { $0 + $1.properties.count })),
            ], makeRecords: { records }, makeFigures: { figures + others.map { ReportFigure(title: $0, table: $1) } },
            quality: seen?.input.facts(key: "user") ?? [])
    }

    /// What files say of an event; no columns if none were read.
    ///
    /// - Parameter entry: gives `nil` for a row without an event, and `.some(nil)` for an event that does not occur.
    private func seen<Row>(_ entry: @escaping (Row) -> EventCatalogue.Entry??) -> [ReportTable.Field<Row>] {
        if seen == nil { return [] }
        return [
            .init("Count", "count") { entry($0).map { .count($0?.count ?? 0) } ?? .none },
            .init("Last seen", "last_seen") { .moment(entry($0)??.lastMilliseconds) },
        ]
    }

    private func value(_ text: String?) -> ReportValue { text.flatMap { $0.isEmpty ? nil : .data($0) } ?? .none }

    private var events: ReportTable {
        ReportTable(
            "The events of the plan", of: plan.events,
            [
                .init("Event", "event") { .data($0.name) }, .init("About", "about") { value($0.about) },
                .init("Since", "since") { value($0.since) }, .init("Owner", "owner") { value($0.owner) },
                .init("Tags", "tags") { value($0.tags.joined(separator: ", ")) },
                .init("Deprecated", "deprecated") { value($0.deprecated) },
            ] + seen { entry(of: $0) })
    }

    /// One row a property, those of any event and of sessions at the end.
    private var properties: ReportTable {
        let owners =
            plan.events.map { (ReportValue.data($0.name), $0.properties) }
            + [(.words("any event"), plan.shared), (.words("a session"), plan.session)]
        let rows: [(owner: ReportValue, property: PlannedProperty)] = owners.flatMap { owner, properties in properties.map { (owner, $0) } }
        return ReportTable(
            "The properties of the plan", of: rows,
            [
                .init("Of", "event") { $0.owner }, .init("Property", "property") { .data($0.property.path) },
                .init("Type", "type") { .words($0.property.kind.rawValue) }, .init("Needed", "required") { .flag(!$0.property.isOptional) },
                .init("Values", "values") { value($0.property.allowed) },
                .init("Sensitive", "sensitive") { .flag($0.property.isSensitive) },
                .init("What it is", "property_about") { value($0.property.about) },
            ])
    }

    private var lists: ReportTable {
        ReportTable(
            "Values that several properties share", of: plan.lists,
            [.init("List", "list") { .data($0.name) }, .init("Values", "values") { .data($0.values.joined(separator: ", ")) }])
    }

    private var strangers: ReportTable {
        ReportTable(
            "Events that occur in the files and are not planned", of: unplanned, [.init("Event", "event") { .data($0.name) }] + seen { $0 })
    }

    private typealias Record = (scope: String, event: PlannedEventDeclaration?, property: PlannedProperty?)

    /// One row a property, those of any event and of sessions at the end; an event without properties has one row.
    private var records: ReportTable {
        let ofEvents = plan.events.flatMap { event -> [Record] in
            event.properties.isEmpty ? [("event", event, nil)] : event.properties.map { ("event", event, $0) }
        }
        let ofOthers: [Record] = plan.shared.map { ("shared", nil, $0) } + plan.session.map { ("session", nil, $0) }
        func bound(_ bound: Double?) -> ReportValue { .words(bound.map(PlanText.number)) }
        let counts: [ReportTable.Field<Record>] = seen { record in record.event.map { entry(of: $0) } }
        let head: [ReportTable.Field<Record>] = [
            .init("place") { .words($0.scope) }, .init("event") { .data($0.event?.name) }, .init("about") { value($0.event?.about) },
            .init("deprecated") { value($0.event?.deprecated) },
        ]
        return ReportTable(
            "One row a property", of: ofEvents + ofOthers,
            head + counts + [
                .init("property") { .data($0.property?.path) }, .init("type") { .words($0.property?.kind.rawValue) },
                .init("required") { $0.property.map { .flag(!$0.isOptional) } ?? .none },
                .init("values") { value($0.property?.values?.all.joined(separator: ", ")) },
                .init("list") { if case .list(let list)? = $0.property?.values { .data(list.name) } else { .none } },
                .init("min") { bound($0.property?.min) }, .init("max") { bound($0.property?.max) },
                .init("sensitive") { $0.property.map { .flag($0.isSensitive) } ?? .none },
                .init("property_about") { value($0.property?.about) },
            ])
    }

    public func lines(in table: TableReport) -> [String] {
        var lines = ["\(table.shown(plan.name)): \(GroupedNumber.counted(plan.events.count, "event"))"]
        for event in plan.events {
            let count = seen == nil ? "" : "  \(table.number(entry(of: event)?.count ?? 0))"
            let about = (event.deprecated.map { "deprecated: \($0)" } ?? event.about).map { "  \(table.shown($0, atMost: 100))" } ?? ""
            lines += [table.shown(event.name) + count + about] + event.properties.map { line($0, in: table) }
        }
        for (title, properties) in [("any event", plan.shared), ("session", plan.session)] where !properties.isEmpty {
            lines += [title] + properties.map { line($0, in: table) }
        }
        if !unplanned.isEmpty {
            lines.append(
                "not in the plan: " + unplanned.map { "\(table.shown($0.name)) (\(table.number($0.count)))" }.joined(separator: ", "))
        }
        if let seen { lines += table.inputLines(seen.input, key: "user") }
        return lines
    }

    private func line(_ property: PlannedProperty, in table: TableReport) -> String {
        let words = [
            property.kind.rawValue, property.isOptional ? "optional" : nil, property.isSensitive ? "sensitive" : nil,
            property.allowed.map { table.shown($0, atMost: 60) }, property.about.map { table.shown($0, atMost: 80) },
        ]
        return "  \(table.shown(property.path)): \(words.compactMap(\.self).joined(separator: ", "))"
    }

    public func text(in json: JSONReport) -> String {
        json.document(
            ["plan": plan.name, "version": plan.version], ["events": JSONRows(plan.events, self.json)],
            ["shared": plan.shared.map(self.json)], ["session": plan.session.map(self.json)], seen?.input.json)
    }

    private func json(_ event: PlannedEventDeclaration) -> JSONObject {
        let entry = entry(of: event)
        let counts: JSONObject = seen == nil ? [:] : ["count": entry?.count ?? 0, "last_ms": entry?.lastMilliseconds]
        return ["event": event.name, "about": event.about, "deprecated": event.deprecated] + counts + ["props": event.properties.map(json)]
    }

    private func json(_ property: PlannedProperty) -> JSONObject {
        [
            "property": property.path, "type": property.kind.rawValue, "optional": property.isOptional, "sensitive": property.isSensitive,
            "min": property.min, "max": property.max, "values": property.values?.all, "about": property.about,
        ]
    }
}

extension PlannedProperty {
    /// The values or the range in words; `nil` where there is neither.
    fileprivate var allowed: String? { values?.all.joined(separator: ", ") ?? range }
}
