/** The text of `auth.ts` or `auth.js`: a way to sign in that needs no registration, and that no site in production can have. */

/** What the text depends on. */
export interface AuthFile {
  /** With extension, for the message. */
  readonly name: string
  /** What makes the object, and what is exported of it. */
  readonly maker: 'express' | 'next' | 'hono'
  readonly isEsm: boolean
  readonly envFile: string
}

/** The whole file. */
export function authFile(file: AuthFile): string {
  return [...head(file), '', ...exported(file), '', ...developmentSignIn(file), ''].join('\n')
}

function head({ maker, isEsm }: AuthFile): string[] {
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
  '// Secrets of this machine. What the environment has already is not changed.',
  "if (existsSync('.env')) process.loadEnvFile('.env')",
]

function exported({ maker, isEsm }: AuthFile): string[] {
  const names = maker === 'express' ? 'auth' : '{ handlers, auth, signIn, signOut }'
  const call = maker === 'express' ? 'defineAuth' : 'initAuth'
  return [
    `${isEsm ? 'export const' : 'const'} ${names} = ${call}({`,
    '  // To be replaced by a provider of yours, with what it gives you in the environment:',
    isEsm
      ? "  // import GitHub from 'server-auth/providers/github', then providers: [GitHub]"
      : "  // const { default: GitHub } = require('server-auth/providers/github'), then providers: [GitHub]",
    '  providers: [developmentSignIn()],',
    ...(maker === 'express' ? [] : guard),
    '})',
    ...(isEsm ? [] : ['', `module.exports = ${maker === 'express' ? '{ auth }' : names}`]),
  ]
}

/** Without it `auth` before a route answers everybody. */
const guard = [
  '  // Whom `auth` lets through, where it stands before a route.',
  '  callbacks: { authorized: ({ auth }) => auth !== null },',
]

function developmentSignIn({ name, envFile }: AuthFile): string[] {
  return [
    `/** Lets in whoever has the password of this machine's ${envFile}, by any name. It refuses to start in production. */`,
    'function developmentSignIn() {',
    "  if (process.env.NODE_ENV === 'production') {",
    `    throw new Error('${name} still has the sign-in for development: put a provider of yours in its place.')`,
    '  }',
    '  const expected = process.env.AUTH_DEVELOPMENT_PASSWORD',
    '  return Credentials({',
    "    id: 'development',",
    "    name: 'Development',",
    '    credentials: {',
    "      username: { label: 'Any name' },",
    `      password: { label: 'AUTH_DEVELOPMENT_PASSWORD of ${envFile}', type: 'password' },`,
    '    },',
    '    // Without a password in the environment nobody comes in.',
    '    authorize: ({ username, password }) =>',
    "      expected && password === expected && typeof username === 'string' && username",
    '        ? { id: username, name: username }',
    '        : null,',
    '  })',
    '}',
  ]
}
