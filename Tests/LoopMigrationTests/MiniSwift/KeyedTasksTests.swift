import LoopCore
import LoopFlux
import LoopMigration
import LoopTesting
import TestSupport
import Testing

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

    @Test func `tasks with a typed payload answer like those with any payload`() {
        let tasks: [String: TypedTask<Int>] = ["a": .success(1)]
        #expect(tasks.isSuccessful(key: "a"))
        #expect(tasks[task: "a"].data == 1)
        #expect(tasks[task: "b"].isIdle)
    }
}
