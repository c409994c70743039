import Foundation

// Usage: Benchmarks [loop] [watching] [peers] [files] [record] [read] [funnel]; without a word, all of them.
// `Benchmarks allocations` measures no time: it fails if `record()` takes memory.
let wanted = Set(CommandLine.arguments.dropFirst())
if wanted == ["allocations"] { exit(try RecordBenchmarks.allocatesNothing() ? 0 : 1) }
func wants(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }

if wants("loop") { await LoopBenchmarks(events: 1_000_000, runs: 5).run() }
if wants("watching") { try await WatchingBenchmarks(events: 1_000_000, rounds: 5).run() }
if wants("peers") { await PeerBenchmarks(events: 1_000_000, rounds: 5).run() }
if wants("files") { try FileBenchmarks(events: 1_000_000, runs: 5).run() }
if wants("record") { try RecordBenchmarks(rounds: 50, runs: 5).run() }
if wants("read") { try ReadBenchmarks(events: 1_000_000, runs: 5).run() }
if wants("funnel") { try FunnelBenchmarks(events: 1_000_000, runs: 5).run() }
