import Basics
import Foundation
import Testing
import TrackingEvents

@testable import EventFiles

/// What a writer's thread does next, tested without a thread.
@Suite struct WriterMailboxTests {
    let clock = WriterTestClock()

    private func request(_ kind: WriterMailbox.Request.Kind) -> WriterMailbox.Request {
        WriterMailbox.Request(kind: kind, completion: { _ in })
    }

    @Test func `after a close no request is taken`() {
        var mailbox = WriterMailbox()
        let isTaken = [.rotate, .close, .erase].map { mailbox.post(request($0)) }
        #expect(isTaken == [true, true, false])
        #expect(!mailbox.isOpen && mailbox.erasures == nil)
        let kinds = [mailbox.takeRequests(), mailbox.takeRequests()].map { $0.map(\.kind) }
        #expect(kinds == [[.rotate, .close], []])
    }

    @Test func `while something is to be erased, nothing is written on any lane`() {
        var mailbox = WriterMailbox()
        #expect(mailbox.freeLanes == [.main, .pending])
        for _ in 1...2 { _ = mailbox.post(request(.erase)) }
        #expect(mailbox.erasures == 2 && mailbox.freeLanes == [])
        mailbox.erased(upTo: 1)
        #expect(mailbox.freeLanes == [], "the second is still to be done")
        mailbox.erased(upTo: 2)
        #expect(mailbox.erasures == nil && mailbox.freeLanes == [.main, .pending])
    }

    @Test(arguments: [(.promote, .main), (.erase, nil)] as [(WriterMailbox.PendingDecision, Lane?)])
    func `the first decision stands until it is carried out`(first: WriterMailbox.PendingDecision, lane: Lane?) {
        var mailbox = WriterMailbox()
        #expect(mailbox.currentLane(of: .pending) == .pending)
        let isFirst = [first, .erase, .promote].map { mailbox.decide($0) }
        #expect(isFirst == [true, false, false])
        #expect(mailbox.decision == first && mailbox.freeLanes == [.main])
        #expect(mailbox.currentLane(of: .pending) == lane && mailbox.currentLane(of: .main) == .main)
        mailbox.decisionCarriedOut()
        #expect(mailbox.decision == nil && mailbox.freeLanes == [.main, .pending])
    }

    private func state(_ change: (inout WriterMonitor.State) -> Void) -> WriterMonitor.State {
        let context = WriterContext(options: EventFileWriterOptions(), wallClock: clock.wall, clock: clock.monotonic)
        let ring = LineRing(context, random: SeededRandom(seed: 1))
        var state = WriterMonitor.State(ring: ring)
        change(&state)
        return state
    }

    /// What the thread does at a time; `nil` if it waits.
    private func wake(_ times: WriterMonitor.Times, after: Int64 = 0, _ change: (inout WriterMonitor.State) -> Void) -> WriterMonitor.Wake?
    {
        let now = clock.monotonic.nanoseconds
        guard case .work(let wake) = state(change).look(times, at: now + after) else { return nil }
        return wake
    }

    @Test func `requests come before due writes, and both before recovery`() {
        var times = WriterMonitor.Times(hasBackground: true)
        #expect(wake(times) { _ in } == .background)
        #expect(wake(times) { for number in 1...192 { _ = $0.ring.admit(testEvent(number), mayWait: false) } } == .everything)
        #expect(wake(times) { for number in 1...800 { _ = $0.ring.admit(testEvent(number), mayWait: false) } } == .fullMembers)
        #expect(wake(times) { _ = $0.mailbox.decide(.promote) } == .everything)
        #expect(wake(times) { _ = $0.mailbox.post(request(.erase)) } == .requests)
        times.isClosing = true
        #expect(wake(times) { _ = $0.mailbox.post(request(.flush(.durable))) } == .requests)
        #expect(
            wake(times) {
                _ = $0.mailbox.post(request(.flush(.durable)))
                $0.mailbox.mustGiveUp = true
            } == .giveUp)
    }

    @Test func `while storage fails only a request or the time of the next attempt wakes the thread`() {
        let now = clock.monotonic.nanoseconds
        let times = WriterMonitor.Times(retry: now + 1_000, rotate: now, settle: now, hasBackground: true)
        let full = { (state: inout WriterMonitor.State) in
            for number in 1...800 { _ = state.ring.admit(testEvent(number), mayWait: false) }
        }
        #expect(wake(times, full) == nil)
        #expect(wake(times, after: 1_000, full) == .retry)
        #expect(wake(times) { _ = $0.mailbox.post(request(.rotate)) } == .requests)
    }

    @Test func `an event waits for a second, and a decision that failed for its next attempt`() {
        let now = clock.monotonic.nanoseconds
        let one = { (state: inout WriterMonitor.State) in _ = state.ring.admit(testEvent(1), mayWait: false) }
        #expect(wake(.init(), after: 999_999_999, one) == nil)
        #expect(wake(.init(), after: 1_000_000_000, one) == .everything)
        let times = WriterMonitor.Times(settle: now + 10)
        #expect(wake(times) { _ = $0.mailbox.decide(.erase) } == nil)
        #expect(wake(times, after: 10) { _ = $0.mailbox.decide(.erase) } == .everything)
    }
}
