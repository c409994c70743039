import EventFiles

extension Invocation {
    /// The files that `-o` names, each once; `-` is standard output.
    var outputs: [String] {
        (arguments[CommonFlags.output] ?? []).reduce(into: []) { paths, path in
            if !paths.contains(path) { paths.append(path) }
        }
    }

    /// Refuses to write over a file that the command reads, under any name or link, and to write two results into one file.
    ///
    /// - Parameters:
    ///   - files: files that the command reads besides its operands and the files of flags.
    ///   - standardInput: the descriptor of standard input, if the command reads it.
    func refuseOutput(among files: [String] = [], standardInput: Int32? = nil) throws(UsageError) {
        let written = self.files(of: command.flags.filter(\.isOutput))
        if written.isEmpty { return }
        let read = files + arguments.operands + self.files(of: command.flags.filter { !$0.isOutput }).map(\.path)
        for (index, (flag, path)) in written.enumerated() {
            if let other = written[..<index].first(where: { $0.path == path && $0.flag != flag }) {
                throw UsageError("\(other.flag) and \(flag) both name `\(path)`: choose another name for one of them")
            }
            guard let identity = FileIdentity(path) else { continue }
            if let input = read.first(where: { $0 != "-" && FileIdentity($0) == identity }) {
                throw UsageError(
                    "\(flag) `\(path)` is what the result is made of: writing it would destroy `\(input)`; choose another name")
            }
            if let standardInput, FileIdentity(descriptor: standardInput) == identity {
                throw UsageError("\(flag) `\(path)` is the standard input: writing it would destroy what is read; choose another name")
            }
            if let other = written[..<index].first(where: { $0.path != path && FileIdentity($0.path) == identity }) {
                throw UsageError("\(other.flag) `\(other.path)` and \(flag) `\(path)` are one file: choose another name for one of them")
            }
        }
    }

    /// The files that these flags name in the call, without `-`.
    private func files(of flags: [FlagDeclaration]) -> [(flag: String, path: String)] {
        flags.filter { $0.value?.isFile == true }.flatMap { flag -> [(flag: String, path: String)] in
            let value = arguments.value(of: flag)
            return (value as? [String] ?? (value as? String).map { [$0] } ?? []).filter { $0 != "-" }.map { (flag.shortest, $0) }
        }
    }
}

/// File names that a result must not have.
enum EventFileName {
    /// The endings of event files and of summaries.
    private static let endings = EventFileEndings.all + [SegmentSummary.ending]

    /// - Parameter flag: the flag that names the file, for the error.
    static func refuse(_ path: String, of flag: String = "-o") throws(UsageError) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if endings.contains(where: name.hasSuffix) {
            throw UsageError("\(flag) `\(path)` is named like an event file: a report there would be read as events; choose another name")
        }
    }
}
