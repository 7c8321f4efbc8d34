-- What a text can hold: headers and the title, which several formats keep apart from the text, come first, footers
-- last; of pictures their descriptions stay.
function Image(image)
  return image.caption
end

-- Frames of web pages and e-books say nothing in a text.
function Div(frame)
  return frame.content
end

function Span(frame)
  return frame.content
end

-- A header row is told by a paragraph that omitted.py begins it with.
function Table(grid)
  local rows = grid.bodies[1] and grid.bodies[1].body or {}
  local cell = rows[1] and rows[1].cells[1]
  if cell and cell.contents[1] and pandoc.utils.stringify(cell.contents[1]) == "\u{10FFFD}" then
    table.remove(cell.contents, 1)
    grid.head.rows = { table.remove(rows, 1) }
    return grid
  end
end

-- The lines of a file in the step's folder, as paragraphs; none where it is missing.
local function paragraphs(name)
  local found = {}
  local file = io.open(os.getenv("PROCD_WORK") .. "/" .. name)
  if file then
    for line in file:lines() do
      table.insert(found, pandoc.Para(line))
    end
    file:close()
  end
  return found
end

function Pandoc(document)
  local text = pandoc.utils.stringify
  -- Web pages have them in their text too.
  local beginning = {}
  for index = 1, math.min(6, #document.blocks) do
    beginning[text(document.blocks[index])] = true
  end
  local head = paragraphs("headers")
  for _, key in ipairs({ "title", "subtitle", "author", "date" }) do
    local value = document.meta[key]
    local entries = value and (pandoc.utils.type(value) == "List" and value or { value }) or {}
    for _, entry in ipairs(entries) do
      local words = text(entry)
      if words ~= "" and not beginning[words] then
        table.insert(head, key == "title" and pandoc.Header(1, words) or pandoc.Para(words))
      end
    end
  end
  for index, block in ipairs(head) do
    table.insert(document.blocks, index, block)
  end
  for _, block in ipairs(paragraphs("footers")) do
    table.insert(document.blocks, block)
  end
  return document
end
