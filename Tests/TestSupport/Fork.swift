public import Foundation

/// The system's `fork`, which Swift does not offer, for good reasons: only the calling thread goes on in the child, and a lock that
/// another thread held at that moment, of the Swift runtime's too, stays locked there for ever. So fork where no other thread is at work,
/// which no test among others running at once can say of itself: in an exit test, or in a test program that runs one test.
///
/// Both halves get an alarm that ends them, should one wait for the other, or for such a lock, for ever.
///
/// - Parameter seconds: how long each half may go on from here.
/// - Returns: 0 in the child, the child's process id in the parent, less than 0 when there is no child.
public func forkWithAlarms(seconds: UInt32 = 60) -> pid_t {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { return -1 }
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    // Dispatch's threads block almost every signal. An alarm that no thread takes would be pending for as long as the process hangs.
    var alarms = sigset_t()
    sigemptyset(&alarms)
    sigaddset(&alarms, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    let child = fork()
    alarm(seconds)
    return child
}

/// Waits for a child of ``forkWithAlarms(seconds:)``.
///
/// - Returns: what it gave to `_exit`, or -1 when a signal ended it.
public func exitCode(ofChild child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) != child {
        guard errno == EINTR else { return -1 }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
}
