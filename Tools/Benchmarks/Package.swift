// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what is measured against, peers too, never enters the product's manifest.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "looptrail", path: "../..")],
    targets: [
        .target(name: "DeflateReference", linkerSettings: [.linkedLibrary("z")]),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["DeflateReference"]
                + ["LoopCore", "LoopLogging", "LoopTracing", "LoopTracking", "LoopTesting", "TrackingEvents", "EventFiles", "Funnels"].map {
                    .product(name: $0, package: "looptrail")
                },
            swiftSettings: settings),
    ]
)
