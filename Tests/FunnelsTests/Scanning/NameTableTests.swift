import Testing
import TrackingEvents

@testable import Funnels

@Suite("Names of a batch")
struct NameTableTests {
    private func number(_ table: inout NameTable, _ name: String) -> Int {
        Array(name.utf8).withUnsafeBytes { table.number(of: $0) }
    }

    @Test func `names are numbered as they come, and keep their numbers while the table grows`() {
        var table = NameTable()
        var numbers: [String: Int] = [:]
        var random = SeededRandom(seed: 8)
        for _ in 0..<5000 {
            let name = "name \(Int.random(in: 0..<900, using: &random))"
            let number = number(&table, name)
            #expect(number == numbers[name, default: numbers.count])
            numbers[name] = number
        }
        for (name, number) in numbers { #expect(table.names[number] == Array(name.utf8)) }
    }

    @Test func `the empty name is a name`() {
        var table = NameTable()
        #expect(number(&table, "") == 0)
        #expect(number(&table, "") == 0)
        #expect(number(&table, "a") == 1)
    }
}
