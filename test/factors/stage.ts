/**
 * The stage of the suites about second factors: an application with credentials and email links, and users with
 * authenticator apps.
 */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { EmailCode, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import type { FactorConfig, FactorsOptions } from '../../lib/features/factors/types.js'
import type { FactorMessage, FullStackAuthConfig, SessionEndedMessage, SignInMessage } from '../../lib/types/config.js'
import type { EmailConfig, VerificationRequest } from '../../lib/types/provider.js'
import { credentials } from '../support/app.js'
import { advanceClock, freezeClock } from '../support/clock.js'
import type { Door } from '../support/doors.js'
import { type Answer, Browser } from '../support/http-browser.js'
import type { OpenDoor } from './doors.js'

export const base = '/api/auth'

export { doors } from './doors.js'
export const strategies = ['jwt', 'database'] as const

export interface FactorStage {
  readonly door: Door
  /** The configuration of the door. */
  readonly config: FullStackAuthConfig
  readonly adapter: ReturnType<typeof memoryAdapter>
  readonly mails: VerificationRequest[]
  readonly notices: string[]
  readonly signIns: SignInMessage[]
  readonly changes: Array<FactorMessage & { readonly event: string }>
  readonly ended: SessionEndedMessage[]
  /** Returns a visitor without cookies. */
  stranger(): Person
  close(): Promise<void>
}

/** Returns an email provider that keeps the mails that it is to send. */
export function mailProvider(mails: VerificationRequest[], notices: string[] = []): EmailConfig {
  return {
    id: 'email',
    name: 'Email',
    type: 'email',
    sendVerificationRequest: (request) => void mails.push(request),
    sendNotice: ({ mail }) => void notices.push(mail.subject),
  }
}

/** Options of the stage. Methods that are not set are an app, an email code and recovery codes. */
export type FactorStageConfig = Partial<Omit<FullStackAuthConfig, 'factors'>> & {
  readonly factors?: readonly FactorConfig[] | Partial<FactorsOptions> | undefined
}

/** Returns the option `factors`, complete. */
function factorsOf(config: FactorStageConfig): Pick<FullStackAuthConfig, 'factors'> {
  const { factors = {} } = config
  if ('factors' in config && config.factors === undefined) return {}
  if (Array.isArray(factors)) return { factors }
  return { factors: { methods: [Totp(), EmailCode(), RecoveryCodes()], ...factors } }
}

export async function openFactorStage(open: OpenDoor, options: FactorStageConfig = {}): Promise<FactorStage> {
  const { factors: _incomplete, ...config } = options
  const [mails, notices]: [VerificationRequest[], string[]] = [[], []]
  const [signIns, changes, ended]: [SignInMessage[], FactorStage['changes'], SessionEndedMessage[]] = [[], [], []]
  const adapter = memoryAdapter()
  const full: FullStackAuthConfig = {
    secret: `a-secret-of-the-stage-${Math.random()}-${Math.random()}`,
    basePath: base,
    adapter,
    providers: [credentials(), mailProvider(mails, notices)],
    ...factorsOf(options),
    ...config,
    events: {
      signIn: (message) => void signIns.push(message),
      factorAdded: (message) => void changes.push({ ...message, event: 'factorAdded' }),
      factorRemoved: (message) => void changes.push({ ...message, event: 'factorRemoved' }),
      sessionEnded: (message) => void ended.push(message),
      ...config.events,
    },
  }
  const door = await open(full)
  return {
    door,
    config: full,
    adapter,
    mails,
    notices,
    signIns,
    changes,
    ended,
    stranger: () => new Person(door, mails),
    close: () => door.close(),
  }
}

/** A user with a browser, a mailbox, and an authenticator app. */
export class Person extends Browser {
  /** The mailbox of the user. */
  mailbox: readonly VerificationRequest[]
  readonly #door: Door
  /** The key of the app. */
  key: Buffer | undefined
  codes: string[] = []
  /** The id of the stored user. */
  userId = ''

  constructor(door: Door, mails: readonly VerificationRequest[]) {
    super(door.origin, { base })
    this.#door = door
    this.mailbox = mails
  }

  /** Returns the same user at another browser. */
  elsewhere(): Person {
    const other = new Person(this.#door, this.mailbox)
    other.key = this.key
    other.codes = this.codes
    other.userId = this.userId
    other.mailbox = this.mailbox
    return other
  }

  /** Requests a link and follows it. */
  async followLink(email: string): Promise<Answer> {
    const before = this.mailbox.length
    await this.ask(`${base}/signin/email`, { form: { csrfToken: true, email } })
    const url = new URL((await this.mail(before)).url)
    const answer = await this.ask(url.pathname + url.search)
    if (answer.status !== 200) return answer
    // Another user is signed in here, so that the page asks for a confirmation.
    const fields = [...answer.text.matchAll(/name="(\w+)" value="([^"]*)"/g)]
    const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, plain(value)]))
    return this.ask(`${base}/callback/email`, { form })
  }

  /** Returns the next mail after a number of mails. Mails are sent after the answer. */
  async mail(at: number): Promise<VerificationRequest> {
    for (let tries = 0; this.mailbox.length <= at && tries < 400; tries += 1) await new Promise((r) => setTimeout(r, 5))
    const mail = this.mailbox[at]
    expect(mail, 'no mail came').to.not.equal(undefined)
    return mail as VerificationRequest
  }

  /** The number of mails so far. */
  get mailCount(): number {
    return this.mailbox.length
  }

  /** Adds an authenticator app. */
  async addApp(): Promise<Answer> {
    const page = await this.ask(`${base}/two-factor/totp?setup`)
    expect(page.status, page.text).to.equal(200)
    const setup = fieldIn(page.text, 'setup')
    this.key = keyIn(page.text)
    const answer = await this.answer('totp', { intent: 'setup', setup, code: this.code(), name: 'My phone' })
    this.codes = [...answer.text.matchAll(/<code>([A-Z2-9-]{14})<\/code>/g)].map(([, code]) => code ?? '')
    return answer
  }

  /** Returns the current code. @param steps Later, or earlier. */
  code(steps = 0): string {
    return totpCodeAt(this.key ?? Buffer.alloc(0), totpStepAt(Date.now()) + steps)
  }

  answer(factor: string, form: Record<string, string>, query = ''): Promise<Answer> {
    return this.ask(`${base}/two-factor/${factor}${query}`, { form: { csrfToken: true, ...form } })
  }
}

/** Stops the clock five seconds into a step of thirty, so that no code changes while a test types it. */
export function stopClock(): void {
  freezeClock((Math.floor(Date.now() / 30_000) * 30 + 5) * 1000)
}

/**
 * Returns a user with an app and recovery codes, whose first browser is still signed in. The clock is a step later, so
 * that the next code is a new one.
 */
export async function enrolled(stage: FactorStage, email = 'ann@example.com'): Promise<Person> {
  const person = stage.stranger()
  const { createUser } = stage.adapter
  const { id } = await createUser({ id: '', email, emailVerified: new Date() })
  const first = await person.ask(`/own-sign-in?user=${id}`)
  expect(first.body).to.include({ started: true })
  const added = await person.addApp()
  expect(added.status, added.text).to.be.oneOf([200, 303])
  expect(await person.session()).to.have.nested.property('assurance.aal', 2)
  person.userId = id
  advanceClock(30)
  return person
}

/**
 * Returns the same user at another browser, whose first factor is verified by the application, and whose second is not.
 */
export async function waiting(person: Person): Promise<Person> {
  const other = person.elsewhere()
  const { status, text: body } = await other.ask(`/own-sign-in?user=${person.userId}`)
  expect(status, body).to.equal(200)
  const { started, url } = JSON.parse(body)
  expect(started).to.equal(false)
  expect(url).to.match(/\/two-factor\?callbackUrl=/)
  return other
}

/** Returns the target of an answer, without the origin, or the status if it is no redirect. */
export function whereTo({ status, headers, text: body }: Answer): string {
  const to = headers.location ?? (body.startsWith('{') ? String(JSON.parse(body).url) : `status ${status}`)
  return to.replace(/^https?:\/\/[^/]+/, '')
}

/** Returns six digits that are no code of the user, now or in the neighbouring steps. */
export function wrongFor(person: Person): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => person.code(steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? ''
}

/** Returns a hidden field of a page. */
export function fieldIn(body: string, name: string): string {
  return plain(new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '')
}

/** Decodes the text of an attribute. */
export function plain(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&')
}

/** Returns the key that a page shows as text. */
export function keyIn(body: string): Buffer {
  const text = /<code dir="ltr">([A-Z2-7 ]+)<\/code>/.exec(body)?.[1] ?? ''
  const bits = [...text.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
