import Foundation
import Testing

@testable import TrackingEvents

/// Whose memory this is.
@Suite struct ForkGuardTests {
    /// The system's `fork`, which Swift does not offer, for good reasons: the child here makes no call but `_exit`.
    private static let fork = dlsym(dlopen(nil, RTLD_NOW), "fork").map { unsafeBitCast($0, to: (@convention(c) () -> Int32).self) }

    @Test func `a guard is inherited in a child, until the child adopts it, and never in its own process`() throws {
        let fork = try #require(Self.fork)
        let own = ForkGuard()
        #expect(!own.isInherited)
        let child = fork()
        if child == 0 {
            let wasInherited = own.isInherited
            own.adopt()
            _exit(wasInherited && !own.isInherited ? 7 : 1)
        }
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 7 << 8)
        #expect(!own.isInherited, "what the child adopted is the child's")
    }

    @Test func `a child's random numbers are its own, at every moment`() {
        let parent = SeededRandom(seed: 1)
        var (same, child, later) = (parent, parent.inChild(at: 1_000), parent.inChild(at: 1_001))
        let numbers = [same.next(), child.next(), later.next()]
        #expect(Set(numbers).count == 3)
    }
}
