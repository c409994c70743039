import Basics
import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct WorkerThreadsTests {
    @Test(arguments: [-1, 0, 1, 5, 40])
    func `each thread runs the body once, and joining waits for all`(count: Int) {
        let runs = Lock(0)
        let threads = WorkerThreads(count) { runs.withLock { $0 += 1 } }
        threads.join()
        #expect(runs.withLock { $0 } == max(count, 0))
    }

    @Test func `threads run beside each other and beside the caller`() {
        let arrived = WatchedValue(0)
        let threads = WorkerThreads(4) {
            arrived.change { $0 += 1 }
            // Nobody goes on before all are there.
            arrived.wait { $0 == 5 ? () : nil }
        }
        arrived.change { $0 += 1 }
        threads.join()
        #expect(arrived.wait { $0 } == 5)
    }
}
