import Basics

/// Threads that run one body each until it returns. A caller makes and joins them in one call, so that none outlives its work.
struct WorkerThreads {
    private var threads: [PosixThread] = []

    /// Starts `count` threads, or as many as the system grants: fewer only make the work slower.
    init(_ count: Int, run: @escaping @Sendable () -> Void) {
        for _ in 0..<max(count, 0) {
            guard let thread = try? PosixThread(run) else { return }
            threads.append(thread)
        }
    }

    func join() { for thread in threads { thread.join() } }
}
