struct Tick {}
