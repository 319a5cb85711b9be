/** Reads interfaces out of TypeScript sources: members with their comments, parameters and results. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
// TypeScript 7 has no API.
import ts from 'typescript5'

/** All sources below some folders, as text. */
export function readSources(folders) {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  )
}

const parse = (text) => ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2022, true)

const statementsOf = (sources) => sources.flatMap((source) => [...parse(source).statements])

/** Returns all interfaces of the sources, by name: `{ name, comment, parents, members }`. */
export function readInterfaces(sources) {
  const interfaces = statementsOf(sources).filter((statement) => ts.isInterfaceDeclaration(statement))
  return new Map(
    interfaces.map((node) => [
      node.name.text,
      {
        name: node.name.text,
        comment: commentOf(node),
        parents: (node.heritageClauses ?? []).flatMap(({ types }) =>
          types.map(({ expression }) => expression.getText()),
        ),
        members: membersOf(node),
      },
    ]),
  )
}

/** Returns all type aliases of the sources, by name. */
export function readAliases(sources) {
  const aliases = statementsOf(sources).filter((statement) => ts.isTypeAliasDeclaration(statement))
  return new Map(aliases.map(({ name, type }) => [name.text, type]))
}

/** Returns the members of an interface, those of its parents first. */
export function allMembers(interfaces, name) {
  const own = interfaces.get(name)
  if (!own) return []
  const inherited = own.parents.flatMap((parent) => allMembers(interfaces, parent))
  return [...inherited.filter((member) => !own.members.some((each) => each.name === member.name)), ...own.members]
}

/** Returns the members of a type: of object types, unions, intersections, and of the interfaces and aliases that it names. */
export function membersOfType(type, { interfaces, aliases }) {
  const inside = (node) => membersOfType(node, { interfaces, aliases })
  if (ts.isTypeLiteralNode(type)) return membersOf(type)
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.flatMap(inside)
  if (ts.isParenthesizedTypeNode(type)) return inside(type.type)
  if (!ts.isTypeReferenceNode(type)) throw new Error(`no members: ${type.getText()}`)
  const name = type.typeName.getText()
  if (interfaces.has(name)) return allMembers(interfaces, name)
  if (!aliases.has(name)) throw new Error(`no type ${name}`)
  return inside(aliases.get(name))
}

/** Returns the named members of an interface or object type. Methods have `params`, as text, and `types`, as nodes. */
function membersOf({ members }) {
  const named = members.filter((member) => ts.isPropertySignature(member) || ts.isMethodSignature(member))
  return named.map((member) => ({
    name: member.name.text,
    comment: commentOf(member),
    optional: member.questionToken !== undefined,
    ...(ts.isMethodSignature(member) && {
      params: member.parameters.map((param) => textOf(param)),
      types: member.parameters.map(({ type }) => type),
    }),
    result: member.type ? textOf(member.type) : '',
  }))
}

function commentOf(node) {
  const [text = ''] = (ts.getJSDocCommentsAndTags(node) ?? []).slice(-1).map((comment) => comment.getText())
  return text
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .trim()
}

const printer = ts.createPrinter({ removeComments: true })

/** Prints a node on one line, without comments, as `biome format` would. */
function textOf(node) {
  return printer
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replace(/\s+/g, ' ')
    .replace(/;(?= \})/g, '')
    .replaceAll('"', "'")
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
