internal import PluginKit

// procd starts this program once for each run of the step, and once for each `procd speak`.
if PluginProgram.command != nil {
  SpeakCommand.run(PluginProgram.arguments)
} else {
  PluginProgram.serve { run, host throws(PluginFailure) in try SpeechStep.run(run, host) }
}
