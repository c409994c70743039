/// A thread that can be joined once, or left to end by itself.
///
/// A thread and not a task: it blocks in system calls, which the cooperative pool must not, and it can be waited for to the end.
package struct PosixThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    // pthread_t is a pointer on some systems and a number on others; either way it is a name for the thread that any thread may use.
    private let handle: UInt

    /// Starts a thread with all signals blocked: an app's handlers do not want to run here. Throws why the system made none.
    package init(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let argument = Unmanaged.passRetained(Body(body)).toOpaque()
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        #if canImport(Darwin)
        var thread: pthread_t?
        let failed = pthread_create(&thread, nil, { PosixThread.enter($0) }, argument)
        handle = UInt(bitPattern: thread)
        #else
        var thread = pthread_t()
        let failed = pthread_create(&thread, nil, { PosixThread.enter($0!) }, argument)
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
        // Glibc shows Swift no such call.
        pthread_setname_np("looptrail")
        #endif
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    /// A name for the calling thread, which no other has while it runs.
    package static var current: UInt {
        #if canImport(Darwin)
        UInt(bitPattern: pthread_self())
        #else
        UInt(pthread_self())
        #endif
    }

    /// Waits until the thread has ended. Once.
    package func join() { pthread_join(thread, nil) }

    /// Lets the thread end by itself. Instead of joining it.
    package func detach() { pthread_detach(thread) }

    #if canImport(Darwin)
    private var thread: pthread_t { pthread_t(bitPattern: handle)! }
    #else
    private var thread: pthread_t { pthread_t(handle) }
    #endif
}
