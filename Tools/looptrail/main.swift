import Basics

ProcessSetup.run()
let words = (0..<Int(CommandLine.argc)).dropFirst().map { CommandLine.unsafeArgv[$0].flatMap { String(validatingCString: $0) } }
// Decoded with U+FFFD, a name or an id would be another one.
if let broken = words.firstIndex(of: nil) {
    try? DescriptorWriting.writeAll("looptrail: argument \(broken + 1) is not UTF-8, and a name or an id must be\n", to: 2)
    exit(ExitStatus.usage.rawValue)
}
exit(await Looptrail().run(words.compactMap(\.self)).rawValue)
