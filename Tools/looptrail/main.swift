#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

ProcessSetup.run()
exit(await Looptrail().run(Array(CommandLine.arguments.dropFirst())).rawValue)
