#if SwiftTracing
import InMemoryTracing
import LoopCore
import LoopTesting
@testable import LoopTracing
import Testing
import Tracing
import TrackingEvents

@MainActor @Suite struct SwiftTracingSinkTests {
    private enum Event { case load, leave }
    private struct Broken: Error {}

    private let tracer = InMemoryTracer()
    private let time = ManualClock(nanoseconds: 1_000)
    private var epoch: TraceEpoch { TraceEpoch(clock: StepClock { 1_000 }, wallClock: WallClock(milliseconds: { 1 })) }

    private func system(failing: Bool = false) -> System<Int, Event> {
        let time = time
        return System(
            name: "shop", initialState: 0, clock: time.clock,
            feedbacks: [
                Feedback.onEachEvent({ (_: Int, event: Event) -> Effect<Event> in
                    guard event == .leave else { return .none }
                    return .run {
                        time.advance(by: .nanoseconds(40))
                        return nil
                    }
                }).named("tidy")
            ],
            next: { (state: Int, event: Event) -> Next<Int> in
                time.advance(by: .nanoseconds(10))
                guard event == .load else { return .state(0) }
                return .run {
                    time.advance(by: .nanoseconds(500))
                    if failing { throw Broken() }
                    return 1
                }
            })
    }

    @Test func `an event is a span with its parts as children, at their true times`() async throws {
        let system = system().attach(.trace(to: SwiftTracingSink(tracer: tracer, epoch: epoch)))
        system.send(.load)
        await system.settled()
        let spans = tracer.finishedSpans
        let event = try #require(spans.first { $0.operationName == "load" })
        #expect(event.parentSpanID == nil)
        #expect(event.startInstant.nanosecondsSinceEpoch == 1_000_000)
        #expect(event.endInstant.nanosecondsSinceEpoch == 1_000_510)
        #expect(event.attributes.get("looptrail.system") == .string("shop"))
        #expect(event.attributes.get("looptrail.number") == .int64(1))
        let parts = spans.filter { $0.operationName != "load" }
        #expect(parts.map(\.operationName) == ["reduce", "effect"])
        #expect(parts.allSatisfy { $0.parentSpanID == event.spanID && $0.traceID == event.traceID })
        #expect(parts.last?.startInstant.nanosecondsSinceEpoch == 1_000_010)
    }

    @Test func `an effect of a feedback is a child of the event that started it`() async throws {
        let system = system().attach(.trace(to: SwiftTracingSink(tracer: tracer, epoch: epoch)))
        system.send(.leave)
        await system.settled()
        let event = try #require(tracer.finishedSpans.first { $0.operationName == "leave" })
        let effect = try #require(tracer.finishedSpans.first { $0.operationName == "tidy" })
        #expect(effect.parentSpanID == event.spanID)
        #expect(effect.endInstant.nanosecondsSinceEpoch - effect.startInstant.nanosecondsSinceEpoch == 40)
        #expect(effect.attributes.get("looptrail.event") == .string("leave"))
    }

    @Test func `a failure is an error by its kind`() async {
        let system = system(failing: true).attach(.trace(to: SwiftTracingSink(tracer: tracer, epoch: epoch)))
        system.send(.load)
        await system.settled()
        #expect(tracer.finishedSpans.first { $0.operationName == "load" }?.status == SpanStatus(code: .error, message: "Broken"))
    }

    @Test func `every span that was started has ended, and an effect of long ago stands alone`() {
        let sink = SwiftTracingSink(tracer: tracer, epoch: epoch)
        let source = TraceSource()
        for number in 1...1_500 {
            sink.record([
                TraceSpan(
                    source: source, id: UInt64(number), kind: .event, name: "e", event: "e", number: number, start: 0, duration: 1)
            ])
        }
        for parent in [400, 1_400] as [UInt64] {
            sink.record([
                TraceSpan(
                    source: source, id: 9_000 + parent, parent: parent, kind: .feedback, name: "late", event: "e", number: Int(parent),
                    start: 0, duration: 1)
            ])
        }
        #expect(tracer.activeSpans.isEmpty)
        #expect(tracer.finishedSpans.count == 1_502)
        #expect(tracer.finishedSpans.suffix(2).map { $0.parentSpanID == nil } == [true, false])
    }
}
#endif
