import TestSupport

@testable import LoopRecording

struct Broken: Error, CustomStringConvertible {
    var description: String
}

struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}

extension Recorder {
    /// Writes lines to a list, and refuses them while `isFull` is true.
    convenience init(to lines: Collected<String>, refusingWhile isFull: Announced<Bool>) {
        self.init(
            writeAtOnce: { line in
                if isFull.value { return false }
                lines.add(line)
                return true
            },
            makeWrite: {
                { line in
                    lines.add(line)
                    return true
                }
            })
    }
}
