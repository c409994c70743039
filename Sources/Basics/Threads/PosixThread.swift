/// A thread that can be joined once, or left to end by itself.
///
/// A thread and not a task: it blocks in system calls, which threads of the cooperative pool must not do, and it can be joined.
package struct PosixThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    // pthread_t is a pointer on some systems and a number on others; either way it is a name for the thread that any thread may use.
    private let handle: UInt

    /// Starts a thread that runs none of the app's signal handlers, except for its own faults. Throws the system's error on failure.
    package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let argument = Unmanaged.passRetained(Body(body)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // A fault while its signal is blocked ends the process at once, and the app's crash reporter would see nothing.
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS] { sigdelset(&all, fault) }
        pthread_sigmask(SIG_SETMASK, &all, &before)
        // Code run here walks an app's values recursively. By default a stack has only 512 KiB on some systems, and 128 on others.
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, 8 << 20)
        #if canImport(Darwin)
        var thread: pthread_t?
        let failed = pthread_create(&thread, &attributes, { PosixThread.enter($0) }, argument)
        handle = UInt(bitPattern: thread)
        #else
        var thread = pthread_t()
        let failed = pthread_create(&thread, &attributes, { PosixThread.enter($0!) }, argument)
        handle = UInt(thread)
        #endif
        pthread_sigmask(SIG_SETMASK, &before, nil)
        if failed != 0 {
            Unmanaged<Body>.fromOpaque(argument).release()
            throw SystemError(number: failed)
        }
    }

    private static func enter(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        // Swift sees no such call in Glibc.
        pthread_setname_np("looptrail")
        #endif
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    /// A name for the calling thread, which no other thread has while this one runs.
    package static var current: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// Waits until the thread has ended. Call it once at most.
    package func join() { pthread_join(thread, nil) }

    /// Lets the thread end by itself. Call it once at most, instead of ``join()``.
    package func detach() { pthread_detach(thread) }

    #if canImport(Darwin)
    private var thread: pthread_t { pthread_t(bitPattern: handle)! }
    #else
    private var thread: pthread_t { pthread_t(handle) }
    #endif
}
