/// One file to repair, and where the sound one goes.
public struct RepairJob: Sendable, Hashable {
    public var input: String
    /// The path of the sound file. In place it is the input's own path, without `.open`.
    public var output: String
    public var isInPlace: Bool
    /// As in ``InputFile``.
    var wasNamed = true

    public init(input: String, output: String, isInPlace: Bool = false) {
        (self.input, self.output, self.isInPlace) = (input, output, isInPlace)
    }

    /// Where the sound files go.
    public enum Target: Sendable, Hashable {
        /// One file, whose name must end with `.gz`.
        case path(String)
        /// A folder, which must exist when the repair runs.
        case folder(String)
        /// Beside the damaged files, under their names.
        case inPlace
    }

    /// Pairs the files of a reader with their outputs.
    ///
    /// - Throws: ``RepairError`` if two files would have one output, an output's name does not end with `.gz`, or an input is no file.
    public static func jobs(for files: [InputFile], into target: Target) throws(RepairError) -> [RepairJob] {
        var jobs: [RepairJob] = []
        var taken: [[UInt8]: String] = [:]
        for file in files {
            if !file.isStandardInput, file.bytes == nil { throw .notAFile(file.path) }
            var job = try RepairJob(file.path, target)
            job.wasNamed = file.wasNamed
            if let other = taken.updateValue(file.path, forKey: Array(job.output.utf8)) {
                throw .sameOutput(other, file.path, output: job.output)
            }
            jobs.append(job)
        }
        return jobs
    }

    private init(_ input: String, _ target: Target) throws(RepairError) {
        if input == "-" { throw .standardInput }
        switch target {
        case .path(let path):
            guard path.endsWithBytes(".gz") else { throw .notNamedGzip(path) }
            self.init(input: input, output: path)
        case .folder(let folder):
            self.init(input: input, output: FilePath(folder: folder, name: Self.soundName(of: FilePath(input).name)).text)
        case .inPlace: self.init(input: input, output: input.droppingLastBytes(".open") ?? input, isInPlace: true)
        }
    }

    /// The name of the repaired file: the input's without `.open`, and with `.gz` at its end.
    private static func soundName(of name: String) -> String {
        let sealed = name.droppingLastBytes(".open") ?? name
        if sealed.endsWithBytes(".gz") { return sealed }
        return sealed.endsWithBytes(".ndjson") || sealed.endsWithBytes(".jsonl") ? sealed + ".gz" : sealed + ".ndjson.gz"
    }
}
