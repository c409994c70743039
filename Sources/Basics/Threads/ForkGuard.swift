/// Tells a child process that what it inherited from `fork` belongs to its parent.
///
/// On Linux it looks at a page of memory that the system wipes in the child (`MADV_WIPEONFORK`, since 4.14), which costs one load.
/// Elsewhere, and where the system cannot do that, it compares the process id. No handler is registered with the process
/// (`pthread_atfork` can never be taken back), and nothing is global.
package final class ForkGuard: Sendable {
    // Safe because no other thread sees the page during `init`, and afterwards only the system writes there, in a child with one thread.
    nonisolated(unsafe) private let page: UnsafeMutablePointer<Int32>
    private let bytes: Int
    /// Whether the system wipes the page in a child. If not, the process id in the page is compared.
    private let isWiped: Bool

    package init() {
        #if canImport(Darwin)
        (page, bytes, isWiped) = (.allocate(capacity: 1), MemoryLayout<Int32>.size, false)
        #else
        let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
        let mapped = mmap(nil, pageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        if let mapped, mapped != MAP_FAILED {
            let wipeOnFork: Int32 = 18
            isWiped = madvise(mapped, pageBytes, wipeOnFork) == 0
            (page, bytes) = (mapped.assumingMemoryBound(to: Int32.self), pageBytes)
        } else {
            (page, bytes, isWiped) = (.allocate(capacity: 1), MemoryLayout<Int32>.size, false)
        }
        #endif
        page.pointee = getpid()
    }

    deinit { if bytes == MemoryLayout<Int32>.size { page.deallocate() } else { munmap(page, bytes) } }

    /// Whether this process was forked since the guard was made.
    @inline(__always)
    package var isInherited: Bool { isWiped ? page.pointee == 0 : page.pointee != getpid() }
}
