/** Logs of passkeys: whole sign-ins, successful and failed, with `debug: true`, and no secret in the logs. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import WebAuthn from '../../../lib/providers/webauthn.js'
import type { LoggerInstance } from '../../../lib/types/logger.js'
import { Authenticator, newKey } from '../../support/authenticator.js'
import { heldToken } from '../../support/session.js'
import { usePasskeys } from './stage.js'

const email = 'anna.person@example.com'

describe('the log of passkeys', () => {
  const stage = usePasskeys()
  const lines: string[] = []
  const logger: LoggerInstance = {
    error: (...all) => void lines.push(show(all)),
    warn: (...all) => void lines.push(show(all)),
    debug: (...all) => void lines.push(show(all)),
  }
  const show = (all: unknown[]) => inspect(all, { depth: 20, maxStringLength: null, showHidden: true })
  beforeEach(() => void lines.splice(0))

  it('names no address, no challenge, no key, no handle and no cookie', async () => {
    await stage.start({ debug: true, logger, more: [WebAuthn({ enableConditionalUI: false })] })
    const secrets = new Set<string>([email])
    const ann = stage.person({ counter: 5 })
    const made = await ann.options('register', { email, name: 'Anna Person' })
    const addCookies = () => {
      // The id of a provider is not secret.
      for (const [name, value] of ann.browser.cookies) if (!name.includes('last-method')) secrets.add(value)
    }
    addCookies()
    await ann.send('register', ann.key.create(made))
    secrets.add(heldToken(ann.browser)).add(made.challenge).add(made.user.id).add('Anna Person')
    const [row] = await stage.passkeysOf(email)
    secrets.add(row?.credentialPublicKey ?? '').add(row?.providerAccountId ?? '')
    await ann.with({ key: new Authenticator() }).register()
    await ann.signOut()
    for (const lies of [
      {},
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { counter: 1 },
      { userHandle: 'AAAA' },
      { key: newKey(-7) },
      { crossOrigin: true },
      { challenge: 'AAAA' },
    ]) {
      const options = await ann.options('authenticate')
      addCookies()
      const answer = ann.key.get(options, lies)
      secrets.add(options.challenge).add(answer.response.signature).add(answer.response.clientDataJSON)
      await ann.send('authenticate', answer)
      await ann.signOut()
    }
    const mallory = stage.person({ provider: 'webauthn' })
    await mallory.ask({ action: 'authenticate', email })
    await mallory.register({ email })
    await mallory.send('authenticate', '{"x":')
    stage.db.replaceAll((_real, ...args) => {
      throw new Error(`the database repeats ${JSON.stringify(args)}`)
    })
    await ann.signIn()
    await mallory.ask({ action: 'authenticate', email })
    await mallory.register({ email: 'other.person@example.com' })
    const text = lines.join('\n')
    expect(text, 'something is logged')
      .to.match(/counter of a passkey went back/)
      .and.match(/evil\.test/)
    for (const secret of secrets) {
      if (secret.length < 6) throw new Error(`not a secret: ${secret}`)
      expect(text.includes(secret), secret).to.equal(false)
    }
    expect(text).to.not.include('other.person@example.com')
  })
})
