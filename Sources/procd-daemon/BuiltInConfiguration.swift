/// The shipped pipelines.json, for `convert`. A test keeps both alike.
let builtInConfiguration = #"""
  {
    "version": 1,

    "inbox": "inbox",
    "outbox": "outbox",
    "archive": "archive",
    "quarantine": "quarantine",

    "pipelines": [
      {
        "id": "scan-to-searchable-pdf",
        "about": "Scans and photos become searchable PDFs",
        "match": { "mime": "image/*" },
        "steps": [
          { "id": "ocr", "use": "ocr.tesseract" }
        ],
        "emit": ["ocr.pdf"]
      },
      {
        "id": "batch-status",
        "about": "Status lists become rows: number, status, date",
        "match": {
          "mime": "application/pdf",
          "text": { "pages": "1", "regex": "\\b2\\d{10}\\b", "lines": 5 }
        },
        "steps": [
          { "id": "rows", "use": "status.rows", "expect": { "minRows": 1 } }
        ],
        "emit": ["rows.csv", "rows.json"]
      },
      {
        "id": "pdf-text",
        "about": "PDFs become text; scanned pages are recognized first",
        "match": { "mime": "application/pdf" },
        "steps": [
          { "id": "open", "use": "pdf.unlock", "if": "probe.locked == true" },
          {
            "id": "ocr",
            "use": "ocr.tesseract",
            "in": ["open.pdf", "source"],
            "if": "probe.pagesWithoutText > 0"
          },
          { "id": "text", "use": "pdf.text", "in": ["ocr.pdf", "open.pdf", "source"] }
        ],
        "emit": ["text.text", "ocr.pdf?", "open.pdf?", "ocr.beside?"]
      }
    ]
  }

  """#
