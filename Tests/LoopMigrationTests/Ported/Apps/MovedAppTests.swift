import Foundation
import LoopCore
import LoopFlux
import LoopMigration
import TestSupport
import Testing

/// A typical app of each library whose names module LoopMigration keeps, moved.
///
/// The apps of this folder are the moved ones. Each line that differs stands under its original, `// was: …`. A line that the original
/// does not have ends in `// new`. So the file shows the original, too, which has not been compiled: its libraries do not run on Linux.
/// Views in SwiftUI or UIKit are left out; a controller stands in their place.
@MainActor @Suite struct MovedAppTests {
    /// The file of an app as it was, and how many of its lines were changed or added.
    private func original(of app: String) throws -> (lines: [String], changed: Int, added: Int) {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(app + ".swift").path
        var lines: [String] = []
        var changed = 0
        var added = 0
        var isReplaced = false
        for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("// was: ") {
                #expect(!isReplaced, "an original without its moved line: \(text)")
                lines.append(String(text.dropFirst(8)))
                changed += 1
                isReplaced = true
            } else if isReplaced {
                #expect(!text.isEmpty && !text.hasPrefix("//") && text != lines.last, "no moved line under \(lines.last ?? "")")
                isReplaced = false
            } else if text.hasSuffix("// new") {
                added += 1
            } else if !text.isEmpty && !text.hasPrefix("//") && !text.hasPrefix("#") {
                lines.append(text)
            }
        }
        return (lines, changed, added)
    }

    /// The figures in the guides. Blank lines and comments do not count, imports do.
    @Test(arguments: [
        ("ProductApp", "PromisedArchitectureKit", 94, 4, 1), ("JokesApp", "ArchitectureKit", 91, 9, 0),
        ("MoviesApp", "CombineFeedback", 98, 8, 1), ("PricesApp", "MiniSwift", 103, 10, 0),
    ])
    func `a typical app moves with at most ten lines, and its guide says with how many`(
        app: String, library: String, lines: Int, changed: Int, added: Int
    ) throws {
        let original = try original(of: app)
        #expect(original.lines.count == lines && original.changed == changed && original.added == added)
        #expect(changed + added <= 10)
        #expect(original.lines.contains("import \(library)") && !original.lines.contains { $0.hasPrefix("import Loop") })
        let guide = #filePath + "/../../../../../Sources/LoopCore/LoopCore.docc/MovingFrom\(library).md"
        let text = try String(contentsOf: URL(fileURLWithPath: guide).standardized, encoding: .utf8)
        #expect(text.contains("An app of \(lines) lines moves with \(changed + added) "))
        let list = text.components(separatedBy: "```diff\n").dropFirst().first?.components(separatedBy: "```").first ?? ""
        #expect(list.components(separatedBy: "\n").count { $0.hasPrefix("+") } == changed + added, "the list of changed lines")
        #expect(list.components(separatedBy: "\n").count { $0.hasPrefix("-") } == changed)
    }

    @Test func `the moved app of PromisedArchitectureKit loads, adds, fails and leaves`() async {
        final class Page: ProductPage.View {
            var shown: [ProductPage.State] = []
            func updateUI(state: ProductPage.State) { shown.append(state) }
        }
        let page = Page()
        let presenter = ProductPage.Presenter(view: page)
        presenter.controllerLoaded()
        presenter.sendEvent(.loadProduct)
        await presenter.system?.settled()
        let cached = ProductPage.Product(title: "Kettle, cached", price: 30)
        #expect(page.shown == [.start, .loading, .productLoaded(.init(title: "Kettle", price: 30))])
        page.shown = []
        presenter.sendEvent(.addToCart(user: "ada"))
        presenter.sendEvent(.addToCart(user: ""))
        presenter.sendEvent(.leave)
        await presenter.system?.settled()
        #expect(
            page.shown == [.loading, .addedToCart(cached, "Kettle, cached for ada"), .loading, .error("CartError()"), .start])
        #expect(presenter.tracked.count == 8)
    }

    @Test func `the moved app of ArchitectureKit loads, turns pages and fails`() async {
        var answers: [([String]?) -> Void] = []
        let screen = JokesApp.JokesViewController()
        screen.context = JokesApp.Context { category, completion in
            #expect(category == "nerdy")
            answers.append(completion)
        }
        screen.viewDidLoad()
        screen.tapLoad.execute()
        #expect(screen.spins)
        #expect(await eventually { answers.count == 1 })
        answers[0](["one", "two"])
        #expect(await eventually { !screen.spins })
        screen.tapNext.execute()
        screen.tapNext.execute()
        #expect(screen.label == "two")
        screen.tapPrevious.execute()
        #expect(screen.label == "one")
        screen.tapLoad.execute()
        #expect(await eventually { answers.count == 2 })
        answers[1](nil)
        #expect(await eventually { screen.label == "offline" && !screen.spins })
        #expect(screen.loops > 0)
    }

    @Test func `the moved app of CombineFeedback loads pages, fails, tries again and checks what is typed`() async {
        struct Offline: Error {}
        var isOffline = false
        let screen = MoviesApp.MoviesViewController()
        screen.store = MoviesApp.store(
            MoviesApp.Dependencies(
                movies: { page in
                    if isOffline { throw Offline() }
                    return MoviesApp.Results(page: page, results: [MoviesApp.Movie(title: "film \(page)")])
                }, isAvailable: { $0 == "ada" }))
        await screen.store.settled()
        isOffline = true
        screen.didReachEnd()
        await screen.store.settled()
        #expect(screen.store.state.status == .failed("Offline()") && screen.store.state.batch.page == 1)
        isOffline = false
        screen.store.send(event: .retry)
        await screen.store.settled()
        screen.didTap(row: 1)
        screen.didType("ada")
        await screen.store.settled()
        #expect(screen.store.state.movies == [.init(title: "film 1"), .init(title: "film 2", isFavourite: true)])
        #expect(screen.store.state.status == .idle && screen.store.state.isProfileAvailable)
    }

    @Test func `the moved app of Mini loads a price once, fails for another and begins anew`() async {
        struct Unknown: Error {}
        var asked: [String] = []
        let screen = PriceViewController()
        screen.api = PriceAPI { sku in
            asked.append(sku)
            if sku != "sku-1" { throw Unknown() }
            return 30
        }
        screen.viewDidLoad()
        for sku in ["sku-1", "sku-1", "sku-2"] { screen.didTapPrice(of: sku) }
        await screen.dispatcher.settled()
        screen.didTapPrice(of: "sku-1")
        await screen.dispatcher.settled()
        #expect(asked == ["sku-1", "sku-2"])
        #expect(screen.lines.first == "" && screen.lines.contains("…") && screen.label == "30 EUR")
        #expect(screen.store.state.line(for: "sku-2") == "no price")
        screen.didChoose(currency: "USD")
        #expect(screen.label == "")
        screen.didTapPrice(of: "sku-1")
        await screen.dispatcher.settled()
        #expect(screen.label == "30 USD")
    }
}
