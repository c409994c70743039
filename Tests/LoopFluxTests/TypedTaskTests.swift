import LoopFlux
import Testing

private struct Closure: Sendable { let run: @Sendable () -> Int }

@Suite struct TypedTaskTests {
    let time = ManualClock()

    @Test(arguments: [
        (TypedTask<Int>.idle(), TypedTask<Int>.Status.idle), (.running(), .running), (.success(), .success),
        (.failure(Fault.dummy), .failure), (TypedTask(), .idle),
    ])
    func `says how it stands in one word and in many`(task: TypedTask<Int>, status: TypedTask<Int>.Status) {
        #expect(task.status == status)
        #expect(task.isIdle == (status == .idle))
        #expect(task.isRunning == (status == .running))
        #expect(task.isSuccessful == (status == .success))
        #expect(task.isFailure == (status == .failure))
        #expect(task.isCompleted == (status == .success || status == .failure))
        #expect((task.error == nil) == (status != .failure))
        #expect(task.data == nil)
    }

    @Test func `keeps what it is given`() {
        let task = TypedTask(status: .running, data: "half", progress: 0.5, tag: "first")
        #expect(task.data == "half")
        #expect(task.progress == 0.5)
        #expect(task.tag == "first")
        #expect(TypedTask.running(3, progress: 0.25, tag: "a").progress == 0.25)
        #expect(TypedTask.success(3, tag: "b").tag == "b")
        #expect(TypedTask<Int>.failure(Fault.dummy, tag: "c").tag == "c")
        #expect(TypedTask<Int>.idle(tag: "d").tag == "d")
    }

    @Test(arguments: [
        (TaskExpiration.immediately, Duration.zero), (.short, .seconds(60)), (.long, .seconds(180)),
        (.custom(.milliseconds(1500)), .milliseconds(1500)),
    ])
    func `an expiration has a length`(expiration: TaskExpiration, length: Duration) {
        #expect(expiration.duration == length)
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

    @Test(arguments: [TypedTask<Int>.Status.idle, .running, .failure])
    func `only a success is recently succeeded`(status: TypedTask<Int>.Status) {
        #expect(!TypedTask<Int>(status: status, expiration: .long, clock: time.clock).isRecentlySucceeded)
    }

    @Test func `a clock that went back makes a success no older`() {
        let task = AnyTask.success(expiration: .short, clock: time.clock)
        time.nanoseconds = 0
        #expect(task.isRecentlySucceeded)
        #expect(task.startedAt == 1_000_000_000)
    }

    /// In Mini two tasks made at different times are never equal, so an equal result looks like a change.
    @Test func `is equal by status and payload, not by when it was made`() {
        let first = TypedTask.success(1, clock: time.clock)
        time.advance(by: .seconds(5))
        #expect(first == .success(1, clock: time.clock))
        #expect(first == .success(1, expiration: .long))
    }

    @Test func `is equal to no other`() {
        let tasks: [TypedTask<Int>] = [
            .idle(), .running(), .success(), .success(1), .success(2), .failure(Fault.dummy), .failure(Fault.other),
            .failure(Opaque(code: 1)), .failure(Opaque(code: 2)), .running(progress: 0.5), .running(1), .idle(tag: "a"), .idle(tag: "b"),
            TypedTask(status: .failure),
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

@Suite struct KeyedTasksTests {
    let time = ManualClock()

    private var tasks: KeyedTask<Int> {
        [0: .running(), 1: .success(), 2: .failure(Fault.dummy), 3: .success(expiration: .short, clock: time.clock), 4: .idle()]
    }

    @Test(arguments: [
        (0, [true, false, false, false, false]), (1, [false, true, true, false, false]), (2, [false, true, false, true, false]),
        (3, [false, true, true, false, true]), (4, Array(repeating: false, count: 5)), (5, Array(repeating: false, count: 5)),
    ])
    func `answers for the task of a key, and with no for a key without one`(key: Int, answers: [Bool]) {
        let tasks = tasks
        #expect(
            [
                tasks.isRunning(key: key), tasks.isCompleted(key: key), tasks.isSuccessful(key: key), tasks.isFailure(key: key),
                tasks.isRecentlySucceeded(key: key),
            ] == answers)
    }

    /// Mini stops the program here.
    @Test func `the task of an unknown key is idle`() {
        #expect(tasks[task: 0].isRunning)
        #expect(tasks[task: 99].isIdle)
    }

    @Test func `tasks of one type are asked like those of any`() {
        let tasks: [String: TypedTask<Int>] = ["a": .success(1)]
        #expect(tasks.isSuccessful(key: "a"))
        #expect(tasks[task: "a"].data == 1)
        #expect(tasks[task: "b"].isIdle)
    }
}
