import LoopCore
import LoopFlux
import LoopMigration
import LoopTesting
import TestSupport
import Testing

extension MiniSwiftBehaviour {
    @Suite struct Tasks {
        @Test func `an idle task is in no other state`() {
            let task = AnyTask.idle()
            #expect(task.status == .idle && task.error == nil)
            #expect(!task.isRunning && !task.isFailure && !task.isCompleted && !task.isSuccessful)
        }

        @Test func `a running task is in no other state`() {
            let task = AnyTask.running()
            #expect(task.status == .running && task.error == nil && task.isRunning)
            #expect(!task.isFailure && !task.isCompleted && !task.isSuccessful && !task.isRecentlySucceeded)
        }

        @Test func `a successful task is completed`() {
            let task = AnyTask.success()
            #expect(task.status == .success && task.error == nil)
            #expect(task.isCompleted && task.isSuccessful)
            #expect(!task.isRunning && !task.isFailure)
        }

        @Test func `a successful task of a type has its data`() {
            let task = TypedTask<Int>.success(1)
            #expect(task.status == .success && task.error == nil)
            #expect(task.isCompleted && task.isSuccessful && !task.isRunning && !task.isFailure)
            #expect(task.data == 1)
        }

        @Test func `a failed task is completed and has its error`() {
            let task = AnyTask.failure(Fault.dummy)
            #expect(task.status == .failure)
            #expect(task.error as? Fault == .dummy)
            #expect(task.isFailure && task.isCompleted)
            #expect(!task.isRunning && !task.isSuccessful && !task.isRecentlySucceeded)
        }

        /// Mended: in Mini only tasks of any type can be idle, running or failed.
        @Test func `a task of a type may be idle, running or failed`() {
            let tasks: [TypedTask<Int>] = [.idle(), .running(), .failure(Fault.dummy)]
            #expect(tasks.map(\.status) == [.idle, .running, .failure])
        }

        @Test func `a task carries free properties`() {
            let now = ContinuousClock.now
            var task = AnyTask.idle()
            task[Moment.self] = now
            #expect(task[Moment.self] == now)
            #expect(task[NotAProperty.self] == nil)
        }

        /// Mended: Mini compares the times of making, so that a state with an equal result counts as changed.
        @Test func `tasks made at different times are equal if status and payload are`() {
            let time = ManualClock()
            let task = TypedTask.success(1, clock: time.clock)
            time.advance(by: .seconds(1))
            #expect(task == .success(1, clock: time.clock))
            #expect(task != .success(2, clock: time.clock))
        }

        /// Mended: a property set on one copy shows on all of them in Mini, whose tasks are objects.
        @Test func `a property belongs to one copy`() {
            let task = AnyTask.idle()
            var copy = task
            copy[Property.self] = 1
            #expect(task[Property.self] == nil)
        }
    }

    /// What version 1 had in addition: data with progress, and successes that expire.
    @Suite struct Version1Tasks {
        let time = ManualClock()

        @Test func `a task has data and progress`() {
            let task = TypedTask.running("hot dogs", progress: 0.5)
            #expect(task.data == "hot dogs")
            #expect(task.progress == 0.5)
        }

        @Test func `a success of long ago is not recent`() {
            let task = TypedTask<Int>.success(expiration: .long, clock: time.clock)
            time.advance(by: .seconds(1_000_000))
            #expect(!task.isRecentlySucceeded)
        }

        @Test func `a success that expires immediately is not recent`() {
            #expect(!AnyTask.success(expiration: .immediately, clock: time.clock).isRecentlySucceeded)
        }

        @Test func `a success is recent until it expires`() {
            let task = AnyTask.success(expiration: .custom(.seconds(2)), clock: time.clock)
            #expect(task.isRecentlySucceeded)
            time.advance(by: .seconds(3))
            #expect(!task.isRecentlySucceeded)
        }
    }

    /// The keyed tasks of version 1.
    @Suite struct KeyedTasks {
        let tasks: KeyedTask<Int> = [0: .running(), 1: .success(), 2: .failure(Fault.dummy)]

        @Test func `the task of a key is running`() { #expect((0...3).map { tasks.isRunning(key: $0) } == [true, false, false, false]) }

        @Test func `the task of a key succeeded recently`() { #expect(!(0...3).contains { tasks.isRecentlySucceeded(key: $0) }) }

        @Test func `the task of a key is completed`() {
            #expect((0...3).map { tasks.isCompleted(key: $0) } == [false, true, true, false])
        }

        @Test func `the task of a key is successful`() {
            #expect((0...3).map { tasks.isSuccessful(key: $0) } == [false, true, false, false])
        }

        @Test func `the task of a key failed`() { #expect((0...3).map { tasks.isFailure(key: $0) } == [false, false, true, false]) }
    }
}
