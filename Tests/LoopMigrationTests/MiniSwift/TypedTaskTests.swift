import LoopCore
import LoopFlux
import LoopMigration
import LoopTesting
import TestSupport
import Testing

private struct Closure: Sendable { let run: @Sendable () -> Int }

/// What a clock shows at each reading.
private final class Readings: @unchecked Sendable {
    // Only used by one test, on its own thread.
    private var values: [UInt64]
    init(_ values: [UInt64]) { self.values = values }
    func next() -> UInt64 { values.removeFirst() }
}

@Suite struct TypedTaskTests {
    let time = ManualClock()

    @Test(arguments: [
        (TypedTask<Int>.idle(), TypedTask<Int>.Status.idle), (.running(), .running), (.success(), .success),
        (.failure(Fault.dummy), .failure),
    ])
    func `a task's flags agree with its status`(task: TypedTask<Int>, status: TypedTask<Int>.Status) {
        #expect(task.status == status)
        #expect(task.isIdle == (status == .idle))
        #expect(task.isRunning == (status == .running))
        #expect(task.isSuccessful == (status == .success))
        #expect(task.isFailure == (status == .failure))
        #expect(task.isCompleted == (status == .success || status == .failure))
        #expect((task.error == nil) == (status != .failure))
        #expect(task.data == nil)
    }

    @Test func `a task keeps its data, its progress and its tag`() {
        let task = TypedTask.running("half", progress: 0.5, tag: "first")
        #expect(task.data == "half")
        #expect(task.progress == 0.5)
        #expect(task.tag == "first")
        #expect(TypedTask.running(3, progress: 0.25, tag: "a").progress == 0.25)
        #expect(TypedTask.success(3, tag: "b").tag == "b")
        #expect(TypedTask<Int>.failure(Fault.dummy, tag: "c").tag == "c")
        #expect(TypedTask<Int>.idle(tag: "d").tag == "d")
    }

    @Test(arguments: [
        (TaskExpiration.immediately, Duration.zero, false), (.short, .zero, true), (.short, .milliseconds(59_999), true),
        (.short, .seconds(60), false), (.long, .seconds(179), true), (.long, .seconds(180), false),
        (.custom(.nanoseconds(2)), .nanoseconds(1), true), (.custom(.nanoseconds(2)), .nanoseconds(2), false),
        (.custom(.seconds(-1)), .zero, false), (.custom(.seconds(1_000_000_000)), .seconds(999_999_999), true),
    ])
    func `a success is recent until its expiration is over`(expiration: TaskExpiration, after: Duration, isRecent: Bool) {
        let task = AnyTask.success(expiration: expiration, clock: time.clock)
        time.advance(by: after)
        #expect(task.isRecentlySucceeded == isRecent)
    }

    @Test(arguments: [TypedTask<Int>.idle(), .running(), .failure(Fault.dummy)])
    func `only a success is recently succeeded`(task: TypedTask<Int>) {
        #expect(!task.isRecentlySucceeded)
    }

    @Test func `a task has a result when it is completed`() throws {
        #expect(TypedTask<Int>.idle().result == nil)
        #expect(TypedTask.running(1).result == nil)
        #expect(try TypedTask.success(1).result?.get() == 1)
        #expect(try TypedTask<Int>.success().result?.get() == .some(nil))
        #expect(throws: Fault.dummy) { try TypedTask<Int>.failure(Fault.dummy).result?.get() }
    }

    @Test func `a clock that went back makes a success no older`() {
        let readings = Readings([1_000_000_000, 0])
        let task = AnyTask.success(expiration: .short, clock: StepClock { readings.next() })
        #expect(task.isRecentlySucceeded)
    }

    /// In Mini two tasks made at different times are never equal, so an equal result looks like a change.
    @Test func `tasks are equal by status and payload, not by when they were made`() {
        let first = TypedTask.success(1, clock: time.clock)
        time.advance(by: .seconds(5))
        #expect(first == .success(1, clock: time.clock))
        #expect(first == .success(1, expiration: .long))
    }

    @Test func `tasks with another status, payload, progress or tag differ`() {
        let tasks: [TypedTask<Int>] = [
            .idle(), .running(), .success(), .success(1), .success(2), .failure(Fault.dummy), .failure(Fault.other),
            .failure(Opaque(code: 1)), .failure(Opaque(code: 2)), .running(progress: 0.5), .running(1), .idle(tag: "a"), .idle(tag: "b"),
        ]
        for (index, task) in tasks.enumerated() {
            for (other, candidate) in tasks.enumerated() { #expect((task == candidate) == (index == other)) }
        }
    }

    @Test func `data of any type is compared by what it is`() {
        #expect(AnyTask.success(1) == .success(1))
        #expect(AnyTask.success(1) != .success("1"))
        #expect(AnyTask.success([1, 2]) == .success([1, 2]))
        #expect(AnyTask.success(Optional<Int>.none) == .success(Optional<Int>.none))
        #expect(AnyTask.success(()) == .success(()))
    }

    @Test func `data that cannot be compared is equal in copies of one task only`() {
        let task = AnyTask.success(Closure { 1 })
        let copy = task
        #expect(task == copy)
        #expect(task != .success(Closure { 1 }))
    }

    @Test func `describes itself in one line`() {
        #expect(AnyTask.idle().description == "idle")
        #expect(TypedTask.success(3, tag: "first").description == "success data=3 tag=first")
        #expect(TypedTask<Int>.running(progress: 0.5).description == "running progress=0.5")
        #expect(AnyTask.failure(Fault.dummy).description == "failure error=dummy")
    }

    @Test func `a task of anything that can cross threads can cross threads`() async {
        let task = AnyTask.success(1)
        #expect(await Task.detached { task.isSuccessful }.value)
    }
}
