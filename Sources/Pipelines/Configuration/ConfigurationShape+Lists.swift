internal import PluginKit

extension ConfigurationShape {
  static let source = ObjectShape(
    "source",
    [
      Field("id", .identifier, "The source's name", required: true),
      Field(
        "url", .text,
        "The file's address: \(SourceScheme.list); one of sftp, ftps or ftpes that ends with / is a folder, one of imaps a mailbox",
        required: true),
      Field("every", .atLeast("1s", .duration), "How often it is asked for", byDefault: "6h"),
      Field("to", .text, "The sub-folder of the inbox that it is put into"),
      Field(
        "private", .boolean, "Whether the address may lead into a private network",
        byDefault: false),
      Field(
        "name", .oneOrMany(.text),
        "What files of a folder are called that are wanted, such as *.pdf; all when left out"),
      Field("password", .secret, "The user's password, or that of the key"),
      Field("key", .text, "A file with a private key of SSH; a relative path starts at this file"),
      Field("hostKey", .text, "The server's key as OpenSSH shows it, SHA256:…"),
    ])

  static let webhook = ObjectShape(
    "webhook",
    [
      Field("url", .text, "The address that news is posted to", required: true),
      Field(
        "body", .oneOf(NotifyTarget.Body.allCases.map(\.rawValue)), "What is posted",
        byDefault: "json"),
      Field("secret", .secret, "What the message is signed with"),
      Field(
        "private", .boolean, "Whether the address may lead into a private network",
        byDefault: false),
    ])

  static let notify = ObjectShape(
    "notify",
    [
      Field(
        "on", .oneOrMany(.oneOf(Notice.Event.allCases.map(\.rawValue))),
        "What is told: number is news of followed numbers", byDefault: ["number"]),
      Field("series", .oneOrMany(.text), "The lists whose numbers are told of; all when left out"),
      Field(
        "every", .duration, "How long other news is collected into one message", byDefault: "5m"),
      Field(
        "command", .oneOrMany(.text), "A program and its arguments; news is in its environment"),
      Field("webhook", .either([.text, .object(webhook)]), "An address that news is posted to"),
      Field("mail", .oneOrMany(.text), "Addresses to which sendmail brings the news"),
      Field("log", .boolean, "Whether the news stands in the log", byDefault: false),
    ])
}
