/** The options `factors` and `assurance`: which second factors people can have, and when they are asked for. */
import { isRecord } from '../base/guards.js'
import type { FactorKind, ResolvedConfig, ResolvedEmailProvider, ResolvedFactors } from '../contracts/index.js'
import type { AssuranceOptions, FactorConfig, FactorStore, FactorType } from '../types/factors.js'
import { describe, refuse } from './refusal.js'
import { anything, boolean, type Check, functionOf, oneOf, optional, pathOrUrl, shape, text } from './shape.js'

const methods = ['list', 'write', 'remove'] as const satisfies ReadonlyArray<keyof FactorStore>

const day = 24 * 60 * 60

const between = (least: number, most: number, unit: string) =>
  optional<number>(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `must be a whole number of ${unit} from ${least} to ${most}, not {kind}.`,
  )

const rememberShape = shape({ days: between(1, 90, 'days') })

const assuranceShape = shape({
  store: anything,
  require: functionOf<NonNullable<AssuranceOptions['require']>>(),
  whenEnrolled: oneOf('always', 'ask'),
  remember: (name: string, value: unknown) =>
    value === undefined || value === false ? undefined : rememberShape(name, value),
  passkeyIsEnough: boolean,
  pages: shape({ challenge: pathOrUrl, setup: pathOrUrl }),
} satisfies Record<keyof AssuranceOptions, Check<unknown>>)

/** The option `assurance`, checked as far as that goes without the others. */
export const assuranceSetting: Check<ReturnType<typeof assuranceShape> | undefined> = (name, value) =>
  value === undefined ? undefined : assuranceShape(name, value)

const factorShapes = {
  totp: shape({ type: anything, issuer: text }),
  passkey: shape({ type: anything, provider: text }),
  recovery: shape({ type: anything, count: between(4, 20, 'codes') }),
  email: shape({ type: anything, provider: text, maxAge: between(60, 600, 'seconds') }),
} satisfies Record<FactorType, Check<unknown>>

const makers = 'Totp(), PasskeyFactor(), RecoveryCodes() and EmailCode()'

/** The option `factors`. */
export const factorsSetting: Check<readonly FactorConfig[] | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) {
    return refuse(name, `must be an array of what ${makers} of server-auth/factors return, not ${describe(value)}.`)
  }
  const types = new Set<string>()
  for (const [at, factor] of value.entries()) {
    const type: unknown = isRecord(factor) ? factor.type : undefined
    if (typeof type !== 'string' || !Object.hasOwn(factorShapes, type)) {
      refuse(`${name}[${at}]`, `must be what ${makers} of server-auth/factors return, not ${describe(factor)}.`)
    }
    if (types.has(type))
      refuse(`${name}[${at}]`, `is another factor of the type "${type}". There is one of each at the most.`)
    types.add(type)
    factorShapes[type as FactorType](`${name}[${at}]`, factor)
  }
  return value as readonly FactorConfig[]
}

interface Surroundings {
  readonly providers: ResolvedConfig['providers']
  /** Milliseconds that a method of the store may take. */
  readonly timeout: number
}

/** Both options, and the adapter as the developer gave it. */
interface Settings {
  readonly factors?: readonly FactorConfig[] | undefined
  readonly assurance?: ReturnType<typeof assuranceSetting>
  readonly adapter?: unknown
}

/** What both options come to; `undefined` where nobody has second factors. */
export function resolveFactors(
  { factors, assurance, adapter }: Settings,
  { providers, timeout }: Surroundings,
): ResolvedFactors | undefined {
  if (!factors || factors.length === 0) {
    if (assurance)
      refuse(
        'assurance',
        'says when second factors are asked for, and there are none. Set `factors: [Totp(), RecoveryCodes()]`.',
      )
    return undefined
  }
  const kinds = new Map(factors.map((factor, at) => [factor.type, kindOf(factor, `factors[${at}]`, providers)]))
  if (kinds.size === 1 && kinds.has('recovery')) {
    refuse('factors', 'has recovery codes only, which are the way out when another factor is lost. Add Totp().')
  }
  const others = [...providers.values()].find(({ kind }) => kind !== 'credentials')
  if (adapter === undefined && others) {
    refuse(
      'factors',
      `needs an \`adapter\` with providers such as "${others.id}": without stored users nobody knows whose second factor it is.`,
    )
  }
  const { store, remember, whenEnrolled = 'always', passkeyIsEnough = true, pages = {}, require } = assurance ?? {}
  const mailer = mailerOf(providers)
  return Object.freeze({
    store: factorStore(store, adapter),
    timeout,
    kinds,
    ...(require && { require }),
    whenEnrolled,
    ...(remember && { remember: (remember.days ?? 30) * day }),
    passkeyIsEnough,
    pages: Object.freeze({ ...pages }),
    ...(mailer && { mailer }),
  })
}

/** What tells people about their factors: the first provider of e-mail, else what sends the mails of `Password`. */
function mailerOf(providers: Surroundings['providers']): ResolvedEmailProvider | undefined {
  const all = [...providers.values()]
  const email = all.find((provider) => provider.kind === 'email')
  return email ?? all.map((each) => (each.kind === 'credentials' ? each.password?.mailer : undefined)).find(Boolean)
}

function kindOf(factor: FactorConfig, name: string, providers: Surroundings['providers']): FactorKind {
  switch (factor.type) {
    case 'totp':
      return { type: 'totp', ...(factor.issuer !== undefined && { issuer: factor.issuer }) }
    case 'recovery':
      return { type: 'recovery', count: factor.count ?? 10 }
    case 'passkey':
      return { type: 'passkey', provider: providerOf(providers, 'webauthn', { name, id: factor.provider }) }
    case 'email': {
      const mailer = factor.provider === undefined ? mailerOf(providers) : undefined
      const provider = mailer ?? providerOf(providers, 'email', { name, id: factor.provider })
      return { type: 'email', provider, maxAge: factor.maxAge ?? 600 }
    }
  }
}

const missing = {
  webauthn:
    'needs a provider of passkeys in `providers`, such as `Passkey`: its passkeys are what the factor asks for.',
  email:
    'needs a provider of e-mail in `providers`, such as `Nodemailer({ … })`, or the `mail` of Password(): it sends the code.',
}

function providerOf<K extends 'webauthn' | 'email'>(
  providers: Surroundings['providers'],
  kind: K,
  { name, id }: { name: string; id: string | undefined },
) {
  for (const provider of providers.values()) {
    if (provider.kind === kind && (id === undefined || provider.id === id)) {
      return provider as Extract<typeof provider, { kind: K }>
    }
  }
  return refuse(
    id === undefined ? name : `${name}.provider`,
    id === undefined ? missing[kind] : `names "${id}", and ${missing[kind]}`,
  )
}

function factorStore(store: unknown, adapter: unknown): FactorStore {
  const found: unknown =
    store ?? (isRecord(adapter) && typeof adapter.factorStore === 'function' ? adapter.factorStore() : undefined)
  const name = store === undefined ? 'adapter.factorStore()' : 'assurance.store'
  if (found === undefined) {
    const lack = adapter === undefined ? 'there is no `adapter`' : 'this `adapter` has no store of its own for them'
    return refuse(
      'factors',
      `needs a place to keep them, and ${lack}. Set \`assurance: { store: sqlFactors(db) }\`, or \`redisFactors(client)\` or \`memoryFactors()\`.`,
    )
  }
  const lacking = methods.filter((method) => !isRecord(found) || typeof found[method] !== 'function')
  if (lacking.length === 0) return found as FactorStore
  return refuse(
    name,
    `must be a store such as \`sqlFactors(db)\`, \`redisFactors(client)\` or \`memoryFactors()\`, with ${lacking.join(', ')}. It is ${describe(found)}.`,
  )
}
