/**
 * The stage of the suites of passwords: an application with the provider `Password` at a door, and its mailbox.
 *
 * ```ts
 * const stage = await startStage()
 * const ann = stage.browser()
 * await stage.register(ann, 'ann@example.com')
 * await stage.close()
 * ```
 */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { type MemoryAdapter, memoryAdapter } from '../../lib/adapters/memory/index.js'
import { sha256Hex } from '../../lib/crypto/hash.js'
import type { PasswordHasher } from '../../lib/features/passwords/types.js'
import Password, { type PasswordProviderOptions } from '../../lib/providers/password.js'
import type { EventCallbacks, ServerAuthConfig } from '../../lib/types/config.js'
import type { EmailConfig, EmailNotice, Provider, VerificationRequest } from '../../lib/types/provider.js'
import type { Browser } from '../support/app.js'
import { target } from '../support/app.js'
import { type DoorApp, doors, type StartAtDoor } from '../support/doors.js'
import type { Answer } from '../support/http-browser.js'
import { formIn } from '../support/mail-server.js'

/** A password that is taken. */
export const good = 'four words in a row'
export const better = 'other words in another row'

/** A mail with a link, or a notice without. */
export type Mail = VerificationRequest | (EmailNotice & { readonly purpose: 'notice' })

/** A hasher that takes no time, and counts. */
export function quickHasher(cost = 1): PasswordHasher & { readonly calls: { hash: number; verify: number } } {
  const calls = { hash: 0, verify: 0 }
  return {
    calls,
    hash(password) {
      calls.hash += 1
      const salt = randomBytes(8).toString('hex')
      return `$quick$${cost}$${salt}$${sha256Hex(salt + password)}`
    },
    verify(hash, password) {
      calls.verify += 1
      const [, kind, , salt = '', digest] = hash.split('$')
      if (kind !== 'quick') throw new TypeError('no hash of mine')
      return digest === sha256Hex(salt + password)
    },
    needsRehash: (hash) => !hash.startsWith(`$quick$${cost}$`),
  }
}

export interface Stage {
  readonly app: DoorApp
  readonly adapter: MemoryAdapter
  readonly hasher: ReturnType<typeof quickHasher>
  readonly mails: Mail[]
  readonly events: Array<[name: string, message: Record<string, unknown>]>
  browser(): Browser
  /** The next mail to the address that was not looked at, once it is there. */
  mail(address: string, purpose?: Mail['purpose']): Promise<Mail>
  /** The link in it. */
  link(address: string, purpose?: Mail['purpose']): Promise<string>
  /** Waits long enough for what goes on behind answers. */
  settle(): Promise<void>
  signUp(browser: Browser, email: string, password?: string): Promise<Answer>
  signIn(browser: Browser, email: string, password?: string): Promise<Answer>
  /** Signs up, opens the link, and presses the button. */
  register(browser: Browser, email: string, password?: string): Promise<Answer>
  close(): Promise<void>
}

export interface StageOptions {
  readonly start?: StartAtDoor
  readonly password?: Partial<PasswordProviderOptions>
  /** Options of the provider that sends the emails. */
  readonly mailer?: Partial<EmailConfig>
  readonly config?: Partial<ServerAuthConfig>
  /** Providers beside it. */
  readonly more?: readonly Provider[]
}

/** Strategies and doors, for suites that run at each. */
export const places = doors.flatMap(([door, start]) =>
  (['jwt', 'database'] as const).map((strategy) => ({ name: `${door}, ${strategy}`, door, start, strategy })),
)

/** A session that others can be ended beside. */
export function sessionOf(strategy: 'jwt' | 'database'): Partial<ServerAuthConfig> {
  return { session: strategy === 'jwt' ? { strategy, revocation: true } : { strategy } }
}

export async function startStage({ start, password, mailer, config, more = [] }: StageOptions = {}): Promise<Stage> {
  const adapter = (config?.adapter as MemoryAdapter | undefined) ?? memoryAdapter()
  const hasher = quickHasher()
  const mails: Mail[] = []
  const events: Stage['events'] = []
  const mail: EmailConfig = {
    ...{ id: 'mail', name: 'Mail', type: 'email' },
    sendVerificationRequest: (request) => void mails.push(request),
    sendNotice: (notice) => void mails.push({ ...notice, purpose: 'notice' }),
    ...mailer,
  }
  const note = (name: keyof EventCallbacks) => (message: object) => void events.push([name, { ...message }])
  const begin = start ?? doors[0]?.[1]
  if (!begin) throw new Error('There is no door.')
  const app = await begin({
    adapter,
    providers: [Password({ mail, hash: hasher, ...password }), ...more],
    events: {
      ...{ signIn: note('signIn'), createUser: note('createUser'), updateUser: note('updateUser') },
      ...{ passwordChanged: note('passwordChanged'), sessionEnded: note('sessionEnded') },
      ...{ failure: note('failure'), denied: note('denied') },
    },
    ...config,
  })
  const taken = new Set<Mail>()
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 30))
  const stage: Stage = {
    ...{ app, adapter, hasher, mails, events, settle },
    browser: () => app.browser(),
    async mail(address, purpose) {
      for (let tries = 0; tries < 300; tries += 1) {
        const found = mails.find(
          (each) => each.identifier === address && !taken.has(each) && (!purpose || each.purpose === purpose),
        )
        if (found) {
          taken.add(found)
          return found
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error(`No mail to ${address}: ${JSON.stringify(mails.map((each) => [each.identifier, each.purpose]))}`)
    },
    async link(address, purpose) {
      const found = await stage.mail(address, purpose)
      return 'url' in found ? found.url : ''
    },
    signUp: (browser, email, typed = good) => browser.submit('/auth/signup/password', { email, password: typed }),
    signIn: (browser, email, typed = good) => browser.submit('/auth/callback/password', { email, password: typed }),
    async register(browser, email, typed = good) {
      await stage.signUp(browser, email, typed)
      const page = await open(browser, await stage.link(email, 'sign-up'))
      return send(browser, page)
    },
    close: () => app.close(),
  }
  return stage
}

/** Opens an email link, which redirects to the same page without its token. */
export async function open(browser: Browser, link: string): Promise<Answer> {
  const moved = await browser.get(link)
  expect(moved.status, moved.text).to.equal(302)
  expect(target(moved)).to.not.include('token')
  const page = await browser.get(target(moved))
  expect(page.status, page.text).to.equal(200)
  return page
}

/** Sends the form of a page about passwords. */
export function send(browser: Browser, page: Answer, fields: object = {}): Promise<Answer> {
  const { action, fields: hidden } = formIn(page.text, '/auth/')
  return browser.post(action, { ...hidden, ...fields })
}

/** Signed in as the address. */
export async function expectSignedIn(browser: Browser, email: string): Promise<void> {
  expect(await browser.session()).to.have.nested.property('user.email', email)
}

/** Checks that no user is signed in. */
export async function expectNobody(browser: Browser): Promise<void> {
  expect(await browser.session()).to.equal(null)
}
