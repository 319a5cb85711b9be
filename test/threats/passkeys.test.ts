/**
 * Crafted passkey ceremonies, over HTTP. More of challenges is in `test/flows/webauthn/challenge.test.ts`, of counters
 * in `counter.test.ts`, of linking in `linking.test.ts`, of options in `options.test.ts`; removing passkeys is in
 * `test/account/passkeys.test.ts`.
 */
import type { KeyObject } from 'node:crypto'
import { expect } from 'chai'
import { emailOf, type PasskeyStage, usePasskeys } from '../flows/webauthn/stage.js'
import { target } from '../support/app.js'
import { coseOf, type Lies, newKey, type Traits } from '../support/authenticator.js'
import { cbor } from '../support/cbor.js'
import type { PasskeyPerson, Ways } from '../support/passkey-person.js'

const email = 'ann@example.com'
const site = { id: 'app.test', origin: ['https://app.test', 'android:apk-key-hash:listed'] }
/** The origin of the site's own page. */
const right: Lies = { origin: 'https://app.test' }

/** The three ceremonies with a passkey, by a user who has an account unless it says otherwise. */
const ceremonies = {
  'to sign in': {
    signedIn: undefined,
    async prepare(stage: PasskeyStage) {
      const ann = await member(stage)
      await ann.signOut()
      return ann
    },
    act: (person: PasskeyPerson, ways: Ways) => person.signIn({}, ways),
  },
  'to sign up': {
    signedIn: undefined,
    prepare: async (stage: PasskeyStage) => stage.person(),
    act: (person: PasskeyPerson, ways: Ways) => person.register({ email: 'new@example.com' }, ways),
  },
  'to add a passkey': {
    signedIn: email,
    prepare: (stage: PasskeyStage) => member(stage),
    act: (person: PasskeyPerson, ways: Ways) => person.register({}, ways),
  },
} as const
type Way = keyof typeof ceremonies
const making: Way[] = ['to sign up', 'to add a passkey']

async function member(stage: PasskeyStage, traits: Partial<Traits> = {}): Promise<PasskeyPerson> {
  const ann = stage.person(traits)
  await stage.expectSignedIn(await ann.register({ email }, { lies: right }), ann, email)
  return ann
}

interface Case {
  readonly id: string
  readonly what: string
  readonly lies?: Lies
  readonly traits?: Partial<Traits>
  readonly only?: readonly Way[]
}

const origins = [
  'https://evil.test',
  'http://app.test',
  'https://app.test:8443',
  'https://sub.app.test',
  'https://app.test.evil.test',
  'https://app.test@evil.test',
  'https://app.test/',
  'https://APP.test',
  'app.test',
  'null',
  '',
  'http://localhost:3000',
  'android:apk-key-hash:other',
]

/** Returns a public key that claims another algorithm (COSE parameter 3). */
const claiming = (key: KeyObject, was: string, is: string) =>
  Buffer.from(coseOf(key).toString('hex').replace(`03${was}`, `03${is}`), 'hex')
const es384 = claiming(newKey(-7), '26', '3822')
const rs1 = claiming(newKey(-257), '390100', '39fffe')
const packed = { attestation: 'packed' } as const

const cases: readonly Case[] = [
  ...origins.map((origin) => ({ id: 'WA-01 origin', what: `the origin ${JSON.stringify(origin)}`, lies: { origin } })),
  { id: 'WA-02 RP ID', what: 'the RP ID of another site', lies: { rpId: 'evil.test' } },
  { id: 'WA-02 RP ID', what: 'the RP ID of a subdomain', lies: { rpId: 'www.app.test' } },
  { id: 'WA-02 RP ID', what: 'the origin for an RP ID', lies: { rpId: 'https://app.test' } },
  {
    id: 'WA-03 challenge',
    what: 'a challenge that nobody made',
    lies: { challenge: Buffer.from('mine').toString('base64url') },
  },
  { id: 'WA-03 challenge', what: 'no challenge', lies: { challenge: '' } },
  {
    id: 'WA-04 client data',
    what: 'the type of the other ceremony',
    lies: { type: 'webauthn.create' },
    only: ['to sign in'],
  },
  { id: 'WA-04 client data', what: 'the type of the other ceremony', lies: { type: 'webauthn.get' }, only: making },
  { id: 'WA-04 client data', what: 'no known type', lies: { type: 'payment.get' } },
  { id: 'WA-04 client data', what: 'a frame of another site', lies: { crossOrigin: true } },
  { id: 'WA-04 client data', what: 'a text for "no frame"', lies: { crossOrigin: 'false' } },
  {
    id: 'WA-04 client data',
    what: 'a site around the frame',
    lies: { crossOrigin: true, topOrigin: 'https://evil.test' },
  },
  { id: 'WA-04 client data', what: 'a site around no frame', lies: { topOrigin: 'https://app.test' } },
  { id: 'WA-05 flags', what: 'nobody present', traits: { up: false } },
  { id: 'WA-05 flags', what: 'nobody verified', traits: { uv: false } },
  { id: 'WA-05 flags', what: 'neither', traits: { up: false, uv: false } },
  { id: 'WA-05 flags', what: 'a backup of what cannot be backed up', traits: { be: false, bs: true } },
  { id: 'WA-07 bytes and keys', what: 'bytes after the authenticator data', lies: { trailing: Buffer.from([0xa0]) } },
  { id: 'WA-07 bytes and keys', what: 'a thousand bytes after it', lies: { trailing: Buffer.alloc(1000) } },
  {
    id: 'WA-07 bytes and keys',
    what: "the victim's id, and another key",
    lies: { key: newKey(-7) },
    only: ['to sign in'],
  },
  {
    id: 'WA-07 bytes and keys',
    what: "the victim's id, and a key of another kind",
    lies: { key: newKey(-8) },
    only: ['to sign in'],
  },
  { id: 'WA-07 bytes and keys', what: 'an id that nobody has', lies: { id: 'AAAA' } },
  {
    id: 'WA-07 bytes and keys',
    what: 'an algorithm that was not offered (ES384)',
    lies: { coseKey: es384 },
    only: making,
  },
  { id: 'WA-07 bytes and keys', what: 'an algorithm that was not offered (RS1)', lies: { coseKey: rs1 }, only: making },
  { id: 'WA-07 bytes and keys', what: 'no algorithm', lies: { coseKey: cbor(new Map([[1, 2]])) }, only: making },
  { id: 'WA-07 bytes and keys', what: 'a key that is no map', lies: { coseKey: cbor('key') }, only: making },
  {
    id: 'WA-07 bytes and keys',
    what: "an attestation by another's key",
    traits: packed,
    lies: { key: newKey(-7) },
    only: making,
  },
  {
    id: 'WA-08 user handle',
    what: "another's user handle",
    lies: { userHandle: 'A'.repeat(32) },
    only: ['to sign in'],
  },
  {
    id: 'WA-08 user handle',
    what: 'no user handle where nobody was asked for',
    lies: { userHandle: null },
    only: ['to sign in'],
  },
  { id: 'WA-08 user handle', what: 'an empty user handle', lies: { userHandle: '' }, only: ['to sign in'] },
]

describe('a passkey', () => {
  const stage = usePasskeys()
  beforeEach(() => stage.start({ passkey: { relyingParty: site } }))

  for (const { id, what, lies, traits, only } of cases) {
    for (const [name, { signedIn, prepare, act }] of Object.entries(ceremonies)) {
      if (only && !only.some((each) => each === name)) continue
      it(`${id}: ${name} is rejected with ${what}`, async () => {
        const person = await prepare(stage)
        person.key.traits = { ...person.key.traits, ...traits }
        const response = await stage.expectNoWrite(() => act(person, { lies: { ...right, ...lies } }))
        const type = id === 'WA-03 challenge' ? 'InvalidCheck' : 'WebAuthnVerificationError'
        await stage.expectRefused(response, type, person, signedIn)
        expect(stage.failures.map((failure) => failure.type)).to.deep.equal([type])
      })
    }
  }

  it('is accepted from every listed origin', async () => {
    const ann = await member(stage)
    for (const origin of site.origin) {
      await ann.signOut()
      await stage.expectSignedIn(await ann.signIn({}, { lies: { origin } }), ann, email)
    }
  })

  it('WA-02 belongs to the RP ID of the configuration, whatever host the request names', async () => {
    const { browser } = stage.person()
    const all: Array<Record<string, string>> = [{ host: 'evil.test' }, { 'x-forwarded-host': 'evil.test' }]
    for (const headers of [...all, { forwarded: 'host=evil.test' }]) {
      const url = '/auth/webauthn-options/passkey?action='
      const made = await browser.get(`${url}register&email=${email}`, headers)
      expect(made.body.options.rp).to.deep.equal({ id: 'app.test', name: 'app.test' })
      expect((await browser.get(`${url}authenticate`, headers)).body.options.rpId).to.equal('app.test')
    }
  })

  it('WA-03 is used with a challenge once: a second answer to it is rejected, a correct one too', async () => {
    const ann = await member(stage)
    await ann.signOut()
    const options = await ann.options('authenticate')
    const bad = ann.key.get(options, { ...right, key: newKey(-7) })
    await stage.expectRefused(await ann.send('authenticate', bad), 'WebAuthnVerificationError', ann)
    ann.browser.cookies.set('auth.browser', 'x')
    const good = ann.key.get(options, right)
    await stage.expectRefused(await ann.send('authenticate', good), 'InvalidCheck', ann)
  })

  describe('WA-07 that was changed in transit is rejected:', () => {
    const changes: ReadonlyArray<[string, (part: Buffer) => Buffer]> = [
      ['one bit', (part) => Buffer.from(part.map((byte, at) => (at === part.length - 1 ? byte ^ 1 : byte)))],
      ['the first bit', (part) => Buffer.from(part.map((byte, at) => (at === 0 ? byte ^ 128 : byte)))],
      ['cut short', (part) => part.subarray(0, -1)],
      ['longer', (part) => Buffer.concat([part, Buffer.from([0])])],
      ['empty', () => Buffer.alloc(0)],
      ['noise', (part) => Buffer.alloc(part.length, 0xff)],
    ]
    const parts = {
      authenticate: ['authenticatorData', 'signature', 'clientDataJSON'],
      register: ['attestationObject', 'clientDataJSON'],
    } as const
    for (const [action, names] of Object.entries(parts)) {
      for (const name of names) {
        for (const [what, change] of changes) {
          it(`${name} of ${action}, ${what}`, async () => {
            // With Ed25519 every bit is signed. With ECDSA the encoding around the numbers is not signed.
            const ann = await member(stage, { alg: -8, attestation: 'packed' })
            if (action === 'authenticate') await ann.signOut()
            const answer: { response: object } =
              action === 'authenticate'
                ? ann.key.get(await ann.options('authenticate'), right)
                : ann.key.create(await ann.options('register'), right)
            const part = Buffer.from((answer.response as Record<string, string>)[name] ?? '', 'base64url')
            Object.assign(answer.response, { [name]: change(part).toString('base64url') })
            const response = await stage.expectNoWrite(() => ann.send(action, answer))
            expect(target(response)).to.match(/error=(?:WebAuthnVerificationError|InvalidCheck)$/)
            expect(await stage.passkeysOf(email)).to.have.length(1)
            expect(emailOf(await ann.browser.session())).to.equal(action === 'authenticate' ? undefined : email)
          })
        }
      }
    }
  })

  it('is not registered under the id of another one, nor beside one', async () => {
    const ann = await member(stage)
    const [victim] = ann.key.passkeys
    if (!victim) throw new Error('no passkey')
    const mallory = stage.person()
    const options = await mallory.options('register', { email: 'mallory@example.com' })
    const stolen = mallory.key.attest({ ...victim, key: newKey(-7) }, { ...right, challenge: options.challenge })
    const response = await stage.expectNoWrite(() => mallory.send('register', stolen))
    await stage.expectRefused(response, 'WebAuthnVerificationError', mallory)
    stage.forgive()
    await ann.signOut()
    await stage.expectSignedIn(await ann.signIn({}, { lies: right }), ann, email)
  })

  it('WA-07 with an attestation of ten megabytes is not even read', async () => {
    const ann = stage.person()
    const answer = ann.key.create(await ann.options('register', { email }), right)
    answer.response.attestationObject = 'A'.repeat(10_000_000)
    const response = await stage.expectNoWrite(() => ann.send('register', answer))
    expect(response.status).to.equal(413)
  })

  it('WA-14 has a random user handle, another one each time', async () => {
    const ann = stage.person()
    const handles = new Set<string>()
    for (const query of [{ email }, { email }, { email: 'bob@example.com' }]) {
      const { user } = await ann.options('register', query)
      handles.add(user.id)
      const text = Buffer.from(user.id, 'base64url').toString()
      expect(text).to.match(/^[\w-]{32}$/)
      expect(text).to.not.match(/ann|bob|example/)
    }
    expect(handles.size).to.equal(3)
    const me = await member(stage)
    const { user } = await me.options('register')
    const { id } = await stage.userOf(email)
    const text = Buffer.from(user.id, 'base64url').toString()
    expect(text).to.equal((await stage.passkeysOf(email))[0]?.providerAccountId)
    expect(text).to.not.include(id)
  })
})
