import Basics

extension LogOutput {
    /// Standard error, where a program's own messages go.
    public static var standardError: LogOutput { fileDescriptor(2) }

    /// An open file, terminal, pipe or socket.
    ///
    /// A line is written with its line feed in one call of `write`, so that lines of several threads and processes do not mix (POSIX
    /// promises that for pipes and lines up to `PIPE_BUF`, 4 KiB on Linux). A call that is interrupted or takes only a part is repeated for
    /// the rest, and waits until there is room. A line is lost if a descriptor that does not block has no room for its beginning, and cut
    /// where it cannot be written: a log reports nothing to the loop. (A pipe that nobody reads raises SIGPIPE, as for any writer.)
    ///
    /// - Parameter descriptor: stays open as long as the log is attached; it is not closed here.
    public static func fileDescriptor(_ descriptor: Int32) -> LogOutput {
        LogOutput { line, _ in try? DescriptorWriting.writeAll(line + "\n", to: descriptor, whenFull: .failUnlessBegun) }
    }
}
