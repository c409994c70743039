import TestSupport
import Testing

/// Tests wait with `Announced`, so it must neither miss a change nor wait for ever.
@Suite struct AnnouncedTests {
    @Test func `a waiter resumes at the change that makes its condition hold, or at once if it holds already`() async {
        let number = Announced(0)
        let second = Task {
            await number.until { $0 >= 2 }
            return number.value
        }
        number.change { $0 += 1 }
        number.change { $0 += 1 }
        #expect(await second.value == 2)
        await number.until { $0 == 2 }
    }

    @Test func `none of many waiters on any threads misses a change`() async {
        let number = Announced(0)
        await withTaskGroup(of: Void.self) { group in
            for wanted in 1...100 {
                group.addTask { await number.until { $0 >= wanted } }
                group.addTask { number.change { $0 += 1 } }
            }
        }
        #expect(number.value == 100)
    }

    @Test func `a cancelled waiter goes on`() async {
        let never = Announced(false)
        let waiter = Task { await never.until { $0 } }
        waiter.cancel()
        await waiter.value
        #expect(!never.value)
    }
}
