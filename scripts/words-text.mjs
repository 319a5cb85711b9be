/** Finds the English in Markdown, and cuts texts into sentences. */

/** Returns a function from an offset of a text to the number of its line. */
export function lineCounter(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

const breaksIn = (text) => text.replace(/[^\n]/g, '')

/** Removes the markup of a text. Code becomes `` `x` ``. The number of line breaks stays the same. */
export function plain(text) {
  return text
    .replace(/(`+)[^`][\s\S]*?\1/g, (all) => `\`x\`${breaksIn(all)}`)
    .replace(/\{@\w+[^}]*\}/g, (all) => `\`x\`${breaksIn(all)}`)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, breaksIn)
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, (all, inner) => inner + breaksIn(all.slice(inner.length + 1)))
    .replace(/<\/?[a-z!][^<>]*>/gi, breaksIn)
    .replace(/\bhttps?:\/\/[^\s)]+/g, 'URL')
    .replace(/&\w+;/g, ' ')
    .replace(/(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)/g, '')
}

/**
 * Reads the passages of a page, without code and without what a script writes.
 * @param {string} page
 * @returns {import('./words-source.mjs').Passage[]}
 */
export function passagesOfPage(page) {
  const passages = []
  let open
  const close = () => {
    if (open) passages.push({ kind: open.kind, line: open.line, text: plain(open.lines.join('\n')) })
    open = undefined
  }
  const begin = (kind, line, text) => {
    close()
    open = { kind, line, lines: [text] }
  }
  const state = { fence: '', generated: '', inList: false, blank: true }
  const lines = withoutHtmlComments(page).split('\n')
  const frontMatterEnds = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  lines.forEach((line, at) => {
    if (at <= frontMatterEnds) return
    if (skips(state, line)) {
      close()
      return
    }
    const text = line.replace(/^(?:\s*>)+ ?(?:\[!\w+\])?/, '')
    const item = /^\s*(?:[-*+]|\d+[.)]) +(?:\[[ x]\] )?(.*)$/.exec(text)
    const isBlank = text.trim() === ''
    if (isBlank || /^\s*(?:[-*_=]\s*){3,}$/.test(text)) close()
    else if (/^#{1,6} /.test(text)) begin('heading', at + 1, text.replace(/^#+ /, ''))
    else if (item) begin('prose', at + 1, item[1])
    else if (/^\s*\|/.test(text)) {
      close()
      for (const cell of cellsOf(text)) passages.push({ kind: 'cell', line: at + 1, text: plain(cell) })
    } else if (/^(?: {4}|\t)/.test(line) && state.blank && !state.inList) close()
    else if (/^\s*(?:\[[^\]]+\]: |:::)/.test(text)) close()
    else if (open) open.lines.push(text)
    else begin('prose', at + 1, text)
    if (item) state.inList = true
    else if (/^\S/.test(text) && state.blank) state.inList = false
    state.blank = isBlank
  })
  close()
  return passages.filter(({ text }) => text.trim() !== '')
}

/** Removes HTML comments, but the marks of what scripts write. */
function withoutHtmlComments(page) {
  return page.replace(/<!--[\s\S]*?-->/g, (comment) => (isMark(comment) ? comment : breaksIn(comment)))
}

const isMark = (comment) => /^<!-- (?:Written by |to here)/.test(comment)

/** Checks whether a line is code, or in a part that a script writes. */
function skips(state, line) {
  if (state.generated) {
    if (line.startsWith('<!-- to here')) state.generated = ''
    return true
  }
  if (line.startsWith('<!-- Written by ')) {
    state.generated = 'yes'
    return true
  }
  const [, fence] = /^\s*(?:>\s*)?(?:[-*+]\s+|\d+\.\s+)?(```+|~~~+)/.exec(line) ?? []
  if (!state.fence) {
    state.fence = fence ?? ''
    return fence !== undefined
  }
  if (fence?.startsWith(state.fence) && line.trim().replace(/^>\s*/, '') === fence) state.fence = ''
  return true
}

/** The cells of a row of a table. Titles of tests that a cell quotes after the name of a file are no prose of the page. */
function cellsOf(row) {
  if (/^\s*\|[\s|:-]*$/.test(row)) return []
  return row
    .replace(/^\s*\||\|\s*$/g, '')
    .replaceAll('\\|', '/')
    .split('|')
    .flatMap((cell) =>
      cell
        .replace(/`test\/[^`]+` "(?:[^"]|"[^"]*"(?=[^"]*"))*?"(?=<br>|\s*$)/g, '')
        .split('<br>')
        .map((part) => part.trim()),
    )
    .filter((cell) => cell !== '')
}

const abbreviation = /\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|No|St|Mr|Dr|Inc|Ltd|[A-Z])\.$/
const sentenceEnd = /[.!?…]["'”’)\]]*(?=\s+["'“‘([]*[A-Z0-9`])|\n\s*\n/g

/**
 * Cuts a text into sentences.
 * @param {string} text
 * @returns {{ text: string, at: number }[]} `at`: the offset in the text.
 */
export function sentencesOf(text) {
  const sentences = []
  let from = 0
  const add = (to) => {
    const part = text.slice(from, to)
    const lead = part.length - part.trimStart().length
    if (part.trim() !== '')
      sentences.push({ text: part.trim().replace(/\s+/g, ' '), raw: part.trim(), at: from + lead })
    from = to
  }
  for (const match of text.matchAll(sentenceEnd)) {
    const end = match.index + match[0].length
    if (!abbreviation.test(text.slice(Math.max(0, match.index - 8), match.index + 1))) add(end)
  }
  add(text.length)
  return sentences
}

/** The number of words of a text. */
export const countWords = (text) => (text.match(/[\p{L}\p{N}`][\p{L}\p{N}`'’_./@-]*/gu) ?? []).length
