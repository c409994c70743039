import EventFiles
import Foundation
import LoopCore
import LoopLogFiles
import LoopRecording
import TrackingEvents

/// A loop that records itself until it is killed or crashes.
@MainActor enum VictimLoop {
    struct Tally: Codable, Equatable, Sendable { var sums: [Int] = Array(repeating: 0, count: 20), texts: [String: String] = [:], last = 0 }

    enum Act: Codable, Sendable { case add(Int, Int), note(String, String), crash }

    /// - Parameter taken: is called with the number of each event, before the reducer handles the event.
    static func makeSystem(taken: @escaping (Int) -> Void) -> System<Tally, Act> {
        System(
            name: "victim", initialState: Tally(),
            reducer: { (tally: inout Tally, act: Act) in
                tally.last += 1
                taken(tally.last)
                switch act {
                case .add(let index, let more): tally.sums[index % tally.sums.count] += more
                case .note(let key, let text): tally.texts[key] = text
                case .crash: fatalError("as it should")
                }
            })
    }

    /// Sends events for ever, or until one that makes the reducer crash.
    static func record(into folder: String, round: UInt64, crashing isCrashing: Bool, taken: @escaping (Int) -> Void) async throws {
        var random = SeededRandom(seed: round)
        var options = EventFileWriterOptions.lossless
        options.rotateBytes = Int64([2_000, 20_000, 8_000_000][Int(round % 3)])
        let recorder = try Recorder(folder: folder, options: options)
        let system = makeSystem(taken: taken).attach(.record(to: recorder))
        // When the flush returns, the ring file exists: from then on a kill loses no event.
        system.send(.add(0, 1))
        try await recorder.flush()
        let end = isCrashing ? Int.random(in: 2...3_000, using: &random) : .max
        for number in 2...Int.max {
            if number == end { system.send(.crash) }
            let isNote = Int.random(in: 0..<4, using: &random) == 0
            let key = "k\(Int.random(in: 0..<30, using: &random))"
            system.send(isNote ? .note(key, String(repeating: "x", count: number % 50)) : .add(number, 1))
            // In some rounds events follow without a pause and fill the ring, in others the loop sleeps between events.
            if round % 4 > 1 { usleep(UInt32.random(in: 0...1_000, using: &random)) }
        }
    }

    /// Three numbers of the last session: its last event, its first missing one or 0, and how many states a replay before the last checked.
    static func read(_ folder: String) async throws -> String {
        let recording = try Recording.previous(in: folder)
        guard let recording, let session = recording.sessions().last, let last = session.steps.last else { return "0 0 0" }
        let missing = zip(session.steps, 1...).first { $0.number != $1 }?.1 ?? 0
        let system = makeSystem { _ in }
        return "\(last.number) \(missing) \(try await system.replay(recording, upTo: last.number - 1).statesChecked)"
    }
}
