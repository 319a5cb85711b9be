/** The accounts for which a browser is known, and that no browser becomes known for the account of another user. */
import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { CookieContext } from '../../lib/contracts/index.js'
import { addKnownBrowser, knownBrowserOf, limitKey } from '../../lib/features/limits/client-identity.js'
import { CookieJar } from '../../lib/http/cookies.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import type { CredentialsConfig } from '../../lib/types/provider.js'
import { credentials } from '../support/app.js'
import type { Answer, Browser } from '../support/http-browser.js'
import { base, doors, type LimitStage, openLimitStage } from './stage.js'

/**
 * Returns a provider whose passwords are the name with an exclamation mark. The account is found by the first field
 * that is not empty.
 */
function provider(id: string, fields: readonly string[]): CredentialsConfig {
  return credentials({
    id,
    credentials: {
      ...Object.fromEntries(fields.map((field) => [field, {}])),
      password: { type: 'password' },
    } as unknown as CredentialsConfig['credentials'],
    authorize: (typed) => {
      const name = fields.map((field) => typed[field]).find((value) => value)
      return typed.password === `${name}!`
        ? { id: String(name), name: String(name), email: `${name}@example.com` }
        : null
    },
  })
}

describe('the secrets of known browsers and of counts', () => {
  const [older, newer, other] = ['older', 'newer', 'other'].map(
    (word) => `${word}-secret-of-more-than-32-characters-long`,
  )

  function contextOf(secret: Array<string | undefined>, sent?: string): CookieContext {
    const config = resolveConfig({ secret: secret.map(String), trustHost: true, providers: [credentials()] })
    return { config, cookies: new CookieJar(sent), cookiePolicy: config.cookies.plain }
  }

  it('CD-04 may be rotated, and those of other configurations in the process are not accepted', () => {
    const first = contextOf([older])
    addKnownBrowser(first, 'ann')
    const [line = ''] = first.cookies.written.values()
    const [sent] = line.split(';', 1)
    const nonce = knownBrowserOf(contextOf([older], sent), 'ann')
    expect(nonce).to.match(/^[\w-]{22}$/)
    for (const _round of [1, 2]) {
      expect(knownBrowserOf(contextOf([newer, older], sent), 'ann')).to.equal(nonce)
      expect(knownBrowserOf(contextOf([newer], sent), 'ann')).to.equal(undefined)
      expect(knownBrowserOf(contextOf([other], sent), 'ann')).to.equal(undefined)
      expect(knownBrowserOf(contextOf([older], sent), 'ben')).to.equal(undefined)
    }
    const renewed = contextOf([newer, older], sent)
    addKnownBrowser(renewed, 'ann')
    const [next = ''] = renewed.cookies.written.values()
    expect(knownBrowserOf(contextOf([newer], next.split(';', 1)[0]), 'ann')).to.equal(nonce)
  })

  it('RL-05 make the key of a count: the first secret alone', () => {
    const keyOf = (...secrets: Array<string | undefined>) => limitKey(contextOf(secrets).config, ['credentials', 'ann'])
    expect(keyOf(older)).to.match(/^[\w-]{22}$/)
    expect(keyOf(older, newer)).to.equal(keyOf(older))
    expect(new Set([keyOf(older), keyOf(newer), keyOf(other), keyOf(newer, older)]).size).to.equal(3)
  })
})

for (const [name, open] of Object.entries(doors)) {
  describe(`known browsers, ${name}`, () => {
    let stage: LimitStage
    afterEach(() => stage.close())

    const start = async (providers: FullStackAuthConfig['providers'], config: Partial<FullStackAuthConfig> = {}) => {
      stage = await openLimitStage(open, { providers, ...config })
    }
    const send = (who: Browser, form: Record<string, string>, to: string): Promise<Answer> =>
      who.ask(`${base}/callback/${to}`, {
        form,
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
      })
    const signIn = async (who: Browser, form: Record<string, string>, to: string): Promise<void> => {
      expect((await send(who, form, to)).status).to.equal(200)
      expect([...who.cookies.keys()]).to.include('auth.device')
    }
    /** Uses up the guesses of strangers for an account. */
    const wearOut = async (form: Record<string, string>, to: string): Promise<void> => {
      for (let at = 0; at < 5; at += 1) await send(stage.stranger(), { ...form, password: 'no' }, to)
      expect((await send(stage.stranger(), { ...form, password: 'no' }, to)).status).to.equal(429)
    }

    for (const alike of ['Ann', 'ánn', 'ａｎｎ', ' ann', 'a\u200bnn']) {
      it(`CD-04 RL-05 are not known for "ann" with an account "${alike}", which is counted together with it`, async () => {
        await start([provider('staff', ['username'])])
        const mallory = stage.stranger()
        await signIn(mallory, { username: alike, password: `${alike}!` }, 'staff')
        await wearOut({ username: 'ann' }, 'staff')
        expect((await send(mallory, { username: 'ann', password: 'guess' }, 'staff')).status).to.equal(429)
        // It is known for its own account all the same.
        expect((await send(mallory, { username: alike, password: `${alike}!` }, 'staff')).status).to.equal(200)
      })
    }

    it('CD-04 are not known for the value of another field of a sign-in', async () => {
      const fields = ['username', 'email']
      await start([provider('staff', fields)])
      const mallory = stage.stranger()
      await signIn(mallory, { username: 'mallory', email: 'ann', password: 'mallory!' }, 'staff')
      await wearOut({ username: 'ann' }, 'staff')
      const guesses: Record<string, string>[] = [
        { username: 'ann' },
        { email: 'ann' },
        { username: 'ann', email: 'mallory' },
      ]
      for (const guess of guesses) {
        expect((await send(mallory, { ...guess, password: 'guess' }, 'staff')).status).to.equal(429)
      }
    })

    for (const field of ['tenant', 'companyCode']) {
      it(`CD-04 are not known for the same name of another ${field}, or at another provider`, async () => {
        await start([provider('staff', [field, 'username']), provider('customers', ['username'])])
        const mallory = stage.stranger()
        await signIn(mallory, { username: 'ann', password: 'ann!' }, 'customers')
        await signIn(mallory, { [field]: 'evil', username: 'ann', password: 'evil!' }, 'staff')
        await wearOut({ [field]: 'good', username: 'ann' }, 'staff')
        for (const tenant of ['good', '']) {
          const guess = { [field]: tenant, username: 'ann', password: 'guess' }
          expect((await send(mallory, guess, 'staff')).status).to.equal(429)
        }
      })
    }

    it('RL-05 count each field that may name the account, so that another in a second one evades nothing', async () => {
      await start([provider('staff', ['email', 'username'])])
      await wearOut({ username: 'ann' }, 'staff')
      const answer = await send(stage.stranger(), { username: 'ann', email: 'x', password: 'no' }, 'staff')
      expect(answer.status).to.equal(429)
    })

    it('CD-04 are not known if no field names the account: a code alone, or fields of other names', async () => {
      const pin = credentials({
        id: 'pin',
        credentials: { pin: { type: 'password' } },
        authorize: (typed) => (typed.pin === 'mallory!' ? { id: 'mallory' } : null),
      })
      const free = credentials({
        id: 'free',
        credentials: {},
        authorize: ({ badge, tenant, username, password }) =>
          password === `${badge ?? ''}${tenant ?? ''}${username ?? ''}!`
            ? { id: `${badge}${tenant}${username}` }
            : null,
      })
      const rules = { credentials: { perAccount: 5, perClient: 7, window: 60 } }
      const forms: [to: string, own: Record<string, string>, guess: Record<string, string>, allowed: number][] = [
        ['pin', { pin: 'mallory!' }, { pin: 'guess' }, 7],
        ['free', { badge: 'mallory', password: 'mallory!' }, { badge: 'ann', password: 'guess' }, 7],
        [
          'free',
          { username: 'ann', tenant: 'evil', password: 'evilann!' },
          { username: 'ann', tenant: 'good', password: 'guess' },
          5,
        ],
      ]
      for (const [to, own, guess, allowed] of forms) {
        await start([pin, free], { rateLimit: { rules } })
        const seen = []
        for (let round = 0; round < 2; round += 1) {
          const mallory = stage.stranger()
          await send(mallory, own, to)
          for (let at = 0; at < 8; at += 1) seen.push((await send(mallory, guess, to)).status)
        }
        expect(seen.filter((status) => status === 401)).to.have.length(allowed)
        await stage.close()
      }
      await start([pin])
    })

    it('CD-04 are those that followed an email link, for its address', async () => {
      const links: string[] = []
      const email = {
        id: 'email',
        name: 'Email',
        type: 'email' as const,
        sendVerificationRequest: ({ url }: { url: string }) => void links.push(url),
      }
      await start([provider('staff', ['email']), email], { adapter: memoryAdapter(), session: { strategy: 'jwt' } })
      const ann = stage.stranger()
      await ann.ask(`${base}/signin/email`, {
        form: { email: 'ann@example.com' },
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin' },
      })
      for (let tries = 0; links.length === 0 && tries < 200; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 5))
      const link = new URL(links[0] ?? '')
      const { email: address, token } = Object.fromEntries(link.searchParams)
      await ann.ask(`${base}/callback/email`, {
        form: { email: address ?? '', token: token ?? '' },
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin' },
      })
      await wearOut({ email: 'ann@example.com' }, 'staff')
      const answer = await send(ann, { email: 'ann@example.com', password: 'ann@example.com!' }, 'staff')
      expect(answer.status).to.equal(200)
      expect((await send(ann, { email: 'bob@example.com', password: 'bob@example.com!' }, 'staff')).status).to.equal(
        200,
      )
      await wearOut({ email: 'bea@example.com' }, 'staff')
      expect((await send(ann, { email: 'bea@example.com', password: 'x' }, 'staff')).status).to.equal(429)
    })
  })
}
