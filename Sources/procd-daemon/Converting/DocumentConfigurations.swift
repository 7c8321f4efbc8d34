/// What `convert --join` works with.
let joiningConfiguration = #"""
  {
    "version": 1,
    "pipelines": [
      {
        "id": "joined",
        "gather": "folder",
        "steps": [
          { "id": "ocr", "use": "ocr.tesseract" },
          { "id": "text", "use": "pdf.text", "in": "ocr.pdf" }
        ],
        "emit": ["ocr.pdf", "text.text"]
      }
    ]
  }
  """#

/// What `convert --split` works with.
let splittingConfiguration = #"""
  {
    "version": 1,
    "pipelines": [
      {
        "id": "stacks",
        "match": { "mime": ["image/*", "application/pdf"] },
        "steps": [
          {
            "id": "ocr", "use": "ocr.tesseract", "with": { "blankPages": "drop" },
            "if": "probe.pagesWithoutText > 0"
          },
          { "id": "split", "use": "pages.split", "in": ["ocr.pdf", "source"] }
        ],
        "emit": ["split.pdf"]
      }
    ]
  }
  """#
