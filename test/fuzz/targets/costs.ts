/**
 * The cost of a body of the size limit on each route before the request is counted, or answered where nothing is
 * counted.
 */
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { EmailCode, RecoveryCodes, Totp } from '../../../lib/features/factors/index-kinds.js'
import { routes } from '../../../lib/http/routes.js'
import Password from '../../../lib/providers/password.js'
import type { FullStackAuthConfig } from '../../../lib/types/config.js'
import { target } from '../explore.js'
import { asForm, asJson, ends, fill, forms, pieces, values } from '../heavy.js'
import { createMeter, type Meter } from '../meter.js'
import { base, type Site, wide } from '../site.js'
import { Stranger, Violation } from '../stranger.js'

/** Milliseconds of work that a request may cost, on a machine that parses the reference in one. */
const most = 5
/** The number of repetitions. Noise is in some of them; the cost of the body is in all of them. */
const tries = 12

/** The segment after the action in a path. */
const segments: Readonly<Record<string, readonly string[]>> = {
  signin: ['test', 'plain', 'email', 'credentials', 'password'],
  callback: ['test', 'email', 'credentials', 'password', 'passkey'],
  'backchannel-logout': ['test'],
  initiate: ['test'],
  'two-factor': ['totp', 'email', 'recovery'],
  signup: ['password'],
  password: ['forgot', 'reset', 'verify', 'change'],
}

/** The routes that accept a body. */
const paths = routes
  .filter(({ methods }) => methods.includes('POST'))
  .flatMap(({ action, takesProvider }) => {
    if (!takesProvider) return [`/${action}`]
    const found = segments[action]
    if (!found) throw new Error(`Say in \`segments\` what follows /${action}.`)
    return found.map((segment) => `/${action}/${segment}`)
  })

const fields = [
  'username',
  'email',
  'password',
  'current',
  'csrfToken',
  'callbackUrl',
  'captcha',
  'remember',
  'token',
  'attempt',
  'change',
  'action',
  'data',
  'code',
  'intent',
  'setup',
  'name',
  'state',
  'logout_token',
  'connect',
  'federated',
  'other',
]

interface Heavy {
  /** Chooses the route. `undefined` means all routes. */
  readonly path: number | undefined
  readonly field: string
  readonly as: 'form' | 'json' | 'value' | 'fields'
  /** Chooses the content. */
  readonly piece: number
  readonly end: number
}

/** The fields with which requests get far. */
const usual: Readonly<Record<string, string>> = {
  username: 'ann',
  password: 'wrong',
  email: 'a@x.test',
  action: 'authenticate',
}

function bodyOf({ field, as, piece, end }: Heavy, turn: number): { type: string; body: string } {
  const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % all.length]
  const others = Object.entries(usual).filter(([name]) => name !== field)
  const [form, json] = ['application/x-www-form-urlencoded', 'application/json']
  const text = pick(Object.values(pieces), piece) ?? ''
  const around = pick(ends, end) ?? ((inner: string) => inner)
  if (as === 'fields') return { type: form, body: pick(Object.values(forms), piece)?.() ?? '' }
  if (as === 'form') {
    const rest = others.map(([name, value]) => `&${name}=${asForm(value)}`).join('')
    return { type: form, body: `${field}=${asForm(fill(text, around, turn, asForm))}${rest}` }
  }
  const value =
    as === 'json' ? asJson(fill(text, around, turn, asJson)) : (pick(Object.values(values), piece)?.() ?? '')
  const rest = others.map(([name, each]) => `,${asJson(name)}:${asJson(each)}`).join('')
  return { type: json, body: `{${asJson(field)}:${value}${rest}}` }
}

/** Returns the provider, with a high limit of emails. */
function counted(provider: FullStackAuthConfig['providers'][number]): FullStackAuthConfig['providers'][number] {
  const limit = { perAddress: 2000, perClient: 2000, window: 1 }
  return typeof provider === 'object' && provider.type === 'email' ? { ...provider, limit } : provider
}

function renew(site: Site, meter: Meter): void {
  site.renew()
  const { providers, ...config } = site.config
  site.renew({
    ...config,
    debug: false,
    rateLimit: { store: meter.store, rules: wide },
    factors: [Totp(), EmailCode(), RecoveryCodes()],
    providers: [...providers.map(counted), Password({})],
  } as Partial<FullStackAuthConfig>)
}

/** The cookie of a browser that claims to be known for five accounts: each is compared. */
const device = Array.from({ length: 5 }, (_, at) => `${'a'.repeat(21)}${at}.${'b'.repeat(22)}`).join('~')

async function costOf(site: Site, meter: Meter, path: string, heavy: Heavy): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < tries && least > most; turn += 1) {
    const stranger = new Stranger(site)
    const { type, body } = bodyOf(heavy, turn)
    const headers = [...stranger.own, ['content-type', type] as const, ['cookie', `auth.device=${device}`] as const]
    await stranger.send({ method: 'POST', target: base + path, headers, body })
    least = Math.min(least, meter.take() ?? 0)
    if (least > most) await setTimeout(turn * 10)
  }
  return least
}

const reference = `[${Array.from({ length: 12_000 }, (_, at) => `"${at}"`).join()}]`

/** Returns the factor by which this machine is slower than usual now. */
function slowness(): number {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 5; turn += 1) {
    const began = performance.now()
    JSON.parse(reference)
    least = Math.min(least, performance.now() - began)
  }
  return Math.max(1, least)
}

const heavy: fc.Arbitrary<Heavy> = fc.record({
  path: fc.nat(paths.length - 1),
  field: fc.constantFrom(...fields),
  as: fc.constantFrom<Heavy['as'][]>('form', 'json', 'json', 'value', 'fields'),
  piece: fc.nat(200),
  end: fc.nat(ends.length - 1),
})

const pieceAt = (name: string) => Object.keys(pieces).indexOf(name)
const valueAt = (name: string) => Object.keys(values).indexOf(name)

/** Earlier finds: a host of many letters, names that fold to nothing, JSON of many objects and of many names. */
const pinned: readonly Heavy[] = [
  { path: undefined, field: 'callbackUrl', as: 'json', piece: pieceAt('signs of which none comes twice'), end: 1 },
  { path: undefined, field: 'username', as: 'json', piece: pieceAt('signs that nobody knows'), end: 0 },
  { path: undefined, field: 'username', as: 'json', piece: pieceAt('letters of Hangul'), end: 0 },
  { path: undefined, field: 'email', as: 'value', piece: valueAt('lists as deep as they may be'), end: 0 },
  { path: undefined, field: 'data', as: 'value', piece: valueAt('a list of objects'), end: 0 },
  { path: undefined, field: 'data', as: 'value', piece: valueAt('objects of one name each'), end: 0 },
  { path: undefined, field: 'other', as: 'fields', piece: 1, end: 0 },
]

/** Bodies of the size limit. */
export const costs = target(
  'costs',
  heavy,
  async (site, input) => {
    const meter = createMeter()
    site.taps.add(meter.tap)
    try {
      renew(site, meter)
      for (const path of input.path === undefined ? paths : paths.slice(input.path, input.path + 1)) {
        const cost = await costOf(site, meter, path, input)
        if (cost > most * slowness()) {
          throw new Violation(
            `${cost.toFixed(1)} ms of work before POST ${path} was counted, ${tries} times of ${tries}`,
          )
        }
      }
    } finally {
      site.taps.delete(meter.tap)
      site.renew()
    }
  },
  { runs: 30, pinned },
)
