import Basics

/// A pseudo-terminal.
final class Terminal: Sendable {
    private let controller: Int32
    /// The end that a program sees as its terminal.
    let descriptor: Int32

    init(columns: UInt16) throws {
        let path: String
        #if canImport(Darwin)
        controller = posix_openpt(O_RDWR | O_NOCTTY)
        guard controller >= 0, grantpt(controller) == 0, unlockpt(controller) == 0, let name = ptsname(controller) else {
            throw Child.Failure.cannot("posix_openpt", errno: errno)
        }
        path = String(cString: name)
        #else
        // The C functions for this are hidden from Swift behind a feature macro; these are the calls that they make.
        let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (isLocked, number): (CInt, CInt) = (0, 0)
        guard controller >= 0, ioctl(controller, unlock, &isLocked) == 0, ioctl(controller, getNumber, &number) == 0 else {
            throw Child.Failure.cannot("open /dev/ptmx", errno: errno)
        }
        path = "/dev/pts/\(number)"
        #endif
        descriptor = open(path, O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { throw Child.Failure.cannot("open", errno: errno) }
        _ = fcntl(controller, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        close(controller)
        close(descriptor)
    }

    /// Types a text that waits to be read.
    func type(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(controller, $0.baseAddress, $0.count) } }

    /// What was written since the last call, without the carriage returns that the terminal adds. It holds at most 4,000 bytes.
    func text() -> String { String(decoding: rawText().utf8.filter { $0 != 0x0D }, as: UTF8.self) }

    /// What was printed, with its carriage returns.
    func rawText() -> String {
        _ = fcntl(controller, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 8192)
        var text: [UInt8] = []
        while true {
            let count = read(controller, &bytes, bytes.count)
            if count <= 0 { break }
            text += bytes[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
