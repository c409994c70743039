import Testing

@testable import Reports

@Suite("Differences of shares")
struct PointsTests {
    @Test(arguments: [(0.052, "+5.2"), (-0.031, "−3.1"), (0, "0.0"), (0.0001, "+<0.1"), (-0.0001, "−<0.1"), (1, "+100.0"), (-1, "−100.0")])
    func `differences of shares are points`(difference: Double, text: String) {
        #expect(NumberFormat.points(difference) == text)
        #expect(ReportValue.points(difference).shown() == text && ReportValue.points(difference).isNumber)
    }

    @Test func `a missing difference is a dash`() {
        #expect(ReportValue.points(nil).shown() == "–")
    }
}
