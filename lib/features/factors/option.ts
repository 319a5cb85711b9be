/** The option `factors`: the second factors that users can enrol, and when the engine asks for them. */
import { definedOnly, isRecord } from '../../base/guards.js'
import type { FeatureOption, OptionSurroundings } from '../../config/feature-option.js'
import { describeValue, rejectOption } from '../../config/reject-option.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import {
  anyValue,
  boolean,
  type Check,
  functionOf,
  nonEmptyText,
  oneOf,
  shape,
  wholeNumber,
} from '../../config/shape.js'
import type { FactorKind, ResolvedEmailProvider, ResolvedFactors } from '../../contracts/index.js'
import type { FactorConfig, FactorsOptions, FactorType } from './types.js'

/** Seconds. */
const day = 24 * 60 * 60

const methodShapes = {
  totp: shape({ type: anyValue, issuer: nonEmptyText }),
  passkey: shape({ type: anyValue, provider: nonEmptyText }),
  recovery: shape({ type: anyValue, count: wholeNumber('of codes', 4, 20) }),
  email: shape({ type: anyValue, provider: nonEmptyText, maxAge: wholeNumber('of seconds', 60, 600) }),
} satisfies Record<FactorType, Check<unknown>>

const factorFunctionNames = 'Totp(), PasskeyFactor(), RecoveryCodes() and EmailCode()'

/** The methods, at most one of each type. */
const checkMethods: Check<readonly FactorConfig[]> = (name, value) => {
  if (!Array.isArray(value)) {
    return rejectOption(
      name,
      `must be an array of what ${factorFunctionNames} of server-auth/factors return, not ${describeValue(value)}.`,
    )
  }
  const types = new Set<string>()
  for (const [at, method] of value.entries()) {
    const type: unknown = isRecord(method) ? method.type : undefined
    if (typeof type !== 'string' || !Object.hasOwn(methodShapes, type)) {
      rejectOption(
        `${name}[${at}]`,
        `must be what ${factorFunctionNames} of server-auth/factors return, not ${describeValue(method)}.`,
      )
    }
    if (types.has(type))
      rejectOption(`${name}[${at}]`, `is another factor of the type "${type}". Remove one: each type can be set once.`)
    types.add(type)
    methodShapes[type as FactorType](`${name}[${at}]`, method)
  }
  return value as readonly FactorConfig[]
}

const rememberShape = shape({ days: wholeNumber('of days', 1, 90) })

const optionsShape = shape({
  methods: checkMethods,
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
  if (Array.isArray(value)) return value.length === 0 ? undefined : { methods: checkMethods(name, value), at: name }
  if (!isRecord(value)) {
    return rejectOption(
      name,
      `must be an array of what ${factorFunctionNames} return, or { methods, … }, not ${describeValue(value)}.`,
    )
  }
  const options = optionsShape(name, value)
  const at = `${name}.methods`
  if (options.methods.length > 0) return { ...options, at }
  return rejectOption(at, 'is empty. Set `methods: [Totp(), RecoveryCodes()]`, or remove `factors`.')
}

/** Resolves the option; `undefined` where there are no second factors. */
function resolveFactors(
  setting: FactorsSetting | undefined,
  { adapter, providers, timeout }: OptionSurroundings,
): ResolvedFactors | undefined {
  if (!setting) return undefined
  const { at, methods, store, remember, whenEnrolled = 'always', passkeyIsEnough = true, require } = setting
  const kinds = new Map(
    methods.map((method, index) => [method.type, resolveFactorKind(method, `${at}[${index}]`, providers)]),
  )
  if (kinds.size === 1 && kinds.has('recovery')) {
    rejectOption(at, 'has recovery codes only, which replace a lost factor. Add another factor, such as Totp().')
  }
  const others = [...providers.values()].find(({ kind }) => kind !== 'credentials')
  if (adapter === undefined && others) {
    rejectOption(
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
      mailer: noticeMailerOf(providers),
    }),
  )
}

/** The option `factors`. */
export const factorsOption: FeatureOption<FactorsSetting, ResolvedFactors> = {
  check: factorsSetting,
  resolve: resolveFactors,
}

/** Returns the sender of notices about factors: the first email provider, otherwise the sender of the `Password` emails. */
function noticeMailerOf(providers: OptionSurroundings['providers']): ResolvedEmailProvider | undefined {
  const all = [...providers.values()]
  const email = all.find((provider) => provider.kind === 'email')
  return email ?? all.map((each) => (each.kind === 'credentials' ? each.password?.mailer : undefined)).find(Boolean)
}

function resolveFactorKind(factor: FactorConfig, name: string, providers: OptionSurroundings['providers']): FactorKind {
  switch (factor.type) {
    case 'totp':
      return { type: 'totp', ...(factor.issuer !== undefined && { issuer: factor.issuer }) }
    case 'recovery':
      return { type: 'recovery', count: factor.count ?? 10 }
    case 'passkey':
      return { type: 'passkey', provider: findFactorProvider(providers, 'webauthn', { name, id: factor.provider }) }
    case 'email': {
      const mailer = factor.provider === undefined ? noticeMailerOf(providers) : undefined
      const provider = mailer ?? findFactorProvider(providers, 'email', { name, id: factor.provider })
      return { type: 'email', provider, maxAge: factor.maxAge ?? 600 }
    }
  }
}

const missingProviderTexts = {
  webauthn: 'needs a passkey provider in `providers`, such as `Passkey`.',
  email:
    'needs an email provider in `providers`, such as `Nodemailer({ … })`, or the `mail` of Password(), to send the code.',
}

function findFactorProvider<K extends 'webauthn' | 'email'>(
  providers: OptionSurroundings['providers'],
  kind: K,
  { name, id }: { name: string; id: string | undefined },
) {
  for (const provider of providers.values()) {
    if (provider.kind === kind && (id === undefined || provider.id === id)) {
      return provider as Extract<typeof provider, { kind: K }>
    }
  }
  return rejectOption(
    id === undefined ? name : `${name}.provider`,
    id === undefined
      ? missingProviderTexts[kind]
      : `is "${id}", which is no such provider. The factor ${missingProviderTexts[kind]}`,
  )
}
