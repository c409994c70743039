import Basics

ProcessSetup.run()
exit(await Looptrail().run(Array(CommandLine.arguments.dropFirst())).rawValue)
