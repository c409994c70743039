#if !canImport(UIKit)
/// Stands in for UIKit's, of which the apps need that it lives on the main actor.
@MainActor class UIViewController {
    func viewDidLoad() {}
}
#endif
