import Basics

/// The tasks around ``UploadMachine``: one drives it, one makes the request, one watches for an erasure meanwhile, one sleeps.
final class UploadRun: Sendable {
    typealias Sleep = @Sendable (Duration) async throws -> Void

    private typealias Waiter = (id: Int, end: CheckedContinuation<Result<UploadSummary, UploadError>, Never>)

    private struct State {
        var isStarted = false
        /// Whether it was started when ``letGo()`` paused it, so that ``goOn()`` starts it again.
        var isHeld = false
        var mustRestart = false
        var isEnding = false
        var task: Task<Void, Never>?
        var waiters: [Waiter] = []
        var cancelledWaiters: Set<Int> = []
        var nextWaiter = 0
        /// The id of the waiter for whom a round is under way.
        var served: Int?
        var underWay: Task<UploadAnswer, any Error>?
        var sleeper: Task<Void, Never>?
        /// Whether something happened since it last looked into the folder.
        var isWoken = false
        var statistics = UploadStatistics()
    }

    private actor Turns {
        var machine: UploadMachine

        init(_ machine: UploadMachine) { self.machine = machine }

        func with<Result: Sendable>(_ body: @Sendable (inout UploadMachine) -> Result) -> Result { body(&machine) }
    }

    private let turns: Turns
    private let state = Lock(State())
    private let destination: any UploadDestination
    private let interval: Duration
    private let sleep: Sleep
    private let mayUpload: @Sendable () -> Bool
    private let isBeingErased: @Sendable () -> Bool
    private let onUpload: (@Sendable (UploadOutcome) -> Void)?

    init(
        _ machine: sending UploadMachine, to destination: any UploadDestination, every interval: Duration, sleep: @escaping Sleep,
        mayUpload: @escaping @Sendable () -> Bool, isBeingErased: @escaping @Sendable () -> Bool,
        onUpload: (@Sendable (UploadOutcome) -> Void)?
    ) {
        turns = Turns(machine)
        (self.destination, self.interval, self.sleep) = (destination, max(interval, .seconds(1)).asSleep, sleep)
        (self.mayUpload, self.isBeingErased, self.onUpload) = (mayUpload, isBeingErased, onUpload)
    }

    var statistics: UploadStatistics { state.withLock { $0.statistics } }

    // MARK: From outside

    func start() {
        state.withLock { state in
            if state.isStarted { return }
            (state.isStarted, state.mustRestart) = (true, true)
            begin(&state)
        }
    }

    func stop() async { await end()?.value }

    /// Cancels the request under way, gives back the folder and its lock, and pauses. Rounds end as ``stop()`` ends them.
    func letGo() async {
        await end { $0.isHeld = $0.isHeld || $0.isStarted }?.value
        // ``goOn()`` may have started it again meanwhile.
        if !state.withLock({ $0.isStarted }) { await turns.with { $0.close() } }
    }

    /// Starts again what ``letGo()`` paused. If it was started meanwhile, it may be asleep: it is woken.
    func goOn() {
        wake()
        state.withLock { state in
            guard state.isHeld else { return }
            (state.isHeld, state.isStarted) = (false, true)
            begin(&state)
        }
    }

    /// Ends like ``stop()`` and does not wait: gives the task that is to end.
    func end() -> Task<Void, Never>? { end { $0.isHeld = false } }

    private func end(_ change: (inout State) -> Void) -> Task<Void, Never>? {
        state.withLock { state in
            change(&state)
            state.isStarted = false
            state.isEnding = state.task != nil
            state.underWay?.cancel()
            state.sleeper?.cancel()
            return state.task
        }
    }

    func wake() {
        state.withLock { state in
            state.isWoken = true
            state.sleeper?.cancel()
        }
    }

    func callBack() { state.withLock { $0.underWay?.cancel() } }

    func round() async throws(UploadError) -> UploadSummary {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelledWaiters.contains(id) { return true }
                    state.waiters.append((id, continuation))
                    state.sleeper?.cancel()
                    begin(&state)
                    return false
                }
                if isCancelled { continuation.resume(returning: .failure(.stopped)) }
            }
        } onCancel: {
            // One that waits need not wait for the rounds before its own.
            let waiter: Waiter? = state.withLock { state in
                if let index = state.waiters.firstIndex(where: { $0.id == id }) { return state.waiters.remove(at: index) }
                state.cancelledWaiters.insert(id)
                if state.served == id { state.underWay?.cancel() }
                return nil
            }
            waiter?.end.resume(returning: .failure(.stopped))
        }
        state.withLock { _ = $0.cancelledWaiters.remove(id) }
        return try result.get()
    }

    private func begin(_ state: inout State) { if state.task == nil { state.task = Task { await self.work() } } }

    // MARK: The task

    private enum Work {
        case round(Waiter)
        case drain(restarts: Bool)
    }

    private func work() async {
        while let work = nextWork() {
            switch work {
            case .round(let waiter): waiter.end.resume(returning: await round(for: waiter.id))
            case .drain(let restarts):
                if restarts { await turns.with { $0.restart() } }
                await rest(await drain())
            }
        }
    }

    /// - Returns: `nil` at the end. The task must not go on then.
    private func nextWork() -> Work? {
        let (work, stopped): (Work?, [Waiter]) = state.withLock { state in
            if state.isEnding {
                let stopped = state.waiters
                // ``stop()`` waits for the end of this task. If it was started again meanwhile, a new task goes on.
                (state.waiters, state.isEnding, state.task) = ([], false, nil)
                if state.isStarted { begin(&state) }
                return (nil, stopped)
            }
            if !state.waiters.isEmpty { return (.round(state.waiters.removeFirst()), []) }
            guard state.isStarted else {
                state.task = nil
                return (nil, [])
            }
            defer { (state.isWoken, state.mustRestart) = (false, false) }
            return (.drain(restarts: state.mustRestart), [])
        }
        for waiter in stopped { waiter.end.resume(returning: .failure(.stopped)) }
        return work
    }

    private func round(for waiter: Int) async -> Result<UploadSummary, UploadError> {
        state.withLock { $0.served = waiter }
        await turns.with { $0.beginRound() }
        let end = await sendAll { !$0.isEnding && !$0.cancelledWaiters.contains(waiter) }
        let summary = await turn { machine in
            machine.release()
            return machine.endRound()
        }
        state.withLock { $0.served = nil }
        return switch end {
        case nil: .failure(.stopped)
        case .failure(let error): .failure(error)
        case .success(.busy(let folder)): .failure(.busy(folder: folder))
        case .success: .success(summary)
        }
    }

    /// Sends what there is to send; returns how long there is nothing to do after that.
    private func drain() async -> Duration {
        switch await sendAll(while: { $0.isStarted && !$0.isEnding && $0.waiters.isEmpty }) {
        case nil:
            await turns.with { $0.release() }
            return .zero
        case .success(.wait(let nanoseconds?)): return min(interval, .nanoseconds(nanoseconds))
        case .success: return interval
        case .failure(let error):
            onUpload?(UploadOutcome(segment: nil, bytes: 0, result: .waiting(error, retryIn: interval)))
            return interval
        }
    }

    /// Sends one segment after the other. Returns the first step that sends nothing, or the error; `nil` if `mayGoOn` ends the work.
    private func sendAll(while mayGoOn: (State) -> Bool) async -> Result<UploadMachine.Step, UploadError>? {
        while state.withLock({ mayGoOn($0) }) {
            switch await turn({ machine in Result { () throws(UploadError) in try machine.next() } }) {
            case .success(.send(let segment)): await send(segment)
            case .success(.failed(let outcome)): onUpload?(outcome)
            case let end: return end
            }
        }
        return nil
    }

    /// Passes the machine to `body`, and notes its statistics afterwards.
    private func turn<Value: Sendable>(_ body: @Sendable (inout UploadMachine) -> Value) async -> Value {
        let (value, statistics) = await turns.with { machine in (body(&machine), machine.statistics) }
        state.withLock { $0.statistics = statistics }
        return value
    }

    private func send(_ segment: SealedSegment) async {
        let request = Task { [destination] in try await destination.upload(segment) }
        let watch = Task { [isBeingErased, sleep] in
            while !Task.isCancelled {
                guard (try? await sleep(.seconds(1))) != nil else { return }
                if isBeingErased() { return request.cancel() }
            }
        }
        state.withLock { state in
            state.underWay = request
            // Who ended the work, or cancelled the round, before this line found no request to cancel.
            if state.isEnding || state.served.map(state.cancelledWaiters.contains) == true { request.cancel() }
        }
        // Asked again: a denial of consent cancels the request under way, and this one may have begun right after that.
        if !mayUpload() || isBeingErased() { request.cancel() }
        let result = await request.result
        watch.cancel()
        state.withLock { $0.underWay = nil }
        let isCalledBack = request.isCancelled
        if let outcome = await turn({ $0.ended(result, isCalledBack: isCalledBack) }) { onUpload?(outcome) }
    }

    private func rest(_ pause: Duration) async {
        if pause <= .zero { return }
        let sleeper: Task<Void, Never>? = state.withLock { state in
            if state.isWoken || state.isEnding || !state.waiters.isEmpty || state.mustRestart { return nil }
            let sleeper = Task { [sleep] in _ = try? await sleep(pause) }
            state.sleeper = sleeper
            return sleeper
        }
        await sleeper?.value
        state.withLock { $0.sleeper = nil }
    }
}
