import TrackingEvents

/// What stays the same about a shopper from visit to visit. The context of their sessions carries it.
struct Customer {
    enum Platform: String, CaseIterable {
        case ios, android, web
    }

    enum Plan: String {
        case free, plus
    }

    let platform: Platform
    /// An ISO 3166 code.
    let country: String
    let plan: Plan
    /// How long after its release a new version reaches this device, in milliseconds.
    let updateDelay: Int64

    init(using random: inout SeededRandom) {
        platform = Self.platforms[Int.random(in: 0..<Self.platforms.count, using: &random)]
        country = Self.countries[Int.random(in: 0..<Self.countries.count, using: &random)]
        plan = Int.random(in: 0..<20, using: &random) < 7 ? .plus : .free
        // A web page always has the newest version. An app waits for its store and its owner.
        let delay = Self.updateDelay(using: &random)
        updateDelay = platform == .web ? 0 : delay
    }

    /// The version that runs on this device at a time.
    func version(at time: Int64) -> String { ShopRelease.all.last { $0.time + updateDelay <= time }?.version ?? ShopRelease.all[0].version }

    /// The most visits that this shopper makes. Shoppers with the plan `plus` come more often.
    func visits(using random: inout SeededRandom) -> Int {
        let choices = plan == .plus ? [4, 5, 6, 8, 9, 10, 11, 12] : [1, 1, 1, 1, 2, 3, 4, 6]
        return choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    /// The context of a session.
    func context(version: String) -> TrackingProperties {
        [
            "app": "ShopDemo", "app_version": .string(version), "platform": .string(platform.rawValue), "country": .string(country),
            "plan": .string(plan.rawValue),
        ]
    }

    /// A fifth update within two days, two fifths when the store's phased release reaches them, and two fifths at any time in three weeks.
    private static func updateDelay(using random: inout SeededRandom) -> Int64 {
        let day = ShopPopulation.dayMilliseconds
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: return Int64.random(in: 0..<2 * day, using: &random)
        case 2..<6:
            let place = Int.random(in: 0..<100, using: &random)
            let daysBefore = phases.count { $0 <= place }
            return Int64(daysBefore) * day + Int64.random(in: 0..<day, using: &random)
        default: return Int64.random(in: 0..<21 * day, using: &random)
        }
    }

    /// The percentage of devices to which the App Store has offered a phased release, at the end of each of its seven days.
    private static let phases = [1, 2, 5, 10, 20, 50, 100]
    private static let platforms: [Platform] = [.ios, .ios, .ios, .ios, .ios, .android, .android, .android, .web]
    private static let countries = ["DE", "DE", "DE", "US", "US", "US", "FR", "FR", "GB", "JP"]
}

/// A version of the shop's app, and when it came out.
public struct ShopRelease: Sendable {
    public let version: String
    /// In milliseconds since 1970 UTC.
    public let time: Int64

    /// Everybody has the first when the demo begins.
    public static let all = [release("2.0.0", day: 1), release("2.0.1", day: 8), release(faulty, day: 15)]

    /// The version with the planted fault: on iOS the payment sheet often does not open.
    static let faulty = "2.1.0"

    static func hasBrokenSheet(_ version: String, on platform: Customer.Platform) -> Bool { version == faulty && platform == .ios }

    /// - Parameter day: of the demo, 1 for the first.
    private static func release(_ version: String, day: Int64) -> ShopRelease {
        ShopRelease(version: version, time: ShopPopulation.start + (day - 1) * ShopPopulation.dayMilliseconds)
    }
}
