/** The answers that a browser posts after a ceremony with a passkey. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { Authenticator } from '../../support/authenticator.js'
import { target } from '../explore.js'
import { type Bend, bend, bent, editedJson, type JsonEdit, jsonEdits, seldom } from '../hostile.js'
import { base, type Site } from '../site.js'
import { Stranger, Violation } from '../stranger.js'
import { isObject } from './shared.js'

type Ceremony = 'authenticate' | 'register'

const members = [
  'id',
  'rawId',
  'type',
  'response',
  'clientDataJSON',
  'authenticatorData',
  'attestationObject',
  'signature',
  'userHandle',
  'transports',
  'clientExtensionResults',
  'publicKey',
  'authenticatorAttachment',
]
const said = ['type', 'challenge', 'origin', 'crossOrigin', 'topOrigin', 'tokenBinding']

/** The member whose bytes are changed, behind its base64url. */
const binary = ['clientDataJSON', 'authenticatorData', 'attestationObject', 'signature', 'userHandle'] as const

interface Changes {
  readonly answer: readonly JsonEdit[]
  readonly client: readonly JsonEdit[]
  readonly bytes: readonly [name: (typeof binary)[number], bend: Bend] | undefined
  readonly whole: Bend | undefined
}

const changes: fc.Arbitrary<Changes> = fc.record({
  answer: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, jsonEdits(members)),
  client: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, jsonEdits(said)),
  bytes: fc.option(fc.tuple(fc.constantFrom(...binary), bend(5000)), { nil: undefined, freq: 2 }),
  whole: seldom(bend(60_000)),
})

/** A user with a passkey. */
interface Owner {
  readonly key: Authenticator
  readonly email: string
}

/** The owner whose passkey each application knows. */
const known = new WeakMap<object, Owner>()

async function ceremony(
  stranger: Stranger,
  action: Ceremony,
  query = '',
): Promise<Parameters<Authenticator['get']>[0] & Parameters<Authenticator['create']>[0]> {
  const { status, body } = await stranger.get(`${base}/webauthn-options/passkey?action=${action}${query}`)
  if (status !== 200) throw new Violation(`no options: ${body}`)
  return JSON.parse(body).options
}

async function ownerAt(site: Site): Promise<Owner> {
  const before = known.get(site.config)
  if (before) return before
  const key = new Authenticator()
  // The address is new each time: on a busy machine an answer may be late, and all this is done again.
  const email = `owner-${randomUUID()}@example.com`
  const person = new Stranger(site)
  const answer = key.create(await ceremony(person, 'register', `&email=${email}`))
  await person.post('/callback/passkey', [
    ['action', 'register'],
    ['data', JSON.stringify(answer)],
  ])
  if ((await person.session()) === null) throw new Violation('the passkey could not be made')
  const owner = { key, email }
  known.set(site.config, owner)
  return owner
}

/** Returns the text of `data`, after all changes. */
function spoil(answer: object, { answer: edits, client, bytes, whole }: Changes): string {
  const document = structuredClone(answer)
  const response: unknown = Reflect.get(document, 'response')
  if (isObject(response)) {
    const text = Buffer.from(String(response.clientDataJSON), 'base64url').toString()
    if (client.length > 0)
      response.clientDataJSON = Buffer.from(JSON.stringify(editedJson(JSON.parse(text), client)) ?? '').toString(
        'base64url',
      )
    if (bytes && typeof response[bytes[0]] === 'string') {
      const content = Buffer.from(String(response[bytes[0]]), 'base64url').toString('latin1')
      response[bytes[0]] = Buffer.from(bent(content, bytes[1]), 'latin1').toString('base64url')
    }
  }
  const text = JSON.stringify(editedJson(document, edits)) ?? ''
  return whole ? bent(text, whole) : text
}

/** Returns the bytes that a signature covers, and the values with which they are compared. */
function meaning(text: string): string {
  const bytes = (value: unknown) =>
    typeof value === 'string' ? Buffer.from(value, 'base64url').toString('hex') : String(value)
  try {
    const { id, response } = JSON.parse(text)
    const covered = ['clientDataJSON', 'authenticatorData'].map((name) => bytes(response[name]))
    return [id, ...covered, numbersOf(bytes(response.signature))].join()
  } catch {
    return ''
  }
}

/**
 * Returns the two numbers of a signature (RFC 3279 §2.2.3). Their encoding is not signed, and a parser may ignore
 * mistakes in it: the proof is the same.
 */
function numbersOf(signature: string): string {
  const [, , , first = 0, ...rest] = Buffer.from(signature, 'hex')
  const second = rest[first + 1] ?? 0
  return Buffer.from([...rest.slice(0, first), ...rest.slice(first + 2, first + 2 + second)]).toString('hex')
}

/** The answer of a user who signs in. */
export const authentication = target(
  'passkey-sign-in',
  changes,
  async (site, input) => {
    const { key } = await ownerAt(site)
    const stranger = new Stranger(site)
    const answer = key.get(await ceremony(stranger, 'authenticate'))
    const data = spoil(answer, input)
    await stranger.post('/callback/passkey', [
      ['action', 'authenticate'],
      ['data', data],
    ])
    if (meaning(data) !== meaning(JSON.stringify(answer))) await stranger.expectNobody('by an answer that was changed')
  },
  {
    pinned: [
      { answer: [], client: [], bytes: ['signature', { how: 'twice' }], whole: undefined },
      { answer: [], client: [], bytes: ['signature', { how: 'flip', at: 0.015 }], whole: undefined },
    ],
  },
)

/** The answer of a user who creates a passkey: it never signs in as the owner of another passkey. */
export const registration = target('passkey-making', changes, async (site, input) => {
  const { email } = await ownerAt(site)
  const stranger = new Stranger(site)
  const options = await ceremony(stranger, 'register', `&email=${email}`)
  const answer = new Authenticator().create(options)
  await stranger.post('/callback/passkey', [
    ['action', 'register'],
    ['data', spoil(answer, input)],
  ])
  const session = await stranger.session()
  const user: unknown = isObject(session) ? session.user : undefined
  if (isObject(user) && user.email === email) throw new Violation('a passkey for the address of another user')
})
