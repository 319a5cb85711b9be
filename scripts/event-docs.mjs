/**
 * Writes the tables of `docs/reference/events.md` from the types of the events and of the audit log: `npm run docs:reference`. With
 * `--check` it writes nothing, and fails if the page is out of date. Run it with tsx, because it asks the audit log for its fields.
 */
import { auditFactsOf } from '../lib/audit/rows.ts'
import {
  allMembers,
  cell,
  code,
  firstParagraph,
  membersOf,
  readInterfaces,
  readSources,
  writeBlocks,
} from './declarations.mjs'

const sources = readSources(['lib'])
const interfaces = readInterfaces(sources)
const { members } = interfaces.get('EventCallbacks')

/** The fields of a message: of a type in braces, of interfaces, or of the union of `signOut`. */
function fieldsOf(type) {
  const text = type.trim().replace(/^\w+: /, '')
  const bodies = [...text.matchAll(/\{([\s\S]*)\}/g)].map(([, body]) => membersOf(body))
  const named = [...text.replace(/\{[\s\S]*\}/g, '').matchAll(/\w+/g)].flatMap(([name]) =>
    interfaces.has(name) ? allMembers(interfaces, name) : membersOf(aliasOf(name)),
  )
  const fields = new Map([...bodies.flat(), ...named].map(({ name, optional }) => [name, optional]))
  return [...fields].map(([name, optional]) => code(optional ? `${name}?` : name)).join(', ')
}

/** The members of a union of object types. */
function aliasOf(name) {
  const source = sources.find((text) => text.includes(`export type ${name} =`))
  if (!source) throw new Error(`no type ${name}`)
  const [, body] = new RegExp(`export type ${name} =([\\s\\S]*?)\\n\\n`).exec(source)
  return body.replace(/^ {2}\| \{|^ {4}\}/gm, '')
}

/** A message that has all fields which the audit log reads. */
const message = {
  user: { id: 'id' },
  account: { provider: 'provider', type: 'oidc', providerAccountId: 'id' },
  token: null,
  request: {},
}
/** The keys of `detail` in the audit log. `session` is not written. */
function auditOf(name) {
  const facts = auditFactsOf[name]
  if (!facts) return 'not written'
  return (
    Object.keys(facts(message).detail ?? {})
      .map(code)
      .join(', ') || 'no `detail`'
  )
}

const rows = members.map(({ name, comment, list }) => {
  const fields = fieldsOf(list)
  return `| \`events.${name}\` | ${cell(firstParagraph(comment))} | ${fields} | ${auditOf(name)} |`
})

writeBlocks(
  'docs/reference/events.md',
  'event-docs.mjs',
  [['| Event | Description | Message | Audit `detail` |', '|---|---|---|---|', ...rows].join('\n')],
  'npm run docs:reference',
)
