/**
 * The rules of the house: who may import whom (the table in the design), and what no file may contain.
 * `architecture.test.ts` applies them to `lib/` and `shim/`, and shows of each rule that it fires.
 */
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import ts from 'typescript5'

/** Source text by path from the root, with forward slashes. */
export type Sources = Readonly<Record<string, string>>

/** A finding: `<file>: <what is wrong>`. */
export type Finding = string

/** A rule, given the parsed house. */
export type Rule = (house: House) => Finding[]

interface House {
  readonly files: readonly SourceFile[]
  /** Imports between files of the house. */
  readonly edges: readonly Edge[]
}

interface SourceFile {
  readonly path: string
  readonly text: string
  readonly root: ts.SourceFile
  readonly imports: readonly Import[]
}

interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
}

interface Edge {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

/* ---- the table ---------------------------------------------------------------------------------------------- */

/** A room, and its line of the table. Higher lines may use lower ones. */
interface Room {
  readonly name: string
  readonly line: number
}

/**
 * The first match counts. Lines that the table draws as one are split where one file of the line is made to put the
 * others together, or holds what they share: `flows/index` lists the flows, `flows/attempt` is below them, `server-auth` makes the router, `require-session` guards with
 * `getSession`, `define-auth` puts both into one object, `index` lists the doors.
 */
const table: ReadonlyArray<[pattern: RegExp, line: number, name?: string]> = [
  [/^shim\//, 9, 'shim'],
  // A capability is one folder. The name of a file says which part of the engine it belongs to, and so what it may import.
  [/^lib\/features\/[^/]+\/index(-[\w-]+)?\.ts$/, 8.15, 'doors of features'],
  [/^lib\/features\/[^/]+\/calls(-[\w-]+)?\.ts$/, 6.5, 'lib/account/'],
  [/^lib\/features\/[^/]+\/require-[\w-]+\.ts$/, 8.1, 'guards of features'],
  // A requirement of session guards.
  [/^lib\/features\/[^/]+\/requirement\.ts$/, 8.04, 'lib/guards/'],
  [/^lib\/features\/[^/]+\/(action(-[\w-]+)?|steps)\.ts$/, 6, 'lib/actions/'],
  [/^lib\/features\/[^/]+\/page-[\w-]+\.ts$/, 4, 'lib/pages/'],
  [/^lib\/features\/[^/]+\/([\w-]+-)?option\.ts$/, 3, 'lib/config/'],
  [/^lib\/features\/[^/]+\/store\.ts$/, 2, 'lib/store/'],
  [/^lib\/features\/[^/]+\/([\w-]+-)?contract\.ts$/, 1, 'lib/contracts/'],
  // Public shapes, and the descriptions: data, which drivers and edge runtimes load.
  [/^lib\/features\/[^/]+\/(([\w-]+-)?types|functions|description)\.ts$/, -2, 'lib/types/'],
  // The lists of capabilities, one for each line on which the engine is put together from them.
  [/^lib\/features\/described\.ts$/, -2, 'lib/types/'],
  [/^lib\/features\/contracts\.ts$/, 1, 'lib/contracts/'],
  [/^lib\/features\/options\.ts$/, 3, 'lib/config/'],
  [/^lib\/features\/engine\.ts$/, 6.7],
  // The other files of a capability are on the line where the engine needs them.
  [/^lib\/features\/(api-keys|apps|connections|deletion|factors|impersonation|organizations|watch)\//, 5.5],
  [/^lib\/features\/logout\//, 5, 'lib/flows/oauth/'],
  // How passwords are hashed and judged: pure functions, which know nothing of the engine.
  [/^lib\/features\/passwords\/hashing\//, 0.1],
  [/^lib\/features\/passwords\//, 5],
  [/^lib\/features\/(revocation|limits|members|tokens)\//, 2.1],
  [/^lib\/(testing|cli)\//, 9],
  // Configurations for each request, each of which is a whole `defineAuth`.
  [/^lib\/tenants\//, 8.4],
  [/^lib\/index\.ts$/, 8.3],
  [/^lib\/define-auth\.ts$/, 8.2],
  [/^lib\/(cors|require-csrf)\.ts$/, 8.12],
  // The functions of all groups: bound to their implementations above the rooms that have those, their interfaces and rules below.
  [/^lib\/functions\/(bind|on-express)\.ts$/, 8.17, 'lib/functions/bind'],
  // A call, which functions of all rooms get.
  [/^lib\/functions\/run\.ts$/, 6.4],
  [/^lib\/calls\/call\.ts$/, 6.3],
  [/^lib\/account\//, 6.5],
  [/^lib\/(calls\/|(server-auth|require-session|get-csrf-token)\.ts$)/, 8.1],
  [/^lib\/guard\.ts$/, 8.05],
  // The rules of guards: data in, data out. Express and the shim send what they return.
  [/^lib\/guards\//, 8.04],
  [/^lib\/(get-session\.ts|router\/)/, 8],
  // The interface of the engine, which implementations of functions get.
  [/^lib\/engine\/auth\.ts$/, 6.1],
  [/^lib\/engine\//, 7],
  [/^lib\/functions\//, 6.2],
  [/^lib\/actions\//, 6],
  [/^lib\/flows\/index\.ts$/, 5.1],
  // `flows/rate-limited-flow` knows the kinds of providers, and none of their flows. It counts for the email address that a flow looks up.
  [/^lib\/flows\/(attempt|counted)\.ts$/, 4.9],
  [/^lib\/flows\/email\/address\.ts$/, 4.8],
  // The contents of mails, those about passwords as well.
  [/^lib\/flows\/email\/(limits|send|short-codes|token-format|tokens)\.ts$/, 4.9, 'lib/flows/email/'],
  [/^lib\/flows\/email\/mailed-address\.ts$/, 4.95, 'lib/flows/email/'],
  [/^lib\/(flows\/[^/]+?)(\.ts$|\/)/, 5],
  [/^lib\/users\//, 4.1],
  // Links that are mailed: how each is created, checked and spent.
  [/^lib\/links\//, 4],
  [/^lib\/(session|pages)\//, 4],
  [/^lib\/config\//, 3],
  // Code that drivers of stores share with the engine.
  [/^lib\/store\/(tables|memory-counter)\.ts$/, -0.5],
  [/^lib\/(jwt\.ts$|store\/|callbacks\/)/, 2],
  // The interfaces on which the rooms of the engine agree.
  [/^lib\/contracts\//, 1],
  // The proofs of a session. No room above interprets them.
  [/^lib\/principal\//, 0.5],
  [/^lib\/(crypto|http)\//, 0],
  // The public lists; each stands above what it shows.
  [/^lib\/providers\.ts$/, 0],
  [/^lib\/adapters\/index\.ts$/, 0.2],
  // The catalogues: data, and code that runs elsewhere. They use public shapes only; nothing of the engine uses them.
  [/^lib\/providers\/([^/]+)\.ts$/, 0.1],
  [/^lib\/adapters\/([^/]+?)(\.ts$|\/)/, 0.1],
  [/^lib\/client\//, 0.1, 'client'],
  [/^lib\/telemetry\//, 0.1],
  // A listener of events beside the engine, which never imports it.
  [/^lib\/audit\//, 0.3],
  // Code that providers of the catalogue share: sending mails, over SMTP and over HTTP.
  [/^lib\/mail\//, 0],
  // Bricks that know nothing of sessions, users or providers.
  [/^lib\/base\//, -1],
  // The leaves: public shapes, and the errors that they name.
  [/^lib\/types\//, -2],
  // All words of the pages and mails, a file for each language.
  [/^lib\/i18n\//, -2.5],
  // Text that scripts write. It imports nothing.
  [/^lib\/generated\//, -2.5],
  [/^lib\/errors\.ts$/, -3],
  [/^lib\/auth-error\.ts$/, -4],
]

function roomOf(path: string): Room | undefined {
  const entry = table.find(([pattern]) => pattern.test(path))
  if (!entry) return undefined
  const [pattern, line, name] = entry
  return { name: name ?? path.match(pattern)?.[0] ?? path, line }
}

/** Lists of types and error classes: read like a table, not like a story. */
const isNoun = (path: string) => /^lib\/(types\/|contracts\/|i18n\/|errors\.ts$)/.test(path)

/** Checks whether code that runs elsewhere may import this of our files, as types. */
const isPublicShape = (path: string) =>
  path.startsWith('lib/types/') || /^lib\/features\/[^/]+\/([\w-]+-)?types\.ts$/.test(path) || path === 'lib/errors.ts'

const catalogue = /^lib\/(providers|client|telemetry|adapters(?!\/index\.ts$))\//

const sharedWithAdapters = [
  'lib/base/bind-methods.ts',
  'lib/base/compared-start.ts',
  'lib/base/email-address.ts',
  'lib/base/maybe-promise.ts',
  'lib/base/runtime.ts',
  'lib/base/user-fields.ts',
  'lib/store/tables.ts',
  'lib/store/memory-counter.ts',
]

/** Checks whether adapters may import a file, beside public shapes. */
const isSharedWithAdapters = (path: string) =>
  sharedWithAdapters.includes(path) || /^lib\/features\/[^/]+\/description\.ts$/.test(path)

/** Third-party packages, and where each may be imported. `type`: there as `import type` only. */
const packages: ReadonlyArray<{ name: string; at: RegExp; type?: RegExp }> = [
  {
    name: 'express',
    at: /^lib\/router\/index\.ts$/,
    type: /^lib\/(server-auth|define-auth|require-session|require-csrf|cors|guard|features\/tokens\/require-connection|features\/api-keys\/require-api-key)\.ts$/,
  },
  { name: 'helmet', at: /^lib\/router\// },
  { name: 'cookie-parser', at: /^lib\/router\/index\.ts$/ },
  { name: 'openid-client', at: /^lib\/(flows\/oauth|features\/logout)\// },
  { name: '@simplewebauthn/server', at: /^lib\/flows\/webauthn\// },
  { name: '@simplewebauthn/browser', at: /^lib\/client\// },
  { name: 'uqr', at: /^lib\/features\/factors\/setup\.ts$/ },
  { name: 'jose', at: /^lib\/(jwt\.ts$|crypto\/|flows\/oauth\/|features\/logout\/)/ },
  { name: 'cookie', at: /^lib\/http\// },
  { name: 'nodemailer', at: /^lib\/mail\/smtp\.ts$/ },
  { name: 'undici', at: /^lib\/flows\/oauth\/certificate-fetch\.ts$/ },
  { name: 'oidc-provider', at: /^lib\/testing\/(openid-provider|provider-configuration)\.ts$/ },
  { name: 'kysely', at: /^lib\/adapters\/sql\//, type: /^lib\/audit\// },
  { name: 'pg', at: /^lib\/adapters\/sql\/drivers\.ts$/ },
  { name: 'mysql2', at: /^lib\/adapters\/sql\/drivers\.ts$/ },
  { name: 'better-sqlite3', at: /^lib\/adapters\/sql\/drivers\.ts$/ },
  { name: 'libsql', at: /^lib\/adapters\/sql\/drivers\.ts$/ },
  { name: '@node-rs/argon2', at: /^lib\/features\/passwords\/hashing\/argon2-package\.ts$/ },
  { name: '@node-rs/bcrypt', at: /^lib\/features\/passwords\/hashing\/bcrypt-package\.ts$/ },
  { name: 'react', at: /^lib\/client\/react\.ts$/ },
  { name: 'next', at: /^shim\/hosts\/next-host\.ts$/, type: /^shim\/hosts\/next/ },
  // Types only: what is loaded is the application's.
  { name: '@opentelemetry/api', at: /^$/, type: /^lib\/telemetry\// },
  { name: 'on-headers', at: /^lib\/engine\// },
  // No package: the module of an application, by its path.
  { name: '<applicationFile>', at: /^lib\/cli\/doctor\/load\.ts$/ },
  { name: '<applicationPackage>', at: /^lib\/cli\/typescript\/compilers\.ts$/ },
]

/* ---- imports ------------------------------------------------------------------------------------------------ */

/** Higher lines use lower ones; never up, never sideways between rooms of one line. */
export const layers: Rule = ({ files, edges }) => [
  ...files.filter(({ path }) => !roomOf(path)).map(({ path }) => `${path}: has no room in the table`),
  ...edges.filter((edge) => !isAllowed(edge)).map(({ from, to }) => `${from}: may not import ${to}`),
]

function isAllowed({ from, to }: Edge): boolean {
  const [user, used] = [roomOf(from), roomOf(to)]
  if (!user || !used) return true
  if (user.name === used.name) return true
  return used.line < user.line
}

/**
 * Providers, adapters and the browser's code import public shapes from us; providers also their shared code. Adapters
 * also import the comparison of addresses: the engine and every adapter must mean the same by "another address".
 * Otherwise the proof of the old address would be used for a new one. The stores of adapters follow the descriptions of
 * our tables, and the memory store counts as the engine does.
 */
export const catalogues: Rule = ({ edges }) =>
  edges
    .filter(({ from }) => catalogue.test(from) || from.startsWith('lib/mail/'))
    .filter(({ from, to, typeOnly }) => {
      if (roomOf(from)?.name === roomOf(to)?.name) return false
      if (from.startsWith('lib/providers/') && to.startsWith('lib/mail/')) return false
      if (from.startsWith('lib/adapters/') && isSharedWithAdapters(to)) return false
      return !typeOnly || !isPublicShape(to)
    })
    .map(({ from, to }) => `${from}: may only \`import type\` of public shapes, not ${to}`)

/** Each third-party package is imported in one room. */
export const thirdParties: Rule = ({ files }) =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => !specifier.startsWith('.') && !isBuiltin(specifier))
      .filter(({ specifier, typeOnly }) => !mayImport(path, packageOf(specifier), typeOnly))
      .map(({ specifier, typeOnly }) => `${path}: may not import ${typeOnly ? 'types of ' : ''}${specifier}`),
  )

function mayImport(path: string, name: string, typeOnly: boolean): boolean {
  return packages.some(
    (entry) => entry.name === name && (entry.at.test(path) || (typeOnly && entry.type?.test(path) === true)),
  )
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** The browser's code uses nothing of Node. */
export const browserCode: Rule = ({ files }) =>
  files
    .filter(({ path }) => path.startsWith('lib/client/'))
    .flatMap(({ path, imports }) =>
      imports.filter(({ specifier }) => isBuiltin(specifier)).map(({ specifier }) => `${path}: imports ${specifier}`),
    )

/** No file reaches itself, imports of types included. */
export const cycles: Rule = ({ files, edges }) =>
  files
    .map(({ path }) => path)
    .filter((path) => reachableFrom(path, edges).has(path))
    .map((path) => `${path}: is part of an import cycle`)

/** `getSession` runs without Express. */
export const sessionWithoutRouter: Rule = ({ edges }) =>
  [...reachableFrom('lib/get-session.ts', edges)]
    .filter((path) => path.startsWith('lib/router/'))
    .map((path) => `lib/get-session.ts: reaches ${path}`)

/** Fetch servers answer without Express. Types are nothing that is loaded, but a published type file needs them too. */
export const shimWithoutExpress: Rule = ({ files, edges }) => {
  const express = files.filter(({ imports }) => imports.some(({ specifier }) => packageOf(specifier) === 'express'))
  const entries = files.map(({ path }) => path).filter((path) => path.startsWith('shim/'))
  return entries.flatMap((entry) => {
    const reached = reachableFrom(entry, edges)
    return express.filter(({ path }) => reached.has(path)).map(({ path }) => `${entry}: reaches ${path}`)
  })
}

function reachableFrom(start: string, edges: readonly Edge[]): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const { from, to } of edges) {
      if (from !== path || reached.has(to)) continue
      reached.add(to)
      open.push(to)
    }
  }
  return reached
}

/* ---- contents ----------------------------------------------------------------------------------------------- */

/** The environment is read in one file. */
export const environment: Rule = inEachFile(
  (path) => path !== 'lib/base/env.ts',
  (node) => {
    const property = ts.isPropertyAccessExpression(node) && isNamed(node.expression, 'process') && node.name.text
    const element = ts.isElementAccessExpression(node) && isNamed(node.expression, 'process')
    const taken = ts.isVariableDeclaration(node) && node.initializer && isNamed(node.initializer, 'process')
    const module = ts.isImportDeclaration(node) && /^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText())
    return property === 'env' || element || taken || module ? 'reads process.env' : undefined
  },
)

/**
 * The library prints through the logger. The command line prints directly, and the tests hide warnings of other
 * packages.
 */
export const printing: Rule = inEachFile(
  (path) => !['lib/base/logger.ts', 'lib/testing/without-warnings.ts'].includes(path) && !path.startsWith('lib/cli/'),
  (node) => (ts.isIdentifier(node) && node.text === 'console' && !isPropertyName(node) ? 'uses console' : undefined),
)

/** No `any`, no `!`. */
export const typeHoles: Rule = inEachFile(
  () => true,
  (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) return 'uses `any`'
    const definite =
      (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) && node.exclamationToken !== undefined
    return ts.isNonNullExpression(node) || definite ? 'uses `!`' : undefined
  },
)

/** No compiler check is switched off, and no linter rule without a reason. */
export const suppressions: Rule = ({ files }) =>
  files.flatMap(({ path, text }) => [
    ...[...text.matchAll(/@ts-(ignore|expect-error|nocheck)/g)].map(([found]) => `${path}: has ${found}`),
    ...[...text.matchAll(/biome-ignore[^\n:]*(.*)/g)]
      .filter(([, reason = '']) => reason.replace(/^:|\*\/\s*$/g, '').trim().length < 10)
      .map(() => `${path}: has a biome-ignore without a reason`),
  ])

/** Nothing at module level changes its value: two configurations in one process share no state by accident. */
export const moduleState: Rule = ({ files }) =>
  files.flatMap(({ path, root }) =>
    root.statements
      .filter(ts.isVariableStatement)
      .filter(({ declarationList }) => !(declarationList.flags & ts.NodeFlags.Const))
      .map(({ declarationList }) => `${path}: has a module-level ${declarationList.getText(root).split(/[\s=]/)[0]}`),
  )

const longestFile = 300
const longestNoun = 500
const longestFunction = 60

/** No file and no function is too long to be read at once. */
export const lengths: Rule = (house) => [
  ...house.files.flatMap(({ path, text }) => {
    const limit = isNoun(path) ? longestNoun : longestFile
    return text.trimEnd().split('\n').length > limit ? [`${path}: has more than ${limit} lines`] : []
  }),
  ...longFunctions(house),
]

const longFunctions: Rule = inEachFile(
  () => true,
  (node, root) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return undefined
    const lineAt = (position: number) => root.getLineAndCharacterOfPosition(position).line
    const lines = lineAt(node.getEnd()) - lineAt(node.getStart(root)) + 1
    return lines > longestFunction
      ? `line ${lineAt(node.getStart(root)) + 1} begins a function of over 60 lines`
      : undefined
  },
)

/** URLs that a browser may be sent to are made in one place. */
export const redirects: Rule = inEachFile(
  (path) => path !== 'lib/http/urls.ts',
  (node) => {
    const cast = ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)
    return cast && /\bSafeRedirect\b/.test(node.type.getText()) ? 'calls a URL a SafeRedirect' : undefined
  },
)

/** The class of an error says how it is answered: a class that is added later brings its own behaviour. */
export const failures: Rule = inEachFile(
  (path) => path === 'lib/actions/failure.ts',
  (node) => {
    const isTest = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
    return isTest && !isNamed(node.right, 'AuthError') ? `names the class ${node.right.getText()}` : undefined
  },
)

/**
 * The code that finds a user by an email address decides whether the address is a claim, because a caller of the
 * adapter's method could forget that.
 */
export const addresses: Rule = inEachFile(
  (path) => !/^lib\/(?:store|testing|adapters)\//.test(path) && path !== 'lib/users/records.ts',
  (node) => {
    const isCall = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)
    return isCall && node.expression.name.text === 'getUserByEmail' ? 'finds a user by an email address' : undefined
  },
)

const principalWords = new Set([
  'aal',
  'amr',
  'auth_time',
  'authenticatedAt',
  'auth_aal',
  'startedInThisBrowser',
  'hasOwnExpiry',
  'proofs',
])
const comparisons = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.MinusToken,
])
/** Used as conditions. Lists and times may be absent, which is no interpretation. */
const facts = new Set(['startedInThisBrowser', 'hasOwnExpiry'])
const conditions = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken])

/**
 * The proofs of a session and their times are interpreted in one folder. Other files pass these values on and show
 * them.
 */
export const principal: Rule = inEachFile(
  (path) => !path.startsWith('lib/principal/') && !readsOwnValues.has(path),
  (node) => {
    const word = interpretedIn(node)
    return word === undefined ? undefined : `interprets \`${word}\``
  },
)

/** Files that check values of other parties before a proof is made of them, or the shape of a stored value. */
const readsOwnValues: ReadonlySet<string> = new Set([
  'lib/crypto/session-token.ts',
  'lib/session/jwt/claims.ts',
  // Two id_tokens of one session (OpenID Connect Core §12.2).
  'lib/flows/oauth/refresh.ts',
])

function interpretedIn(node: ts.Node): string | undefined {
  if (ts.isBinaryExpression(node) && comparisons.has(node.operatorToken.kind)) {
    if (isNamed(node.right, 'undefined')) return undefined
    return [node.left, node.right].map(principalWord).find((word) => word !== undefined)
  }
  const fact = conditionsIn(node)
    .map(principalWord)
    .find((word) => word !== undefined && facts.has(word))
  if (fact !== undefined) return fact
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    return principalWord(node.expression.expression)
  }
  return undefined
}

function conditionsIn(node: ts.Node): ts.Node[] {
  if (ts.isPrefixUnaryExpression(node)) return [node.operand]
  if (ts.isConditionalExpression(node)) return [node.condition]
  if (ts.isIfStatement(node)) return [node.expression]
  return ts.isBinaryExpression(node) && conditions.has(node.operatorToken.kind) ? [node.left, node.right] : []
}

function principalWord(node: ts.Node): string | undefined {
  const name = ts.isPropertyAccessExpression(node) ? node.name : node
  return ts.isIdentifier(name) && principalWords.has(name.text) ? name.text : undefined
}

function inEachFile(
  applies: (path: string) => boolean,
  judge: (node: ts.Node, root: ts.SourceFile) => string | undefined,
): Rule {
  return ({ files }) =>
    files
      .filter(({ path }) => applies(path))
      .flatMap(({ path, root }) =>
        nodesOf(root)
          .map((node) => judge(node, root))
          .filter((finding) => finding !== undefined)
          .map((finding) => `${path}: ${finding}`),
      )
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name
}

/** `theme.console`, `{ console: … }`: not the global. */
function isPropertyName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node && !isNamed(parent.expression, 'globalThis')
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

/** Parses sources. Imports of files that are not there are left out: the compiler speaks about those. */
export function readHouse(sources: Sources): House {
  const files = Object.entries(sources).map(([path, text]) => {
    const root = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    return { path, text, root, imports: nodesOf(root).flatMap(importsOf) }
  })
  const edges = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier, typeOnly }) => ({ from: path, to: toPath(path, specifier), typeOnly }))
      .filter(({ to }) => to in sources),
  )
  return { files, edges }
}

function toPath(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
}

function nodesOf(root: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(root)
  return nodes
}

/** `import … from`, `export … from`, `import('…')` as value and as type, `require('…')`. */
function importsOf(node: ts.Node): Import[] {
  if (ts.isImportDeclaration(node)) {
    return [{ specifier: textOf(node.moduleSpecifier), typeOnly: node.importClause?.isTypeOnly ?? false }]
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return [{ specifier: textOf(node.moduleSpecifier), typeOnly: node.isTypeOnly }]
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return [{ specifier: textOf(node.argument.literal), typeOnly: true }]
  }
  if (
    ts.isCallExpression(node) &&
    (node.expression.kind === ts.SyntaxKind.ImportKeyword || isNamed(node.expression, 'require'))
  ) {
    return [{ specifier: node.arguments[0] ? textOf(node.arguments[0]) : '', typeOnly: false }]
  }
  return []
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : `<${node.getText()}>`
}
