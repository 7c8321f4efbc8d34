extension Endpoint {
  private static let offset = Parameter(
    name: "offset", kind: .number(0...100_000_000), about: "How many to leave out")
  private static func limit(_ most: Int) -> Parameter {
    Parameter(name: "limit", kind: .number(1...most), about: "How many at most")
  }
  private static let outcome = Parameter(
    name: "outcome", kind: .choice(["done", "quarantined", "duplicate"]),
    about: "Only with this end")
  private static let page = Parameter(
    name: "page", kind: .number(1...1_000_000), about: "The page, from 1")
  private static let view = Parameter(
    name: "view", kind: .flag, about: "To be shown, not to be kept; for pictures, sound and text")
  private static let name = Parameter(
    name: "name", kind: .text(255), about: "The file's name", isRequired: true)
  private static let folder = Parameter(
    name: "folder", kind: .text(2000), about: "The sub-folder of the inbox")

  package static let all: [Endpoint] = [
    Endpoint(
      method: .get, path: "/api/v1/login", work: .own(.loginState),
      about: "Whether there is a password.", isOpen: true),
    Endpoint(
      method: .post, path: "/api/v1/login", work: .own(.login), about: "Begins a session.",
      body: [
        Parameter(name: "password", kind: .text(1024), about: "The password", isRequired: true)
      ], refusals: [401, 429], isOpen: true),
    Endpoint(
      method: .post, path: "/api/v1/logout", work: .own(.logout), about: "Ends the session."),
    Endpoint(
      method: .get, path: "/api/v1/openapi.json", work: .own(.openAPI), about: "This document."),
    Endpoint(
      method: .get, path: "/api/v1/session", work: .answer(.session),
      about: "What this procd is, and what may be done."),
    Endpoint(
      method: .get, path: "/api/v1/now", work: .answer(.now),
      about: "What runs, what waits and why, and what came of the last files."),
    Endpoint(
      method: .get, path: "/api/v1/events", work: .own(.events),
      about: "The same as a stream of server-sent events, at each change."),
    Endpoint(
      method: .get, path: "/api/v1/jobs", work: .answer(.jobs),
      about: "Finished jobs, the newest first.",
      query: [
        offset, limit(500), outcome,
        Parameter(name: "pipeline", kind: .text(200), about: "Only of this pipeline"),
        Parameter(name: "name", kind: .text(200), about: "Only with this in their path"),
        Parameter(name: "in", kind: .text(1000), about: "Only from this folder of the inbox"),
        Parameter(name: "since", kind: .day, about: "Only those that ended on this day or later"),
        Parameter(name: "until", kind: .day, about: "Only those that ended on this day or earlier"),
        Parameter(
          name: "sender", kind: .text(200),
          about: "Only from this sender, as far as rules or steps found senders"),
        Parameter(
          name: "order", kind: .choice(["newest", "oldest", "name", "sender", "day"]),
          about: "Their order; the newest first if left out. day is that of the document"),
      ]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}", work: .answer(.job),
      about: "A job with its report and its files.", refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}/text", work: .answer(.text),
      about: "The text of one page, with the places of its words.", query: [page],
      refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}/rows", work: .answer(.rows),
      about: "The rows of a table or list, and what changed in it.", query: [offset, limit(1000)],
      refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}/notes", work: .answer(.notes),
      about: "The notes of a PDF.", refusals: [404]),
    Endpoint(
      method: .post, path: "/api/v1/jobs/{job}/notes", work: .answer(.annotate),
      about: "Hands the PDF of a job in once more, together with notes to be written into it.",
      body: [
        Parameter(
          name: "notes", kind: .objects(200),
          about: "Each with type, page, box, contents and author",
          isRequired: true)
      ], refusals: [404, 409]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}/pages/{page}", work: .file(.picture),
      about:
        "A page as a picture (PNG, or JPEG if that is smaller); the page is a number from 1, with or without .png behind it.",
      query: [
        Parameter(name: "width", kind: .number(50...4000), about: "Its width in pixels"),
        Parameter(
          name: "result", kind: .number(0...10_000),
          about: "The result whose page it is, if not the first PDF"),
        Parameter(
          name: "near", kind: .text(200),
          about: "Only a strip, seven times as wide as high, with these words in its middle"),
      ], refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}/results/{index}", work: .file(.result),
      about: "A result.", query: [view], refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}/original", work: .file(.original),
      about: "The original.", query: [view], refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/jobs/{job}/companions/{index}", work: .file(.companion),
      about: "A file that came with the original.", query: [view], refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/find", work: .answer(.find),
      about: "Documents with these words, the best first.",
      query: [
        Parameter(
          name: "q", kind: .text(2000),
          about: "Words, phrases in quotes, word*, -unwanted, and in:, from:, since:, before:",
          isRequired: true),
        Parameter(name: "in", kind: .text(200), about: "Only of this pipeline"),
        Parameter(name: "since", kind: .day, about: "Only since this day"),
        outcome, offset, limit(100),
      ], refusals: [409]),
    Endpoint(
      method: .get, path: "/api/v1/quarantine", work: .answer(.quarantine),
      about: "Files in the quarantine, the newest first.", query: [offset, limit(200)]),
    Endpoint(
      method: .post, path: "/api/v1/retry", work: .answer(.retry),
      about: "Tries quarantined files again.",
      body: [
        Parameter(name: "jobs", kind: .texts(1000), about: "Their jobs"),
        Parameter(name: "all", kind: .flag, about: "All of them"),
        Parameter(
          name: "password", kind: .text(1024), about: "For this one try of one file; it is not kept"
        ),
      ], refusals: [409]),
    Endpoint(
      method: .post, path: "/api/v1/again", work: .answer(.again),
      about: "Hands the originals of documents in once more, for a rule to take.",
      body: [
        Parameter(name: "jobs", kind: .texts(1000), about: "Their jobs", isRequired: true),
        Parameter(name: "rule", kind: .text(200), about: "The rule", isRequired: true),
      ], refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/deleted", work: .answer(.deleted),
      about: "The deleted documents that can be brought back, the last deleted first."),
    Endpoint(
      method: .post, path: "/api/v1/delete", work: .answer(.delete),
      about: "Deletes documents with their results, or files in the quarantine.",
      body: [Parameter(name: "jobs", kind: .texts(1000), about: "Their jobs", isRequired: true)],
      refusals: [404]),
    Endpoint(
      method: .post, path: "/api/v1/restore", work: .answer(.restore),
      about: "Brings deleted documents back.",
      body: [Parameter(name: "jobs", kind: .texts(1000), about: "Their jobs", isRequired: true)],
      refusals: [404]),
    Endpoint(
      method: .post, path: "/api/v1/archives", work: .answer(.makeArchive),
      about: "Makes a ZIP file of the results of documents, kept for a short time.",
      body: [
        Parameter(name: "jobs", kind: .texts(1000), about: "Their jobs", isRequired: true),
        Parameter(name: "originals", kind: .flag, about: "With their originals"),
      ], refusals: [404, 413]),
    Endpoint(
      method: .get, path: "/api/v1/archives/{archive}", work: .file(.archive),
      about: "The ZIP file.", refusals: [404]),
    Endpoint(
      method: .post, path: "/api/v1/uploads", work: .upload(.inbox),
      about: "Puts a file into the inbox: it appears there whole or not at all.",
      query: [
        name, folder,
        Parameter(name: "anyway", kind: .flag, about: "Also where no rule takes it"),
        Parameter(name: "rule", kind: .text(200), about: "The rule that takes it, whatever it is"),
        Parameter(name: "crop", kind: .flag, about: "Whether a photo is cut to the sheet it shows"),
      ], refusals: [409, 413]),
    Endpoint(
      method: .post, path: "/api/v1/parts", work: .upload(.part),
      about:
        "Takes a file whose pages are to become part of a document. It is kept for a short time.",
      query: [name], refusals: [409, 413]),
    Endpoint(
      method: .post, path: "/api/v1/assemble", work: .answer(.assemble),
      about: "Makes one PDF of pages and puts it into the inbox.",
      body: [
        Parameter(
          name: "pages", kind: .objects(500),
          about:
            "In their order: each a part, or a job and a page of it; with rotate, degrees clockwise",
          isRequired: true),
        name, folder,
        Parameter(name: "rule", kind: .text(200), about: "The rule that takes it, whatever it is"),
      ], refusals: [404, 409, 413]),
    Endpoint(
      method: .post, path: "/api/v1/explain", work: .upload(.explain),
      about: "Tells which rule would take a file. It is not kept.", query: [name, folder],
      refusals: [409, 413]),
    Endpoint(
      method: .post, path: "/api/v1/reload", work: .answer(.reload),
      about: "Has the running procd read its configuration again.", refusals: [409]),
    Endpoint(
      method: .get, path: "/api/v1/figures", work: .answer(.figures),
      about: "Counts and times over a day, a week or a year.",
      query: [
        Parameter(
          name: "span", kind: .choice(["day", "week", "year"]), about: "How far back")
      ]),
    Endpoint(
      method: .get, path: "/api/v1/rules", work: .answer(.rules),
      about: "The rules of the configuration, and what each took lately."),
    Endpoint(
      method: .post, path: "/api/v1/rules", work: .answer(.changeRules),
      about:
        "Adds, replaces, moves or removes a rule, if the configuration allows it. Mistakes are told and nothing is saved.",
      body: [
        Parameter(
          name: "change", kind: .choice(["put", "move", "remove"]), about: "What to do",
          isRequired: true),
        Parameter(
          name: "mark", kind: .text(64), about: "That of the rules that were seen",
          isRequired: true),
        Parameter(name: "rule", kind: .text(64 << 10), about: "The rule to put, as JSON"),
        Parameter(name: "id", kind: .text(200), about: "The rule that is replaced, moved, removed"),
        Parameter(
          name: "before", kind: .text(200),
          about: "The rule before which one is moved or added; the end if left out"),
        Parameter(name: "dry", kind: .flag, about: "Only tells what would come of it"),
      ], refusals: [403, 409]),
    Endpoint(
      method: .post, path: "/api/v1/tries", work: .upload(.trial),
      about: "Takes a file to try rules with. It is not handed in, and kept for a short time.",
      query: [name, folder], refusals: [409, 413]),
    Endpoint(
      method: .post, path: "/api/v1/tries/{try}", work: .answer(.trial),
      about: "Runs the file through the rules, or through them with one changed.",
      body: [
        Parameter(name: "rule", kind: .text(64 << 10), about: "A rule that is not saved yet"),
        Parameter(name: "id", kind: .text(200), about: "The rule that it replaces"),
        Parameter(
          name: "before", kind: .text(200), about: "The rule before which it would be"),
      ], refusals: [403, 404, 409]),
    Endpoint(
      method: .get, path: "/api/v1/tries/{try}/results/{index}", work: .file(.trialResult),
      about: "What came of it.", query: [view], refusals: [404]),
    Endpoint(
      method: .get, path: "/api/v1/tries/{try}/pages/{page}", work: .file(.trialPicture),
      about: "A page of the first result that is a PDF, as a picture.",
      query: [
        Parameter(name: "width", kind: .number(50...4000), about: "Its width in pixels")
      ], refusals: [404]),
  ]
}
