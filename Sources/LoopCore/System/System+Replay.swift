/// What is known about an event that a system takes a second time.
package enum PastOutcome<State> {
    /// Nothing: the event is reduced, and its work runs as if it were new.
    case unknown
    /// The event is reduced; where that describes work, the work does not run and this is the state it led to.
    case settled(State)
    /// The event's work failed, and the state stayed what it was.
    case failed(any Error)
    /// The event's work was cancelled, and the state stayed what it was.
    case cancelled
}

extension System {
    /// Begins a replay: steps are marked with ``Step/isReplay``, and feedbacks see nothing. Whatever is sent meanwhile is dropped, because
    /// it was sent in the past and is among the replayed events. Returns `false` and changes nothing if the system has taken an event, is
    /// at work, is replaying already or is stopped.
    package func beginReplay(isolation: isolated any Actor = #isolation) -> Bool {
        guard number == 0, standing.turn == .idle, nextRun == nil, queue.isEmpty, runningEffects == 0, !isStopped, !isReplaying
        else { return false }
        _ = claim(isolation)
        standing = Standing(.replaying, .draining)
        return true
    }

    /// Takes an event of the past, between ``beginReplay(isolation:)`` and ``endReplay(isolation:)``. Only the first loading state is
    /// replayed, unless the work runs. Does nothing on a system that was stopped.
    package func replay(
        _ event: Event, ended past: PastOutcome<State>, isolation: isolated any Actor = #isolation, fileID: StaticString = #fileID,
        line: UInt = #line
    ) async {
        if isStopped { return }
        precondition(isReplaying, "System.replay was called outside a replay.")
        number += 1
        let before = current
        let queued = QueuedEvent(event: event, origin: SendOrigin(fileID: fileID, line: line), sentAt: 0)
        switch past {
        case .settled(let state): reduceAgain(queued, before: before, instead: state)
        case .failed(let error): reduceAgain(queued, before: before, instead: before, outcome: .failed(error))
        case .cancelled: reduceAgain(queued, before: before, instead: before, outcome: .cancelled)
        case .unknown:
            var next = reduced(event)
            var outcome = Outcome.finished
            do {
                while case .work(let work, let loading) = next.plan {
                    if let loading { publish(loading, .loading, of: queued, before: current, nil) }
                    if isStopped { break }
                    next = try await work()
                }
            } catch {
                next = .state(before)
                outcome = error is CancellationError ? .cancelled : .failed(error)
            }
            settle(queued, next.now ?? current, outcome)
        }
        dropWhatWasSent()
    }

    /// Ends the replay: from here on the system works as any other, and its feedbacks see the state that was reached.
    package func endReplay(isolation: isolated any Actor = #isolation) {
        if isStopped {
            standing.turn = .idle
            return
        }
        guard isReplaying else { return }
        dropWhatWasSent()
        standing = Standing(.live, .idle)
        chain.begin()
        perform(isolation: isolation) { showFeedbacks(nil, isolation: isolation) }
    }

    /// Drops what came into the inbox. What was sent to the system itself was dropped at once.
    private func dropWhatWasSent() { _ = inboxCore?.takeAll() }

    /// What the event leads to. The state stays as it is.
    private func reduced(_ event: Event) -> Next<State> {
        standing.turn = .reducing
        defer { standing.turn = .draining }
        return reducer.next(current, event)
    }

    /// Reduces an event whose end is known; its work does not run.
    private func reduceAgain(_ queued: QueuedEvent<Event>, before: State, instead: State, outcome: Outcome = .finished) {
        var settled = instead
        switch reduced(queued.event).plan {
        case .value(let state): if outcome.isFinished { settled = state }
        case .work(_, let loading): if let loading { publish(loading, .loading, of: queued, before: before, nil) }
        }
        settle(queued, settled, outcome)
    }

    private func settle(_ queued: QueuedEvent<Event>, _ settled: State, _ outcome: Outcome) {
        if isStopped { return end(queued, number: number, .cancelled, isReplay: true) }
        publish(settled, .settled, of: queued, before: current, outcome)
    }

    private func publish(_ state: State, _ phase: StepPhase, of queued: QueuedEvent<Event>, before: State, _ outcome: Outcome?) {
        if observers.needs.contains(.previousState) { notes.keep(before) }
        change(to: state) { publish(phase, of: queued, number: number, outcome: outcome) }
        notes.clear()
    }
}
