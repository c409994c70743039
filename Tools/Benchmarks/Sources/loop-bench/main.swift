import LoopCore
enum Count { case up, down(Int) }
actor Bench {
    func go() {
        let clock = ContinuousClock()
        for _ in 0..<3 {
            var seen = 0
            let s = System<Int, Count>(
                initialState: 0,
                reducer: { (s: inout Int, e: Count) in
                    switch e {
                    case .up: s += 1;
                    case .down(let n): s -= n
                    }
                })
            s.bind { seen &+= $0 }
            let at = clock.now; for _ in 0..<1_000_000 { s.send(.up) }; let t = clock.now - at
            print("bind", t, seen)
            let s2 = System<Int, Count>(
                initialState: 0,
                reducer: { (s: inout Int, e: Count) in
                    switch e {
                    case .up: s += 1;
                    case .down(let n): s -= n
                    }
                })
            s2.attach(Middleware { seen &+= $0.number })
            let at2 = clock.now; for _ in 0..<1_000_000 { s2.send(.up) }; let t2 = clock.now - at2
            print("idle mw", t2, seen)
            let s3 = System<Int, Count>(
                initialState: 0,
                reducer: { (s: inout Int, e: Count) in
                    switch e {
                    case .up: s += 1;
                    case .down(let n): s -= n
                    }
                })
            let at3 = clock.now; for _ in 0..<1_000_000 { s3.send(.up) }; let t3 = clock.now - at3
            print("bare", t3, s3.state)
            s3.attach(Middleware(needs: .timing) { seen &+= $0.number })
            let at4 = clock.now; for _ in 0..<1_000_000 { s3.send(.up) }; let t4 = clock.now - at4
            print("timed", t4, s3.state)
        }
    }
}
await Bench().go()
