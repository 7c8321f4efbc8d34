import ImageOCR
import PluginKit

// The only list of built-in plugins that need heavy libraries.
WorkerLoop(hosting: [ImageOCRPlugin.self]).serve()
