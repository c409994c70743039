// swift-tools-version: 6.2
import PackageDescription

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A published library to run beside ours, if there is a checkout of it.
struct Peer {
    /// The folder's name, and so the package's.
    let folder: String
    let product: String
    /// The condition of compilation under which the sources import it.
    let define: String
}

let knownPeers = [
    Peer(folder: "ReSwift", product: "ReSwift", define: "PEER_RESWIFT"),
    Peer(folder: "Mobius.swift", product: "MobiusCore", define: "PEER_MOBIUS"),
    Peer(folder: "Loop", product: "Loop", define: "PEER_LOOP"),
    Peer(folder: "PromisedArchitectureKit", product: "PromisedArchitectureKit", define: "PEER_PROMISED_ARCHITECTURE_KIT"),
]

/// The folder of checkouts. Without it the package needs only Looptrail.
let peersFolder = Context.environment["LOOPTRAIL_PEERS"] ?? ""
let peers = peersFolder.isEmpty ? [] : knownPeers.filter { access("\(peersFolder)/\($0.folder)/Package.swift", R_OK) == 0 }

/// `LOOPTRAIL_TRAITS=Libdeflate` measures the package with that trait.
let traits = (Context.environment["LOOPTRAIL_TRAITS"] ?? "").split(separator: ",").map(String.init)

// The benchmarks are a package of their own, so that the product's manifest names no peer.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let ours = ["LoopCore", "LoopLogging", "LoopTracing", "LoopTracking", "LoopTesting", "TrackingEvents", "EventFiles", "Funnels"]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "looptrail", path: "../..", traits: Set(traits.map { .init(name: $0) }))]
        + peers.map { .package(path: "\(peersFolder)/\($0.folder)") },
    targets: [
        .target(name: "DeflateReference", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "AllocationCount"),
        .target(name: "LineReference"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["DeflateReference", "AllocationCount", "LineReference"]
                + ours.map { .product(name: $0, package: "looptrail") }
                + peers.map { .product(name: $0.product, package: $0.folder) },
            swiftSettings: settings + peers.map { .define($0.define) } + traits.map { .define($0) },
            plugins: [.plugin(name: "TrackingPlanPlugin", package: "looptrail")]),
    ]
)
