import Foundation
import PackagePlugin

/// Generates the Swift type of a target's `tracking-plan.json` before the target is compiled.
///
/// The target has exactly one such file, in its root folder, and does not exclude it.
@main
struct TrackingPlanPlugin: BuildToolPlugin {
    static let fileName = "tracking-plan.json"

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else {
            throw Refusal(description: "TrackingPlanPlugin is applied to `\(target.name)`, which has no sources.")
        }
        let plan = module.directoryURL.appending(path: Self.fileName)
        let plans = module.sourceFiles.map(\.url).filter { $0.lastPathComponent == Self.fileName }
        if let second = plans.first(where: { $0.standardizedFileURL != plan.standardizedFileURL }) {
            throw Refusal(
                description:
                    "The target `\(target.name)` has a tracking plan at `\(second.path)`. One plan in the target's root folder is used: "
                    + "move it to `\(plan.path)` or exclude it.")
        }
        if plans.isEmpty {
            let isThere = FileManager.default.fileExists(atPath: plan.path)
            throw Refusal(
                description: isThere
                    ? "The target `\(target.name)` excludes its `\(Self.fileName)`. Take it out of `exclude:`."
                    : "The target `\(target.name)` has no `\(Self.fileName)` in its root folder: put one at `\(plan.path)`.")
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "TrackingPlan.swift")
        return [
            .buildCommand(
                displayName: "Tracking plan of \(target.name)", executable: try context.tool(named: "TrackingPlanGenerator").url,
                arguments: [plan.path, output.path], inputFiles: [plan], outputFiles: [output])
        ]
    }
}

/// Why the plugin generates nothing, and what to do about it.
struct Refusal: Error, CustomStringConvertible {
    let description: String
}
