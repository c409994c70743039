import Foundation

// Usage: Benchmarks [--target] [loop] [stack] [watching] [log] [peers] [login] [files] [record] [calls] [planned] [ring] [read]
// [funnel]; without a name, all. `--target` fails if a target is missed.
if CommandLine.arguments.dropFirst().first == StackBenchmarks.child {
    StackBenchmarks.runChild(row: Int(CommandLine.arguments[2])!, kibibytes: Int(CommandLine.arguments[3])!)
    exit(0)
}
let arguments = Set(CommandLine.arguments.dropFirst())
let wanted = arguments.subtracting(["--target"])
func wants(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }

if wants("loop") { await LoopBenchmarks(events: 1_000_000, runs: 5).run() }
if wants("stack") { try StackBenchmarks.run() }
if wants("watching") { try await WatchingBenchmarks(events: 1_000_000, rounds: 5).run() }
if wants("log") { try await LogBenchmarks(events: 20_000, rounds: 5).run() }
if wants("peers") { await PeerBenchmarks(events: 1_000_000, rounds: 5).run() }
if wants("login") { await LoginBenchmarks(logins: 100_000, rounds: 5).run() }
if wants("files") { try FileBenchmarks(events: 1_000_000, runs: 5).run() }
if wants("record") { try RecordBenchmarks(rounds: 50, runs: 5).run() }
if wants("calls") { try SingleCallBenchmarks(runs: 7).run() }
if wants("planned") { PlannedBenchmarks(events: 1_000_000, rounds: 7).run() }
if wants("ring") { try RingBenchmarks(rounds: 50, runs: 9).run() }
if wants("read") { try ReadBenchmarks(events: 1_000_000, runs: 5).run() }
if wants("funnel") { try FunnelBenchmarks(events: 1_000_000, runs: 5).run() }
if arguments.contains("--target") && missedTargets > 0 { exit(1) }
