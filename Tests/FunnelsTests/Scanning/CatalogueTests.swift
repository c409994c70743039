import Testing

@testable import Funnels

@Suite("Event catalogue")
struct CatalogueTests {
    @Test("names, counts, users, first and last seen, however the lines are divided", arguments: 1...7)
    func entries(batchSize: Int) {
        let lines = [
            TestLine("a", 5, user: "u", id: "1"), TestLine("a", 3, user: "v", id: "2"), TestLine("b", 9, user: "u"),
            TestLine("a", 7, user: "u", id: "3"),
            TestLine("a", 1, user: "w", id: "3"), TestLine("a", 8, user: ""), TestLine("session_started", 0, kind: .meta),
            TestLine("loop", 0, kind: .timing),
            TestLine("c", 9, user: "u"),
        ]
        let catalogue = TestPass.catalogue(lines, batchSize: batchSize)
        #expect(
            catalogue.entries == [
                .init(name: "a", count: 4, users: 2, firstMilliseconds: 3, lastMilliseconds: 8),
                .init(name: "b", count: 1, users: 1, firstMilliseconds: 9, lastMilliseconds: 9),
                .init(name: "c", count: 1, users: 1, firstMilliseconds: 9, lastMilliseconds: 9),
            ])
        #expect(catalogue.metaLines == 1 && catalogue.timingLines == 1)
        #expect(catalogue.input.events == 7 && catalogue.input.duplicates == 1 && catalogue.input.withoutKey == 1)
    }

    @Test func `more names than a table begins with are all counted`() {
        let lines = (0..<5000).map { TestLine("name \($0 % 1000)", Int64($0), user: "u\($0 / 1000)") }
        let catalogue = TestPass.catalogue(lines, batchSize: 1700)
        #expect(catalogue.entries.count == 1000 && catalogue.entries.allSatisfy { $0.count == 5 && $0.users == 5 })
    }

    @Test func `a name whose only event was a duplicate is not listed`() {
        let catalogue = TestPass.catalogue([TestLine("a", 1, id: "1"), TestLine("b", 2, id: "1")])
        #expect(catalogue.entries.map(\.name) == ["a"])
    }

    @Test func `only events within the time range are told, and all lines are counted`() throws {
        let lines = [
            TestLine("a", 1, user: "u", id: "1"), TestLine("a", 2, user: "v", id: "2"), TestLine("a", 4, user: "w", id: "3"),
            TestLine("b", 9, user: "u"), TestLine("a", 3, user: "x", id: "1"), TestLine("loop", 0, kind: .timing),
        ]
        let range = try TimeRange(since: 2, until: 9)
        let catalogue = TestPass.catalogue(lines, range: range)
        #expect(catalogue.entries == [.init(name: "a", count: 2, users: 2, firstMilliseconds: 2, lastMilliseconds: 4)])
        #expect(catalogue.range == range && catalogue.timingLines == 1)
        #expect(catalogue.input.events == 5 && catalogue.input.duplicates == 1)
    }
}
