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
