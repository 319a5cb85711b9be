/** The environment. The only file that reads `process.env`. */

import { definedOnly } from './guards.js'

/** What the environment says. Read when a configuration is resolved. */
export interface AuthEnv {
  /** Newest first: the first one encrypts. Empty when none is set. */
  readonly secrets: string[]
  readonly url?: string
  readonly redirectProxyUrl?: string
  /** `AUTH_TRUST_HOST`: true for `true`, `1`, `yes`, `on`, false for any other word; undefined when it is not set. */
  readonly trustHost?: boolean
  /** The name of a hosting platform that sets the `Host` header safely. */
  readonly platform?: string
  readonly production: boolean
  /** `AUTH_<PROVIDER>_<FIELD>`, for the provider id in upper snake case. */
  provider(id: string): { clientId?: string; clientSecret?: string; issuer?: string; apiKey?: string }
}

type Environment = Readonly<Record<string, string | undefined>>

const platforms: ReadonlyArray<[variable: string, name: string]> = [
  ['VERCEL', 'Vercel'],
  ['CF_PAGES', 'Cloudflare Pages'],
]

/** Reads the environment. Empty values count as not set. */
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

/** The database's URL (`DATABASE_URL`), for the command line. An application says itself which database it uses. */
export function readDatabaseUrl(source: Environment = environment()): string | undefined {
  return source.DATABASE_URL?.trim() || undefined
}

/** A variable, and what of its value can be said without showing it. */
export interface EnvVariable {
  /** Its name. */
  readonly name: string
  /** Quotation marks are part of the value: `docker --env-file` and Kubernetes keep them, shells and dotenv do not. */
  readonly isQuoted: boolean
  /** The value is a word that stands for one: `undefined`, `changeme`, `<your-client-id>`. */
  readonly isPlaceholder: boolean
}

/** All variables that have a value, for the command line: names, and never values. */
export function listVariables(source: Environment = environment()): EnvVariable[] {
  return Object.entries(source).flatMap(([name, value]) => {
    const text = value?.trim() ?? ''
    return text === '' ? [] : [{ name, isQuoted: /^(["']).*\1$/s.test(text), isPlaceholder: isPlaceholder(text) }]
  })
}

/** Whether somebody still has to write a value there. */
export function isPlaceholder(text: string): boolean {
  return /^(?:undefined|null|changeme|change-me|todo|x{3,}|<.*>|\[.*\]|your[-_ ].*|.*\$\{\w+\}.*)$/i.test(text.trim())
}

/** Sets the variables of a file that are not set. @throws Error when it cannot be read. */
export function loadEnvironmentFile(file: string): void {
  process.loadEnvFile(file)
}

/** Values that must not be printed, by the names of their variables: for the command line, which takes them out of what it says. */
export function listSecretValues(source: Environment = environment()): string[] {
  // A shell's `PWD` and `OLDPWD` are folders.
  const isSecret = (name: string) =>
    /SECRET|TOKEN|PASS|PWD|PRIVATE|CREDENTIAL|_KEY(?:_|$)/i.test(name) && !/^(?:OLD)?PWD$/.test(name)
  return Object.entries(source).flatMap(([name, value = '']) => (isSecret(name) && value.trim() ? [value.trim()] : []))
}

/** The provider's id in upper snake case: `microsoft-entra-id` → `MICROSOFT_ENTRA_ID`. */
export function environmentName(id: string): string {
  return id.toUpperCase().replace(/[^A-Z0-9]/g, '_')
}

function toBoolean(word: string | undefined): boolean | undefined {
  return word === undefined ? undefined : ['true', '1', 'yes', 'on'].includes(word.toLowerCase())
}

/** Some edge runtimes have none. */
function environment(): Environment {
  return globalThis.process?.env ?? {}
}
