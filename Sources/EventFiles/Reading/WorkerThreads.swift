#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Threads that run one body each until it returns. Made and joined within one call, so none outlives its work.
struct WorkerThreads {
    private var threads: [pthread_t] = []

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts as many threads as asked for, or as many as the system grants: fewer only make the work slower.
    init(_ count: Int, run: @escaping @Sendable () -> Void) {
        for _ in 0..<max(count, 0) {
            let body = Unmanaged.passRetained(Body(run))
            #if canImport(Darwin)
            var thread: pthread_t?
            let failed = pthread_create(
                &thread, nil,
                {
                    Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run()
                    return nil
                }, body.toOpaque())
            #else
            var thread = pthread_t()
            let failed = pthread_create(
                &thread, nil,
                {
                    if let body = $0 { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
                    return nil
                }, body.toOpaque())
            #endif
            if failed != 0 {
                body.release()
                return
            }
            #if canImport(Darwin)
            if let thread { threads.append(thread) }
            #else
            threads.append(thread)
            #endif
        }
    }

    /// Waits until every body has returned. To be called once.
    func join() {
        for thread in threads { pthread_join(thread, nil) }
    }

    /// How many threads the machine runs at once.
    static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
