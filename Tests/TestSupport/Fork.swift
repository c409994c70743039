public import Foundation

/// The system's `fork`, which Swift does not offer because it is unsafe. Only the calling thread continues in the child. A lock that
/// another thread holds at that moment stays locked there for ever, and the Swift runtime has such locks. So call this only where no other
/// thread works: in an exit test, or in a test program that runs one test. A test that runs beside others must not call it.
///
/// Parent and child each get an alarm. It ends a process that waits for the other one, or for such a lock, for ever.
///
/// - Parameter seconds: how long each of the two processes may run from here.
/// - Returns: 0 in the child, the child's process id in the parent, less than 0 when there is no child.
public func forkWithAlarms(seconds: UInt32 = 60) -> pid_t {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "fork") else { return -1 }
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    // Threads of Dispatch block almost every signal. If every thread blocked the alarm, it would never end a process that hangs.
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
/// - Returns: the status that the child gave to `_exit`, or -1 if a signal ended it or `waitpid` failed.
public func exitCode(ofChild child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) != child {
        guard errno == EINTR else { return -1 }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
}
