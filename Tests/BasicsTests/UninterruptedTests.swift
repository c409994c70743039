import Basics
import Foundation
import Testing

@Suite struct UninterruptedTests {
    @Test(arguments: [0, 1, 5]) func `a call is made again as often as a signal interrupts it`(interruptions: Int) {
        var calls = 0
        let result: Int = uninterrupted {
            calls += 1
            if calls > interruptions { return 42 }
            errno = EINTR
            return -1
        }
        #expect(result == 42 && calls == interruptions + 1)
    }

    @Test func `another failure is returned at once, and an old errno is no failure`() {
        var calls = 0
        let failed: Int32 = uninterrupted {
            calls += 1
            errno = EIO
            return -1
        }
        #expect(failed == -1 && errno == EIO && calls == 1)
        errno = EINTR
        #expect(uninterrupted { 0 } == 0)
    }

    @Test func `a thread of ours takes the signals of faults, for the app's crash reporter, and no others`() throws {
        let blocked = Lock<[Int32]>([])
        let thread = try PosixThread {
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            var found: [Int32] = []
            for signal in 1...31 as ClosedRange<Int32> where sigismember(&mask, signal) == 1 { found.append(signal) }
            blocked.withLock { $0 = found }
        }
        thread.join()
        let found = Set(blocked.withLock { $0 })
        #expect(found.isDisjoint(with: [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS]))
        #expect(found.isSuperset(of: [SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGPIPE]))
    }
}
