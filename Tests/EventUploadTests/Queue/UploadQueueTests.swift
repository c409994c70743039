import Testing
import TrackingEvents

@testable import EventFiles
@testable import EventUpload

/// Order and pauses, without files.
@Suite struct UploadQueueTests {
    private static let second: Int64 = 1_000_000_000
    private static let hour = 3600 * second

    private static func found(_ numbers: Int64...) -> [EventFolder.Sealed] {
        numbers.map { number in
            EventFolder.Sealed(
                name: segment(number),
                status: FileStatus(
                    kind: .regular, permissions: 0o600, device: 1, inode: UInt64(number), bytes: 100 + number, modifiedMilliseconds: number)
            )
        }
    }

    private static func queue(_ numbers: Int64..., seed: UInt64 = 1) -> UploadQueue {
        var queue = UploadQueue(random: SeededRandom(seed: seed))
        queue.found(numbers.flatMap { found($0) })
        return queue
    }

    /// Fails a segment and returns how long it waits.
    private static func fail(_ queue: inout UploadQueue, _ number: Int64, at now: Int64 = 0, asked: Int64? = nil) -> Int64 {
        queue.failed(segment(number), at: now, asked: asked)
    }

    @Test func `the smallest number goes first, and nothing is left after the last`() {
        var queue = Self.queue(1, 2, 3)
        for number in Int64(1)...3 {
            #expect(queue.next(at: 0) == .send(segment(number)))
            queue.succeeded(segment(number))
        }
        #expect(queue.next(at: 0) == .nothing)
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (6, 32), (12, 2048), (13, 3600), (64, 3600), (1000, 3600)])
    func `the pause after n failures is drawn between nothing and a limit that doubles up to an hour`(failures: Int, limit: Int64) {
        var longest: Int64 = 0
        var shortest = Int64.max
        for seed in UInt64(0)..<300 {
            var queue = Self.queue(1, seed: seed)
            var now: Int64 = 0
            for _ in 1..<failures { now += Self.fail(&queue, 1, at: now) }
            let pause = Self.fail(&queue, 1, at: now)
            longest = max(longest, pause)
            shortest = min(shortest, pause)
            #expect(queue.next(at: now + pause - 1) == .wait(until: now + pause) || pause == 0)
            #expect(queue.next(at: now + pause) == .send(segment(1)))
        }
        // Each failure draws two pauses, one for the segment and one for all segments. The longer one counts.
        #expect(longest <= limit * Self.second && longest > limit * Self.second * 9 / 10)
        #expect(shortest < limit * Self.second / 4)
    }

    @Test func `a thousand failures over years take nothing out of the queue`() {
        var queue = Self.queue(1)
        var now: Int64 = 0
        for _ in 0..<1000 { now += Self.fail(&queue, 1, at: now) + Self.hour * 24 }
        #expect(queue.next(at: now) == .send(segment(1)))
        #expect(queue.waitingCount == 1)
    }

    @Test func `a segment that never goes through does not stop the others`() {
        var queue = Self.queue(1, 2, 3)
        var sent: [Int64] = []
        var now: Int64 = 0
        for _ in 0..<40 {
            switch queue.next(at: now) {
            case .send(segment(1)): _ = Self.fail(&queue, 1, at: now)
            case .send(let name):
                sent.append(name.number)
                queue.succeeded(name)
            case .wait(let time): now = time
            case .nothing: break
            }
        }
        #expect(sent == [2, 3] && queue.waitingCount == 1)
    }

    @Test func `while everything fails all wait, and a success ends that`() {
        var queue = Self.queue(1, 2, seed: 7)
        var now: Int64 = 0
        for _ in 0..<30 {
            let number: Int64 = if case .send(segment(1)) = queue.next(at: now) { 1 } else { 2 }
            now += Self.fail(&queue, number, at: now)
        }
        _ = Self.fail(&queue, 1, at: now)
        guard case .wait(let time) = queue.next(at: now) else { return #expect(Bool(false), "both wait") }
        guard case .send(let name) = queue.next(at: time) else { return #expect(Bool(false), "one is ready") }
        queue.succeeded(name)
        queue.found(Self.found(3))
        #expect(queue.next(at: time) == .send(segment(3)), "a new segment does not wait for what is over")
    }

    @Test func `a pause that the server asks for holds for all segments, for a day at most`() {
        var queue = Self.queue(1, 2)
        #expect(Self.fail(&queue, 1, asked: 7200 * Self.second) >= 7200 * Self.second)
        #expect(queue.next(at: 0) == .wait(until: 7200 * Self.second))
        #expect(queue.next(at: 7200 * Self.second - 1) == .wait(until: 7200 * Self.second))
        #expect(queue.next(at: 7200 * Self.second) != .nothing)
        var lied = Self.queue(1)
        #expect(Self.fail(&lied, 1, asked: .max) == UploadQueue.longestRetryAfter)
        var past = Self.queue(1)
        #expect(Self.fail(&past, 1, asked: -5) <= Self.second)
    }

    @Test func `a refused segment is left out until the next start, and does not stop the others`() {
        var queue = Self.queue(1, 2)
        queue.refused(segment(1))
        #expect(queue.next(at: 0) == .send(segment(2)))
        queue.succeeded(segment(2))
        #expect(queue.next(at: .max) == .nothing && queue.refusedCount == 1 && queue.waitingCount == 0)
        queue.found(Self.found(1))
        #expect(queue.next(at: .max) == .nothing, "to look again is no start")
        queue.restart()
        #expect(queue.next(at: 0) == .send(segment(1)))
    }

    @Test func `another file under the same name counts as new`() {
        var queue = Self.queue(1)
        queue.refused(segment(1))
        var other = Self.found(1)
        other[0] = EventFolder.Sealed(
            name: segment(1),
            status: FileStatus(kind: .regular, permissions: 0o600, device: 1, inode: 99, bytes: 28, modifiedMilliseconds: 1))
        queue.found(other)
        #expect(queue.next(at: 0) == .send(segment(1)))
    }

    @Test func `a round tries each once without pauses, but not while the server has asked for one`() {
        var queue = Self.queue(1, 2)
        _ = Self.fail(&queue, 1)
        queue.beginRound()
        #expect(queue.next(at: 0) == .send(segment(1)))
        _ = Self.fail(&queue, 1)
        #expect(queue.next(at: 0) == .send(segment(2)))
        _ = Self.fail(&queue, 2)
        #expect(queue.next(at: 0) == .nothing)
        queue.beginRound()
        _ = Self.fail(&queue, 1, asked: 5)
        #expect(queue.next(at: 0) == .nothing)
        queue.endRound()
        #expect(queue.next(at: .max) != .nothing)
    }

    @Test func `a round ends after three failures in a row`() {
        var queue = Self.queue(1, 2, 3, 4)
        queue.beginRound()
        for number in Int64(1)...3 {
            #expect(queue.next(at: 0) == .send(segment(number)))
            _ = Self.fail(&queue, number)
        }
        #expect(queue.next(at: 0) == .nothing)
    }
}
