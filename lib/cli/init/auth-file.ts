/**
 * The text of `auth.ts` or `auth.js`: a sign-in method that needs no registration, and does not start in production.
 */

/** The variables of the text. */
export interface AuthFile {
  /** With extension, for the message. */
  readonly name: string
  /** The framework, which determines the function and the exports. */
  readonly maker: 'express' | 'next' | 'hono'
  readonly isEsm: boolean
  readonly envFile: string
}

/** Returns the whole file. */
export function authFile(file: AuthFile): string {
  return [...importLines(file), '', ...exportLines(file), '', ...developmentSignIn(file), ''].join('\n')
}

function importLines({ maker, isEsm }: AuthFile): string[] {
  const from = { express: 'server-auth', next: 'server-auth/next', hono: 'server-auth/shim' }[maker]
  const made = maker === 'express' ? '{ defineAuth }' : 'initAuth'
  const credentials = 'server-auth/providers/credentials'
  // Next.js reads its environment files itself.
  const needsFile = maker !== 'next'
  if (isEsm) {
    return [
      ...(needsFile ? ["import { existsSync } from 'node:fs'"] : []),
      ...lines(`import ${made} from '${from}'`, `import Credentials from '${credentials}'`),
      ...(needsFile ? ['', ...readEnvironment] : []),
    ]
  }
  return [
    ...(needsFile ? ["const { existsSync } = require('node:fs')"] : []),
    `const ${made === 'initAuth' ? '{ default: initAuth }' : made} = require('${from}')`,
    `const { default: Credentials } = require('${credentials}')`,
    ...(needsFile ? ['', ...readEnvironment] : []),
  ]
}

const lines = (...each: string[]) => each

const readEnvironment = [
  '// Secrets of this machine. They do not replace variables of the environment.',
  "if (existsSync('.env')) process.loadEnvFile('.env')",
]

function exportLines({ maker, isEsm }: AuthFile): string[] {
  const names = maker === 'express' ? 'auth' : '{ handlers, auth, signIn, signOut }'
  const call = maker === 'express' ? 'defineAuth' : 'initAuth'
  return [
    `${isEsm ? 'export const' : 'const'} ${names} = ${call}({`,
    '  // Replace it by your provider, and set its id and secret in the environment:',
    isEsm
      ? "  // import GitHub from 'server-auth/providers/github', then providers: [GitHub]"
      : "  // const { default: GitHub } = require('server-auth/providers/github'), then providers: [GitHub]",
    '  providers: [developmentSignIn()],',
    ...(maker === 'express' ? [] : authorizedCallback),
    '})',
    ...(isEsm ? [] : ['', `module.exports = ${maker === 'express' ? '{ auth }' : names}`]),
  ]
}

/** Without it `auth` before a route allows every request. */
const authorizedCallback = [
  '  // Decides whether `auth` before a route allows the request.',
  '  callbacks: { authorized: ({ auth }) => auth !== null },',
]

function developmentSignIn({ name, envFile }: AuthFile): string[] {
  return [
    `/** A sign-in with any name and the password of this machine's ${envFile}. It does not start in production. */`,
    'function developmentSignIn() {',
    "  if (process.env.NODE_ENV === 'production') {",
    `    throw new Error('${name} still has the sign-in for development. Replace it by your provider.')`,
    '  }',
    '  const expected = process.env.AUTH_DEVELOPMENT_PASSWORD',
    '  return Credentials({',
    "    id: 'development',",
    "    name: 'Development',",
    '    credentials: {',
    "      username: { label: 'Any name' },",
    `      password: { label: 'AUTH_DEVELOPMENT_PASSWORD of ${envFile}', type: 'password' },`,
    '    },',
    '    // Without a password in the environment no one can sign in.',
    '    authorize: ({ username, password }) =>',
    "      expected && password === expected && typeof username === 'string' && username",
    '        ? { id: username, name: username }',
    '        : null,',
    '  })',
    '}',
  ]
}
