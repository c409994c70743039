/// How many people shop, when, and with which random numbers.
public struct ShopPopulation: Sendable {
    /// A seed gives the same people, visits and lines each time, byte for byte.
    public var seed: UInt64
    public var shoppers: Int
    /// The first moment of the simulation, in milliseconds since 1970 UTC.
    public var startMilliseconds: Int64
    public var days: Int

    /// The end of the days on which people come.
    public var endMilliseconds: Int64 { startMilliseconds + Int64(days) * Self.dayMilliseconds }

    /// 2026-01-01T00:00:00Z, the beginning of the demo's four weeks.
    public static let start: Int64 = 1_767_225_600_000
    public static let dayMilliseconds: Int64 = 86_400_000
    public static let defaultShoppers = 10_000

    /// - Parameters:
    ///   - seed: the seed of the random numbers.
    ///   - shoppers: how many people; each comes once to twelve times.
    ///   - startMilliseconds: the first moment, in milliseconds since 1970 UTC.
    ///   - days: how many days they may come.
    public init(
        seed: UInt64 = 43, shoppers: Int = defaultShoppers, startMilliseconds: Int64 = ShopPopulation.start, days: Int = 28
    ) {
        self.seed = seed
        self.shoppers = shoppers
        self.startMilliseconds = startMilliseconds
        self.days = days
    }

    /// The population of the n-th run of the demo in one folder: other people than in earlier runs, in the four weeks after those.
    ///
    /// - Parameters:
    ///   - run: 0 for the first.
    ///   - shoppers: how many people.
    public static func demo(run: Int, shoppers: Int = defaultShoppers) -> ShopPopulation {
        var population = ShopPopulation(shoppers: shoppers)
        population.seed += UInt64(run)
        population.startMilliseconds += Int64(run * population.days) * dayMilliseconds
        return population
    }
}
