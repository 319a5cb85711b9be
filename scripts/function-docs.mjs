/**
 * Writes the tables of `docs/reference/functions.md` from the interfaces and the rules of the functions: `npm run docs:reference`. With
 * `--check` it writes nothing, and fails if the page is out of date. Run it with tsx, because it imports the rules.
 */
import { rules } from '../lib/functions/index.ts'
import {
  allMembers,
  cell,
  code,
  firstParagraph,
  firstSentence,
  readInterfaces,
  readSources,
  tagOf,
} from './declarations.mjs'
import { writePage } from './generated-blocks.mjs'

const interfaces = readInterfaces(readSources(['lib', 'shim']))

/** The effect of a call on the response. A function that is not here is missing in the page: the script fails. */
const responses = {
  getSession: 'may extend the session cookie',
  getCsrfToken: 'may set a cookie',
  hasCsrfToken: '–',
  signIn: 'is sent, unless `redirect: false`',
  signOut: 'is sent, unless `redirect: false`',
  update: 'sets cookies',
  startSession: 'sets cookies',
  requireSession: 'is sent for a rejected request',
  cors: 'gets CORS headers; is sent for a preflight',
  'csrf.field': 'may set a cookie',
  'csrf.require': 'is sent for a rejected request',
  'csrf.assertOrigin': '–',
  auth: 'may extend the session cookie',
  unstable_update: 'sets cookies',
  'auth.require': 'is thrown for a rejected request',
  'auth.requireApiKey': 'is thrown for a rejected request',
  'auth.requireConnection': 'is thrown for a rejected request',
  'auth.cors': 'gets CORS headers',
  'auth.csrf.token': 'may set a cookie',
  'auth.csrf.field': 'may set a cookie',
  'auth.csrf.assertOrigin': 'is thrown for a rejected request',
  'auth.csrf.verify': 'is thrown for a rejected request',
}
/** Members that are no functions. */
const values = new Set(['config', 'router', 'handlers', 'csrf'])

/** The functions of interfaces, by the prefix under which each has its functions. */
function flatTable(prefixes) {
  const rows = Object.entries(prefixes).flatMap(([name, prefix]) => rowsOf(name, prefix))
  return table(['Function', 'Description', 'Result', 'Response'], rows)
}

function rowsOf(name, prefix) {
  const { members } = interfaces.get(name)
  const functions = members.filter((member) => !values.has(member.name) && !(member.name in rules))
  return functions.map(({ name: own, params, result, comment }) => {
    const full = `${prefix}${own}`
    const response = responses[full]
    if (response === undefined)
      throw new Error(`${full}: say in scripts/function-docs.mjs what it does to the response`)
    const call = params === undefined ? full : `${full}(${params.map(nameOf).join(', ')})`
    return [code(call), firstSentence(comment), code(result), response]
  })
}

const nameOf = (param) => param.replace(/:[\s\S]*$/, '')

/** The arguments on Express, by what a function needs. */
const onExpress = {
  request: (own) => ['req', ...own],
  response: (own) => ['req', 'res', ...own],
  owner: ([options]) => ['req \\| { userId }', options],
  nothing: (own) => [...own, 'req?'],
}
const callers = {
  reads: 'user',
  changes: 'user, own site',
  administers: 'any user',
}
const effectOnResponse = { request: '–', response: 'sets cookies', owner: '–', nothing: '–' }

/** Finds the interface of a group: the one that has all of its functions. */
function interfaceOf(group, names) {
  const fits = [...interfaces.values()].filter(
    ({ name }) =>
      name.endsWith('Functions') &&
      names.every((each) => allMembers(interfaces, name).some((member) => member.name === each && member.params)),
  )
  if (fits.length !== 1) throw new Error(`${group}: ${fits.length} interfaces have its functions`)
  return fits[0]
}

function groupSection([group, ofGroup]) {
  const { name, comment } = interfaceOf(group, Object.keys(ofGroup))
  const members = allMembers(interfaces, name)
  const rows = Object.entries(ofGroup).map(([own, { needs, effect }]) => {
    const member = members.find((each) => each.name === own)
    const express = onExpress[needs](member.params.map(nameOf)).join(', ')
    return [
      `\`auth.${group}.${own}(${express})\``,
      code(`${group}.${own}(${member.params.join(', ')})`),
      cell(firstSentence(member.comment)),
      [code(member.result), cell(tagOf(member.comment, 'returns'))].filter(Boolean).join(': '),
      cell(tagOf(member.comment, 'throws')),
      callers[effect],
      effectOnResponse[needs],
    ]
  })
  const head = ['Express', '`initAuth`', 'Description', 'Result', 'Throws', 'Called for', 'Response']
  return [`### auth.${group}`, '', firstParagraph(comment), '', table(head, rows)].join('\n')
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const flat = [
  flatTable({ DefinedAuth: '', ExpressCsrfFunctions: 'csrf.' }),
  flatTable({ FullStackAuthResult: '', AuthGuards: 'auth.', CsrfFunctions: 'auth.csrf.' }),
]
writePage(
  'docs/reference/functions.md',
  'function-docs.mjs',
  [...flat, Object.entries(rules).map(groupSection).join('\n\n')],
  'npm run docs:reference',
)
