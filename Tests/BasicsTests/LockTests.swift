import Testing
import Basics

@Suite struct LockTests {
    @Test func `eight threads add up without losing one`() async {
        let lock = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<10_000 { lock.withLock { $0 += 1 } } } }
        }
        #expect(lock.withLock { $0 } == 80_000)
    }

    @Test func `an error leaves the lock free`() {
        struct Refused: Error {}
        let lock = Lock([1])
        #expect(throws: Refused.self) { try lock.withLock { (_: inout [Int]) throws(Refused) in throw Refused() } }
        lock.withLock { $0.append(2) }
        #expect(lock.withLock { $0 } == [1, 2])
    }

    @Test func `large values are changed in place`() {
        let lock = Lock(Array(repeating: 0, count: 1_000))
        let before = lock.withLock { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        for place in 0..<1_000 { lock.withLock { $0[place] = place } }
        let after = lock.withLock { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        #expect(before == after)
    }

    @Test func `what the lock holds is released with it`() {
        final class Held: Sendable {}
        var lock: Lock<Held>? = Lock(Held())
        weak var gone: Held?
        gone = lock?.withLock { $0 }
        #expect(gone != nil)
        lock = nil
        #expect(gone == nil)
    }
}
