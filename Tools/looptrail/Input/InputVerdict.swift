import EventFiles
import Funnels

extension Invocation {
    /// What the quality of the input means for the exit status; what there is to say goes to standard error.
    ///
    /// Called after the result is written, which stands whatever was lost.
    func verdict(on input: InputQuality, _ reading: ReadReport, from source: InputPaths) -> ExitStatus {
        if source.isImplied && input.bytes == 0 {
            console.note("standard input was empty and no PATH was given: these are the results of nothing")
        }
        guard input.damagedMembers > 0 || input.badLines > 0 else { return .fine }
        let damage = input.damagedMembers == 1 ? "1 damaged place" : "\(input.damagedMembers) damaged places"
        let lines = input.badLines == 1 ? "1 line that cannot be read" : "\(input.badLines) lines that cannot be read"
        let message = "the input has \(damage) and \(lines), left out of the result; `looptrail check` tells all about it"
        let first = reading.files.lazy.compactMap { file in file.damage.first.map { "\n  \(file.path), \($0)" } }.first ?? ""
        if arguments[CommonFlags.strict] {
            console.error(message + first)
            return .damaged
        }
        console.warning(message + first)
        return .fine
    }
}
