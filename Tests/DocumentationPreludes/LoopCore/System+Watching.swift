struct Page { var title = "" }
final class Screen {
    var title = ""
}
let screen = Screen()
let system = System(initialState: Page()) { (_: inout Page, _: Int) in }
