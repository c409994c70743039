/// Tells a child process that what it inherited from `fork` belongs to its parent.
///
/// On Linux a page of memory that the system wipes in the child (`MADV_WIPEONFORK`, since 4.14), so that to ask is one load; elsewhere,
/// and where the system cannot do that, the process id. No handler is registered with the process (`pthread_atfork` can never be taken
/// back), and nothing is global.
package final class ForkGuard: Sendable {
    /// What it leads to is written before another thread can have the guard, and wiped by the system in a child, which has one thread.
    nonisolated(unsafe) private let page: UnsafeMutablePointer<Int32>  // Set and written in `init` alone.
    private let bytes: Int
    /// Whether the page is wiped in a child; else it holds the process id to compare with.
    private let isWiped: Bool

    package init() {
        bytes = Int(sysconf(Int32(_SC_PAGESIZE)))
        let mapped = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { preconditionFailure("no page of memory: error \(errno)") }
        #if canImport(Darwin)
        isWiped = false
        #else
        let wipeOnFork: Int32 = 18
        isWiped = madvise(mapped, bytes, wipeOnFork) == 0
        #endif
        page = mapped.assumingMemoryBound(to: Int32.self)
        page.pointee = getpid()
    }

    deinit { munmap(page, bytes) }

    /// Whether this process was forked since the guard was made.
    @inline(__always)
    package var isInherited: Bool { isWiped ? page.pointee == 0 : page.pointee != getpid() }
}
