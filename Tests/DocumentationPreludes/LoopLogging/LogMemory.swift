struct CrashReport { func attach(_ text: String) {} }
let report = CrashReport()
