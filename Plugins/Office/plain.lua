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

-- Whether a heading says what the title does: web pages have the name of the site behind it.
local function is_title(words, title)
  local rest = title:sub(1, #words) == words and title:sub(#words + 1)
  return words ~= "" and rest and (rest == "" or rest:match("^%s+%p") or rest:match("^%s+[\u{2013}\u{2014}\u{B7}]"))
end

-- Makes what stands for the title at the beginning of a document its first heading.
--
-- Returns whether there is such a thing.
local function heads(document, title)
  for index = 1, math.min(6, #document.blocks) do
    local block = document.blocks[index]
    local words = pandoc.utils.stringify(block)
    if block.t == "Header" and is_title(words, title) then
      return true
    elseif (block.t == "Para" or block.t == "Plain") and words == title then
      document.blocks[index] = pandoc.Header(1, title)
      return true
    end
  end
  return false
end

-- What stands for the title of a document that names none: a first line in bold letters, or the title of a page that has
-- no head around it, which is text to pandoc.
local function heads_unnamed(document)
  local block, following = document.blocks[1], document.blocks[2]
  if block and (block.t == "Plain" or block.t == "Para") and following and following.t == "Header"
    and is_title(pandoc.utils.stringify(following), pandoc.utils.stringify(block)) then
    document.blocks:remove(1)
    return
  end
  if block and block.t == "Para" and #block.content == 1 and block.content[1].t == "Strong" and #document.blocks > 1 then
    document.blocks[1] = pandoc.Header(1, pandoc.utils.stringify(block))
  end
end

function Pandoc(document)
  local text = pandoc.utils.stringify
  if not document.meta.title then
    heads_unnamed(document)
  end
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
      local stands = key == "title" and heads(document, words) or beginning[words]
      if words ~= "" and not stands then
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
