/**
 * Sign-ins, pending sign-ins, step-ups, attached accounts and enrolments, against everything that ends the sessions of a user: in every
 * order of the calls of the stores, in two processes, with both strategies (`interleavings`).
 */

import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import { EmailCode, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import type { FactorsOptions } from '../../lib/features/factors/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import Password from '../../lib/providers/password.js'
import { createSession } from '../../lib/testing/index.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { VerificationRequest } from '../../lib/types/provider.js'
import initAuth, { withRequest } from '../../shim/index.js'
import { fieldIn, keyIn, mailProvider } from '../factors/stage.js'
import { quickHasher } from '../password/stage.js'
import { freezeClock, restoreClock, seconds } from '../support/clock.js'
import { extent, inTurn } from '../support/extent.js'
import { type HostileProvider, startHostileProvider } from '../support/hostile-provider.js'
import { factorsIn, passwordsIn } from '../support/stores.js'
import { explore, type Run, type Schedule, type Step } from './interleavings.js'

const origin = 'http://localhost'
const base = `${origin}/auth`
const email = 'ann@example.com'
const [good, better, worse] = ['four words in a row', 'other words in another row', 'some words of somebody else']
const hasher = quickHasher()

const strategies = ['jwt', 'database'] as const
type Strategy = (typeof strategies)[number]

/** A process of the site: its own memory, and the shared stores behind a schedule. */
class Process {
  readonly config: FullStackAuthConfig
  readonly #answer: (request: Request) => Promise<Response>
  /** The URL at which the user of a request connects an account at the provider. */
  readonly connectUrl: (request: Request) => Promise<string>

  /** Its first request makes its memory. */
  static async start(adapter: object, config: Omit<FullStackAuthConfig, 'adapter'>): Promise<Process> {
    clearSiteMemories()
    const started = new Process(adapter, config)
    await started.ask(new Request(`${base}/csrf`))
    return started
  }

  private constructor(adapter: object, config: Omit<FullStackAuthConfig, 'adapter'>) {
    this.config = {
      secret: 'the-secret-of-all-processes-of-this-site',
      basePath: '/auth',
      trustHost: true,
      logger: { error() {}, warn() {}, debug() {} },
      ...config,
      adapter: adapter as NonNullable<FullStackAuthConfig['adapter']>,
    }
    const { handlers, tokens } = initAuth(this.config)
    this.#answer = (request) => withRequest(request, () => handlers.GET(request), { ip: '127.0.0.1' })
    this.connectUrl = async (request) => {
      const answer = await withRequest(request, async () => new Response(await tokens.connectUrl({ provider: 'test' })))
      return answer.text()
    }
  }

  ask(request: Request): Promise<Response> {
    return this.#answer(request)
  }
}

/** An answer. */
interface Outcome {
  readonly status: number
  /** The target of the redirect. */
  readonly to: string
  readonly body: string
}

/** A browser that asks one process. */
class Client {
  readonly cookies = new Map<string, string>()

  constructor(private process: Process) {}

  /** The same browser at another process. */
  at(process: Process): Client {
    const other = new Client(process)
    other.csrf = this.csrf
    for (const [name, value] of this.cookies) other.cookies.set(name, value)
    return other
  }

  get headers() {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { host: 'localhost', origin, 'sec-fetch-site': 'same-origin', cookie }
  }

  /** The URL at which the user connects an account at the provider. */
  connectUrl(): Promise<string> {
    return this.process.connectUrl(new Request(`${origin}/account`, { headers: this.headers }))
  }

  async ask(path: string, form?: Readonly<Record<string, string>>): Promise<Outcome> {
    const { headers } = this
    const body = form && new URLSearchParams({ csrfToken: this.csrf, ...form })
    const url = path.startsWith('http') ? path : `${base}/${path}`
    const response = await this.process.ask(new Request(url, { headers, ...(body && { method: 'POST', body }) }))
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split('; ')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return { status: response.status, to: response.headers.get('location') ?? '', body: await response.text() }
  }

  csrf = ''

  /** With a CSRF token, which a sign-in replaces. */
  async begin(): Promise<this> {
    this.csrf = JSON.parse((await this.ask('csrf')).body).csrfToken
    return this
  }

  async session(): Promise<{ user?: { email?: string }; assurance?: { aal: number } } | null> {
    return JSON.parse((await this.ask('session')).body)
  }
}

interface World {
  readonly adapter: MemoryAdapter
  readonly userId: string
  /** The process of the attacker, and that of the owner or the support desk. */
  readonly here: Process
  readonly there: Process
  /** Starts another process, which remembers nothing. */
  fresh(): Promise<Process>
}

const methods = [Totp(), EmailCode(), RecoveryCodes()]

/** An attack, which runs against an end of sessions. */
interface Attack {
  readonly factors?: Partial<FactorsOptions>
  readonly hasApp?: boolean
  /** @returns The operation, and the browser that it is in. */
  begin(world: World): Promise<{ client: Client; work(): Promise<Outcome> }>
  /** Checks whether a session may remain where all sessions ended, by the order of the calls. */
  mayRemain?(steps: readonly Step[]): boolean
  /** True if {@link mayRemain} also holds for another password, because the sign-in does not use the password. */
  readonly mayOutlivePasswords?: boolean
  /** True if no session begins: factors that are added before the session ends stay. */
  readonly beginsNone?: boolean
  /**
   * True if the password may stay: the mailbox could also set it before the sessions end, and the session is rejected.
   */
  readonly maySetPassword?: boolean
}

/** Returns the index of the first call of an operation, or the length if it has none. */
function firstOf(steps: readonly Step[], operation: number, call = /./): number {
  const at = steps.findIndex((step) => step.operation === operation && call.test(step.call))
  return at < 0 ? steps.length : at
}

let provider: HostileProvider

async function signInByPassword(world: World): Promise<Client> {
  const client = await new Client(world.here).begin()
  await client.ask('callback/password', { email, password: good })
  return client.begin()
}

/** Links an account at the provider to the owner. */
async function linkOwn({ adapter, userId }: World): Promise<void> {
  await adapter.linkAccount({ userId, provider: 'test', providerAccountId: 'own', type: 'oidc' })
}

async function atProvider(client: Client, sub: string): Promise<string> {
  provider.person = { sub, name: sub, email: `${sub}@example.com`, email_verified: true }
  const { to } = await client.ask('signin/test', {})
  return provider.authorize(to)
}

let key: Buffer = Buffer.alloc(0)

/** The mails of all runs. */
const mails: VerificationRequest[] = []

const attacks: Readonly<Record<string, Attack>> = {
  'a sign-in by the password': {
    async begin(world) {
      const client = await new Client(world.here).begin()
      return { client, work: () => client.ask('callback/password', { email, password: good }) }
    },
    // The password was looked up after all sessions had begun to end: that sign-in is another one.
    mayRemain: (steps) => firstOf(steps, 0, /passwords\.find/) > firstOf(steps, 1),
  },
  'a sign-in by a provider': {
    async begin(world) {
      await linkOwn(world)
      const client = await new Client(world.here).begin()
      const back = await atProvider(client, 'own')
      return { client, work: () => client.ask(back) }
    },
    // The stamp was read after the last change: the account at the provider is as good as before.
    mayRemain: (steps) => firstOf(steps, 0, /revocations\.find/) > lastOf(steps, 1, /revocations\.add/),
    mayOutlivePasswords: true,
  },
  'a sign-in by a mailed link': {
    async begin(world) {
      const client = await new Client(world.here).begin()
      const sent = mails.length
      await client.ask('signin/email', { email })
      // Mails are sent after the answer.
      while (mails.length === sent) await new Promise((resolve) => setImmediate(resolve))
      const { url = '' } = mails.at(-1) ?? {}
      return { client, work: () => client.ask(url) }
    },
  },
  'a sign-in that waits for its second factor': {
    hasApp: true,
    async begin(world) {
      const client = await signInByPassword(world)
      return { client, work: () => client.ask('two-factor/totp', { code: totpCodeAt(key, totpStepAt(Date.now())) }) }
    },
  },
  'a sign-in by a provider that waits for its second factor': {
    hasApp: true,
    async begin(world) {
      await linkOwn(world)
      const client = await new Client(world.here).begin()
      await client.ask(await atProvider(client, 'own'))
      await client.begin()
      return { client, work: () => client.ask('two-factor/totp', { code: totpCodeAt(key, totpStepAt(Date.now())) }) }
    },
  },
  'a sign-in that waits for its second factor, in a browser that is to be remembered': {
    hasApp: true,
    async begin(world) {
      const client = await signInByPassword(world)
      const form = { code: totpCodeAt(key, totpStepAt(Date.now())), rememberDevice: '1' }
      return { client, work: () => client.ask('two-factor/totp', form) }
    },
  },
  'a step-up': {
    hasApp: true,
    factors: { whenEnrolled: 'ask' },
    async begin(world) {
      const client = await signInByPassword(world)
      return { client, work: () => client.ask('two-factor/totp', { code: totpCodeAt(key, totpStepAt(Date.now())) }) }
    },
  },
  'a step-up of a session that began at a provider': {
    hasApp: true,
    factors: { whenEnrolled: 'ask' },
    async begin(world) {
      await linkOwn(world)
      const client = await new Client(world.here).begin()
      await client.ask(await atProvider(client, 'own'))
      await client.begin()
      return { client, work: () => client.ask('two-factor/totp', { code: totpCodeAt(key, totpStepAt(Date.now())) }) }
    },
  },
  'an account that is attached': {
    async begin(world) {
      const client = await signInByPassword(world)
      const back = await atProvider(client, 'eve')
      return { client, work: () => client.ask(back) }
    },
  },
  'an account that is attached, and a second factor is needed first': {
    beginsNone: true,
    factors: { require: ({ account }) => (account?.provider === 'test' ? 2 : 1) },
    async begin(world) {
      const client = await signInByPassword(world)
      const back = await atProvider(client, 'eve')
      return { client, work: () => client.ask(back) }
    },
  },
  'an account that is connected': {
    beginsNone: true,
    async begin(world) {
      const client = await signInByPassword(world)
      provider.person = { sub: 'eve', name: 'Eve', email: 'eve@example.com', email_verified: true }
      const { to } = await client.ask(`${origin}${await client.connectUrl()}`)
      const back = provider.authorize(to)
      return { client, work: () => client.ask(back) }
    },
  },
  'a forgotten password': {
    maySetPassword: true,
    async begin(world) {
      const request = { headers: { host: 'localhost' }, protocol: 'http' }
      const sent = mails.length
      await expressFunctions(world.here.config).passwords.sendLink({ userId: world.userId }, request as never)
      while (mails.length === sent) await new Promise((resolve) => setImmediate(resolve))
      const client = await new Client(world.here).begin()
      const form = { token: mails.at(-1)?.token ?? '', password: worse }
      return { client, work: () => client.ask('password/reset', form) }
    },
  },
  'another password in a session': {
    async begin(world) {
      const client = await signInByPassword(world)
      return { client, work: () => client.ask('password/change', { password: worse }) }
    },
  },
  'an app that is enrolled in a pending sign-in': {
    factors: { require: () => 2 },
    async begin(world) {
      const client = await signInByPassword(world)
      const page = (await client.ask('two-factor/totp?setup')).body
      const form = {
        intent: 'setup',
        setup: fieldIn(page, 'setup'),
        code: totpCodeAt(keyIn(page), totpStepAt(Date.now())),
      }
      return { client, work: () => client.ask('two-factor/totp', form) }
    },
  },
  'an app that is enrolled in a session': {
    async begin(world) {
      const client = await signInByPassword(world)
      const page = (await client.ask('two-factor/totp?setup')).body
      const form = {
        intent: 'setup',
        setup: fieldIn(page, 'setup'),
        code: totpCodeAt(keyIn(page), totpStepAt(Date.now())),
      }
      return { client, work: () => client.ask('two-factor/totp', form) }
    },
  },
}

/** The ends of a user's sessions. */
const ends: Readonly<Record<string, (world: World, attacker: Client) => Promise<() => Promise<unknown>>>> = {
  'another password': async ({ there, userId }) => {
    const request = { headers: { host: 'localhost' }, protocol: 'http' }
    return () => expressFunctions(there.config).passwords.set({ userId, password: better }, request as never)
  },
  'the end of all sessions':
    async ({ there, userId }) =>
    () =>
      expressFunctions(there.config).sessions.endAll(userId),
  'a disabled user':
    async ({ there, userId }) =>
    () =>
      expressFunctions(there.config).users.disable(userId),
  'a reset of factors':
    async ({ there, userId }) =>
    () =>
      expressFunctions(there.config).factors.reset(userId),
  'a logout at the provider': async ({ there }) => {
    const token = await provider.signIdToken(
      {
        iss: provider.issuer,
        aud: provider.settings.clientId,
        iat: seconds(),
        exp: seconds() + 120,
        jti: `logout-${Math.random()}`,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        sub: 'own',
      },
      { header: { typ: 'logout+jwt' } },
    )
    const body = new URLSearchParams({ logout_token: token })
    return () => there.ask(new Request(`${base}/backchannel-logout/test`, { method: 'POST', body }))
  },
  'a sign-out': async ({ there }, attacker) => {
    const tab = attacker.at(there)
    return () => tab.ask('signout', {})
  },
  'the end of this session': async ({ there, userId }, attacker) => {
    const [own, its] = [await ownRequest(there, userId), { headers: attacker.headers, protocol: 'http' }]
    const { sessions = [] } = (await expressFunctions(there.config).account.get(its as never)) ?? {}
    const { id = '' } = sessions.find(({ current }) => current) ?? {}
    return () => expressFunctions(there.config).sessions.end(own, id)
  },
  'an unlinked account': async ({ there, userId }) => {
    const request = await ownRequest(there, userId)
    return () => expressFunctions(there.config).account.unlink(request, { provider: 'test', providerAccountId: 'own' })
  },
}

/** Creates another session of the user, and a request in it. */
async function ownRequest({ config }: Process, userId: string): Promise<never> {
  const owner = await createSession(config, { user: { id: userId }, aal: 2, amr: ['pwd', 'otp'], url: origin })
  return { headers: { ...owner.headers, host: 'localhost' }, protocol: 'http' } as never
}

/** The pairs of an attack and an end that affect each other. */
const pairs: ReadonlyArray<[attack: string, end: string]> = [
  ...Object.keys(attacks).flatMap((attack, turn) =>
    endsOfUsers(attack, turn).map((end): [string, string] => [attack, end]),
  ),
  ['a sign-in by a provider', 'a logout at the provider'],
  ['a sign-in by a provider', 'an unlinked account'],
  ['a sign-in by a provider that waits for its second factor', 'a logout at the provider'],
  ['a sign-in by a provider that waits for its second factor', 'an unlinked account'],
  ['a step-up of a session that began at a provider', 'a logout at the provider'],
  ['a step-up', 'a sign-out'],
  ['a step-up', 'the end of this session'],
  ['an account that is attached', 'a sign-out'],
  ['an account that is attached', 'the end of this session'],
  ['an account that is attached, and a second factor is needed first', 'a sign-out'],
  ['an account that is attached, and a second factor is needed first', 'the end of this session'],
  ['an account that is connected', 'a sign-out'],
  ['an account that is connected', 'the end of this session'],
]

/** The ends of all sessions of a user: two of them for each attack in turn, and all for a password's sign-in and each night. */
function endsOfUsers(attack: string, turn: number): readonly string[] {
  const halves = [
    ['another password', 'a disabled user'],
    ['the end of all sessions', 'a reset of factors'],
  ]
  return (attack === 'a sign-in by the password' ? halves : inTurn(halves, turn)).flat()
}

async function prepare(strategy: Strategy, [attack, end]: [string, string], schedule: Schedule): Promise<Run> {
  const { factors = {}, hasApp = false, begin } = attacks[attack] as Attack
  const [adapter, tokens] = [memoryAdapter(), memoryStore()]
  const mail = mailProvider(mails)
  const processOf = () =>
    Process.start(sharedBy(schedule, adapter), {
      session: { strategy, revocation: strategy === 'jwt' ? { list: true } : true },
      providers: [
        Password({ hash: hasher, mail }),
        mail,
        { id: 'test', name: 'Test', type: 'oidc', ...provider.settings, logout: { backchannel: true } },
      ],
      factors: { methods, remember: { days: 30 }, ...factors },
      tokens: { store: tokens },
      rateLimit: false,
    })
  const user = await adapter.createUser({ id: '', email, emailVerified: new Date() })
  await adapter.linkAccount({ userId: user.id, provider: 'password', providerAccountId: user.id, type: 'credentials' })
  const hash = await hasher.hash(good)
  await passwordsIn(adapter.store()).write({ userId: user.id, hash, changedAt: new Date(0) }, 0)
  const world = { adapter, userId: user.id, here: await processOf(), there: await processOf(), fresh: processOf }
  if (hasApp) await addApp(world)
  const attacker = await begin(world)
  const ending = await (ends[end] as (typeof ends)[string])(world, attacker.client)
  const before = (await adapter.listAccountsByUserId(user.id)).length
  let outcome: Outcome | undefined
  return {
    operations: [
      async () => {
        outcome = await attacker.work()
      },
      ending,
    ],
    async judge(steps) {
      const client = attacker.client.at(await world.fresh())
      const session = await client.session()
      if (session?.user?.email === email && !mayGoOn[end]?.(steps, attacks[attack] as Attack))
        throw new Error('There is a session.')
      if (!session) await assertNobodyRemembered(world)
      // A rejected attack leaves nothing behind, and neither does one that adds something in a session that has ended.
      const { maySetPassword = false, beginsNone = false } = attacks[attack] as Attack
      const isRefused = /error=/.test(outcome?.to ?? 'error=') || outcome?.status === 403
      const isLate = beginsNone
        ? lastOf(steps, 0, anyLook) > endOf(steps)
        : lastOf(steps, 0, /revocations\.find|db\.transaction/) > lastOf(steps, 1, /revocations\.add/)
      if (!maySetPassword && (isRefused || (!session && isLate))) await assertNothingLeft(world, before)
    },
  }
}

/** Ends after which a session may continue, and when. */
const mayGoOn: Readonly<Record<string, (steps: readonly Step[], attack: Attack) => boolean>> = {
  'another password': (steps, { mayRemain, mayOutlivePasswords }) =>
    mayOutlivePasswords === true && (mayRemain?.(steps) ?? false),
  'the end of all sessions': (steps, { mayRemain }) => mayRemain?.(steps) ?? false,
  'a reset of factors': (steps, { mayRemain }) => mayRemain?.(steps) ?? false,
  'a sign-out': isReplacedFirst,
  'the end of this session': isReplacedFirst,
  // Sessions that began with the account continue: this one began before the account was gone for others.
  'an unlinked account': (steps) => lastOf(steps, 0, /revocations\.find/) < lastOf(steps, 1, /revocations\.add/),
}

/** Checks whether the session that is ended had been replaced by then: that end concerns no other one. */
function isReplacedFirst(steps: readonly Step[]): boolean {
  const end = lastOf(steps, 1, /revocations\.add|db\.(?:deleteSession|transaction)/)
  return end < 0 || lastOf(steps, 0, /revocations\.find|db\.getSessionAndUser/) < end
}

/** A look at what has ended, or a write. */
const anyLook = /revocations\.find|db\.(?:getSessionAndUser|transaction)/

/**
 * Returns the index of the end of the sessions: in the store of ended sessions, or where a database session alone was
 * deleted.
 */
function endOf(steps: readonly Step[]): number {
  const noted = lastOf(steps, 1, /revocations\.add/)
  return noted < 0 ? lastOf(steps, 1, /db\.(?:deleteSession|transaction)/) : noted
}

function lastOf(steps: readonly Step[], operation: number, call: RegExp): number {
  return steps.findLastIndex((step) => step.operation === operation && call.test(step.call))
}

async function assertNothingLeft({ adapter, userId }: World, before: number): Promise<void> {
  const accounts = (await adapter.listAccountsByUserId(userId)).length
  if (accounts > before) throw new Error('An account stays attached.')
  const factors = await factorsIn(adapter.store()).list(userId)
  if (factors.some(({ type, name }) => type === 'totp' && name !== 'own')) throw new Error('A factor stays.')
  const password = await passwordsIn(adapter.store()).find(userId)
  if (password && (await hasher.verify(password.hash, worse))) throw new Error('A password stays.')
}

async function assertNobodyRemembered({ adapter, userId }: World): Promise<void> {
  const factors = await factorsIn(adapter.store()).list(userId)
  if (factors.some(({ type }) => type === 'device')) throw new Error('A browser stays remembered.')
}

async function addApp(world: World): Promise<void> {
  const client = await new Client(await world.fresh()).begin()
  await client.ask('callback/password', { email, password: good })
  await client.begin()
  const page = (await client.ask('two-factor/totp?setup')).body
  key = keyIn(page)
  const code = totpCodeAt(key, totpStepAt(Date.now()) - 1)
  await client.ask('two-factor/totp', { intent: 'setup', setup: fieldIn(page, 'setup'), code, name: 'own' })
  await client.begin()
  await client.ask('signout', {})
}

/** The stores as one process has them: other objects, on the same data. */
function sharedBy(schedule: Schedule, adapter: MemoryAdapter): object {
  const store = {
    records: schedule.gated(adapter.store().records),
    log: schedule.gated(adapter.store().log, 'revocations'),
  }
  const gated = schedule.gated(adapter, 'db')
  return new Proxy(gated, { get: (from, name) => (name === 'store' ? () => store : Reflect.get(from, name)) })
}

/** Each night all orders. Every change between the operations multiplies them. */
function mostSwitches([attack]: readonly [string, string]): number | undefined {
  if (extent === 'all') return undefined
  return attack === 'a sign-in by the password' ? 2 : 1
}

describe('security stamps, in every order of the calls of the stores', function () {
  this.timeout(600_000)
  before(async () => {
    provider = await startHostileProvider()
  })
  after(() => provider.close())
  beforeEach(() => freezeClock(1_800_000_015_000))
  afterEach(restoreClock)

  for (const [turn, pair] of pairs.entries()) {
    const [attack, end] = pair
    // Each strategy has code of its own for the end of one session.
    const isOfOne = end === 'a sign-out' || end === 'the end of this session'
    const isAlways = attack === 'a sign-in by the password' || isOfOne
    for (const strategy of isAlways ? strategies : inTurn(strategies, turn + Math.floor(turn / 4))) {
      it(`RC-11: ${pair[0]} against ${pair[1]}, ${strategy}`, async () => {
        const runs = await explore((schedule) => prepare(strategy, pair, schedule), mostSwitches(pair))
        if (process.env.RUNS) console.error(`${strategy} ${pair.join(' / ')}: ${runs} runs`)
        expect(runs).to.be.greaterThan(2)
      })
    }
  }
})

/** Callbacks of the application take their time. */
describe('the end of one session, while its token is renewed', () => {
  /** Calls of the `jwt` callback until the one that waits. */
  let left = 0
  let waiting: { isCalled(): void; readonly released: Promise<void> } | undefined
  before(async () => {
    provider = await startHostileProvider()
  })
  after(() => provider.close())
  beforeEach(() => freezeClock(1_800_000_015_000))
  afterEach(restoreClock)

  async function jwtWorld({ hasApp = false, factors = {} }: Attack, isStored: boolean): Promise<World> {
    const adapter = memoryAdapter()
    const user = await adapter.createUser({ id: '', email, emailVerified: new Date() })
    const hash = await hasher.hash(good)
    await passwordsIn(adapter.store()).write({ userId: user.id, hash, changedAt: new Date(0) }, 0)
    const mail = mailProvider([])
    const site = await Process.start(
      isStored ? adapter : { ...adapter, store: () => ({ ...adapter.store(), log: undefined }) },
      {
        session: { strategy: 'jwt', ...(isStored && { revocation: { list: true } }) },
        providers: [Password({ hash: hasher, mail }), { id: 'test', name: 'Test', type: 'oidc', ...provider.settings }],
        factors: { methods, ...factors },
        rateLimit: false,
        callbacks: {
          async jwt({ token }) {
            if (waiting && --left === 0) {
              waiting.isCalled()
              await waiting.released
            }
            return token
          },
        },
      },
    )
    const world = { adapter, userId: user.id, here: site, there: site, fresh: async () => site }
    if (hasApp) await addApp(world)
    return world
  }

  /** @returns Whether the callback was called so often. Sessions end then. */
  async function endAtCall(call: number, [attack, end]: readonly [string, string], isStored: boolean) {
    const { begin, ...settings } = attacks[attack] as Attack
    const world = await jwtWorld({ begin, ...settings }, isStored)
    const { client, work } = await begin(world)
    const ending = await (ends[end] as (typeof ends)[string])(world, client)
    const accounts = (await world.adapter.listAccountsByUserId(world.userId)).length
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    left = call
    const isReached = await new Promise<boolean>((resolve) => {
      waiting = { isCalled: () => resolve(true), released }
      work().then(
        () => resolve(false),
        () => resolve(false),
      )
    })
    waiting = undefined
    if (!isReached) return false
    await ending()
    release()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await client.session())?.user?.email, `call ${call}`).to.equal(undefined)
    expect((await world.adapter.listAccountsByUserId(world.userId)).length).to.equal(accounts)
    return true
  }

  for (const [attack, end, isStored] of [
    ['a step-up', 'the end of this session', true],
    ['a step-up', 'a sign-out', true],
    ['a step-up', 'a sign-out', false],
    ['an account that is attached', 'the end of this session', true],
    ['an account that is attached', 'a sign-out', true],
  ] as const) {
    it(`RC-12: ${attack} against ${end}, ${isStored ? 'with' : 'without'} a store`, async () => {
      let calls = 0
      while (await endAtCall(calls + 1, [attack, end], isStored)) calls += 1
      expect(calls).to.be.greaterThan(1)
    })
  }
})
