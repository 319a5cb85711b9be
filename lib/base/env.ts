/** Reads the environment. The only file that reads `process.env`. */

import { definedOnly } from './guards.js'

/** The oldest major version of Node.js on which this file's importers work. */
const oldestNode = 20

/** Throws on an older Node.js, which would otherwise fail later, at a missing function. */
function assertNode(version: string | undefined): void {
  if (version === undefined || Number.parseInt(version, 10) >= oldestNode) return
  throw new Error(`Node.js ${version} is not supported by server-auth. Install Node.js 20.19 or later.`)
}

assertNode(globalThis.process?.versions?.node)

/** The settings in the environment, read when a configuration is resolved. */
export interface AuthEnv {
  /** The secrets, newest first. The first one encrypts. Empty when none is set. */
  readonly secrets: string[]
  readonly url?: string
  /** `true` if pages that were requested at another origin move to `url`. */
  readonly movesPages?: true
  readonly redirectProxyUrl?: string
  /**
   * `AUTH_TRUST_HOST`: true for `true`, `1`, `yes`, `on`, and false for any other word; `undefined` when it is not set.
   */
  readonly trustHost?: boolean
  /** The name of a hosting platform that sets the `Host` header safely. */
  readonly platform?: string
  readonly production: boolean
  /** The name of a variable with a secret that another library reads, if this library has none. */
  readonly foreignSecret?: string
  /** Returns the values of `AUTH_<PROVIDER>_<FIELD>`, with the provider id in upper snake case. */
  provider(id: string): { clientId?: string; clientSecret?: string; issuer?: string; apiKey?: string }
}

type Environment = Readonly<Record<string, string | undefined>>

const platforms: ReadonlyArray<[variable: string, name: string]> = [
  ['VERCEL', 'Vercel'],
  ['CF_PAGES', 'Cloudflare Pages'],
]

/** Reads the environment. Empty values are treated as not set. */
export function readEnv(source: Environment = environment()): AuthEnv {
  const read = (name: string) => source[name]?.trim() || undefined
  const numbered = ['AUTH_SECRET_3', 'AUTH_SECRET_2', 'AUTH_SECRET_1'].map(read)
  return definedOnly({
    secrets: [...numbered, read('AUTH_SECRET') ?? read('LEGACYAUTH_SECRET')].filter((secret) => secret !== undefined),
    url: read('AUTH_URL') ?? read('LEGACYAUTH_URL'),
    redirectProxyUrl: read('AUTH_REDIRECT_PROXY_URL'),
    trustHost: toBoolean(read('AUTH_TRUST_HOST')),
    platform: platforms.find(([variable]) => read(variable))?.[1],
    production: read('NODE_ENV') === 'production',
    foreignSecret: ['NEXTAUTH_SECRET', 'BETTER_AUTH_SECRET'].find(read),
    provider(id: string) {
      const name = (field: string) => read(`AUTH_${environmentName(id)}_${field}`)
      return definedOnly({
        clientId: name('ID'),
        clientSecret: name('SECRET'),
        issuer: name('ISSUER'),
        apiKey: name('KEY'),
      })
    },
  })
}

/**
 * Returns the database's URL (`DATABASE_URL`), for the command line only. Applications choose their database in code.
 */
export function readDatabaseUrl(source: Environment = environment()): string | undefined {
  return source.DATABASE_URL?.trim() || undefined
}

/** A variable, described without its value. */
export interface EnvVariable {
  readonly name: string
  /**
   * True if the value includes quotation marks: `docker --env-file` and Kubernetes keep them, shells and dotenv do not.
   */
  readonly isQuoted: boolean
  /** True if the value is a placeholder, such as `undefined`, `changeme` or `<your-client-id>`. */
  readonly isPlaceholder: boolean
}

/** Returns all variables that have a value, without the values. For the command line. */
export function listVariables(source: Environment = environment()): EnvVariable[] {
  return Object.entries(source).flatMap(([name, value]) => {
    const text = value?.trim() ?? ''
    return text === '' ? [] : [{ name, isQuoted: /^(["']).*\1$/s.test(text), isPlaceholder: isPlaceholder(text) }]
  })
}

/** Checks whether a text is a placeholder for a value that has not been set yet. */
export function isPlaceholder(text: string): boolean {
  return /^(?:undefined|null|changeme|change-me|todo|x{3,}|<.*>|\[.*\]|your[-_ ].*|.*\$\{\w+\}.*)$/i.test(text.trim())
}

/**
 * Sets the variables of a file that are not set yet.
 *
 * @throws Error when the file cannot be read.
 */
export function loadEnvironmentFile(file: string): void {
  process.loadEnvFile(file)
}

/**
 * Returns the values that must not be printed, selected by variable name. The command line removes them from its
 * output.
 */
export function listSecretValues(source: Environment = environment()): string[] {
  // `PWD` and `OLDPWD` of a shell are folders.
  const isSecret = (name: string) =>
    /SECRET|TOKEN|PASS|PWD|PRIVATE|CREDENTIAL|_KEY(?:_|$)/i.test(name) && !/^(?:OLD)?PWD$/.test(name)
  return Object.entries(source).flatMap(([name, value = '']) => (isSecret(name) && value.trim() ? [value.trim()] : []))
}

/** Returns the provider's id in upper snake case: `microsoft-entra-id` → `MICROSOFT_ENTRA_ID`. */
export function environmentName(id: string): string {
  return id.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}

function toBoolean(word: string | undefined): boolean | undefined {
  return word === undefined ? undefined : ['true', '1', 'yes', 'on'].includes(word.toLowerCase())
}

/** Returns the environment. Some edge runtimes have none. */
function environment(): Environment {
  return globalThis.process?.env ?? {}
}
