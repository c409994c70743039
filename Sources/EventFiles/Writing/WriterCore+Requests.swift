import Basics

/// The callers' side: what they ask of the thread.
extension WriterCore {
    /// Asks the thread for something. The completion comes from the thread, or from here if the writer is closed.
    func request(_ kind: WriterState.Request.Kind, completion: @escaping @Sendable (EventFileError?) -> Void) {
        let isAccepted = monitor.withLock { state in
            guard state.isOpen else { return false }
            if case .close = kind { state.isOpen = false }
            state.requests.append(WriterState.Request(kind: kind, completion: completion))
            state.threadWait = .no
            work.signal()
            space.broadcast()
            return true
        }
        if !isAccepted { completion(.closed) }
    }

    /// Makes a closing writer stop trying when storage fails.
    func giveUp() {
        monitor.withLock { state in
            state.mustGiveUp = true
            work.signal()
        }
    }

    var mustGiveUp: Bool { monitor.withLock { $0.mustGiveUp } }

    /// Remembers which thread it is that works. Before anybody can hear from it.
    func threadBegins() { monitor.withLock { $0.thread = PosixThread.current } }

    /// The thread's name may be another's from now on.
    func threadEnds() { monitor.withLock { $0.thread = nil } }

    /// Whether the caller is the writer's own thread, which waits for nobody but callers.
    var isOnThread: Bool { monitor.withLock { $0.thread } == PosixThread.current }

    var recovery: RecoveryReport { monitor.withLock { $0.recovery } }
}
