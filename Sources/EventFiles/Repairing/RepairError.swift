/// Why a file was not repaired. Damage inside it is no error: it stands in the ``RepairResult``.
public enum RepairError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Standard input cannot be read twice, as a repair has to.
    case standardInput
    /// A pipe, a terminal or a device: it gives its bytes once, and a repair reads twice.
    case notAFile(String)
    /// The file was cut or replaced between the two readings of a repair.
    case changed(String)
    /// The output's name does not end with `.gz`, and readers would take its bytes for something else.
    case notNamedGzip(String)
    /// A file that is no gzip by its name cannot become one in its place.
    case notGzipInPlace(String)
    /// Two inputs would be written to one output.
    case sameOutput(String, String, output: String)
    /// The output is there already.
    case outputExists(String)
    /// The output is the input, and that was not to be repaired in its place.
    case outputIsInput(String)
    /// A living writer holds the file, or the path is a link.
    case inUse(String)
    /// The system refused something at this path.
    case storage(path: String, call: FileSystemError.Call, errno: Int32)

    public var description: String {
        switch self {
        case .standardInput: "standard input cannot be repaired: a repair reads twice. Write it to a file first"
        case .notAFile(let path):
            "\(path) cannot be repaired: it gives its bytes once, and a repair reads twice. Write them to a file first"
        case .changed(let path):
            "\(path) lost lines while it was repaired: another program changed it. Nothing was replaced; repair it again"
        case .notNamedGzip(let path): "\(path): a repaired file is gzip; choose a name that ends with .ndjson.gz"
        case .notGzipInPlace(let path): "\(path) is no gzip by its name, and a repaired file is; give -o instead of --in-place"
        case .sameOutput(let one, let other, let output):
            "\(one) and \(other) would both become \(output); repair them in two calls, into two folders"
        case .outputExists(let path): "\(path) is there already and is not replaced; remove it or choose another name"
        case .outputIsInput(let path): "\(path) is the input; give another name, or --in-place"
        case .inUse(let path):
            "\(path) is being written by another program, or is a link; wait for that program to end, or give -o instead of --in-place"
        case .storage(let path, let call, let errno): "\(FileSystemError(call, errno: errno, path: path)); nothing was replaced"
        }
    }

    init(_ error: FileSystemError, at path: String) { self = .storage(path: path, call: error.call, errno: error.errno) }
}
