import Testing

@testable import Funnels

/// The expected numbers are what statsmodels 0.15 answers.
@Suite struct ShareTests {
    @Test(arguments: [
        (0, 10, 0.0, 0.27753279986288926), (10, 10, 0.7224672001371106, 1.0), (1, 1, 0.2065493143772374, 1.0),
        (3, 10, 0.10779126740630104, 0.6032218525388546), (512, 4000, 0.11800236757120135, 0.1387114582363366),
    ])
    func `the interval of a share is Wilson's`(_ count: Int, _ total: Int, _ lower: Double, _ upper: Double) throws {
        let interval = try #require(Share(count, of: total).interval)
        #expect(abs(interval.lower - lower) < 1e-12 && abs(interval.upper - upper) < 1e-12)
    }

    @Test func `the bound is exactly 0 where none is counted and exactly 1 where all are`() throws {
        for total in 1...2000 {
            #expect(Share(0, of: total).interval?.lower == 0)
            #expect(Share(total, of: total).interval?.upper == 1)
        }
    }

    @Test func `the interval holds the share and stays within 0 and 1`() throws {
        for total in 1...120 {
            for count in 0...total {
                let share = Share(count, of: total)
                let (value, interval) = (try #require(share.value), try #require(share.interval))
                #expect(0 <= interval.lower && interval.lower <= value && value <= interval.upper && interval.upper <= 1)
            }
        }
    }

    @Test func `a share of nothing has no value and no interval`() {
        #expect(Share(0, of: 0).value == nil)
        #expect(Share(0, of: 0).interval == nil)
    }
}
