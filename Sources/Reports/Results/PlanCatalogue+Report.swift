import Basics
public import Funnels
public import TrackingPlans

/// A tracking plan for people to read, with what files say about its events.
public struct PlanCatalogue: Sendable {
    public let plan: TrackingPlan
    /// What occurs in files; `nil` if none were read.
    public let seen: EventCatalogue?

    public init(_ plan: TrackingPlan, seen: EventCatalogue? = nil) {
        self.plan = plan
        self.seen = seen
    }

    private func entry(of event: PlannedEventDeclaration) -> EventCatalogue.Entry? { seen?.entries.first { $0.name.isExactly(event.name) } }

    /// Names in the files that the plan does not have.
    private var unplanned: [EventCatalogue.Entry] { seen?.entries.filter { plan.event(named: $0.name) == nil } ?? [] }
}

extension PlanCatalogue: Reportable {
    public var section: ReportSection {
        var figures = [ReportFigure("Events", table: events)]
        figures.append(ReportFigure("Properties", table: properties))
        if !plan.lists.isEmpty { figures.append(ReportFigure("Lists of values", table: lists)) }
        if !unplanned.isEmpty { figures.append(ReportFigure("In the files, and not in the plan", table: strangers)) }
        return ReportSection(
            kind: "plan", title: plan.version.map { "\(plan.name) \($0)" } ?? plan.name, period: seen?.input.period,
            highlights: [
                ReportFact("Events", .count(plan.events.count)),
                ReportFact("Properties", .count(plan.events.reduce(0) { $0 + $1.properties.count })),
            ], records: records, figures: figures, quality: seen?.input.facts(key: "user") ?? [])
    }

    private func seenValues(_ entry: EventCatalogue.Entry?) -> [ReportValue] {
        seen == nil ? [] : [.count(entry?.count ?? 0), .moment(entry?.lastMilliseconds)]
    }

    private var seenColumns: [ReportTable.Column] {
        seen == nil ? [] : [.init("Count", key: "count"), .init("Last seen", key: "last_seen")]
    }

    private func value(_ text: String?) -> ReportValue { text.flatMap { $0.isEmpty ? nil : .data($0) } ?? .none }

    private var events: ReportTable {
        ReportTable(
            "The events of the plan",
            columns: [
                .init("Event", key: "event"), .init("About", key: "about"), .init("Since", key: "since"), .init("Owner", key: "owner"),
                .init("Tags", key: "tags"), .init("Deprecated", key: "deprecated"),
            ] + seenColumns,
            rows: plan.events.map { event in
                [
                    .data(event.name), value(event.about), value(event.since), value(event.owner),
                    value(event.tags.joined(separator: ", ")), value(event.deprecated),
                ] + seenValues(entry(of: event))
            })
    }

    /// One row a property, those of any event and of sessions at the end.
    private var properties: ReportTable {
        let owners =
            plan.events.map { (ReportValue.data($0.name), $0.properties) }
            + [(.words("any event"), plan.shared), (.words("a session"), plan.session)]
        return ReportTable(
            "The properties of the plan", columns: [.init("Of", key: "event")] + Self.propertyColumns,
            rows: owners.flatMap { owner, properties in properties.map { [owner] + row($0) } })
    }

    private static let propertyColumns: [ReportTable.Column] = [
        .init("Property", key: "property"), .init("Type", key: "type"), .init("Needed", key: "required"), .init("Values", key: "values"),
        .init("Sensitive", key: "sensitive"), .init("What it is", key: "property_about"),
    ]

    private func row(_ property: PlannedProperty) -> [ReportValue] {
        [
            .data(property.path), .words(property.kind.rawValue), .flag(!property.isOptional), value(property.allowed),
            .flag(property.isSensitive), value(property.about),
        ]
    }

    private var lists: ReportTable {
        ReportTable(
            "Values that several properties share", columns: [.init("List", key: "list"), .init("Values", key: "values")],
            rows: plan.lists.map { [.data($0.name), .data($0.values.joined(separator: ", "))] })
    }

    private var strangers: ReportTable {
        ReportTable(
            "Events that occur in the files and are not planned", columns: [.init("Event", key: "event")] + seenColumns,
            rows: unplanned.map { [.data($0.name)] + seenValues($0) })
    }

    /// One row a property, those of any event and of sessions at the end; an event without properties has one row.
    private var records: ReportTable {
        let columns: [ReportTable.Column] = [
            .init("Property", key: "property"), .init("Type", key: "type"), .init("Needed", key: "required"),
            .init("Values", key: "values"), .init("List", key: "list"), .init("From", key: "min"), .init("To", key: "max"),
            .init("Sensitive", key: "sensitive"), .init("What it is", key: "property_about"),
        ]
        func bound(_ bound: Double?) -> ReportValue { bound.map { .words(PlannedProperty.text($0)) } ?? .none }
        func row(_ property: PlannedProperty) -> [ReportValue] {
            let list: ReportValue = if case .list(let list) = property.values { .data(list.name) } else { .none }
            return [
                .data(property.path), .words(property.kind.rawValue), .flag(!property.isOptional),
                value(property.values?.all.joined(separator: ", ")), list, bound(property.min), bound(property.max),
                .flag(property.isSensitive), value(property.about),
            ]
        }
        let ofEvents = plan.events.flatMap { event in
            let head: [ReportValue] =
                [.words("event"), .data(event.name), value(event.about), value(event.deprecated)] + seenValues(entry(of: event))
            if event.properties.isEmpty { return [head + Array(repeating: .none, count: columns.count)] }
            return event.properties.map { head + row($0) }
        }
        let ofOthers = [("shared", plan.shared), ("session", plan.session)].flatMap { owner, properties in
            properties.map { [.words(owner)] + Array(repeating: .none, count: 3 + seenColumns.count) + row($0) }
        }
        return ReportTable(
            "One row a property",
            columns: [
                .init("Of", key: "place"), .init("Event", key: "event"), .init("About", key: "about"),
                .init("Deprecated", key: "deprecated"),
            ] + seenColumns + columns, rows: ofEvents + ofOthers)
    }

    public func lines(in table: TableReport) -> [String] {
        var lines = ["\(table.shown(plan.name)): \(GroupedNumber.counted(plan.events.count, "event"))"]
        for event in plan.events {
            let count = seen == nil ? "" : "  \(table.number(entry(of: event)?.count ?? 0))"
            let about = (event.deprecated.map { "deprecated: \($0)" } ?? event.about).map { "  \(table.shown($0, atMost: 100))" } ?? ""
            lines.append(table.shown(event.name) + count + about)
            lines += event.properties.map { line($0, in: table) }
        }
        for (title, properties) in [("any event", plan.shared), ("session", plan.session)] where !properties.isEmpty {
            lines.append(title)
            lines += properties.map { line($0, in: table) }
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
            property.allowed.isEmpty ? nil : table.shown(property.allowed, atMost: 60), property.about.map { table.shown($0, atMost: 80) },
        ]
        return "  \(table.shown(property.path)): \(words.compactMap(\.self).joined(separator: ", "))"
    }

    public func text(in json: JSONReport) -> String {
        json.document { writer in
            writer.line(["plan": plan.name, "version": plan.version])
            writer.line(["events": JSONRows(plan.events, self.json)])
            writer.line(["shared": plan.shared.map(self.json)])
            writer.line(["session": plan.session.map(self.json)])
            seen?.input.write(to: &writer)
        }
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
    /// The values or the range in words; empty if there is no bound.
    fileprivate var allowed: String {
        if let values { return values.all.joined(separator: ", ") }
        switch (min, max) {
        case (let low?, let high?): return "\(Self.text(low)) to \(Self.text(high))"
        case (let low?, nil): return "at least \(Self.text(low))"
        case (nil, let high?): return "at most \(Self.text(high))"
        case (nil, nil): return ""
        }
    }

    fileprivate static func text(_ bound: Double) -> String { Int64(exactly: bound).map { "\($0)" } ?? "\(bound)" }
}
