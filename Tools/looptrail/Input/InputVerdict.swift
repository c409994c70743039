import Basics
import EventFiles
import Funnels
import Reports

extension Invocation {
    /// Warns of each file and folder whose name is not UTF-8.
    func warn(ofUnnameable reader: EventFileReader) {
        for path in reader.unnameable { console.warning("\(EventFileReadError.nameNotUTF8(path: path))") }
    }

    /// Warns of each link in a folder to another folder that is not read.
    func warn(ofLinkedFolders reader: EventFileReader) {
        for path in reader.linkedFolders {
            console.warning("\(path): a link to a folder is not followed; give the path of the folder, too")
        }
    }

    /// The exit status that follows from the quality of the input. Prints what is wrong with the input to standard error, and whether it is
    /// a sample.
    ///
    /// Call it after writing the result, because the result holds whatever was lost.
    func verdict(on input: InputQuality, _ reading: ReadResult, from source: InputPaths) -> ExitStatus {
        if let reason = source.emptiness(input.bytes) { console.note("\(reason): the result counts nothing") }
        if !source.isImplied && reading.files.isEmpty && reading.gone.isEmpty {
            do { try source.reader().requireFiles() } catch { console.warning("the result counts nothing: \(error)") }
        }
        for path in reading.gone { console.warning("\(path) was removed before it could be read: nothing of it is in the result") }
        if arguments[CommonFlags.verbose] { for summary in reading.ignoredSummaries { console.note("\(summary); its lines were read") } }
        if let last = input.lastMilliseconds { _ = warn(ofSecondsUpTo: last) }
        if input.sampleRate < 1 {
            console.warning(
                "these files hold a sample of the sessions (rate \(input.sampleRate)): counts are of the sample, and what takes several "
                    + "sessions, such as retention or a funnel by user, is counted too low")
        }
        var faults: [String] = []
        if input.damagedMembers > 0 { faults.append(GroupedNumber.counted(input.damagedMembers, "damaged place")) }
        if input.badLines > 0 {
            faults.append(GroupedNumber.counted(input.badLines, "line that cannot be read", "lines that cannot be read"))
        }
        if !reading.unnameable.isEmpty {
            faults.append(GroupedNumber.counted(reading.unnameable.count, "name that is not UTF-8", "names that are not UTF-8"))
        }
        let unnamed = reading.unnameable.first.map { "\($0): rename it" }
        let damaged = reading.files.lazy.compactMap { file in file.damage.first.map { "\(file.path), \($0)" } }.first
        return verdict(on: faults, first: unnamed ?? damaged)
    }

    /// - Parameter first: the first place of the faults.
    func verdict(on faults: [String], first: String?) -> ExitStatus {
        if faults.isEmpty { return .fine }
        let message = "the input has \(faults.joined(separator: " and ")), left out of the result; `looptrail check` lists what is wrong"
        let isStrict = arguments[CommonFlags.strict]
        (isStrict ? console.error : console.warning)(message + (first.map { "\n  \($0)" } ?? ""))
        return isStrict ? .damaged : .fine
    }

    /// Warns if nearly all events, those up to `last`, lie before 1980, and returns whether they do. Their times are most likely seconds.
    func warn(ofSecondsUpTo last: Int64) -> Bool {
        if last >= 315_532_800_000 { return false }
        console.warning(
            "nearly all events lie before 1980, the last at \(DateFormat.second(last, in: (try? zone()) ?? .utc)): `t_ms` is read as "
                + "milliseconds since 1970; if these are seconds, multiply them by 1,000")
        return true
    }
}
