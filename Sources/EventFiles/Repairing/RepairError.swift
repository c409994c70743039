/// Why a file was not repaired. Damage inside it is no error: it stands in the ``RepairResult``.
public enum RepairError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Standard input: a repair reads twice, and standard input gives its bytes once.
    case standardInput
    /// A pipe, a terminal or a device: a repair reads twice, and these give their bytes once.
    case notAFile(String)
    /// The file was cut or replaced between the two readings of a repair.
    case changed(String)
    /// The output's name does not end with `.gz`. Other programs would not take the file for gzip.
    case notNamedGzip(String)
    /// The damaged file's name does not end with `.gz`, so a gzip file cannot take its place.
    case notGzipInPlace(String)
    /// Two inputs would be written to one output.
    case sameOutput(String, String, output: String)
    /// The output exists already.
    case outputExists(String)
    /// The output is the input, and the job is not one in place.
    case outputIsInput(String)
    /// Another program holds the file or is making the output, or the path is a link or leads nowhere.
    case inUse(String)
    /// An uploader or a forgetting is at work on the folder of the sound file.
    case folderInUse(String)
    /// A killed forgetting left this file and another with the same events. One of them still has the person's lines.
    case halfForgotten(String)
    /// A system call for this path failed.
    case storage(path: String, call: FileSystemError.Call, errno: Int32)

    public var description: String {
        switch self {
        case .standardInput: "standard input cannot be repaired: a repair reads twice. Write it to a file first"
        case .notAFile(let path):
            "\(path) cannot be repaired: it gives its bytes once, and a repair reads twice. Write them to a file first"
        case .changed(let path):
            "\(path) lost lines while it was repaired: another program changed it. It was not replaced; repair it again"
        case .notNamedGzip(let path): "\(path): a repaired file is gzip; choose a name that ends with .ndjson.gz"
        case .notGzipInPlace(let path): "\(path) is no gzip by its name, and a repaired file is gzip; give -o instead of --in-place"
        case .sameOutput(let one, let other, let output):
            "\(one) and \(other) would both become \(output); repair them in two calls, into two folders"
        case .outputExists(let path): "\(path) is there already and is not replaced; choose another name, or move it away"
        case .outputIsInput(let path): "\(path) is the input; give another name, or --in-place"
        case .inUse(let path):
            "\(path) is being written by another program, or is a link, or is gone; wait for that program to end, or give -o instead of --in-place"
        case .folderInUse(let path): "an uploader or `looptrail forget` is at work on \(path): run this again when it has ended"
        case .halfForgotten(let path): "\(path) is one of two files that a killed `looptrail forget` left: run that again, then this"
        case .storage(let path, let call, let errno): "\(FileSystemError(call, errno: errno, path: path)); earlier repairs stay"
        }
    }

    init(_ error: FileSystemError, at path: String) { self = .storage(path: path, call: error.call, errno: error.errno) }
}
