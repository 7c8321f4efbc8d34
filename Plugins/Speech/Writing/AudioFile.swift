internal import CSndfile
internal import Glibc
internal import PluginKit

/// A file of sound that is written as it is made, by libsndfile. One channel.
@safe final class AudioFile {
  private let file: ResultFile
  private let handle: OpaquePointer
  private var resampler: Resampler?
  private var isOpen = true

  /// Bits a second for Opus: speech at 24 kHz is said to be clear from 20,000 on.
  private static let bitRate = 24_000.0

  /// - Parameter kind: Opus in Ogg, about 24 kbit/s; or else WAV, 16-bit samples at the engine's rate.
  init(path: String, _ kind: NarrationFile, title: String) throws(PluginFailure) {
    file = try ResultFile(path, name: kind.name, replaces: true)
    var information = SF_INFO()
    information.channels = 1
    if kind == .opus {
      information.samplerate = Int32(Resampler.outputRate)
      information.format = Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
      resampler = Resampler()
    } else {
      information.samplerate = Int32(SpeechEngine.sampleRate)
      information.format = Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
    }
    guard let opened = unsafe sf_open_fd(file.descriptor, Int32(SFM_WRITE), &information, 0) else {
      throw PluginFailure(
        .internal, "speech.audio",
        "\(kind.name) could not be begun: this libsndfile cannot write it",
        hint: "install libsndfile 1.0.29 or newer, built with Opus")
    }
    unsafe handle = opened
    if kind == .opus {
      // libsndfile gives 256 kbit/s at level 0 and 6 kbit/s at level 1.
      var level = 1 - (Self.bitRate - 6000) / 250_000
      unsafe _ = sf_command(
        handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
    }
    unsafe _ = sf_set_string(handle, Int32(SF_STR_TITLE), String(title.prefix(200)))
  }

  deinit { if isOpen { unsafe _ = sf_close(handle) } }

  /// Bytes so far.
  var count: Int { Int(lseek(file.descriptor, 0, SEEK_CUR)) }

  /// Appends samples at the engine's rate.
  func write(_ samples: [Int16]) throws(PluginFailure) {
    guard !samples.isEmpty else { return }
    if resampler != nil {
      try write(resampler?.add(samples) ?? [])
    } else {
      errno = 0
      let written = unsafe samples.withUnsafeBufferPointer { buffer in
        unsafe sf_write_short(handle, buffer.baseAddress, sf_count_t(buffer.count))
      }
      guard written == samples.count else { throw failure() }
    }
  }

  private func write(_ samples: [Float]) throws(PluginFailure) {
    guard !samples.isEmpty else { return }
    errno = 0
    let written = unsafe samples.withUnsafeBufferPointer { buffer in
      unsafe sf_write_float(handle, buffer.baseAddress, sf_count_t(buffer.count))
    }
    guard written == samples.count else { throw failure() }
  }

  /// Writes what is still held and the end of the file.
  func finish() throws(PluginFailure) {
    if let rest = resampler?.finish() { try write(rest) }
    errno = 0
    isOpen = false
    guard unsafe sf_close(handle) == 0 else { throw failure() }
    try file.close()
  }

  private func failure() -> PluginFailure {
    errno == 0
      ? PluginFailure(.internal, "speech.audio", "\(file.name) could not be written by libsndfile")
      : .writing(file.name, errno: errno)
  }
}
