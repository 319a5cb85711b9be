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
  membersOfType,
  readAliases,
  readInterfaces,
  readSources,
} from './declarations.mjs'
import { writePage } from './generated-blocks.mjs'

const sources = readSources(['lib'])
const interfaces = readInterfaces(sources)
const aliases = readAliases(sources)
const members = allMembers(interfaces, 'EventCallbacks')

/** The fields of a message. */
function fieldsOf(type) {
  const fields = new Map(membersOfType(type, { interfaces, aliases }).map(({ name, optional }) => [name, optional]))
  return [...fields].map(([name, optional]) => code(optional ? `${name}?` : name)).join(', ')
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

const rows = members.map(({ name, comment, types: [message] }) => {
  const fields = fieldsOf(message)
  return `| \`events.${name}\` | ${cell(firstParagraph(comment))} | ${fields} | ${auditOf(name)} |`
})

writePage(
  'docs/reference/events.md',
  'event-docs.mjs',
  [['| Event | Description | Message | Audit `detail` |', '|---|---|---|---|', ...rows].join('\n')],
  'npm run docs:reference',
)
