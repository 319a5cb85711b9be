/** The house keeps its own rules, and each rule can say no. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import * as rules from './support/architecture.js'
import { type Rule, readHouse, type Sources } from './support/architecture.js'

const root = new URL('../', import.meta.url)

function readSources(folder: string): Sources {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  const paths = names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`).filter((path) => path.endsWith('.ts'))
  return Object.fromEntries(paths.map((path) => [path, readFileSync(fileURLToPath(new URL(path, root)), 'utf8')]))
}

const folders = readdirSync(root).filter((name) => ['lib', 'shim'].includes(name))
const house = readHouse(Object.assign({}, ...folders.map(readSources)))

/** Checks the real house, then synthetic ones: each with the findings it must give. */
function describeRule(
  title: string,
  rule: Rule,
  examples: ReadonlyArray<[sources: Sources, findings: string[]]>,
): void {
  it(title, () => {
    expect(rule(house)).to.deep.equal([])
  })
  it(`${title}: the rule fires`, () => {
    expect(examples.flatMap(([, findings]) => findings)).not.to.have.length(0)
    for (const [sources, findings] of examples) expect(rule(readHouse(sources))).to.deep.equal(findings)
  })
}

const empty = ''
const lines = (count: number, line = '// line') => `${line}\n`.repeat(count)

describe('architecture', () => {
  it('finds the files and their imports', () => {
    expect(house.files.length).to.be.greaterThan(20)
    expect(house.edges.length).to.be.greaterThan(house.files.length)
  })

  describeRule('imports go down the table, never up, never sideways', rules.layers, [
    [
      {
        'lib/crypto/seal.ts': `import { log } from '../base/logger.js'\nimport { jar } from '../http/cookies.js'`,
        'lib/http/cookies.ts': `export * from '../jwt.js'`,
        'lib/jwt.ts': `import { seal } from './crypto/seal.js'`,
        'lib/base/logger.ts': empty,
      },
      ['lib/crypto/seal.ts: may not import lib/http/cookies.ts', 'lib/http/cookies.ts: may not import lib/jwt.ts'],
    ],
    [
      {
        'lib/flows/index.ts': `import { oauth } from './oauth/index.js'\nimport { credentials } from './credentials.js'`,
        'lib/flows/oauth/index.ts': `import './client.js'\nimport { credentials } from '../credentials.js'`,
        'lib/flows/oauth/client.ts': `const later = () => import('../../actions/failure.js')`,
        'lib/flows/credentials.ts': `import type { Flow } from './index.js'`,
        'lib/users/resolve-user.ts': `let a: import('../actions/failure.js').Failure`,
        'lib/actions/failure.ts': `import { pages } from '../pages/error.js'`,
        'lib/pages/error.ts': `import type { Session } from '../session/index.js'`,
        'lib/session/index.ts': empty,
      },
      [
        'lib/flows/oauth/index.ts: may not import lib/flows/credentials.ts',
        'lib/flows/oauth/client.ts: may not import lib/actions/failure.ts',
        'lib/flows/credentials.ts: may not import lib/flows/index.ts',
        'lib/users/resolve-user.ts: may not import lib/actions/failure.ts',
        'lib/pages/error.ts: may not import lib/session/index.ts',
      ],
    ],
    [
      {
        'lib/types/config.ts': `import type { JWT } from '../jwt.js'\nimport { AuthError } from '../errors.js'`,
        'lib/errors.ts': `import { encode } from './jwt.js'\nimport type { Engine } from './engine/index.js'`,
        'lib/jwt.ts': empty,
        'lib/engine/index.ts': `import { Router } from '../router/index.js'`,
        'lib/get-session.ts': `import { auth } from './engine/index.js'\nimport './server-auth.js'`,
        'lib/server-auth.ts': `import { Router } from './router/index.js'`,
        'lib/router/index.ts': `import { auth } from '../engine/index.js'`,
        'lib/helpers.ts': empty,
      },
      [
        'lib/helpers.ts: has no room in the table',
        'lib/types/config.ts: may not import lib/jwt.ts',
        'lib/errors.ts: may not import lib/jwt.ts',
        'lib/errors.ts: may not import lib/engine/index.ts',
        'lib/engine/index.ts: may not import lib/router/index.ts',
        'lib/get-session.ts: may not import lib/server-auth.ts',
      ],
    ],
  ])

  describeRule('providers, adapters and client code import types of public shapes only', rules.catalogues, [
    [
      {
        'lib/providers/acme.ts': `import type { OIDCConfig } from '../types/provider.js'\nimport { AuthError } from '../errors.js'`,
        'lib/providers/other.ts': `import type { JWT } from '../jwt.js'\nimport Acme from './acme.js'`,
        'lib/types/provider.ts': `import { customFetch } from './symbols.js'`,
        'lib/providers/mail.ts': `import { sendByHttp } from '../mail/http.js'`,
        'lib/mail/http.ts': `import Acme from '../providers/acme.js'`,
        'lib/adapters/sql/index.ts': `import { tables } from './tables.js'`,
        'lib/adapters/sql/tables.ts': `import type { Engine } from '../../engine/index.js'`,
        'lib/client/index.ts': `import { readEnv } from '../base/env.js'`,
        'lib/engine/index.ts': empty,
        'lib/base/env.ts': empty,
        'lib/errors.ts': empty,
        'lib/jwt.ts': empty,
        'lib/types/symbols.ts': empty,
      },
      [
        'lib/providers/acme.ts: may only `import type` of public shapes, not lib/errors.ts',
        'lib/providers/other.ts: may only `import type` of public shapes, not lib/jwt.ts',
        'lib/providers/other.ts: may only `import type` of public shapes, not lib/providers/acme.ts',
        'lib/mail/http.ts: may only `import type` of public shapes, not lib/providers/acme.ts',
        'lib/adapters/sql/tables.ts: may only `import type` of public shapes, not lib/engine/index.ts',
        'lib/client/index.ts: may only `import type` of public shapes, not lib/base/env.ts',
      ],
    ],
  ])

  describeRule('a third-party package is imported in its room only', rules.thirdParties, [
    [
      {
        'lib/router/index.ts': `import express from 'express'\nimport helmet from 'helmet'\nimport { jwtVerify } from 'jose'`,
        'lib/router/answer.ts': `import type { Request } from 'express'\nimport 'cookie-parser'`,
        'lib/server-auth.ts': `import type { Router } from 'express'\nimport type { HelmetOptions } from 'helmet'`,
        'lib/session/reader.ts': `import onHeaders from 'on-headers'`,
        'lib/get-session.ts': `import type { Request } from 'express'`,
        'lib/flows/oauth/client.ts': `import * as client from 'openid-client'\nimport { decodeJwt } from 'jose'`,
        'lib/http/cookies.ts': `import { parse } from 'cookie'\nimport { createHash } from 'node:crypto'`,
        'lib/engine/index.ts': `import { x } from 'openid-client/sub'\nexport * from '@scope/pack/sub'\nrequire('left-pad')`,
      },
      [
        'lib/router/index.ts: may not import jose',
        'lib/router/answer.ts: may not import types of express',
        'lib/router/answer.ts: may not import cookie-parser',
        'lib/server-auth.ts: may not import types of helmet',
        'lib/session/reader.ts: may not import on-headers',
        'lib/get-session.ts: may not import types of express',
        'lib/engine/index.ts: may not import openid-client/sub',
        'lib/engine/index.ts: may not import @scope/pack/sub',
        'lib/engine/index.ts: may not import left-pad',
      ],
    ],
    [
      { 'lib/engine/index.ts': 'const load = (name: string) => import(name)' },
      ['lib/engine/index.ts: may not import <name>'],
    ],
  ])

  describeRule('client code imports nothing of Node', rules.browserCode, [
    [
      { 'lib/client/index.ts': `import { Buffer } from 'node:buffer'`, 'lib/http/urls.ts': `import 'node:url'` },
      ['lib/client/index.ts: imports node:buffer'],
    ],
  ])

  describeRule('no import cycle', rules.cycles, [
    [
      {
        'lib/pages/a.ts': `import { b } from './b.js'`,
        'lib/pages/b.ts': `import type { C } from './c.js'`,
        'lib/pages/c.ts': `export { a } from './a.js'`,
        'lib/pages/d.ts': `import { a } from './a.js'`,
        'lib/types/config.ts': `import type { Provider } from './provider.js'`,
        'lib/types/provider.ts': `import type { User } from './config.js'`,
        'lib/base/logger.ts': `import { AuthError } from '../errors.js'`,
        'lib/errors.ts': `import { log } from './base/logger.js'`,
      },
      [
        'lib/pages/a.ts: is part of an import cycle',
        'lib/pages/b.ts: is part of an import cycle',
        'lib/pages/c.ts: is part of an import cycle',
        'lib/types/config.ts: is part of an import cycle',
        'lib/types/provider.ts: is part of an import cycle',
        'lib/base/logger.ts: is part of an import cycle',
        'lib/errors.ts: is part of an import cycle',
      ],
    ],
  ])

  describeRule('get-session never reaches the router', rules.sessionWithoutRouter, [
    [
      {
        'lib/get-session.ts': `import { auth } from './engine/index.js'`,
        'lib/engine/index.ts': `import type { Like } from '../router/express-like.js'`,
        'lib/router/express-like.ts': empty,
      },
      ['lib/get-session.ts: reaches lib/router/express-like.ts'],
    ],
  ])

  describeRule('the full-stack integration never reaches Express', rules.shimWithoutExpress, [
    [
      {
        'shim/index.ts': `import { handle } from './handlers.js'`,
        'shim/handlers.ts': `import { answer } from '../lib/router/answer.js'`,
        'lib/router/answer.ts': `import type { Router } from './index.js'`,
        'lib/router/index.ts': `import express from 'express'`,
      },
      ['shim/index.ts: reaches lib/router/index.ts', 'shim/handlers.ts: reaches lib/router/index.ts'],
    ],
  ])

  describeRule('the environment is read in lib/base/env.ts', rules.environment, [
    [
      {
        'lib/base/env.ts': 'export const source = process.env',
        'lib/engine/index.ts': `const a = process.env.X\nconst b = process['env']\nconst { env } = process\nprocess.cwd()`,
        'lib/jwt.ts': `import { env } from 'node:process'`,
      },
      [
        'lib/engine/index.ts: reads process.env',
        'lib/engine/index.ts: reads process.env',
        'lib/engine/index.ts: reads process.env',
        'lib/jwt.ts: reads process.env',
      ],
    ],
  ])

  describeRule('only the logger and the command line print', rules.printing, [
    [
      {
        'lib/base/logger.ts': 'console.error(1)',
        'lib/cli/index.ts': 'console.log(1)',
        'lib/engine/index.ts': `console.log(1)\nconst log = console\nglobalThis.console.log(1)\nconst fine = { console: 1 }.console // console`,
      },
      ['lib/engine/index.ts: uses console', 'lib/engine/index.ts: uses console', 'lib/engine/index.ts: uses console'],
    ],
  ])

  describeRule('no any, no non-null assertion', rules.typeHoles, [
    [
      {
        'lib/engine/index.ts':
          'let a: any\nconst b = c!.d\nlet e!: string\nclass F { g!: string }\nconst any = "any" // any!',
      },
      [
        'lib/engine/index.ts: uses `any`',
        'lib/engine/index.ts: uses `!`',
        'lib/engine/index.ts: uses `!`',
        'lib/engine/index.ts: uses `!`',
      ],
    ],
  ])

  describeRule('no suppressed check', rules.suppressions, [
    [
      {
        'lib/engine/index.ts': [
          `// @ts-${'ignore'}`,
          `// @ts-${'expect-error'} because`,
          '// biome-ignore lint/style/useConst:',
          '/* biome-ignore lint/style/useConst: x */',
          '// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for',
        ].join('\n'),
      },
      [
        'lib/engine/index.ts: has @ts-ignore',
        'lib/engine/index.ts: has @ts-expect-error',
        'lib/engine/index.ts: has a biome-ignore without a reason',
        'lib/engine/index.ts: has a biome-ignore without a reason',
      ],
    ],
  ])

  describeRule('no module-level let or var', rules.moduleState, [
    [
      { 'lib/engine/index.ts': `export let a = 1\nvar b\nconst c = 1\nfunction d() { let e = 1; return e }` },
      ['lib/engine/index.ts: has a module-level let', 'lib/engine/index.ts: has a module-level var'],
    ],
  ])

  describeRule('no long file, no long function', rules.lengths, [
    [
      {
        'lib/engine/index.ts': `const a = 1\n${lines(300)}`,
        'lib/types/config.ts': `export class A {}\n${lines(499)}`,
        'lib/contracts/index.ts': `export type A = 1\n${lines(500)}`,
        'lib/jwt.ts': `/** Doc. */\nfunction a() {\n${lines(58)}}\nexport const b = () => {\n${lines(59)}}\n`,
        'lib/config/index.ts': `class A {\n  b() {\n${lines(59)}  }\n${lines(20)}}`,
      },
      [
        'lib/engine/index.ts: has more than 300 lines',
        'lib/contracts/index.ts: has more than 500 lines',
        'lib/jwt.ts: line 62 begins a function of over 60 lines',
        'lib/config/index.ts: line 2 begins a function of over 60 lines',
      ],
    ],
  ])

  describeRule('what a session has proved is interpreted in one folder', rules.principal, [
    [
      {
        'lib/principal/index.ts': `export const isTwo = ({ aal }: { aal: number }) => aal === 2`,
        'lib/features/factors/target.ts': `const isTwo = (asked: { aal: number }) => asked.aal === 2`,
        'lib/guard.ts': `const isFresh = (auth_time: number) => Date.now() / 1000 - auth_time < 300`,
        'lib/users/linking.ts': `const has = (amr: string[]) => amr.includes('pwd')\nconst shown = (amr?: string[]) => amr !== undefined`,
        'lib/session/row.ts': `const may = (startedInThisBrowser: boolean) => (startedInThisBrowser ? 1 : 2)`,
      },
      [
        'lib/features/factors/target.ts: interprets `aal`',
        'lib/guard.ts: interprets `auth_time`',
        'lib/users/linking.ts: interprets `amr`',
        'lib/session/row.ts: interprets `startedInThisBrowser`',
      ],
    ],
  ])

  describeRule('only lib/users/records.ts finds users by an email address', rules.addresses, [
    [
      {
        'lib/users/records.ts': 'const user = await store.getUserByEmail(address)',
        'lib/store/index.ts': 'const user = await adapter.getUserByEmail?.(address)',
        'lib/flows/password/forgot.ts': 'const user = await storeOf(config).getUserByEmail(address)',
        'shim/people.ts': 'const user = adapter.getUserByEmail?.(address)',
      },
      [
        'lib/flows/password/forgot.ts: finds a user by an email address',
        'shim/people.ts: finds a user by an email address',
      ],
    ],
  ])

  describeRule('lib/actions/failure.ts names no class of errors but AuthError', rules.failures, [
    [
      {
        'lib/actions/failure.ts':
          'const a = thrown instanceof AuthError\nconst b = thrown instanceof InvalidCode\nconst c = mendable.some((each) => thrown instanceof each)',
        'lib/actions/callback.ts': 'const a = thrown instanceof MissingCSRF',
      },
      ['lib/actions/failure.ts: names the class InvalidCode', 'lib/actions/failure.ts: names the class each'],
    ],
  ])

  describeRule('only lib/http/urls.ts calls a URL safe', rules.redirects, [
    [
      {
        'lib/http/urls.ts': 'export const to = url.href as SafeRedirect',
        'lib/actions/failure.ts':
          'const a = url as SafeRedirect\nconst b = <SafeRedirect>url\nconst c: SafeRedirect = a',
        'lib/users/callback-url.ts': `const a = { to: url as unknown as Readonly<SafeRedirect> }`,
      },
      [
        'lib/actions/failure.ts: calls a URL a SafeRedirect',
        'lib/actions/failure.ts: calls a URL a SafeRedirect',
        'lib/users/callback-url.ts: calls a URL a SafeRedirect',
      ],
    ],
  ])
})
