internal import CLinux
internal import Glibc

/// Limits that the kernel keeps for one process; nil leaves a limit as it is.
package struct ResourceLimits: Sendable, Equatable {
  /// Bytes of address space.
  package var memory: UInt64?
  /// Seconds of processor time; the process gets SIGXCPU, one second later SIGKILL.
  package var processorSeconds: UInt64?
  /// Bytes of one written file.
  package var fileSize: UInt64?
  package var openFiles: UInt64? = 256

  /// Bytes of address space, and seconds of processor time for a file, where nothing else is asked for.
  package static let usualMemory: UInt64 = 2 << 30
  package static let usualProcessorSeconds: UInt64 = 600

  package init() {}

  func apply() {
    _ = clinux_set_limit(Int32(CLINUX_LIMIT_CORE), 0, 0)
    if let memory {
      _ = clinux_set_limit(Int32(CLINUX_LIMIT_ADDRESS_SPACE), memory, memory)
    }
    if let processorSeconds {
      _ = clinux_set_limit(
        Int32(CLINUX_LIMIT_CPU), processorSeconds, processorSeconds &+ 1)
    }
    if let fileSize {
      // Without this the process would die of SIGXFSZ instead of seeing EFBIG.
      clinux_ignore_signal(SIGXFSZ)
      _ = clinux_set_limit(Int32(CLINUX_LIMIT_FILE_SIZE), fileSize, fileSize)
    }
    if let openFiles {
      _ = clinux_set_limit(Int32(CLINUX_LIMIT_OPEN_FILES), openFiles, openFiles)
    }
  }
}
