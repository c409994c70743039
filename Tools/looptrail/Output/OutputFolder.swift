#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Basics

/// A folder that a command writes files into.
enum OutputFolder {
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Makes the folder for its owner alone where it is missing; the folder above it must be there.
    static func make(_ path: String) throws(OutputError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST && isThere(path) { return }
        throw .file(path: path, doing: "make the folder", SystemError(number: errno == EEXIST ? ENOTDIR : errno))
    }
}
