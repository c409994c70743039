import LoopCore
import LoopMigration
import UIKit

@MainActor func wire(_ button: UIButton, _ rename: UserAction<String, Int>, _ done: UserAction<Void, Int>) {
    button.execute(rename)  // refused: expected argument type 'UserAction<Void, Int>'
    button.execute(rename) { _ in 7 }  // refused: cannot convert value of type 'Int' to closure result type 'String'
    button.execute(done, on: .tapped)  // refused: type 'UIControl.Event' has no member 'tapped'
}
