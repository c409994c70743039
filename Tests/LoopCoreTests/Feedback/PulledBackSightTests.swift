import LoopCore
import Testing

/// Which steps of the whole a part's feedback sees.
@MainActor @Suite struct PulledBackSightTests {
    private final class Box {}

    /// Not `Equatable`: only its bytes, references to storage among them, tell whether it changed.
    private struct Plain {
        var numbers = [1, 2, 3]
        var box = Box()
    }

    private struct Known: Equatable {
        var text = "known"
        var isRight = true
    }

    private struct Whole {
        var plain = Plain()
        var known = Known()
        var other = 0
    }

    private enum Event { case other, plain(Int), known(Int), rewritePlain, rewriteKnown, equalKnown }

    private static func reduce(_ whole: inout Whole, _ event: Event) {
        switch event {
        case .other: whole.other += 1
        case .plain(let number): if number > 0 { whole.plain.numbers.append(number) }
        case .known(let number): if number > 0 { whole.known.text += "\(number)" }
        case .rewritePlain: whole.plain.numbers[0] += 1
        case .rewriteKnown: whole.known.isRight.toggle()
        // An equal value in other storage.
        case .equalKnown: whole.known.text = String(repeating: "long enough for the heap ", count: 2)
        }
    }

    private func seen(_ events: [Event]) -> (plain: Int, known: Int) {
        var plain = 0
        var known = 0
        let system = System<Whole, Event>(
            initialState: Whole(),
            feedbacks: [
                Feedback<Plain, Int> {
                    { _, _ in
                        plain += 1
                        return .keep
                    }
                }.pullback(
                    state: \.plain,
                    event: EnumCase(embed: Event.plain, extract: { if case .plain(let number) = $0 { number } else { nil } })),
                Feedback<Known, Int> {
                    { _, _ in
                        known += 1
                        return .keep
                    }
                }.pullback(
                    state: \.known,
                    event: EnumCase(embed: Event.known, extract: { if case .known(let number) = $0 { number } else { nil } })),
            ], reducer: Self.reduce)
        system.start()
        for event in events { system.send(event) }
        return (plain - 1, known - 1)
    }

    @Test func `a step of another part that leaves this one as it was is not seen`() {
        #expect(seen([.other, .other]) == (0, 0))
        #expect(seen([.known(1), .plain(1)]) == (1, 1))
    }

    @Test func `the part's own event is seen even if it changes nothing`() {
        #expect(seen([.plain(0), .known(0)]) == (1, 1))
    }

    @Test func `a change of the part by another event is seen`() {
        #expect(seen([.rewritePlain]) == (1, 0))
        #expect(seen([.rewriteKnown]) == (0, 1))
        #expect(seen([.equalKnown, .equalKnown]) == (0, 1))
    }

    @Test func `a keystroke elsewhere does not restart a part's search`() {
        struct Screen {
            var search = "shoes"
            var note = ""
        }
        enum Key { case note(String), search(String) }
        var starts = 0
        let search = Feedback<String, String>.onEachState { state in
            if state.isEmpty { return .none }
            starts += 1
            return .attached { _ in {} }
        }
        let system = System<Screen, Key>(
            initialState: Screen(),
            feedbacks: [
                search.pullback(
                    state: \.search, event: EnumCase(embed: Key.search, extract: { if case .search(let text) = $0 { text } else { nil } }))
            ],
            reducer: { (screen: inout Screen, key: Key) in
                switch key {
                case .note(let text): screen.note += text
                case .search(let text): screen.search += text
                }
            })
        system.start()
        for letter in ["a", "b", "c"] { system.send(.note(letter)) }
        #expect(starts == 1)
        system.send(.search("s"))
        #expect(starts == 2)
    }

    /// Not `Equatable`, with bytes between and behind its fields that belong to none of them.
    private struct Padded {
        var flag = true
        var number = 7
        var pair: (small: UInt8, large: Double) = (1, 2)
        var last: UInt8 = 3
    }

    /// A state with the same fields at each call, whose padding is filled with `filler`.
    private static func padded(with filler: UInt8) -> Padded {
        withUnsafeTemporaryAllocation(of: Padded.self, capacity: 1) { memory in
            memory.withMemoryRebound(to: UInt8.self) { $0.update(repeating: filler) }
            withUnsafeMutablePointer(to: &memory[0]) { place in
                place.pointer(to: \.flag)!.pointee = true
                place.pointer(to: \.number)!.pointee = 7
                place.pointer(to: \.pair)!.pointer(to: \.small)!.pointee = 1
                place.pointer(to: \.pair)!.pointer(to: \.large)!.pointee = 2
                place.pointer(to: \.last)!.pointee = 3
            }
            return memory[0]
        }
    }

    @Test func `a part counts as unchanged if only bytes that belong to no field differ`() {
        var seen = 0
        let system = System<(Padded, Int), UInt8>(
            initialState: (Padded(), 0),
            feedbacks: [
                Feedback<Padded, Never> {
                    { _, _ in
                        seen += 1
                        return .keep
                    }
                }.pullback(state: \.0, event: EnumCase(embed: { (_: Never) -> UInt8 in }, extract: { _ in nil }))
            ],
            reducer: { whole, event in
                whole.1 += 1
                whole.0 = Self.padded(with: event)
                if event == 255 { whole.0.last = 4 }
            })
        system.start()
        for event in 0..<200 { system.send(UInt8(event)) }
        #expect(seen == 1)
        system.send(255)
        #expect(seen == 2)
    }
}
