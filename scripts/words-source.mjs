/** Finds the English in source files: comments, titles of tests and messages. Knows strings, templates and regular expressions. */
import { lineCounter, plain } from './words-text.mjs'

const token =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|[`/(){}]|[A-Za-z_$][\w$]*|\d[\w.]*|[^\s\w]/g
const regularExpression = /\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y
const templatePart = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y

/** After these words a slash begins a regular expression. After any other word it divides. */
const operators = new Set(
  'return typeof case in of do else void delete throw new instanceof yield await default extends'.split(' '),
)
const testFunctions = new Set(['it', 'describe'])

/**
 * @typedef {object} Passage Text that a reader reads as one piece.
 * @property {'doc' | 'tag' | 'comment' | 'title' | 'message' | 'prose' | 'cell' | 'heading'} kind
 * @property {number} line The line of the file on which the text begins.
 * @property {string} text The text without markup. It has the line breaks of the file.
 */

/**
 * Reads the passages of a source file.
 * @param {string} source
 * @param {{ messages?: boolean }} [options] `messages`: also return strings that look like sentences. Default: false.
 * @returns {Passage[]}
 */
export function passagesOfSource(source, { messages = false } = {}) {
  const { comments, strings } = tokenize(source)
  const titles = strings.filter(({ isTitle }) => isTitle).map(({ line, text }) => passage('title', line, text))
  const sentences = strings.filter(({ isTitle, text }) => messages && !isTitle && isSentence(text))
  return [
    ...passagesOfComments(comments),
    ...titles,
    ...sentences.map(({ line, text }) => passage('message', line, text)),
  ].sort((a, b) => a.line - b.line)
}

const passage = (kind, line, text) => ({ kind, line, text: plain(text) })

/** Returns the comments and the strings of a source file, in their order. Strings that `+` joins are one string. */
function tokenize(source) {
  const lineAt = lineCounter(source)
  const comments = []
  const strings = []
  // The depth of braces in each `${}` around the current position.
  const templates = []
  let before = ''
  let callee = ''
  let joined
  const addString = (at, text) => {
    if (before === '+' && joined) joined.text += text
    else strings.push({ line: lineAt(at), text, isTitle: before === '(' && testFunctions.has(callee) })
    joined = strings.at(-1)
  }
  const readTemplate = (start, from, begun) => {
    templatePart.lastIndex = from
    const [part] = templatePart.exec(source)
    const end = from + part.length
    const text = begun + part
    if (source.startsWith('${', end)) templates.push({ start, text: `${text}\`x\``, braces: 0, before, callee, joined })
    else addString(start, text)
    token.lastIndex = end + (source[end] === '$' ? 2 : 1)
    before = source[end] === '$' ? '(' : 'string'
  }

  token.lastIndex = 0
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [text] = match
    const at = match.index
    if (text.startsWith('//') || text.startsWith('/*')) {
      comments.push({ at, line: lineAt(at), text, isAlone: isFirstOnLine(source, at) })
      continue
    }
    const first = text[0]
    if (first === '`') {
      readTemplate(at, at + 1, '')
      continue
    }
    if (first === '/' && before !== '<' && mayBeginExpression(before)) {
      regularExpression.lastIndex = at
      const [expression] = regularExpression.exec(source) ?? []
      if (expression) token.lastIndex = at + expression.length
      before = expression ? 'string' : '/'
      continue
    }
    if (first === "'" || first === '"') {
      addString(at, unquote(text))
      before = 'string'
      continue
    }
    const template = templates.at(-1)
    if (template && first === '{') template.braces++
    if (template && first === '}' && template.braces-- === 0) {
      templates.pop()
      ;({ before, callee, joined } = template)
      readTemplate(template.start, at + 1, template.text)
      continue
    }
    if (first === '(') callee = /^\w/.test(before) ? before : callee
    if (first !== '+') joined = undefined
    before = before === '.' && testFunctions.has(callee) ? callee : text
    if (testFunctions.has(text)) callee = text
  }
  return { comments, strings }
}

function mayBeginExpression(before) {
  if (before === '' || operators.has(before)) return true
  return !/^[\w$]|^[)\]}]$/.test(before)
}

function isFirstOnLine(source, at) {
  return source.slice(source.lastIndexOf('\n', at - 1) + 1, at).trim() === ''
}

function unquote(text) {
  const inner = text.length > 1 && text.endsWith(text[0]) ? text.slice(1, -1) : text.slice(1)
  return inner.replace(/\\n/g, ' ').replace(/\\(['"`\\])/g, '$1')
}

/** Checks whether a string is written for readers, and is not SQL, CSS, HTML or a list of names. */
function isSentence(text) {
  const words = text.match(/[A-Za-z][a-z'’]*(?=[\s.,:;!?]|$)/g) ?? []
  if (/\bredis\.call\b|\blocal \w+ =|\bthen\b[\s\S]*\bend\b/.test(text)) return false
  if (words.length < 3 || !/[a-z] [a-z]/.test(text)) return false
  if (
    /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|BEGIN)\b|[{};]\s*$|^\s*[.#@][\w-]+.*\{/.test(text)
  )
    return false
  return !/^\s*<[a-z!/]/i.test(text)
}

/** Line comments of lines that follow each other are one text. */
function passagesOfComments(comments) {
  const passages = []
  let run
  for (const { line, text, isAlone } of comments) {
    if (text.startsWith('/*')) {
      run = undefined
      passages.push(...passagesOfBlock(text, line))
      continue
    }
    const content = text.replace(/^\/\/+ ?/, '')
    if (/^(?:biome|@ts|eslint|#region|#endregion|<reference|\/)/.test(content)) continue
    if (run && isAlone && run.end + 1 === line) run.lines.push(content)
    else {
      run = { line, lines: [content] }
      passages.push(run)
    }
    run.end = isAlone ? line : -1
  }
  return passages.map((each) => ('lines' in each ? passage('comment', each.line, each.lines.join('\n')) : each))
}

/** Tags may follow text, as in `/** Reads it. @param path The file. *\/`. */
const tagInLine = /\s(?=@(?:param|returns?|throws|example|see|default|deprecated|internal|template)\b)/

/** A comment in `/* … *\/`: its text, and the text of each tag. Code of examples is left out. */
function passagesOfBlock(comment, line) {
  const isDoc = comment.startsWith('/**')
  const lines = comment
    .slice(isDoc ? 3 : 2, -2)
    .split('\n')
    .map((each, at) => (at === 0 ? each : each.replace(/^\s*\*? ?/, '')))
  const parts = [{ kind: isDoc ? 'doc' : 'comment', line, lines: [] }]
  let isFenced = false
  const add = (text, at) => {
    const [, tag, rest] = (isDoc && !isFenced && /^\s*@(\w+)\s*(.*)$/.exec(text)) || []
    if (tag) {
      const kind = tag === 'example' || tag === 'see' ? 'code' : 'tag'
      parts.push({ kind, line: line + at, lines: [descriptionOf(tag, rest)] })
    } else parts.at(-1).lines.push(isFenced || /^ {4}/.test(text) ? '' : text)
  }
  lines.forEach((text, at) => {
    if (/^\s*```/.test(text)) isFenced = !isFenced
    for (const part of text.split(tagInLine)) add(/^\s*```/.test(part) ? '' : part, at)
  })
  return parts
    .filter(({ kind }) => kind !== 'code')
    .map(({ kind, line: from, lines: own }) => {
      const empty = own.findIndex((each) => each.trim() !== '')
      return passage(kind, from + Math.max(empty, 0), own.slice(Math.max(empty, 0)).join('\n').trim())
    })
    .filter(({ text }) => text !== '')
}

function descriptionOf(tag, rest) {
  const withoutType = rest.replace(/^\{[^}]*\}+\s*/, '')
  return /^(?:param|property|template|prop|typedef)$/.test(tag)
    ? withoutType.replace(/^\[?[\w.$=[\]'"]+\]?\s*(?:-\s*)?/, '')
    : withoutType
}
