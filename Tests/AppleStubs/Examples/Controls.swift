import LoopCore
import LoopMigration
import UIKit

/// Keeps its system alive through its actions alone; the system refers to the screen weakly.
final class NameScreen: UIViewController {
    private let label = UILabel()
    private let field = UITextField()
    private let button = UIButton()
    private let rename: UserAction<String, SignInEvent>
    private let done: UserAction<Void, SignInEvent>

    init(system: System<SignIn, SignInEvent>) {
        rename = UserAction(trigger: SignInEvent.named)
        done = UserAction(trigger: .done)
        super.init(nibName: nil, bundle: nil)
        rename.connect(to: system)
        done.connect(to: system)
        system.bind(weakly: self) { screen, signIn in screen.label.text = signIn.name }
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        field.execute(rename, on: .editingChanged) { $0.text ?? "" }
        let tapping = button.execute(done)
        button.removeAction(tapping, for: .primaryActionTriggered)
        button.execute(done, on: .touchUpInside)
    }
}
