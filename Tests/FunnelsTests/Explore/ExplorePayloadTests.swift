import Basics
import EventFiles
import Testing

@testable import Funnels

@Suite("What the explore page holds")
struct ExplorePayloadTests {
    private static let day: Int64 = 86_400_000

    private func payload(
        _ lines: [TestLine], batchSize: Int = 3, _ change: (inout ExploreDefinition) -> Void = { $0.minimumUsers = 1 }
    ) throws -> ExplorePayload {
        var definition = ExploreDefinition()
        change(&definition)
        definition.days = CalendarPeriods {
            CivilDate.floor($0, Self.day) * Self.day
        } next: {
            $0 + Self.day
        }
        var accumulator = ExploreAccumulator(definition)
        TestPass.read(lines, batchSize) {
            ExploreBatch(definition, expecting: $0)
        } consume: {
            accumulator.take($0)
        }
        return accumulator.answer(ReadResult())
    }

    /// One event as decoded from the columns; `user` is the number of its block.
    private struct Decoded: Hashable {
        var user: Int
        var time: Int64
        var name: String
        var session: Int
        var values: [String: String]
    }

    private struct Column {
        var rest: ArraySlice<UInt8>

        mutating func next() -> UInt64 {
            var (value, shift) = (UInt64(0), UInt64(0))
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }

        mutating func signed() -> Int64 {
            let value = next()
            return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        }
    }

    private func text(_ property: ExploreProperty, _ code: Int) -> String {
        if code <= property.values.count { return property.values[code - 1] }
        let range = code - property.values.count - 1
        return range < property.ranges.count ? "\(property.ranges[range].low ?? .nan)…\(property.ranges[range].high ?? .nan)" : "(other)"
    }

    private func decoded(_ payload: ExplorePayload) -> [Decoded] {
        func column(_ name: String) -> Column { Column(rest: payload.columns.first { $0.name == name }?.bytes[...] ?? []) }
        var (sizes, times, names, sessions) = (column("u"), column("t"), column("n"), column("s"))
        var cells = payload.properties.indices.map { column("p\($0)") }
        var (events, first, met) = ([Decoded](), payload.base, 0)
        for user in 0...payload.users {
            var (time, session) = (first, 0)
            for index in 0..<Int(sizes.next()) {
                time = index == 0 ? time + times.signed() : time + Int64(times.next())
                if index == 0 { first = time }
                let name = Int(names.next())
                switch sessions.next() {
                case 0: break
                case 1:
                    met += 1
                    session = met
                case let code: session = Int(code) - 2
                }
                var values: [String: String] = [:]
                for (property, one) in payload.properties.enumerated() where one.names.contains(name) {
                    let code = Int(cells[property].next())
                    if code > 0 { values[one.path.joined(separator: ".")] = text(one, code) }
                }
                events.append(Decoded(user: user, time: time, name: payload.names[name], session: session, values: values))
            }
        }
        let isRead = ([sizes, times, names, sessions] + cells).allSatisfy { $0.rest.isEmpty }
        #expect(isRead)
        return events
    }

    /// The rows of each session: the time, `nil` if there is one row, and the texts of the properties.
    private func contexts(_ payload: ExplorePayload) -> [[(Int64?, [String?])]] {
        var column = Column(rest: payload.columns.last?.bytes[...] ?? [])
        var time = payload.base
        let all = (0..<payload.sessions).map { _ in
            let count = Int(column.next())
            return (0..<count).map { _ -> (Int64?, [String?]) in
                if count > 1 { time += column.signed() }
                return (
                    count > 1 ? time : nil,
                    payload.sessionProperties.map { property in
                        let code = Int(column.next())
                        return code == 0 ? nil : text(property, code)
                    }
                )
            }
        }
        #expect(column.rest.isEmpty)
        return all
    }

    private func line(_ name: String, _ time: Int64, _ user: String, _ props: String = "{}", session: String = "", id: String = "")
        -> TestLine
    {
        TestLine(name, time, user: user, session: session, id: id, props: props)
    }

    private func began(_ session: String, _ time: Int64, _ props: String) -> TestLine {
        TestLine("session_started", time, session: session, kind: .meta, props: props)
    }

    private var shop: [TestLine] {
        [
            line("b", 20, "v", #"{"p":10.0,"deep":{"k":"x"}}"#, session: "s2"), line("a", 5, "u", #"{"p":"","q":true}"#, session: "s1"),
            line("a", 5, "u", #"{"p":"ä"}"#, session: "s3"), line("b", 9, "u", "{}", session: "s1"), line("a", 7, "", #"{"p":null}"#),
            line("a", 7, "anon", "{}", id: "i1"), line("a", 8, "anon", "{}", id: "i1"),
            TestLine("identified", 30, user: "v", kind: .meta, props: #"{"anonymous":"anon"}"#),
        ]
    }

    @Test func `events come back with their users, sessions and values as on the line, duplicates and aliases settled`() throws {
        let payload = try payload(shop)
        #expect(
            decoded(payload) == [
                Decoded(user: 0, time: 7, name: "a", session: 0, values: [:]),
                Decoded(user: 1, time: 5, name: "a", session: 1, values: ["p": "", "q": "true"]),
                Decoded(user: 1, time: 5, name: "a", session: 2, values: ["p": "ä"]),
                Decoded(user: 1, time: 9, name: "b", session: 1, values: [:]),
                Decoded(user: 2, time: 7, name: "a", session: 0, values: [:]),
                Decoded(user: 2, time: 20, name: "b", session: 3, values: ["p": "10.0", "deep.k": "x"]),
            ])
        #expect(payload.names == ["a", "b"] && payload.users == 2 && payload.sessions == 3 && payload.events == 6)
        #expect(payload.input.duplicates == 1 && payload.days.map(\.count) == [7])
    }

    @Test func `a session that ends with a duplicate is noted, and a silence of hours is a hole`() throws {
        let hour: Int64 = 3_600_000
        let often = (0..<288).map { line("a", Int64($0) * 600_000, "u", session: "s\($0 / 100)", id: "i\($0)") }
        let again = [line("a", 40 * 600_000, "u", session: "s2", id: "i3"), line("a", 65 * hour, "u", session: "s0", id: "i5")]
        let lines = often + again + [line("b", 60 * hour, "v")]
        let payload = try payload(lines)
        #expect(payload.late.map(\.session) == [1] && payload.late.map(\.time) == [65 * hour])
        #expect(payload.holes == [287 * 600_000..<60 * hour, 60 * hour..<65 * hour] && payload.silence >= hour)
    }

    @Test func `equal events give equal bytes, in whatever order and batches they come`() throws {
        // Without one of two lines with one id: the first that is read counts, so that the order would matter.
        let lines = shop.enumerated().filter { $0.offset != 6 }.map(\.element)
        let first = try payload(lines)
        let second = try payload(lines.reversed(), batchSize: 1)
        #expect(first.columns.map(\.bytes) == second.columns.map(\.bytes))
        #expect(first.columns.map(\.name) == ["u", "t", "n", "s", "p0", "p1", "p2", "x"])
    }

    @Test func `a session's lines are sorted by time, those of one millisecond are merged, and a repeated one is dropped`() throws {
        let lines = [
            line("a", 100, "u", session: "s"), line("a", 101, "u", session: "t"), began("s", 50, #"{"x":2,"y":1}"#),
            began("s", 50, #"{"x":1,"y":9}"#),
            began("s", 70, #"{"y":"","x":2}"#), began("s", 80, #"{"x":2}"#), began("s", 90, #"{"x":2}"#), began("nobody", 1, #"{"x":5}"#),
        ]
        let payload = try payload(lines)
        let rows = contexts(payload)
        #expect(payload.sessionProperties.map(\.path) == [["x"], ["y"]] && rows.count == 2 && rows[1].isEmpty)
        #expect(rows[0].map(\.0) == [50, 70, 80] && rows[0].map(\.1) == [["2", "9"], ["2", ""], ["2", nil]])
    }

    @Test func `a page has no text that few users have, and no rare number is the border of a range`() throws {
        var lines: [TestLine] = []
        for user in 0..<40 {
            let plan = user < 20 ? "pro" : user == 20 ? "" : "secret \(user)"
            lines.append(
                line("a", Int64(user), "u\(user)", #"{"plan":"\#(plan)","total":\#(1000 + 7 * user),"only":\#(user),"flag":\#(user == 3)}"#)
            )
        }
        let payload = try payload(lines) {
            $0.minimumUsers = 5
            $0.without = [ExploreDefinition.Property(path: ["only"], in: .event)]
        }
        let plan = try #require(payload.properties.first { $0.path == ["plan"] })
        // An empty text names nobody, and is no value where values make groups.
        #expect(plan.values == ["pro", ""] && plan.folds && plan.ranges.isEmpty)
        #expect(payload.properties.first { $0.path == ["flag"] }?.values == ["false", "true"])
        let total = try #require(payload.properties.first { $0.path == ["total"] })
        #expect(total.values.isEmpty && !total.folds && total.ranges.count == 8)
        let borders = total.ranges.flatMap { [$0.low, $0.high] }.compactMap(\.self)
        #expect(borders.count == 16 && borders.allSatisfy { ($0 - 1000).truncatingRemainder(dividingBy: 7) != 0 || $0 < 1000 })
        #expect(
            decoded(payload).allSatisfy { event in
                let user = Double(event.time)
                guard let range = event.values["total"]?.split(separator: "…").compactMap({ Double($0) }) else { return false }
                return range[0] < 1000 + 7 * user && 1000 + 7 * user < range[1]
            })
        #expect(payload.leftOut.map(\.property.path) == [["only"]] && payload.leftOut.map(\.values) == [40])
        let all = try self.payload(lines) { $0.exact = [ExploreDefinition.Property(path: ["total"], in: .event)] }
        #expect(all.properties.first { $0.path == ["total"] }?.values.count == 40)
    }

    @Test func `a property that few users have has no name in the page, whatever its value is`() throws {
        var lines: [TestLine] = []
        for user in 0..<6 {
            lines.append(
                line("a", Int64(user), "u\(user)", #"{"plan":"pro","friend":{"user\#(user)@example.com":\#(user)},"new":\#(user == 1)}"#))
        }
        lines.append(line("a", 9, "u1", #"{"nickname":"x","only":{"me":7},"met":{"user7@example.com":true}}"#))
        let payload = try payload(lines) {
            $0.minimumUsers = 5
            $0.without = [ExploreDefinition.Property(path: ["friend", "user2@example.com"], in: .event)]
        }
        #expect(payload.properties.map(\.path) == [["new"], ["plan"]] && payload.properties[0].values == ["false", "true"])
        #expect(payload.leftOut.map(\.property.path) == [["friend"], []] && payload.leftOut.map(\.values) == [6, 3])
        #expect(payload.unseenPaths.isEmpty)
    }

    @Test(
        "properties are read from a list, each with the space around it; a comma in quotes belongs to a key",
        arguments: [
            (" session.plan", PropertySource.session, ["plan"]), (" props.a . b ", .event, ["a", "b"]), (" plan", .event, ["plan"]),
            (#" "session".plan"#, .event, ["session", "plan"]), (#""a,b""#, .event, ["a,b"]),
            (#"session."x,y".z"#, .session, ["x,y", "z"]),
        ])
    func property(text: String, source: PropertySource, path: [String]) throws {
        let property = ExploreDefinition.Property(path: path, in: source)
        #expect(try ExploreDefinition.Property.list(text) == [property])
        #expect(try ExploreDefinition.Property.list("search,\(text), props.total").dropFirst().first == property)
    }

    @Test(arguments: ["", "a,", ",a", "a,,b", "a]", #""a,b"#]) func `what is no list of properties is an error`(text: String) {
        #expect(throws: GrammarError.self) { try ExploreDefinition.Property.list(text) }
    }

    @Test(
        "days are listed as far as 100,000 days from the data's end, and no further for a wild time",
        arguments: [(27_000, 27_000 + 81), (1_000_000, 81), (-27_000, 27_000 + 81), (-1_000_000, 81)] as [(Int64, Int)])
    func dayStarts(day: Int64, count: Int) throws {
        let often = (0..<2000).map { line("a", Int64($0), "u") }
        let payload = try payload(often + [line("a", day * Self.day, "u")])
        #expect(payload.dayStarts.count == count + 1)
        #expect(payload.input.dataEnd?.eventsBehind == (day > 0 ? 1 : 0))
    }

    @Test func `where an object's keys are ids, the page holds the keys that most users have`() throws {
        let lines = (0..<600).map { line("a", Int64($0), "u\($0)", #"{"items":{"sku-\#($0)":1,"count":1}}"#) }
        for order in [lines, lines.reversed()] {
            let payload = try payload(order)
            #expect(payload.properties.count == 500 && payload.properties.contains { $0.path == ["items", "count"] })
            #expect(payload.leftOut.map(\.property.path) == [["items"]] && payload.leftOut.map(\.values) == [101])
        }
    }

    @Test(
        "a border between two numbers has the fewest digits, and is neither of them",
        arguments: [
            (49, 51, 50), (0, 1, 0.1), (-3, 4, 0), (1230, 1234, 1231), (1.5, 1.6, 1.51), (-60, -40, -50), (5, 5, nil), (9e15, 9.9e15, nil),
            (0.2, 0.3, 0.21), (0.28, 0.31, 0.3), (0.29, 0.35, 0.3), (0.69, 0.71, 0.7), (-0.35, -0.28, -0.3), (-0.7, -0.5, -0.6),
            (0.1, 0.30000000000000004, 0.2), (12.99, 13.49, 13), (19.99, 20, 19.991), (1.1, 1.15, 1.11),
            (123_456.78, 123_456.91, 123_456.8),
            (1e-7, 4e-7, 2e-7), (0, 3e-9, 1e-9), (-1e-9, 1e-9, 0), (1.1e-30, 1.4e-30, 1.2e-30), (1e-300, 2e-300, 1.1e-300),
            (1_767_225_600_000, 1_767_312_000_000, 1_767_300_000_000),
            (9_007_199_254_740_988, 9_007_199_254_740_991, 9_007_199_254_740_990),
            (4_000_000_000_000_000.5, 4_000_000_000_000_002, 4_000_000_000_000_001), (0.3, 0.30000000000000004, nil),
            (0, .leastNonzeroMagnitude, nil), (-.leastNonzeroMagnitude, 0, nil),
        ]
            as [(Double, Double, Double?)])
    func borders(low: Double, high: Double, expected: Double?) { #expect(ExploreFolding.border(between: low, and: high) == expected) }

    /// Borders are numbers that a person would write. Each range holds two users.
    @Test(
        "borders of folded numbers are short decimal numbers, printed as they are read",
        arguments: [
            (["0.1", "0.2", "0.3", "0.4"], ["0.0", "0.21", "0.5"]), (["0.6", "0.7", "0.9", "0.95"], ["0.5", "0.8", "1.0"]),
            (["-0.4", "-0.3", "-0.2", "-0.1"], ["-0.5", "-0.29", "0.0"]), (["-7", "-6", "-5", "-1"], ["-8.0", "-5.9", "0.0"]),
            (["0", "0.07", "0.29", "0.3"], ["-1.0", "0.1", "0.4"]),
            (["9.99", "12.49", "12.99", "13.49", "19.99", "20.00"], ["9.0", "12.5", "14.0", "30.0"]),
            (["1e-7", "3e-7", "6e-7", "9e-7"], ["0.0", "4e-07", "1e-06"]),
            (["-9e-7", "-6e-7", "-3e-7", "-1e-7"], ["-1e-06", "-5e-07", "0.0"]),
            (["3e-310", "4e-310", "1", "2"], ["0.0", "0.1", "3.0"]), (["-4e-310", "-3e-310", "1", "2"], ["-1.0", "0.0", "3.0"]),
            (
                ["1767225600000", "1767225600003", "1767312000000", "1767312000001"],
                ["1000000000000.0", "1767300000000.0", "2000000000000.0"]
            ),
            (
                ["9007199254740985", "9007199254740988", "9007199254740991", "9007199254740992"],
                ["9000000000000000.0", "9007199254740990.0", "1e+16"]
            ),
            (["1e17", "2e17", "3e17", "4e17"], ["none", "none"]), (["1", "2", "3e17", "4e17"], ["0.0", "none"]),
        ])
    func foldedBorders(values: [String], expected: [String]) throws {
        let lines = values.enumerated().map { line("a", Int64($0), "u\($0)", #"{"p":\#($1)}"#) }
        let property = try #require(try payload(lines) { $0.minimumUsers = 2 }.properties.first)
        #expect(property.values.isEmpty && !property.folds)
        #expect(zip(property.ranges, property.ranges.dropFirst()).allSatisfy { $0.high == $1.low })
        let borders = [property.ranges.first?.low] + property.ranges.map(\.high)
        #expect(borders.map { $0.map { "\($0)" } ?? "none" } == expected)
        // The numbers of each range lie between its borders.
        for (range, own) in zip(property.ranges, stride(from: 0, to: values.count, by: 2)) {
            let last = range.high == nil || own + 4 > values.count ? values.count : own + 2
            for number in values[own..<last].compactMap({ Double($0) }) {
                #expect(range.low.map { $0 < number } ?? true && range.high.map { number < $0 } ?? true)
            }
        }
    }

    @Test func `a page of too many events holds a sample of whole users, and a smaller sample lies in a larger one`() throws {
        let lines = (0..<400).flatMap { user in (0..<5).map { line("a", Int64(1000 * user + $0), "u\(user)") } }
        func users(_ most: Int) throws -> (ids: Set<String>, payload: ExplorePayload) {
            let payload = try payload(lines) {
                $0.mostEvents = most
                $0.keepsIDs = true
            }
            return (Set(payload.ids ?? []), payload)
        }
        let (large, small) = (try users(1000), try users(250))
        #expect(large.payload.sample?.share == 0.5 && small.payload.sample?.share == 0.12)
        #expect(small.ids.isSubset(of: large.ids) && (150...250).contains(large.ids.count) && !small.ids.isEmpty)
        #expect(
            large.payload.events == 5 * large.ids.count && large.payload.sample?.ofUsers == 400 && large.payload.sample?.ofEvents == 2000)
        let whole = try payload(lines)
        #expect(whole.ids == nil && whole.sample == nil)
    }

    @Test func `only listed users are in the page, and the days are those of all lines`() throws {
        let cohort = try Cohort(Array("u\n".utf8), name: "some.csv")
        let payload = try payload(shop) { $0.cohort = CohortFilter(only: cohort) }
        #expect(payload.users == 1 && payload.events == 3 && payload.days.map(\.count) == [7])
    }

    @Test("a page holds every time that a line can have", arguments: [1 << 53, -1 << 53] as [Int64])
    func wildTimes(time: Int64) throws {
        let held = try payload([line("a", 0, "u"), line("a", time, "u")])
        #expect(decoded(held).map(\.time).sorted() == [0, time].sorted())
    }

    @Test func `without events the page is empty`() throws {
        let payload = try payload([])
        #expect(payload.events == 0 && payload.names.isEmpty && payload.dayStarts.isEmpty && decoded(payload).isEmpty)
    }
}
