/**
 * An authenticator in software, with the browser's part of both ceremonies (WebAuthn Level 3 §5.1.3, §6): for tests of
 * the server. It follows its options, wrong ones too.
 *
 * ```ts
 * const key = new Authenticator({ alg: -257, counter: 7 })
 * const { body } = await browser.get('/auth/webauthn-options/passkey?action=register&email=ann@example.com')
 * const answer = key.create(body.options, { origin: 'https://evil.test' })
 * ```
 */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { cbor } from './cbor.js'

/** The properties of an authenticator. */
export interface Traits {
  /** COSE algorithm of new passkeys: ES256, RS256 or EdDSA. */
  readonly alg: -7 | -257 | -8
  readonly attestation: 'none' | 'packed'
  /** True if it stores passkeys, so that they are found without a name. */
  readonly resident: boolean
  /** User present, user verified, backup eligible, backup state. */
  readonly up: boolean
  readonly uv: boolean
  readonly be: boolean
  readonly bs: boolean
  /** Signatures so far. `0`: it does not count. */
  readonly counter: number
  readonly aaguid: string
  readonly transports: unknown
  /** Bytes of a new passkey's id. */
  readonly idLength: number
}

/** Wrong values of a browser or an authenticator. */
export interface Lies {
  readonly type?: string
  /** Base64url, as in `clientDataJSON`. */
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: unknown
  readonly topOrigin?: string
  readonly rpId?: string
  readonly counter?: number
  /** After the authenticator data; it is signed. */
  readonly trailing?: Uint8Array
  /** Base64url as browsers send it; `null`: none. */
  readonly userHandle?: string | null
  /** Another id than the passkey's, in `id` and `rawId`. */
  readonly id?: string
  /** Another key than the passkey's signs. */
  readonly key?: KeyObject
  /** Instead of the passkey's public key. */
  readonly coseKey?: Uint8Array
}

/** A passkey as the authenticator has it. */
export interface SoftPasskey {
  readonly id: Buffer
  readonly rpId: string
  readonly userHandle: Buffer
  readonly key: KeyObject
}

/** The page's origin where a test does not say otherwise. */
export const pageOrigin = 'http://localhost:3000'

const usual: Traits = {
  alg: -7,
  attestation: 'none',
  resident: true,
  up: true,
  uv: true,
  be: true,
  bs: true,
  counter: 0,
  aaguid: '00000000-0000-0000-0000-000000000000',
  transports: ['hybrid', 'internal'],
  idLength: 20,
}

/** An authenticator. */
export class Authenticator {
  readonly passkeys: SoftPasskey[] = []
  traits: Traits

  constructor(traits: Partial<Traits> = {}) {
    this.traits = { ...usual, ...traits }
  }

  /** Makes a passkey. */
  create(options: PublicKeyCredentialCreationOptionsJSON, lies: Lies = {}): RegistrationResponseJSON {
    const passkey: SoftPasskey = {
      id: randomBytes(this.traits.idLength),
      rpId: options.rp.id ?? '',
      userHandle: Buffer.from(options.user.id, 'base64url'),
      key: newKey(this.traits.alg),
    }
    this.passkeys.push(passkey)
    return this.attest(passkey, { challenge: options.challenge, ...lies })
  }

  /** The answer for a passkey that was just made. */
  attest(passkey: SoftPasskey, lies: Lies = {}): RegistrationResponseJSON {
    const clientDataJSON = clientData('webauthn.create', lies)
    const authData = this.#data(passkey, lies, attested(this.traits, passkey, lies))
    const signature = signWith(lies.key ?? passkey.key, [authData, sha256(clientDataJSON)])
    const statement =
      this.traits.attestation === 'none'
        ? new Map()
        : new Map<string, unknown>([
            ['alg', this.traits.alg],
            ['sig', signature],
          ])
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', this.traits.attestation],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    )
    const id = lies.id ?? passkey.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: this.traits.transports as never,
      },
    }
  }

  /** Signs with the passkey that the options name; without a name with the newest one. */
  get(options: PublicKeyCredentialRequestOptionsJSON, lies: Lies = {}): AuthenticationResponseJSON {
    const named = options.allowCredentials?.map(({ id }) => id) ?? []
    const isNamed = ({ id }: SoftPasskey) => named.includes(id.toString('base64url'))
    const mine = this.passkeys.filter(({ rpId }) => rpId === options.rpId)
    const passkey = named.length > 0 ? mine.findLast(isNamed) : mine.at(-1)
    if (!passkey || (named.length === 0 && !this.traits.resident)) throw new Error('there is no passkey here')
    return this.assert(passkey, { challenge: options.challenge, ...lies })
  }

  /** Signs with a passkey. */
  assert(passkey: SoftPasskey, lies: Lies = {}): AuthenticationResponseJSON {
    const { counter, resident } = this.traits
    if (counter > 0) this.traits = { ...this.traits, counter: counter + 1 }
    const clientDataJSON = clientData('webauthn.get', lies)
    const authenticatorData = this.#data(passkey, lies)
    const id = lies.id ?? passkey.id.toString('base64url')
    const handle = resident ? passkey.userHandle.toString('base64url') : null
    const userHandle = lies.userHandle === undefined ? handle : lies.userHandle
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signWith(lies.key ?? passkey.key, [authenticatorData, sha256(clientDataJSON)]).toString('base64url'),
        ...(userHandle !== null && { userHandle }),
      },
    }
  }

  /** §6.1, "Authenticator Data". */
  #data(passkey: SoftPasskey, lies: Lies, credential?: Buffer): Buffer {
    const { up, uv, be, bs, counter } = this.traits
    const bits = [up, false, uv, be, bs, false, credential !== undefined]
    const flags = bits.reduce((sum, bit, at) => sum + (bit ? 2 ** at : 0), 0)
    const fixed = Buffer.alloc(5)
    fixed.writeUInt8(flags, 0)
    fixed.writeUInt32BE(lies.counter ?? counter, 1)
    const parts = [sha256(lies.rpId ?? passkey.rpId), fixed, credential ?? Buffer.alloc(0)]
    return Buffer.concat([...parts, lies.trailing ?? Buffer.alloc(0)])
  }
}

/** §6.5.1, "Attested Credential Data". */
function attested({ aaguid }: Traits, { id, key }: SoftPasskey, { coseKey }: Lies): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  return Buffer.concat([Buffer.from(aaguid.replaceAll('-', ''), 'hex'), length, id, coseKey ?? coseOf(key)])
}

/** §5.8.1, in the order that browsers write it. */
function clientData(type: string, { origin = pageOrigin, crossOrigin = false, ...lies }: Lies): Buffer {
  const { challenge, topOrigin } = lies
  return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin, crossOrigin, topOrigin }))
}

/** A new private key. */
export function newKey(alg: Traits['alg']): KeyObject {
  if (alg === -7) return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  if (alg === -8) return generateKeyPairSync('ed25519').privateKey
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
}

function signWith(key: KeyObject, parts: readonly Buffer[]): Buffer {
  return sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.concat(parts), key)
}

/** The public key as a COSE_Key (RFC 9053 §7). */
export function coseOf(key: KeyObject): Buffer {
  const jwk = createPublicKey(key).export({ format: 'jwk' })
  const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')
  const entries: Record<string, Array<[number, unknown]>> = {
    EC: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(jwk.x)],
      [-3, bytes(jwk.y)],
    ],
    RSA: [
      [1, 3],
      [3, -257],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ],
    OKP: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ],
  }
  return cbor(new Map(entries[jwk.kty ?? '']))
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
