import Basics
import PlanAuthoring
import TrackingPlans

/// What the build plugin runs: `TrackingPlanGenerator PLAN OUTPUT`.
///
/// It is not part of the `looptrail` command, so that a build with a plan compiles little.
func generate(_ arguments: [String]) -> Int32 {
    guard arguments.count == 3 else { return fail("usage: TrackingPlanGenerator PLAN OUTPUT") }
    let (path, output) = (arguments[1], arguments[2])
    let bytes: [UInt8]
    do throws(WholeFile.Unread) { bytes = try WholeFile.contents(of: path, atMost: 1 << 24) } catch {
        return fail("\(path):1:1: error: the file \(error)")
    }
    do throws(PlanError) {
        let source = SwiftGenerator.source(of: try TrackingPlan(bytes))
        do throws(WholeFile.Failure) {
            try WholeFile.replace(output, with: Array(source.utf8), temporary: "\(output).\(getpid()).tmp", syncs: false)
        } catch {
            return fail("error: cannot \(error.step.rawValue) `\(output)`: \(error.error)")
        }
        return 0
    } catch {
        return fail(error.diagnostic(file: path))
    }
}

func fail(_ message: String) -> Int32 {
    try? DescriptorWriting.writeAll(message + "\n", to: 2)
    return 1
}

exit(generate(CommandLine.arguments))
