import UIKit
let button = UIButton()
let field = UITextField()
let increment = UserAction<Void, Int>(trigger: 1)
let rename = UserAction<String, Int>(trigger: \.count)
