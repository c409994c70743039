// swift-tools-version: 6.2
import PackageDescription

/// The settings of all Swift targets, in one place, so that every target is built the same way.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A module under `Sources/` and what it may import; nothing else is allowed to it.
///
/// - Parameter isDeclared: whether the module has a privacy manifest. Where Apple's tools build the module, the manifest is a resource.
///   Elsewhere nobody reads it, and for a resource the package manager would add code that imports Foundation.
func module(_ name: String, imports: [Target.Dependency] = [], exclude: [String] = [], isDeclared: Bool = false) -> Target {
    let manifest = isDeclared ? ["PrivacyInfo.xcprivacy"] : []
    #if os(macOS)
    return .target(
        name: name, dependencies: imports, exclude: exclude, resources: manifest.map { .copy($0) }, swiftSettings: settings)
    #else
    return .target(name: name, dependencies: imports, exclude: exclude + manifest, swiftSettings: settings)
    #endif
}

/// The tests of one module; `also` names what they need besides that module and `Basics`.
func tests(_ name: String, also: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: ["Basics", .byName(name: name)] + also, resources: resources,
        swiftSettings: settings)
}

/// A product of a package that only the code behind a trait (`#if SwiftLog`) uses. Where the trait is off, the package is neither
/// fetched nor resolved.
func optional(_ product: String, package: String, trait: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: [trait]))
}

let swiftLog = [optional("Logging", package: "swift-log", trait: "SwiftLog")]
let swiftMetrics = [optional("Metrics", package: "swift-metrics", trait: "SwiftMetrics")]
let swiftTracing = [optional("Tracing", package: "swift-distributed-tracing", trait: "SwiftTracing")]
/// A library of the system, not a package. Where the trait is off, its header need not be installed.
let libdeflate: [Target.Dependency] = [.target(name: "CLibdeflate", condition: .when(traits: ["Libdeflate"]))]
/// What the packages for metrics and tracing have for tests.
let swiftTestKits = [
    optional("MetricsTestKit", package: "swift-metrics", trait: "SwiftMetrics"),
    optional("InMemoryTracing", package: "swift-distributed-tracing", trait: "SwiftTracing"),
]

let modules = [
    "LoopCore", "LoopFlux", "LoopViews", "LoopLogging", "LoopRecording", "LoopLogFiles", "LoopTracing", "TrackingEvents",
    "LoopTracking", "EventFiles", "EventUpload", "Funnels", "Reports", "TrackingPlans", "PlanAuthoring", "LoopMigration", "LoopTesting",
]

let package = Package(
    name: "looptrail",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: modules.map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "looptrail", targets: ["looptrail"]),
        .plugin(name: "TrackingPlanPlugin", targets: ["TrackingPlanPlugin"]),
    ],
    traits: [
        .trait(name: "SwiftLog", description: "Logs go to apple/swift-log, too."),
        .trait(name: "SwiftMetrics", description: "Timings go to apple/swift-metrics, too."),
        .trait(name: "SwiftTracing", description: "Steps and effects become spans of apple/swift-distributed-tracing, too."),
        .trait(name: "Libdeflate", description: "Members of event files are packed and unpacked by libdeflate, at twice zlib's speed."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.11.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.7.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.3.0"),
    ],
    targets: [
        // Without `pkgConfig`, which on a Mac finds the zlib of Homebrew: an app would then need Homebrew on the machines of its users.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CGlibc"),
        // The scripts and styles of the HTML pages, which the C compiler embeds.
        .target(name: "CPages", exclude: ["explore", "inspect", "report", "shared"]),
        .systemLibrary(
            name: "CLibdeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        module("Basics"),
        module("LoopCore", imports: ["Basics"]),
        module("LoopFlux", imports: ["Basics", "LoopCore"]),
        module("LoopViews", imports: ["Basics", "LoopCore"]),
        module("LoopMigration", imports: ["Basics", "LoopCore", "LoopFlux", "LoopViews"]),
        module("TrackingEvents", imports: ["Basics"]),
        module("Deflate", imports: ["CZlib"] + libdeflate),
        module("ParquetFiles", imports: ["Basics", "Deflate"]),
        module("EventFiles", imports: ["Basics", "TrackingEvents", "Deflate", "ParquetFiles", "CGlibc"], isDeclared: true),
        module("EventUpload", imports: ["Basics", "TrackingEvents", "EventFiles", "CGlibc"]),
        module("LoopLogging", imports: ["Basics", "LoopCore", "TrackingEvents"] + swiftLog),
        module("LoopRecording", imports: ["Basics", "LoopCore", "LoopLogging", "TrackingEvents"]),
        module("LoopLogFiles", imports: ["EventFiles", "LoopLogging", "LoopRecording", "TrackingEvents"]),
        module("Inspect", imports: ["Basics", "CPages", "Deflate", "EventFiles", "LoopRecording", "TrackingEvents"]),
        module("LoopTracing", imports: ["Basics", "LoopCore", "TrackingEvents"] + swiftMetrics + swiftTracing),
        module("LoopTracking", imports: ["Basics", "LoopCore", "TrackingEvents", "TrackingPlans"], isDeclared: true),
        module("Funnels", imports: ["Basics", "EventFiles", "ParquetFiles", "PlanAuthoring", "TrackingEvents", "TrackingPlans"]),
        module(
            "Reports",
            imports: ["Basics", "CPages", "Deflate", "Funnels", "EventFiles", "PlanAuthoring", "TrackingEvents", "TrackingPlans"]),
        module("TrackingPlans", imports: ["Basics", "TrackingEvents"], exclude: ["tracking-plan.schema.json"]),
        // The part of tracking plans that no app needs at run time.
        module("PlanAuthoring", imports: ["Basics", "TrackingEvents", "TrackingPlans"]),
        module(
            "LoopTesting",
            imports: [
                "Basics", "LoopCore", "LoopFlux", "LoopLogFiles", "LoopLogging", "LoopRecording", "LoopTracking", "TrackingEvents",
                "TrackingPlans", "EventFiles",
            ]),

        .target(
            name: "ShopDemo",
            dependencies: ["LoopCore", "LoopTracking", "TrackingEvents"],
            path: "Tools/ShopDemo", exclude: ["tracking-plan.json"], swiftSettings: settings),
        .executableTarget(
            name: "looptrail",
            dependencies: [
                "Basics", "EventFiles", "Funnels", "Inspect", "PlanAuthoring", "Reports", "TrackingEvents", "TrackingPlans",
                "ShopDemo", "LoopCore", "LoopLogFiles", "LoopLogging", "LoopRecording", "LoopTracing", "LoopTracking", "CGlibc",
            ],
            path: "Tools/looptrail", swiftSettings: settings),

        .executableTarget(
            name: "TrackingPlanGenerator", dependencies: ["Basics", "PlanAuthoring", "TrackingPlans"], path: "Tools/TrackingPlanGenerator",
            swiftSettings: settings),
        .plugin(
            name: "TrackingPlanPlugin", capability: .buildTool(), dependencies: ["TrackingPlanGenerator"], path: "Tools/TrackingPlanPlugin"),

        // The app whose size Tools/conformance/app_size.py measures: no product.
        .executableTarget(
            name: "SmallApp", dependencies: ["LoopCore", "LoopLogging", "LoopTracking", "TrackingEvents"], path: "Tools/SmallApp",
            swiftSettings: settings),
        // A device for Tools/conformance/collect.py: no product.
        .executableTarget(
            name: "UploadClient", dependencies: ["EventFiles", "EventUpload", "TrackingEvents"], path: "Tools/UploadClient",
            swiftSettings: settings),
        // Records until it is killed, for `Tools/conformance/kill_recorder.py` and `kill_loop.py`.
        .executableTarget(
            name: "RecordingVictim", dependencies: ["EventFiles", "LoopCore", "LoopLogFiles", "LoopRecording", "TrackingEvents"],
            path: "Tools/RecordingVictim", swiftSettings: settings),

        // What tests of several modules need. Tools/Benchmarks compiles AllocationCount, too, through a link.
        .target(name: "AllocationCount", path: "Tests/AllocationCount"),
        .target(name: "TestSupport", dependencies: ["Basics"], path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestSupport", "TrackingEvents"], swiftSettings: settings),
        tests("LoopCore", also: ["LoopMigration", "LoopTesting", "TestSupport"]),
        tests(
            "LoopFlux",
            also: [
                "LoopCore", "LoopLogging", "LoopMigration", "LoopTracing", "LoopTracking", "LoopTesting", "TestSupport", "TrackingEvents",
            ]),
        tests("LoopMigration", also: ["LoopCore", "LoopFlux", "LoopTesting", "TestSupport"]),
        tests("LoopViews", also: ["LoopCore", "LoopMigration", "LoopTesting"]),
        tests("TrackingEvents", also: ["TestSupport"]),
        tests("ParquetFiles", also: ["TrackingEvents"]),
        tests("EventFiles", also: ["TrackingEvents", "LoopTesting", "TestSupport", "AllocationCount", "CZlib", "Deflate", "ParquetFiles"]),
        tests("EventUpload", also: ["TrackingEvents", "EventFiles", "LoopTesting", "LoopTracking", "TestSupport"]),
        tests(
            "LoopLogging",
            also: [
                "LoopCore", "LoopLogFiles", "LoopMigration", "LoopTesting", "EventFiles", "LoopTracking", "TestSupport", "TrackingEvents",
            ] + swiftLog),
        tests(
            "LoopRecording",
            also: [
                "Inspect", "LoopCore", "LoopLogFiles", "LoopLogging", "LoopMigration", "LoopTracking", "TestSupport", "TrackingEvents",
            ]),
        tests(
            "LoopTracing",
            also: ["LoopCore", "LoopMigration", "LoopTesting", "TrackingEvents", "TestSupport"]
                + swiftMetrics + swiftTracing + swiftTestKits),
        tests(
            "LoopTracking",
            also: ["LoopCore", "LoopMigration", "TrackingEvents", "TrackingPlans", "EventFiles", "LoopTesting", "TestSupport"]),
        tests("Funnels", also: ["EventFiles", "TrackingEvents", "TrackingPlans", "TestSupport"], resources: [.copy("Data")]),
        tests("Reports", also: ["Funnels", "EventFiles", "TrackingEvents", "TrackingPlans", "TestSupport"]),
        tests("TrackingPlans", also: ["PlanAuthoring", "TestSupport"]),
        // The plugin generates some of its code. As in many apps, code is isolated to the main actor by default.
        .testTarget(
            name: "PlannedEventTests", dependencies: ["AllocationCount", "LoopCore", "LoopTesting", "LoopTracking", "TrackingEvents"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)],
            plugins: ["TrackingPlanPlugin"]),
        tests(
            "LoopTesting",
            also: [
                "LoopCore", "LoopFlux", "LoopLogFiles", "LoopLogging", "LoopMigration", "LoopRecording", "LoopTracking", "TestSupport",
                "TrackingEvents", "TrackingPlans", "EventFiles",
            ]),
        tests(
            "ShopDemo",
            also: [
                "LoopCore", "LoopLogFiles", "LoopRecording", "LoopTracking", "TrackingEvents", "TrackingPlans", "PlanAuthoring",
                "LoopTesting", "TestSupport",
            ]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "LoopCore", "LoopFlux", "LoopViews", "LoopLogFiles", "LoopLogging", "LoopMigration", "LoopRecording", "LoopTracing",
                "LoopTracking", "TrackingEvents", "EventFiles", "EventUpload", "LoopTesting", "TrackingPlans",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LooptrailCommandTests",
            dependencies: ["Basics", "looptrail", "EventFiles", "PlanAuthoring", "TrackingEvents", "TrackingPlans", "TestSupport"],
            swiftSettings: settings),
    ]
)
