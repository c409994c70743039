import LoopCore
import LoopMigration
import Testing

extension LoopBehaviour {
    /// Loop's tests of the feedbacks that act at an edge: where a condition begins or ceases to hold.
    @MainActor @Suite struct Edges {
        /// The feedbacks under test, over the same text: the condition holds, or gives a value, where the text ends in `_`.
        enum Flavour: String, CaseIterable, Sendable {
            case whenBecomesTrue, firstValueAfterNil, predicate

            func feedback(_ effect: @escaping (String) -> Effect<String>) -> Feedback<String, String> {
                switch self {
                case .whenBecomesTrue: .whenBecomesTrue({ $0.hasSuffix("_") }, effect: effect)
                case .firstValueAfterNil: .firstValueAfterNil({ $0.hasSuffix("_") ? $0 : nil }, effect: effect)
                case .predicate: .predicate({ $0.hasSuffix("_") }, effect: effect)
                }
            }
        }

        /// Counts how often an effect without end was started and cancelled.
        final class Watch {
            private(set) var starts = 0
            private(set) var ends = 0

            var endless: Effect<String> {
                .attached { _ in
                    self.starts += 1
                    return { self.ends += 1 }
                }
            }
        }

        @Test(arguments: Flavour.allCases) func `the effect starts where the condition begins to hold`(_ flavour: Flavour) {
            var received: [String] = []
            let feedback = flavour.feedback {
                received.append($0)
                return .event("feedback_")
            }
            let system = System<String, String>(initialState: "", feedbacks: [feedback], reducer: { $0 += $1 })
            system.send("hello")
            #expect(system.state == "hello" && received.isEmpty)
            system.send("_")
            #expect(system.state == "hello_feedback_" && received == ["hello_"])
            // The condition still holds, so nothing starts.
            system.send("_")
            #expect(system.state == "hello_feedback__" && received.count == 1)
            system.send("world")
            #expect(received.count == 1)
            system.send("_")
            #expect(system.state == "hello_feedback__world_feedback_")
            #expect(received == ["hello_", "hello_feedback__world_"])
        }

        @Test(arguments: Flavour.allCases) func `the effect starts at an initial state that qualifies`(_ flavour: Flavour) {
            let watch = Watch()
            let system = System<String, String>(
                initialState: "hello_", feedbacks: [flavour.feedback { _ in watch.endless }], reducer: { $0 = $1 })
            system.start()
            #expect(watch.starts == 1 && watch.ends == 0)
            system.send("")
            #expect(watch.starts == 1 && watch.ends == 1)
        }

        @Test(arguments: Flavour.allCases) func `the effect is cancelled where the condition ends, and not before`(_ flavour: Flavour) {
            let watch = Watch()
            let system = System<String, String>(
                initialState: "", feedbacks: [flavour.feedback { _ in watch.endless }], reducer: { $0 += $1 })
            system.start()
            #expect(watch.starts == 0)
            for _ in 0..<3 {
                system.send("_")
                #expect(watch.starts == 1 && watch.ends == 0)
            }
            system.send("word")
            #expect(watch.starts == 1 && watch.ends == 1)
        }

        @Test func `a value that changes while there is one starts nothing, and the first after none does`() {
            var received: [String] = []
            let feedback = Feedback<String, String>.firstValueAfterNil({ $0.hasPrefix("hello") ? $0 : nil }) { value in
                received.append(value)
                return .event(value + value)
            }
            let system = System<String, String>(initialState: "", feedbacks: [feedback], reducer: { $0 = $1 })
            system.send("hello#")
            #expect(system.state == "hello#hello#")
            system.send("hello_world")
            #expect(system.state == "hello_world")
            system.send("goodbye")
            system.send("hello_it_is_me#")
            #expect(system.state == "hello_it_is_me#hello_it_is_me#")
            #expect(received == ["hello#", "hello_it_is_me#"])
        }
    }
}
