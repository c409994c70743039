import LoopCore
import LoopTracking
import TrackingEvents

enum ShopEvent: PlannedEvent {
    case productViewed
    var trackingEvent: TrackingEvent { .event("product_viewed") }
}

func unknown(_ tracker: Tracker) -> Middleware<Int, Int> {
    .track(to: tracker) { state -> ShopEvent? in
        if state == 0 { return nil }
        return .productVued  // refused: type 'ShopEvent?' has no member 'productVued'
    }
}

func unnamed(_ tracker: Tracker) -> Middleware<Int, Int> {
    .track(to: tracker) { state in
        if state == 0 { return nil }
        return .productViewed  // refused: type '(any TrackedEvents)?' has no member 'productViewed'
    }
}

func text(_ tracker: Tracker) -> Middleware<Int, Int> {
    .track(to: tracker) { state in
        switch state {
        case 0: nil
        default: "product_viewed"  // refused: result value of type 'String' does not conform to closure result type 'TrackedEvents'
        }
    }
}
