/** The option `factors`: the second factors that users can enrol, and when the engine asks for them. */
import { definedOnly, isRecord } from '../../base/guards.js'
import type { FeatureOption, OptionSurroundings } from '../../config/feature-option.js'
import { describe, refuse } from '../../config/refusal.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import { anything, boolean, type Check, functionOf, oneOf, shape, text, wholeNumber } from '../../config/shape.js'
import type { FactorKind, ResolvedEmailProvider, ResolvedFactors } from '../../contracts/index.js'
import type { FactorConfig, FactorsOptions, FactorType } from './types.js'

/** Seconds. */
const day = 24 * 60 * 60

const methodShapes = {
  totp: shape({ type: anything, issuer: text }),
  passkey: shape({ type: anything, provider: text }),
  recovery: shape({ type: anything, count: wholeNumber('of codes', 4, 20) }),
  email: shape({ type: anything, provider: text, maxAge: wholeNumber('of seconds', 60, 600) }),
} satisfies Record<FactorType, Check<unknown>>

const makers = 'Totp(), PasskeyFactor(), RecoveryCodes() and EmailCode()'

/** The methods, at most one of each type. */
const methods: Check<readonly FactorConfig[]> = (name, value) => {
  if (!Array.isArray(value)) {
    return refuse(name, `must be an array of what ${makers} of server-auth/factors return, not ${describe(value)}.`)
  }
  const types = new Set<string>()
  for (const [at, method] of value.entries()) {
    const type: unknown = isRecord(method) ? method.type : undefined
    if (typeof type !== 'string' || !Object.hasOwn(methodShapes, type)) {
      refuse(`${name}[${at}]`, `must be what ${makers} of server-auth/factors return, not ${describe(method)}.`)
    }
    if (types.has(type))
      refuse(`${name}[${at}]`, `is another factor of the type "${type}". Remove one: each type can be set once.`)
    types.add(type)
    methodShapes[type as FactorType](`${name}[${at}]`, method)
  }
  return value as readonly FactorConfig[]
}

const rememberShape = shape({ days: wholeNumber('of days', 1, 90) })

const optionsShape = shape({
  methods,
  store: storeOption('records'),
  require: functionOf<NonNullable<FactorsOptions['require']>>(),
  whenEnrolled: oneOf('always', 'ask'),
  remember: (name: string, value: unknown) =>
    value === undefined || value === false ? undefined : rememberShape(name, value),
  passkeyIsEnough: boolean,
} satisfies Record<keyof FactorsOptions, Check<unknown>>)

/** The option as it was set. `at` is the name of the list of methods in messages. */
type FactorsSetting = ReturnType<typeof optionsShape> & { readonly at: string }

/** The option `factors`, in its short or long form, checked as far as that is possible without the other options. */
const factorsSetting: Check<FactorsSetting | undefined> = (name, value) => {
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : { methods: methods(name, value), at: name }
  if (!isRecord(value)) {
    return refuse(name, `must be an array of what ${makers} return, or { methods, … }, not ${describe(value)}.`)
  }
  const options = optionsShape(name, value)
  const at = `${name}.methods`
  if (options.methods.length > 0) return { ...options, at }
  return refuse(at, 'is empty. Set `methods: [Totp(), RecoveryCodes()]`, or remove `factors`.')
}

/** Resolves the option; `undefined` where there are no second factors. */
function resolveFactors(
  setting: FactorsSetting | undefined,
  { adapter, providers, timeout }: OptionSurroundings,
): ResolvedFactors | undefined {
  if (!setting) return undefined
  const { at, methods, store, remember, whenEnrolled = 'always', passkeyIsEnough = true, require } = setting
  const kinds = new Map(methods.map((method, index) => [method.type, kindOf(method, `${at}[${index}]`, providers)]))
  if (kinds.size === 1 && kinds.has('recovery')) {
    refuse(at, 'has recovery codes only, which replace a lost factor. Add another factor, such as Totp().')
  }
  const others = [...providers.values()].find(({ kind }) => kind !== 'credentials')
  if (adapter === undefined && others) {
    refuse(
      'factors',
      `needs stored users with the provider "${others.id}". Set an \`adapter\`, such as \`sqlAdapter(db)\`.`,
    )
  }
  return Object.freeze(
    definedOnly<ResolvedFactors>({
      store: requiredContract('factors.store', 'records', { store, adapter }),
      timeout,
      kinds,
      require,
      whenEnrolled,
      remember: remember && (remember.days ?? 30) * day,
      passkeyIsEnough,
      mailer: mailerOf(providers),
    }),
  )
}

/** The option `factors`. */
export const factorsOption: FeatureOption<FactorsSetting, ResolvedFactors> = {
  check: factorsSetting,
  resolve: resolveFactors,
}

/** What tells people about their factors: the first provider of e-mail, else what sends the mails of `Password`. */
function mailerOf(providers: OptionSurroundings['providers']): ResolvedEmailProvider | undefined {
  const all = [...providers.values()]
  const email = all.find((provider) => provider.kind === 'email')
  return email ?? all.map((each) => (each.kind === 'credentials' ? each.password?.mailer : undefined)).find(Boolean)
}

function kindOf(factor: FactorConfig, name: string, providers: OptionSurroundings['providers']): FactorKind {
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
  webauthn: 'needs a passkey provider in `providers`, such as `Passkey`.',
  email:
    'needs an email provider in `providers`, such as `Nodemailer({ … })`, or the `mail` of Password(), to send the code.',
}

function providerOf<K extends 'webauthn' | 'email'>(
  providers: OptionSurroundings['providers'],
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
    id === undefined ? missing[kind] : `is "${id}", which is no such provider. The factor ${missing[kind]}`,
  )
}
