import Testing
import TrackingEvents

@testable import EventFiles

@Suite struct ConsentCellTests {
    @Test func `it holds what was granted to begin with, and then what was decided last`() {
        let cell = ConsentCell()
        #expect(cell.consent == .granted)
        for consent in [TrackingConsent.pending, .denied, .pending, .granted, .denied] {
            cell.set(consent)
            #expect(cell.consent == consent)
        }
    }
}
