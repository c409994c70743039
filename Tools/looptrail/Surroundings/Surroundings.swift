import Basics
import TrackingEvents

/// What the command knows of the process that it runs in. It is a value, so that tests can make one up.
struct Surroundings: Sendable {
    /// Gives the value of an environment variable.
    var variable: @Sendable (String) -> String?
    /// File descriptors.
    var standardInput: Int32
    var standardOutput: Int32
    var standardError: Int32
    var isTerminal: @Sendable (Int32) -> Bool
    /// Columns of the terminal behind a descriptor; `nil` if there is none.
    var terminalColumns: @Sendable (Int32) -> Int?
    var clock: WallClock
    /// Seconds since some fixed moment; never goes backwards.
    var monotonicSeconds: @Sendable () -> Double

    /// The surroundings of this process.
    static let process = Surroundings(
        variable: { name in getenv(name).map { String(cString: $0) } },
        standardInput: 0, standardOutput: 1, standardError: 2,
        isTerminal: { isatty($0) == 1 },
        terminalColumns: { descriptor in
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
            return Int(size.ws_col)
        },
        clock: .system,
        monotonicSeconds: {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
        })
}

extension Surroundings {
    /// The columns for text on a descriptor: `COLUMNS` if it is 20 to 10,000, else the terminal's width or 80. `nil` without a terminal.
    func columns(of descriptor: Int32) -> Int? {
        if let text = variable("COLUMNS"), let columns = Int(text), (20...10_000).contains(columns) { return columns }
        return isTerminal(descriptor) ? terminalColumns(descriptor) ?? 80 : nil
    }

    /// Whether standard input is a pipe, a socket or a file, so that there is something to read.
    var isPipedInto: Bool {
        var status = stat()
        guard fstat(standardInput, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK, S_IFREG].contains(status.st_mode & S_IFMT)
    }

    /// Whether somebody may read standard output: it is no pipe, socket or terminal whose other end is closed.
    var hasReader: Bool {
        // Darwin looks at nothing if no event is asked for.
        var asked = pollfd(fd: standardOutput, events: Int16(POLLOUT), revents: 0)
        return poll(&asked, 1, 0) <= 0 || Int32(asked.revents) & (POLLERR | POLLHUP) == 0
    }

    /// Whether the locale is UTF-8, so that output may hold characters beyond ASCII. As POSIX has it, the locale is the first of `LC_ALL`,
    /// `LC_CTYPE` and `LANG` that is not empty. Without any it is the POSIX locale.
    var isUTF8: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        guard let locale = names.lazy.compactMap({ variable($0) }).first(where: { !$0.isEmpty }) else { return false }
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// Whether text on a descriptor may have colours: on a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` turns them off.
    func allowsColour(on descriptor: Int32) -> Bool {
        isTerminal(descriptor) && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
    }
}
