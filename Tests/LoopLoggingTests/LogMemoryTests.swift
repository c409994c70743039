import LoopCore
import LoopLogging
import LoopTesting
import Testing

@MainActor @Suite struct LogMemoryTests {
    let book = Book()

    @Test func `keeps steps and shows them in the compact format`() {
        let memory = LogMemory<Page, Move>(capacity: 10)
        let system = book.open().attach(.log(to: memory))
        system.send(.count, fileID: "S/C.swift", line: 1)
        system.send(.leave, fileID: "S/C.swift", line: 2)
        #expect(
            memory.lines == [
                "#0 initial → start", "#1 S/C.swift:1 count → counting(1) in 40 ns", "#2 S/C.swift:2 leave → start in 40 ns",
            ])
    }

    @Test func `shows the state as it was at the step`() {
        let memory = LogMemory<[Int], Int>(capacity: 3, format: .compact(timing: false))
        let system = System(initialState: [], reducer: { (list: inout [Int], next: Int) in list.append(next) })
        system.attach(.log(to: memory))
        for number in 1...4 { system.send(number) }
        #expect(memory.steps.map(\.state) == [[1, 2], [1, 2, 3], [1, 2, 3, 4]])
    }

    @Test(arguments: 1...7) func `keeps the last steps, oldest first`(capacity: Int) {
        for count in 0...15 {
            let memory = LogMemory<Int, Int>(capacity: capacity)
            for number in 0..<count { memory.append(Step(number: number, event: nil, phase: .settled, state: number)) }
            #expect(memory.steps.map(\.number) == Array(Swift.max(0, count - capacity)..<count))
            #expect(memory.lines.count == Swift.min(count, capacity))
        }
    }

    @Test func `keeps a thousand steps unless another number is given`() {
        let memory = LogMemory<Int, Int>()
        for number in 0..<1_001 { memory.append(Step(number: number, event: nil, phase: .settled, state: number)) }
        #expect(memory.steps.map(\.number) == Array(1...1_000))
    }

    @Test func `formats nothing until it is read, and each time anew`() {
        let described = Kept()
        let values = LogValues<Page, Move>(state: { _ in
            described.append("")
            return "state"
        })
        let memory = LogMemory<Page, Move>(capacity: 2, values: values)
        let system = book.open().attach(.log(to: memory))
        for _ in 0..<50 { system.send(.tick) }
        #expect(described.all.count == 0)
        #expect(memory.lines.count == 2)
        #expect(described.all.count == 2)
    }

    @Test func `is shown in the format it was given`() {
        let memory = LogMemory<Page, Move>(capacity: 5, format: LogFormat { record, _ in "n\(record.step.number)" })
        let system = book.open().attach(.log(to: memory))
        system.send(.tick)
        #expect(memory.lines == ["n0", "n1"])
    }

    @Test func `asks for what its format needs and nothing else`() {
        #expect(Middleware<Page, Move>.log(to: LogMemory()).needs == .timing)
        #expect(Middleware<Page, Move>.log(to: LogMemory(format: .compact(timing: false))).needs == [])
        let previous = LogFormat<Page, Move>(needs: .previousState) { _, _ in "" }
        #expect(Middleware<Page, Move>.log(to: LogMemory(format: previous)).needs == .previousState)
    }

    @Test func `keeps only what the filters leave`() {
        let memory = LogMemory<Page, Move>(capacity: 10)
        let system = book.open().attach(.log(to: memory, only: ["tick", "count"], except: ["count"], every: 2))
        for move in [Move.tick, .count, .tick, .leave, .tick] { system.send(move) }
        #expect(memory.steps.map(\.number) == [1, 5])
    }

    @Test func `forgets on request and keeps on`() {
        let memory = LogMemory<Page, Move>(capacity: 2)
        let system = book.open().attach(.log(to: memory))
        for _ in 0..<5 { system.send(.tick) }
        memory.removeAll()
        #expect(memory.steps.isEmpty)
        system.send(.tick)
        #expect(memory.steps.map(\.number) == [6])
    }

    @Test func `lets go of the states that made room or were forgotten`() {
        final class Held {}
        struct Page { var held: Held? }
        let memory = LogMemory<Page, Void>(capacity: 2)
        weak var first: Held?
        weak var last: Held?
        do {
            let held = (Held(), Held(), Held())
            first = held.0
            last = held.2
            for each in [held.0, held.1, held.2] { memory.append(Step(number: 1, event: (), phase: .settled, state: Page(held: each))) }
        }
        #expect(first == nil)
        #expect(last != nil)
        memory.removeAll()
        #expect(last == nil)
    }
}
