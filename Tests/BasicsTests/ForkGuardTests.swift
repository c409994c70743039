import Foundation
import TestSupport
import Testing

@testable import Basics

/// A guard tells a process from a forked child, which has a copy of its memory.
@Suite struct ForkGuardTests {
    @Test func `a guard is inherited in a child and never in its own process`() async {
        await #expect(processExitsWith: .success) {
            let own = ForkGuard()
            #expect(!own.isInherited)
            let child = forkWithAlarms()
            if child == 0 {
                _exit(own.isInherited ? 7 : 1)
            }
            #expect(exitCode(ofChild: child) == 7)
            #expect(!own.isInherited, "a child changes nothing here")
        }
    }
}
