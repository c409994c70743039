import Basics
#if canImport(Glibc)
import CGlibc
#endif

/// What a process sets right once, before anything else.
enum ProcessSetup {
    static func run() {
        // A reader that goes away is an error of `write` here, not a signal that kills.
        signal(SIGPIPE, SIG_IGN)
        // A file opened later must not land on a standard descriptor that was closed: a note would be written into it. What
        // takes its place can be written to only where losing it is harmless.
        for (descriptor, mode) in [(Int32(0), O_RDONLY), (1, O_RDONLY), (2, O_WRONLY)] where fcntl(descriptor, F_GETFD) == -1 {
            let opened = open("/dev/null", mode)
            if opened >= 0 && opened != descriptor {
                dup2(opened, descriptor)
                close(opened)
            }
        }
        #if canImport(Glibc)
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let descriptors = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        // `forget` holds all folders of a tree open. Darwin refuses more than 10,240, its `OPEN_MAX`.
        if getrlimit(descriptors, &limit) == 0 {
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 10_240))
            setrlimit(descriptors, &limit)
        }
        #if canImport(Glibc)
        // What one file's events leave is at hand for the next file's. Memory that goes back to the system comes again page by page, each at the
        // price of a fault: a twentieth of the processor's time of a question to summaries. 32 MiB is the most that glibc takes.
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, 256 << 20)
        #endif
    }
}
