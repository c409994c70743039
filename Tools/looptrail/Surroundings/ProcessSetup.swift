import Basics
#if canImport(Glibc)
import CGlibc
#endif

/// Settings of the process, which `main.swift` makes before anything else.
enum ProcessSetup {
    static func run() {
        // If a reader closes the output, `write` fails; without this, a signal would kill the process.
        signal(SIGPIPE, SIG_IGN)
        // If a standard descriptor is closed, a file opened later would get its number, and messages would go into it. So /dev/null takes
        // its place: read-only for output, so that a lost result is an error, and writable for messages, which may be lost.
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
        // `forget` keeps all folders of a tree open. Darwin refuses a limit above 10,240, its `OPEN_MAX`.
        if getrlimit(descriptors, &limit) == 0 {
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 10_240))
            setrlimit(descriptors, &limit)
        }
        #if canImport(Glibc)
        // Keeps freed memory in the process, for the events of the next file. Memory that is returned to the system comes back with a fault
        // for each page: a twentieth of the processor time of a question to summaries. 32 MiB is the largest threshold that glibc accepts.
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, 256 << 20)
        #endif
    }
}
