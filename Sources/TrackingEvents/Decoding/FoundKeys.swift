/// Collects the last value of each known key of one line, and builds the event from them.
struct FoundKeys {
    private var version, time, name, user, session, sequence, id, type, system, properties: JSONValue?

    mutating func note(_ value: JSONValue, for key: UnsafeRawBufferPointer) {
        func isKey(_ literal: StaticString) -> Bool { JSONBytes.matches(literal, in: key, at: 0) }
        switch key.count {
        case 1 where isKey("v"): version = value
        case 2 where isKey("id"): id = value
        case 3 where isKey("seq"): sequence = value
        case 4 where isKey("t_ms"): time = value
        case 4 where isKey("name"): name = value
        case 4 where isKey("user"): user = value
        case 4 where isKey("type"): type = value
        case 5 where isKey("props"): properties = value
        case 6 where isKey("system"): system = value
        case 7 where isKey("session"): session = value
        default: break
        }
    }

    func event(of line: UnsafeRawBufferPointer) throws(BadLine) -> EventLine {
        if let version = try integer(version, .version, .wholeNumber, in: line), version > EventLineLimits.version {
            throw BadLine(.newerVersion(version), at: self.version?.text.range.lowerBound ?? 0)
        }
        guard let time else { throw BadLine(.missing(.time), at: line.count) }
        guard let name else { throw BadLine(.missing(.name), at: line.count) }
        guard let milliseconds = try integer(time, .time, .wholeMilliseconds, in: line),
            milliseconds.magnitude <= EventLineLimits.integerMagnitude.magnitude
        else { throw wrong(time, .time, .wholeMilliseconds) }
        guard name.kind == .string, !name.text.isEmpty else { throw wrong(name, .name, .nonEmptyText) }
        var event = EventLine(timeMilliseconds: milliseconds, name: name.text)
        event.user = try text(user, .user)
        event.session = try text(session, .session)
        event.id = try text(id, .id)
        event.system = try text(system, .system)
        if let number = try integer(sequence, .sequence, .positiveInteger, in: line), let sequence {
            guard number >= 1, number <= EventLineLimits.integerMagnitude else { throw wrong(sequence, .sequence, .positiveInteger) }
            event.sequence = number
        }
        if let type, type.kind != .null {
            switch type.string(in: line) {
            case "track": event.kind = .track
            case "meta": event.kind = .meta
            case "timing": event.kind = .timing
            default: throw wrong(type, .type, .lineType)
            }
        }
        if let properties, properties.kind != .null {
            guard properties.kind == .object else { throw wrong(properties, .properties, .object) }
            event.properties = properties.text
        }
        return event
    }

    private func wrong(_ value: JSONValue, _ key: EventLine.Key, _ expected: BadLine.Expected) -> BadLine {
        BadLine(.wrongValue(key, expected), at: value.text.range.lowerBound)
    }

    /// The value as an integer; `nil` if it is missing or `null`.
    private func integer(
        _ value: JSONValue?, _ key: EventLine.Key, _ expected: BadLine.Expected, in line: UnsafeRawBufferPointer
    ) throws(BadLine) -> Int64? {
        guard let value, value.kind != .null else { return nil }
        guard let number = value.integer(in: line) else { throw wrong(value, key, expected) }
        return number
    }

    private func text(_ value: JSONValue?, _ key: EventLine.Key) throws(BadLine) -> LineText {
        guard let value, value.kind != .null else { return .missing }
        guard value.kind == .string else { throw wrong(value, key, .text) }
        return value.text
    }
}
