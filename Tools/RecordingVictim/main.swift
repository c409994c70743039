import EventFiles
import Foundation
import TrackingEvents

// Records until `kill_recorder.py` or `kill_loop.py` in Tools/conformance kills it. It does not flush, but `loop` flushes its first event.
//
// COUNTERS is a mapped file of two numbers of eight bytes: for each thread, the last event whose `record` has returned. `loop` stores in
// the first one the last event that reached its reducer. A kill keeps these numbers, because mapped memory belongs to the system.
let usage = """
    usage: RecordingVictim record FOLDER COUNTERS ROUND wait|drop    waits for a place in the ring, or drops
           RecordingVictim recover FOLDER                            recovers what killed processes left in the folder
           RecordingVictim loop FOLDER COUNTERS ROUND kill|crash     a loop that records itself: until it is killed, or its reducer crashes
           RecordingVictim read FOLDER                               prints the last event, the first missing one, how many states were checked
    """

let arguments = CommandLine.arguments
func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
}

func counters(at path: String) -> UnsafeMutablePointer<UInt64> {
    let file = open(path, O_RDWR)
    guard file >= 0, let memory = mmap(nil, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED else {
        fail("no counters at \(path)")
    }
    return memory.assumingMemoryBound(to: UInt64.self)
}

switch (arguments.dropFirst().first, arguments.count) {
case ("recover", 3):
    let writer = try EventFileWriter(folder: arguments[2], options: .lossless)
    print(try await writer.recovered())
    try await writer.close()
case ("read", 3): print(try await VictimLoop.read(arguments[2]))
case ("loop", 6):
    guard let round = UInt64(arguments[4]), ["kill", "crash"].contains(arguments[5]) else { fail("bad round or end") }
    let numbers = counters(at: arguments[3])
    try await VictimLoop.record(into: arguments[2], round: round, crashing: arguments[5] == "crash") { numbers[0] = UInt64($0) }
case ("record", 6):
    guard let round = UInt64(arguments[4]), ["wait", "drop"].contains(arguments[5]) else { fail("bad round or policy") }
    nonisolated(unsafe) let numbers = counters(at: arguments[3])
    var options = EventFileWriterOptions.lossless
    if arguments[5] == "drop" { options.overflow = .dropNewest }
    // Small files in two of three rounds, so that kills also come during seals and repacks.
    options.rotateBytes = Int64([2_000, 20_000, 8_000_000][Int(round % 3)])
    let writer = try EventFileWriter(folder: arguments[2], options: options)
    // When this returns, the ring file exists.
    _ = try await writer.recovered()
    for thread in 0..<2 {
        Thread.detachNewThread {
            var random = SeededRandom(seed: round &* 2 &+ UInt64(thread))
            let session = "round-\(round)-\(thread)"
            for number in 1...Int64.max {
                let text = String(repeating: "x", count: Int.random(in: 0...300, using: &random))
                writer.record(
                    StampedEvent(
                        timeMilliseconds: WallClock.system.milliseconds, event: TrackingEvent("tick", ["text": .string(text)]), user: "u",
                        session: session, sequence: number,
                        id: EventID(milliseconds: WallClock.system.milliseconds, random: &random)))
                numbers[thread] = UInt64(number)
                // Half of the rounds fill the ring. In the others this thread sleeps between events, and so does the writer's thread.
                if round % 4 > 1 { usleep(UInt32.random(in: 0...2_000, using: &random)) }
            }
        }
    }
    while true { sleep(1_000) }
default: fail(usage)
}
