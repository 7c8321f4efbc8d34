import Glibc

// The linker takes this `main` or that of libFuzzer; both end in its driver, which calls
// `LLVMFuzzerTestOneInput`.

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var count = CommandLine.argc
var words = CommandLine.unsafeArgv
_ = chosen
exit(runDriver(&count, &words) { fuzz($0, $1) })
