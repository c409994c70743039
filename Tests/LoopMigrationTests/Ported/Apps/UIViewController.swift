#if !canImport(UIKit)
/// Stands in for UIKit's class. The apps need only that it lives on the main actor.
@MainActor class UIViewController {
    func viewDidLoad() {}
}
#endif
