/**
 * Reads interfaces out of TypeScript sources: members with their comments, parameters and results. TypeScript 7 has no API for this.
 * It understands what `biome format` writes, and no more.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** All sources below some folders, as text. */
export function readSources(folders) {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
}

/** Returns all interfaces of the sources, by name: `{ name, comment, parents, members }`. */
export function readInterfaces(sources) {
  const found = new Map()
  for (const source of sources) {
    for (const match of source.matchAll(/^(?:export )?interface (\w+)/gm)) {
      const [whole, name] = match
      const begin = endOf(source, match.index + whole.length, '{') + 1
      const head = source.slice(match.index + whole.length, begin)
      const own = head.startsWith('<') ? head.slice(endOf(head, 1, '>') + 1) : head
      const [, parents = ''] = /^\s*extends\s+([\s\S]*)\{$/.exec(own) ?? []
      found.set(name, {
        name,
        comment: commentBefore(source, match.index),
        parents: splitAt(parents, ',').map((parent) => parent.trim().replace(/<[\s\S]*$/, '')),
        members: membersOf(source.slice(begin, endOf(source, begin, '}'))),
      })
    }
  }
  return found
}

/** Returns the members of an interface, those of its parents first. */
export function allMembers(interfaces, name) {
  const own = interfaces.get(name)
  if (!own) return []
  const inherited = own.parents.flatMap((parent) => allMembers(interfaces, parent))
  return [...inherited.filter((member) => !own.members.some((each) => each.name === member.name)), ...own.members]
}

/** Splits the body of an interface: `{ name, comment, params, result, optional }`. `params`
 * is missing for properties, and `list` has them as they are written. */
export function membersOf(body) {
  const members = []
  let at = 0
  for (;;) {
    const match =
      /(?:\s|\/\/.*)*(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/)?(?:\s|\/\/.*)*(?:readonly )?(\[\w+|'[^']*'|[\w$]+)(\??)/y
    match.lastIndex = at
    const [whole, comment = '', name, optional] = match.exec(body) ?? []
    if (name === undefined) return members
    at += whole.length
    const end = statementEnd(body, at)
    const signature = body.slice(at, end)
    at = end
    if (!name.startsWith('['))
      members.push({
        name: name.replace(/['"]/g, ''),
        comment: plain(comment),
        optional: optional !== '',
        ...partsOf(signature),
      })
  }
}

/** Takes `<T>(a: A): R` or `: R` apart. */
function partsOf(signature) {
  const text = signature.trim()
  const generics = text.startsWith('<') ? endOf(text, 1, '>') + 1 : 0
  if (text[generics] !== '(') return { result: oneLine(text.slice(generics).replace(/^:\s*/, '')) }
  const end = endOf(text, generics + 1, ')')
  const list = text.slice(generics + 1, end)
  const params = splitAt(list, ',')
    .map((param) => oneLine(param))
    .filter((param) => param !== '')
  return { params, list, result: oneLine(text.slice(end + 1).replace(/^\s*:\s*/, '')) }
}

/** Finds the end of a member: a line break outside of all brackets, unless the next line goes on with `|` or `&`. */
function statementEnd(text, from) {
  for (let at = from; at < text.length; at += 1) {
    at = afterBrackets(text, at)
    if (text[at] === '\n' && !/^\s*[|&]/.test(text.slice(at + 1))) return at
  }
  return text.length
}

const closers = { '(': ')', '{': '}', '[': ']', '<': '>' }

/** Skips comments, texts and bracketed parts that begin at `at`. */
function afterBrackets(text, at) {
  if (text.startsWith('/*', at)) return after(text, '*/', at)
  if (text.startsWith('//', at)) return after(text, '\n', at) - 1
  if (text.startsWith('=>', at)) return at + 2
  if (/['"`]/.test(text[at] ?? '')) return after(text, text[at], at + 1)
  const closer = closers[text[at]]
  return closer === undefined ? at : afterBrackets(text, endOf(text, at + 1, closer) + 1)
}

function after(text, mark, from) {
  const at = text.indexOf(mark, from)
  if (at < 0) throw new Error(`no ${mark} after: ${text.slice(from, from + 60)}`)
  return at + mark.length
}

/** Finds a bracket outside of all others: the one that closes the bracket before `from`, or the first `{`. */
function endOf(text, from, closer) {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === closer) return at
    at = afterBrackets(text, at)
    if (text[at] === closer) return at
  }
  throw new Error(`no ${closer} after: ${text.slice(Math.max(0, from - 60), from)}`)
}

/** Splits at a separator that is outside of all brackets. */
function splitAt(text, separator) {
  const parts = []
  let begin = 0
  for (let at = 0; at < text.length; at += 1) {
    at = afterBrackets(text, at)
    if (text[at] !== separator) continue
    parts.push(text.slice(begin, at))
    begin = at + 1
  }
  return [...parts, text.slice(begin)]
}

function commentBefore(source, at) {
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, at)) ?? []
  return plain(comment)
}

function plain(comment) {
  return comment
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .trim()
}

function oneLine(text) {
  return text
    .replace(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?,? ([)\]}>])/g, ' $1')
    .replace(/([([<]) /g, '$1')
    .replace(/ ([)\]>])/g, '$1')
    .replace(/, ([)\]}>])/g, '$1')
    .trim()
}

/** Returns the first paragraph of a comment, without tags. */
export function firstParagraph(comment) {
  const [text = ''] = comment.split(/(?:^|\n|\s)@\w+/)
  const [paragraph = ''] = text.split('\n\n')
  return paragraph.replace(/\s+/g, ' ').trim()
}

/** Returns the first sentence of a comment. */
export function firstSentence(comment) {
  const paragraph = firstParagraph(comment)
  return /^.*?[.!?](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph
}

/** Returns the text of a tag of a comment, such as `returns`. */
export function tagOf(comment, tag) {
  const [, text = ''] = new RegExp(`(?:^|\\s)@${tag} ([\\s\\S]*?)(?=\\n\\n|\\s@\\w+|$)`).exec(comment) ?? []
  return text.replace(/\s+/g, ' ').trim()
}

/** Writes code in the cell of a table. */
export const code = (text) => `\`${text.replaceAll('|', '\\|')}\``

/** Writes a text in the cell of a table. */
export const cell = (text) => text.replace(/(?<!\\)\|/g, '\\|')

/**
 * Puts the blocks of a script into a page, in their order. With `--check` it writes nothing and returns whether the page was up to date.
 * @param command The command that writes the page, for the message.
 */
export function writeBlocks(page, script, blocks, command) {
  const begin = `<!-- Written by scripts/${script}, from here -->`
  const end = '<!-- to here -->'
  const text = readFileSync(page, 'utf8')
  const parts = text.split(begin)
  if (parts.length !== blocks.length + 1) throw new Error(`${page}: ${blocks.length} places "${begin}" are needed`)
  const [head, ...rest] = parts
  const written = rest.reduce((before, part, index) => {
    const at = part.indexOf(end)
    if (at < 0) throw new Error(`${page}: no "${end}"`)
    return `${before}${begin}\n\n${blocks[index]}\n\n${part.slice(at)}`
  }, head)
  if (!process.argv.includes('--check')) writeFileSync(page, written)
  else if (written !== text) {
    console.error(`${page} is out of date: ${command}`)
    process.exitCode = 1
    return
  }
  console.log(`${page} is up to date.`)
}
