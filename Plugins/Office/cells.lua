-- A table of Markdown has one line of text in each cell, and no cell that spans others. pandoc leaves out the tables that
-- are not so.
local function line(blocks)
  local text = {}
  local function add(inlines)
    if #text > 0 then table.insert(text, pandoc.Space()) end
    for _, inline in ipairs(inlines) do table.insert(text, inline) end
  end
  local function paragraph(block) add(block.content) end
  if #blocks == 1 and (blocks[1].t == "Plain" or blocks[1].t == "Para") then
    add(blocks[1].content)
  else
    pandoc.walk_block(pandoc.Div(blocks), {
      Plain = paragraph, Para = paragraph, Header = paragraph,
      CodeBlock = function(block) add({ pandoc.Code((block.text:gsub("%s+", " "))) }) end,
    })
  end
  return { pandoc.walk_block(pandoc.Plain(text), { LineBreak = pandoc.Space, SoftBreak = pandoc.Space }) }
end

local function lines(cells)
  local made = {}
  for index, cell in ipairs(cells) do
    made[index] = line(cell)
  end
  return made
end

function Table(grid)
  local simple = pandoc.utils.to_simple_table(grid)
  simple.headers = lines(simple.headers)
  local rows = {}
  for index, row in ipairs(simple.rows) do
    rows[index] = lines(row)
  end
  simple.rows = rows
  return pandoc.utils.from_simple_table(simple)
end
