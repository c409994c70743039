import LoopCore
import LoopMigration
import TestSupport
import Testing

extension ArchitectureKitBehaviour {
    /// The laws that ArchitectureKit's `AsyncResult` keeps, and that it does nothing until it is run.
    @MainActor @Suite struct Laws {
        enum Failure: Error, Equatable { case first, second }

        typealias Work = AsyncResult<Int, Int>

        /// Values, work with a context and failures: every law holds for each of them.
        nonisolated static var samples: [Work] {
            [
                .pure(7), Work { $0 * 2 },
                Work { context in
                    await Task.yield()
                    return context + 1
                },
                .failure(Failure.first), Work { _ in throw CancellationError() },
            ]
        }

        static func increment(_ value: Int) -> Work { Work { $0 + value } }
        static func halve(_ value: Int) -> Work { value.isMultiple(of: 2) ? .pure(value / 2) : .failure(Failure.second) }

        private func expectSame(_ one: Work, _ other: Work, sourceLocation: SourceLocation = #_sourceLocation) async {
            for context in [0, 1, 20] {
                let first = await text(one, context)
                let second = await text(other, context)
                #expect(first == second, sourceLocation: sourceLocation)
            }
        }

        private func text(_ work: Work, _ context: Int) async -> String {
            do { return "\(try await work.run(in: context))" } catch { return "\(error)" }
        }

        @Test(arguments: samples.indices) func `mapping with identity changes nothing`(_ index: Int) async {
            await expectSame(Self.samples[index].map { $0 }, Self.samples[index])
        }

        @Test(arguments: samples.indices) func `mapping twice is mapping with both`(_ index: Int) async {
            await expectSame(
                Self.samples[index].map { $0 + 1 }.map { $0 * 3 }, Self.samples[index].map { ($0 + 1) * 3 })
        }

        @Test(arguments: [0, 7, 8]) func `going on from a pure value is the function itself`(_ value: Int) async {
            await expectSame(Work.pure(value).flatMap(Self.increment), Self.increment(value))
            await expectSame(Work.pure(value).flatMap(Self.halve), Self.halve(value))
        }

        @Test(arguments: samples.indices) func `going on to pure changes nothing`(_ index: Int) async {
            await expectSame(Self.samples[index].flatMap(Work.pure), Self.samples[index])
        }

        @Test(arguments: samples.indices) func `it does not matter how steps are grouped`(_ index: Int) async {
            let work = Self.samples[index]
            await expectSame(
                work.flatMap(Self.increment).flatMap(Self.halve), work.flatMap { Self.increment($0).flatMap(Self.halve) })
        }

        @Test(arguments: samples.indices) func `map is flatMap to pure`(_ index: Int) async {
            let work = Self.samples[index]
            await expectSame(work.map { $0 + 5 }, work.flatMap { .pure($0 + 5) })
        }

        @Test func `nothing runs until it is run, and each run runs it anew`() async throws {
            var runs = 0
            let work = Work { context in
                runs += 1
                return context
            }
            let whole = work.map { $0 + 1 }.flatMap { value in work.map { $0 + value } }.handleError { _ in .pure(0) }
            #expect(runs == 0)
            #expect(try await whole.run(in: 1) == 3)
            #expect(runs == 2)
            #expect(try await whole.run(in: 10) == 21)
            #expect(runs == 4)
        }

        @Test func `every step gets the same context`() async throws {
            var seen: [Int] = []
            let look = Work { context in
                seen.append(context)
                if seen.count == 3 { throw Failure.first }
                return context
            }
            let whole = look.flatMap { _ in look }.flatMap { _ in look }.handleError { _ in look }
            #expect(try await whole.run(in: 9) == 9)
            #expect(seen == [9, 9, 9, 9])
        }

        @Test func `an error is answered by other work, and a value goes past the answer`() async {
            await expectSame(Work.failure(Failure.first).handleError { _ in Self.increment(1) }, Self.increment(1))
            await expectSame(Work.failure(Failure.first).handleError { _ in .failure(Failure.second) }, .failure(Failure.second))
            await expectSame(Work.pure(7).handleError { _ in .pure(0) }, .pure(7))
        }

        @Test func `what comes after an error is not run`() async {
            var ran = false
            let whole = Work.failure(Failure.first).map { value in
                ran = true
                return value
            }.flatMap { value in
                ran = true
                return .pure(value)
            }
            await expectSame(whole, .failure(Failure.first))
            #expect(!ran)
        }

        @Test func `zip gives all values in their order, and the first error`() async throws {
            let pair = AsyncResult<Int, (Int, String)>.zip(Work { $0 }, AsyncResult<Int, String> { "\($0 + 1)" })
            #expect(try await pair.run(in: 4) == (4, "5"))
            let slow = Answer<Int>()
            let broken = AsyncResult<Int, (Int, Int)>.zip(Work { _ in try await slow() }, .failure(Failure.first))
            await #expect(throws: Failure.first) { try await broken.run(in: 0) }
            #expect(slow.cancelled == slow.asked)
        }

        @Test func `work that needs a part runs with the whole`() async throws {
            struct Services { let limit: Int }
            #expect(try await Work { $0 * 2 }.pullback(\Services.limit).run(in: Services(limit: 21)) == 42)
        }
    }
}
