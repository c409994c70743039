import Basics
import EventFiles
import Funnels

/// Summaries on this machine that an SQL statement reads in place of their segments.
struct SummaryGlob {
    /// A path or glob that ends in `.parquet`.
    let pattern: String
    /// Flags for `glob`, so that it reads the pattern as the engine does.
    private let signs: Int32

    #if canImport(Musl)
    // Musl's `glob` knows no `{a,b}`. It finds no file for such a pattern, so ``check()`` refuses it.
    private static let braces: Int32 = 0
    #else
    private static let braces = GLOB_BRACE
    #endif

    init?(_ source: String, for dialect: FunnelSQL.Dialect) {
        guard source.lowercased().hasSuffix(SegmentSummary.ending), !source.contains("://") else { return nil }
        pattern = source
        signs = dialect.escapesGlobs ? Self.braces : Self.braces | GLOB_NOESCAPE
    }

    /// Checks that each segment has a summary that fits it. Checks nothing if the folder is not on this machine.
    ///
    /// - Throws: ``UsageError`` if no file matches, or with the first segment or summary that is wrong.
    func check() throws(UsageError) {
        guard let folder else { return }
        if pattern.contains("**") { return try checkAll(in: folder) }
        let summaries = matches(of: pattern)
        let segments = Set(
            matches(of: String(pattern.dropLast(SegmentSummary.ending.count)))
                .filter { path in EventFileEndings.closed.contains(where: path.hasSuffix) })
        if summaries.isEmpty && segments.isEmpty { throw UsageError("--from: no file is `\(pattern)`") }
        let known = Set(summaries)
        for path in segments.sorted() where !known.contains(path + SegmentSummary.ending) {
            throw UsageError("--from: `\(path)` has no summary: \(Self.remedy)")
        }
        for path in summaries {
            let segment = String(path.dropLast(SegmentSummary.ending.count))
            if EventFileEndings.closed.contains(where: segment.hasSuffix), !segments.contains(segment) {
                throw UsageError("--from: the segment of `\(path)` is gone: move that summary away, too")
            }
            let reason: String
            do throws(SegmentSummary.Fault) {
                if try SegmentSummary.open(forSegmentAt: segment, on: PosixFileSystem()) != nil { continue }
                reason = "no segment lies beside it"
            } catch {
                reason = "\(error)"
            }
            throw UsageError("--from: `\(path)` is no summary that can be used: \(reason): \(Self.remedy)")
        }
    }

    /// Checks a pattern with `**`: the engine looks into folders of any depth, so every finished segment there must have its summary.
    private func checkAll(in folder: String) throws(UsageError) {
        let reader: EventFileReader
        do { reader = try EventFileReader(paths: [folder]) } catch { throw UsageError("--from: \(error)") }
        if reader.files.isEmpty { throw UsageError("--from: no file is `\(pattern)`") }
        for (file, summary) in zip(reader.files, reader.openSummaries().all) where summary == nil && !file.path.hasSuffix(".open") {
            throw UsageError("--from: `\(file.path)` has no summary that can be used: \(Self.remedy)")
        }
    }

    private static let remedy = "`looptrail index` makes one where a file can have it; else read the lines, not the summaries"

    /// The folder before the first glob character of the pattern; `nil` if there is no such folder.
    private var folder: String? {
        let plain = pattern.prefix { !"*?[{\\".contains($0) }
        let folder = plain.lastIndex(of: "/").map { String(plain[...$0]) } ?? "."
        var information = stat()
        return stat(folder, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR ? folder : nil
    }

    private func matches(of pattern: String) -> [String] {
        if FileIdentity(pattern) != nil { return [pattern] }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, signs, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { place in found.gl_pathv[place].map { String(cString: $0) } }
    }
}
