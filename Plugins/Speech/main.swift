internal import PluginCommands
internal import PluginKit

// procd starts this program once for each run of the step, and once for each `procd speak` or `procd podcast`.
PluginProgram.main(
  PluginProgram.command == "podcast" ? PodcastCommand.self : SpeakCommand.self,
  steps: ["speech.narrate": SpeechStep.run])
