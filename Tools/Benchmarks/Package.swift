// swift-tools-version: 6.2
import PackageDescription

// A package of its own: what is measured against, peers too, never enters the product's manifest.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "looptrail") }

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "looptrail", path: "../..")],
    targets: [
        .executableTarget(
            name: "loop-bench",
            dependencies: ["LoopCore"].map(product),
            swiftSettings: settings)
    ]
)
