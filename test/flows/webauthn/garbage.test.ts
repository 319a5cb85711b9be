/** Answers that no browser sends: each is the sender's fault, never ours; nothing is stored, and no session ends. */
import { expect } from 'chai'
import { setCookies } from '../../support/app.js'
import { newKey } from '../../support/authenticator.js'
import { cbor } from '../../support/cbor.js'
import { sample } from '../../support/extent.js'
import type { Answer } from '../../support/http-browser.js'
import type { Ceremony, PasskeyPerson } from '../../support/passkey-person.js'
import { emailOf, present, usePasskeys } from './stage.js'

const email = 'ann@example.com'
const json = { accept: 'application/json' }
const url = '/auth/callback/passkey'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const proto = '{"__proto__":{"verified":true,"id":"x"},"constructor":{"prototype":{"verified":true}}}'

/** Values of every kind. `undefined` leaves the field out. */
const values: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'a',
  'AAAA',
  '====',
  '!!!!',
  'ä💥',
  '\u0000',
  '../../etc/passwd',
  "' or 1=1 --",
  'A'.repeat(90_000),
  [],
  ['AAAA'],
  {},
  { id: 'AAAA', length: 4 },
  JSON.parse(proto),
]

const texts = [
  '',
  'null',
  '0',
  '""',
  '[]',
  '{}',
  '{',
  'undefined',
  'NaN',
  '{"id":"AAAA"}',
  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}',
  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":[]}',
  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"e30"}}',
  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"bnVsbA"}}',
  proto,
  nested(40_000),
  '{"response":'.repeat(5000),
  'A'.repeat(90_000),
  '\ufeff{}',
  '\u0000',
]

describe('POST /auth/callback/passkey with answers that no browser sends', () => {
  const stage = usePasskeys()
  beforeEach(() => stage.start())

  /** Checks that the attempt is rejected, that the session stays, and that another attempt succeeds. */
  async function expectClean(person: PasskeyPerson, what: unknown, act: () => Promise<Answer>): Promise<void> {
    const label = String(JSON.stringify(what)).slice(0, 100)
    const response = await stage.expectNoWrite(act)
    expect(response.status, `${label}: ${response.text.slice(0, 200)}`).to.be.within(400, 499)
    expect(response.body, label).to.have.all.keys('error', 'message')
    expect(
      setCookies(response).filter((line) => line.includes('session-token')),
      label,
    ).to.deep.equal([])
    expect(emailOf(await person.browser.session()), label).to.equal(email)
  }

  for (const action of ['authenticate', 'register'] as const) {
    // A text that is no answer is rejected before its ceremony is known.
    const some = <T>(table: readonly T[]) => (action === 'authenticate' ? table : sample(table, 0))

    it(`in \`data\`, to ${action}`, async () => {
      const ann = await stage.member(email)
      for (const text of some(texts)) {
        await expectClean(ann, text, () => ann.send(action, text, { headers: json }))
      }
      const csrfToken = await ann.browser.csrf()
      for (const data of some(values)) {
        const what = { json: { csrfToken, action, data }, headers: json }
        await expectClean(ann, data, () => ann.browser.send('post', url, what))
      }
      await expectClean(ann, 'twice', () => ann.browser.post(url, { csrfToken, action, data: ['{}', '{}'] }, json))
      expect(({} as { verified?: unknown }).verified).to.equal(undefined)
    })

    const fields = {
      authenticate: ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'],
      register: ['clientDataJSON', 'attestationObject'],
    }[action]
    for (const [turn, field] of ['id and rawId', 'rawId', 'type', 'response', ...fields].entries()) {
      it(`in \`${field}\`, to ${action}`, async () => {
        const ann = await stage.member(email)
        for (const value of sample(values, turn)) {
          // Without a handle the signed-in user is used.
          if (field === 'userHandle' && (value === undefined || value === null || value === '')) continue
          const answer = await answerOf(ann, action)
          if (field === 'id and rawId') Object.assign(answer, { id: value, rawId: value })
          else Object.assign(fields.includes(field) ? answer.response : answer, { [field]: value })
          await expectClean(ann, value, () => ann.send(action, answer, { headers: json }))
        }
      })
    }

    for (const [turn, field] of ['type', 'challenge', 'origin', 'crossOrigin', 'topOrigin', 'tokenBinding'].entries()) {
      it(`in \`${field}\` of the browser’s data, to ${action}`, async () => {
        const ann = await stage.member(email)
        for (const value of sample(values, turn)) {
          // These values have no valid signature, so that harmless ones are rejected too.
          const answer = await answerOf(ann, action)
          const said = Buffer.from(answer.response.clientDataJSON, 'base64url').toString()
          const text = JSON.stringify({ ...JSON.parse(said), [field]: value })
          if (text === said || (action === 'register' && isFine(field, value))) continue
          answer.response.clientDataJSON = Buffer.from(text).toString('base64url')
          await expectClean(ann, value, () => ann.send(action, answer, { headers: json }))
        }
      })
    }
  }

  it('in `action`', async () => {
    const ann = await stage.member(email)
    const csrfToken = await ann.browser.csrf()
    for (const action of [...values, 'AUTHENTICATE', 'delete', 'toString', ['register'], 'register '] as const) {
      const data = JSON.stringify(await answerOf(ann, 'authenticate'))
      const what = { json: { csrfToken, action, data }, headers: json }
      await expectClean(ann, action, () => ann.browser.send('post', url, what))
    }
  })

  it('in the attestation', async () => {
    const ann = await stage.member(email)
    const certified = mapOf({ alg: -7, ver: '2.0', x5c: [Buffer.from('x')], sig: Buffer.alloc(8) })
    const statements = [mapOf({}), mapOf({ sig: 'x' }), mapOf({ alg: -7, sig: Buffer.alloc(8) }), certified, 'x', 0, []]
    const formats = ['packed', 'tpm', 'android-key', 'android-safetynet', 'fido-u2f', 'apple', 'compound', '', 7]
    const whole = formats.flatMap((fmt) =>
      statements.map((attStmt) => (authData: Uint8Array) => mapOf({ fmt, attStmt, authData })),
    )
    const cut = [0, 1, 36, 37, 54, 55, 70].map(
      (length) => (authData: Uint8Array) =>
        mapOf({ fmt: 'none', attStmt: mapOf({}), authData: authData.subarray(0, length) }),
    )
    const none = ['x', 7, [], mapOf({}), mapOf({ fmt: 'none' })].map((value) => () => value)
    const more = [(authData: Uint8Array) => mapOf({ fmt: 'none', attStmt: mapOf({ sig: 'x' }), authData })]
    for (const [at, make] of [...sample(whole, 0), ...cut, ...none, ...more].entries()) {
      const answer = await answerOf(ann, 'register')
      const made = cbor(make(authDataOf(present(answer.response.attestationObject))))
      answer.response.attestationObject = made.toString('base64url')
      await expectClean(ann, at, () => ann.send('register', answer, { headers: json }))
    }
  })

  it('with an invalid public key: it may be stored, and opens nothing', async () => {
    const [zeros, ones] = [Buffer.alloc(32), Buffer.alloc(32, 1)]
    const many = Buffer.alloc(20_000, 255)
    // COSE parameters: 1 the kind, 3 the algorithm, below zero the key (RFC 9053 §7).
    const keys: ReadonlyArray<Record<number, unknown>> = [
      { 3: -7 },
      { 1: 2, 3: -7, [-1]: 1 },
      { 1: 2, 3: -7, [-1]: 1, [-2]: zeros, [-3]: zeros },
      { 1: 2, 3: -7, [-1]: 1, [-2]: 'x', [-3]: 7 },
      { 1: 2, 3: -7, [-1]: 99, [-2]: ones, [-3]: ones },
      { 1: 3, 3: -257, [-1]: Buffer.alloc(0), [-2]: Buffer.alloc(0) },
      { 1: 3, 3: -257, [-1]: many, [-2]: many },
      { 1: 1, 3: -8, [-1]: 6, [-2]: Buffer.alloc(3) },
      { 1: 2, 3: -8, [-1]: 6, [-2]: zeros },
    ]
    for (const [at, key] of keys.entries()) {
      const ann = stage.person()
      const coseKey = cbor(new Map(Object.entries(key).map(([name, value]) => [Number(name), value])))
      const made = await ann.register({ email: `ann${at}@example.com` }, { lies: { coseKey }, headers: json })
      expect(made.status, String(at)).to.be.below(500)
      await ann.signOut()
      const response = await stage.expectNoWrite(() => ann.signIn({}, { headers: json }))
      expect(response.status, `${at}: ${response.text}`).to.be.within(400, 499)
      expect(await ann.browser.session()).to.equal(null)
    }
  })

  it('by a key that is larger than any, which would be stored', async () => {
    const ann = stage.person()
    const options = await ann.options('register', { email })
    ann.key.create(options)
    const { x, y } = ann.key.passkeys[0]?.key.export({ format: 'jwk' }) ?? {}
    const bytes = (text = '') => Buffer.from(text, 'base64url')
    const parts = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ] as const
    const large = cbor(new Map<number, unknown>([...parts, [-70_000, Buffer.alloc(5_000)]]))
    const response = await stage.expectNoWrite(() =>
      ann.send(
        'register',
        ann.key.attest(present(ann.key.passkeys[0]), { challenge: options.challenge, coseKey: large }),
      ),
    )
    await stage.expectRefused(response, 'WebAuthnVerificationError', ann)
    expect(stage.app.log.errors.at(-1)?.message).to.include('4096 bytes')
  })

  it('by an id that is the user handle, which would look like a passkey that has none', async () => {
    const ann = stage.person()
    const options = await ann.options('register', { email })
    const userHandle = Buffer.from(options.user.id, 'base64url')
    const passkey = { id: Buffer.from(String(userHandle), 'base64url'), rpId: 'localhost', userHandle, key: newKey(-7) }
    const answer = ann.key.attest(passkey, { challenge: options.challenge })
    const response = await stage.expectNoWrite(() => ann.send('register', answer))
    await stage.expectRefused(response, 'WebAuthnVerificationError', ann)
  })

  it('by another method', async () => {
    const ann = await stage.member(email)
    for (const method of ['get', 'put', 'delete', 'patch'] as const) {
      const data = encodeURIComponent(JSON.stringify(await answerOf(ann, 'authenticate')))
      const query = `?action=authenticate&data=${data}&csrfToken=${await ann.browser.csrf()}`
      const response = await stage.expectNoWrite(() => ann.browser.send(method, url + query, { headers: json }))
      expect(response.status).to.equal(405)
      expect(response.headers.allow).to.equal(method === 'get' ? 'POST' : 'GET, POST, HEAD')
    }
  })
})

/** Returns a correct answer, to be changed. */
async function answerOf(person: PasskeyPerson, action: Ceremony) {
  const answer: { id: string; response: { clientDataJSON: string; attestationObject?: string } } =
    action === 'authenticate'
      ? person.key.get(await person.options('authenticate'))
      : person.key.create(await person.options('register'))
  if (action === 'register') person.key.passkeys.pop()
  return answer
}

function mapOf(entries: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map(Object.entries(entries))
}

/** Checks whether a change is accepted: registrations are not signed, and harmless values are accepted. */
function isFine(field: string, value: unknown): boolean {
  if (field === 'tokenBinding') return value === undefined || value === null || value === 0 || value === ''
  return (field === 'crossOrigin' || field === 'topOrigin') && value === undefined
}

/** Returns the bytes that `cbor` wrote last: the authenticator data. */
function authDataOf(attestationObject: string): Uint8Array {
  const bytes = Buffer.from(attestationObject, 'base64url')
  const name = Buffer.from('authData')
  const at = bytes.indexOf(name) + name.length
  // 24: a length of one byte follows, 25: of two.
  return bytes.subarray(at + (bytes[at] === 0x58 ? 2 : 3))
}
