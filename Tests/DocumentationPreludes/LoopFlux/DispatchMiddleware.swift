struct Tapped: Action {}
