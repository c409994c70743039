import LoopCore
import Testing

@Suite struct EventQueueTests {
    @Test func `what came first goes first`() {
        var queue = EventQueue<Int>()
        #expect(queue.isEmpty && queue.popFirst() == nil)
        for number in 1...5 { queue.append(number) }
        #expect(queue.count == 5)
        var taken: [Int] = []
        while let number = queue.popFirst() { taken.append(number) }
        #expect(taken == [1, 2, 3, 4, 5])
        #expect(queue.isEmpty && queue.count == 0)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `random use agrees with an array`(seed: UInt64) {
        var random = Numbers(state: seed)
        var queue = EventQueue<Int>()
        var model: [Int] = []
        var isAlike = true
        for number in 0..<20_000 {
            // The odds change in phases, so that the queue fills and empties by turns.
            let likes = (number / 3_000).isMultiple(of: 2) ? 70 : 30
            if Int.random(in: 0..<100, using: &random) < likes {
                queue.append(number)
                model.append(number)
            } else if number.isMultiple(of: 7) {
                let more = Array(number..<number + Int.random(in: 0...9, using: &random))
                queue.prepend(more)
                model = more + model
            } else {
                isAlike = queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()) && isAlike
            }
            isAlike = isAlike && queue.count == model.count
        }
        while let number = queue.popFirst(), isAlike { isAlike = number == model.removeFirst() }
        #expect(isAlike && model.isEmpty)
    }

    @Test func `a queue that is never empty does not grow for ever`() {
        final class Live {}
        var queue = EventQueue<Live>()
        weak var first: Live?
        autoreleased {
            let object = Live()
            first = object
            queue.append(object)
        }
        queue.append(Live())
        // Two objects wait at any time; one that was taken is released at once.
        for _ in 0..<10_000 {
            queue.append(Live())
            _ = queue.popFirst()
        }
        #expect(first == nil)
        #expect(queue.count == 2)
    }

    @Test func `emptying hands out what waited, in order`() {
        var queue = EventQueue<Int>()
        for number in 0..<10 { queue.append(number) }
        _ = queue.popFirst()
        var removed: [Int] = []
        queue.removeAll().forEach { removed.append($0) }
        #expect(removed == Array(1..<10))
        #expect(queue.isEmpty)
        queue.append(1)
        #expect(queue.popFirst() == 1)
    }

    /// Runs `body` in a call of its own, so that what it held is released when the call returns.
    private func autoreleased(_ body: () -> Void) { body() }
}
