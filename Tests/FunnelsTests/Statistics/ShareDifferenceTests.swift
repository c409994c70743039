import Testing

@testable import Funnels

/// The expected intervals are what statsmodels 0.15 answers.
@Suite struct ShareDifferenceTests {
    @Test(arguments: [
        ((56, 70), (48, 80), 0.05243147240236498, 0.33387265403690614), ((9, 10), (3, 10), 0.1705227239345029, 0.809017973535488),
        ((0, 10), (0, 20), -0.1611251580528194, 0.27753279986288926), ((10, 10), (0, 20), 0.6790860371419145, 1.0),
        ((1200, 4000), (1400, 4000), -0.07046157763343416, -0.029480086450077683),
    ])
    func `the interval of a difference is Newcombe's`(_ a: (Int, Int), _ b: (Int, Int), _ lower: Double, _ upper: Double) throws {
        let difference = try #require(ShareDifference(Share(a.0, of: a.1), Share(b.0, of: b.1)))
        #expect(difference.value == Double(a.0) / Double(a.1) - Double(b.0) / Double(b.1))
        #expect(abs(difference.interval.lower - lower) < 1e-12 && abs(difference.interval.upper - upper) < 1e-12)
    }

    @Test(arguments: [
        // The pooled z-test, and Fisher's where a cell would have fewer than five.
        ((56, 70), (48, 80), 0.00804508136819656), ((1200, 4000), (1400, 4000), 1.8051342891238873e-06),
        ((9, 10), (3, 10), 0.019766611097880443), ((10, 10), (0, 20), 3.328339160423118e-08), ((1, 1_000_000), (3, 2_000_000), 1),
        ((0, 10), (0, 20), 1), ((5, 5), (7, 7), 1), ((4, 10), (6, 10), 0.37109336952269756),
    ])
    func `the p-value is that of the z-test where cells are large enough, else of Fisher's`(
        _ a: (Int, Int), _ b: (Int, Int), _ p: Double
    ) throws {
        let difference = try #require(ShareDifference(Share(a.0, of: a.1), Share(b.0, of: b.1)))
        #expect(abs(difference.pValue - p) < 1e-12)
        let turned = try #require(ShareDifference(Share(b.0, of: b.1), Share(a.0, of: a.1)))
        #expect(abs(turned.pValue - difference.pValue) < 1e-12 && turned.value == -difference.value)
    }

    @Test func `where a side is empty there is no difference`() {
        #expect(ShareDifference(Share(0, of: 0), Share(1, of: 2)) == nil)
        #expect(ShareDifference(Share(1, of: 2), Share(0, of: 0)) == nil)
    }

    @Test func `the exact test adds up all tables that are no more likely, counted one by one`() {
        func choose(_ n: Int, _ k: Int) -> UInt64 { (0..<k).reduce(1) { $0 * UInt64(n - $1) / UInt64($1 + 1) } }
        for (n, m) in [(1, 1), (3, 9), (8, 8), (12, 5)] {
            for counted in 0...(n + m) {
                let tables = (max(0, counted - m)...min(n, counted)).map { (count: $0, ways: choose(n, $0) * choose(m, counted - $0)) }
                for table in tables {
                    let unlikely = tables.filter { $0.ways <= table.ways }.reduce(0) { $0 + $1.ways }
                    let p = FisherExact.pValue(Share(table.count, of: n), Share(counted - table.count, of: m))
                    #expect(abs(p - Double(unlikely) / Double(choose(n + m, counted))) < 1e-14)
                }
            }
        }
    }
}
