/**
 * The texts in which sessions keep their facts, with the values of clients and other systems: an actor, and the metadata of a
 * token. No value changes another one.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import {
  appendTokenMetadata,
  hashSessionToken,
  metadataOfStoredToken,
  metadataOfToken,
  readTokenMetadata,
  type TokenMetadata,
  writeTokenMetadata,
} from '../../lib/crypto/session-token.js'
import { InvalidRequest } from '../../lib/errors.js'
import { readOptions } from '../../lib/features/impersonation/calls-all.js'
import { Memberships } from '../../lib/features/organizations/store.js'
import { type Actor, readActor, reasonOfActor, writeActor } from '../../lib/principal/index.js'
import { text } from '../fuzz/hostile.js'
import { properties } from './runs.js'

const seconds = fc.nat(2 ** 32)
const hash = fc.stringMatching(/^[\w-]{22}$/)

/** Returns the reason that `begin` accepts; `undefined` for a rejected one. */
function acceptedReason(reason: string): string | undefined {
  try {
    return readOptions({ userId: 'ann', reason }).reason
  } catch (error) {
    expect(error).to.be.instanceOf(InvalidRequest)
    return undefined
  }
}

/** Reasons as administrators type them: some are long, and in any script. */
const reasons = fc
  .oneof(text(100), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }))
  .map(acceptedReason)
  .filter((reason) => reason !== undefined)

/** Actors of stored users with any id, such as that of another system. */
const actors: fc.Arbitrary<Actor> = fc.record({
  userId: text(200).filter((id) => id !== ''),
  reason: reasons,
  since: seconds,
  session: hash,
  startedAt: seconds,
  binding: hash,
  provider: fc.option(fc.record({ subject: hash, session: hash }, { requiredKeys: ['subject'] }), { nil: undefined }),
})

const memberships = new Memberships({
  options: { membership: () => ({ role: 'member' }) },
  roles: new Map(),
  cacheFor: 0,
  timeout: 1000,
})

/** Ids of organizations as clients send them, of those that the library accepts. */
const organizations = fc.oneof(text(120), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), fc.uuid())

/** Returns the metadata without fields that are absent. */
const present = (metadata: object | undefined) =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([, value]) => value !== undefined))

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const metadata: fc.Arbitrary<TokenMetadata> = fc.record({
  startedAt: seconds,
  end: optional(seconds),
  remembered: optional(fc.boolean()),
  amr: fc.subarray(['pwd', 'otp', 'hwk', 'user', 'mfa', 'https://example.com/acr']),
  provider: optional(fc.stringMatching(/^[\w.-]{1,40}$/)),
  device: optional(fc.stringMatching(/^[a-z]{2}$/)),
  network: optional(fc.constantFrom('203.0.113.0/24', '2001:db8:1::/48')),
  link: optional(fc.tuple(hash, hash).map((both) => both.join(' '))),
  proofs: optional(fc.stringMatching(/^p\|[0-9a-z]{6}\|\|pwd$/)),
  act: optional(actors.map(writeActor)),
})

describe('the text of an actor', () => {
  it('reads back every value', () => {
    properties(
      fc.property(actors, (actor) => {
        const written = writeActor(actor)
        expect(written).not.to.match(/[\r\n\0]/)
        expect(present(readActor(written))).to.deep.equal(present(actor))
        expect(reasonOfActor(written)).to.equal(actor.reason)
      }),
    )
  })

  it('is none or one that is written in the same way, for any text', () => {
    const parts = fc.array(fc.oneof(text(40), fc.constantFrom('"root"', '1', '["s"]', '["s","p"]')), { maxLength: 8 })
    properties(
      fc.property(parts, (given) => {
        const read = readActor(given.join('\t'))
        if (read) expect(present(readActor(writeActor(read)))).to.deep.equal(present(read))
      }),
    )
  })
})

describe('the options of `begin`', () => {
  it('are an id and one line, or are rejected', () => {
    const given = fc.record({ userId: fc.oneof(text(), fc.anything()), reason: fc.oneof(text(), fc.anything()) })
    properties(
      fc.property(fc.oneof(given, fc.anything()), (options) => {
        try {
          const { userId, reason } = readOptions(options as never)
          expect(userId).to.be.a('string').and.not.equal('')
          expect(reason)
            .to.match(/^\S(?:.*\S)?$/u)
            .and.have.length.within(1, 100)
        } catch (error) {
          expect(error).to.be.instanceOf(InvalidRequest)
        }
      }),
    )
  })
})

describe('the metadata of a session token', () => {
  /** The values, with an organization if the library accepts the id. */
  const inputs = fc.tuple(metadata, organizations)
  const complete = async ([facts, id]: [TokenMetadata, string]): Promise<TokenMetadata> => {
    const member = await memberships.memberOf('ann', id, { isFresh: true })
    return { ...facts, ...(member && { organization: member.id }) }
  }

  it('reads back every value', async () => {
    await properties(
      fc.asyncProperty(inputs, async (input) => {
        const facts = await complete(input)
        const token = appendTokenMetadata('a'.repeat(32), facts)
        expect(present(metadataOfToken(token))).to.deep.equal(present(facts))
      }),
    )
  })

  it('is stored in 120 characters, of which each field is the one of the token', async () => {
    await properties(
      fc.asyncProperty(inputs, async (input) => {
        const { act, ...facts } = present(await complete(input))
        const token = appendTokenMetadata('a'.repeat(32), { ...facts, act } as TokenMetadata)
        const stored = hashSessionToken(token)
        expect(stored).to.match(/^h1_[0-9a-f]{64}(?:\.f[\w-]{1,118})?$/)
        const { act: listed, amr, ...shown } = present(metadataOfStoredToken(stored))
        expect(facts).to.include(shown)
        expect([facts.amr, []]).to.deep.include(amr)
        expect(shown.startedAt).to.equal(facts.startedAt)
        // Lists always show that support uses the session.
        expect(listed === undefined).to.equal(act === undefined)
        if (act !== undefined) expect(act.startsWith(reasonOfActor(listed).replace(/…$/, ''))).to.equal(true)
      }),
    )
  })

  it('is none or one that is written in the same way, for any text', () => {
    // No field that the library writes begins or ends with white space.
    const field = fc.oneof(text(40), fc.constantFrom('t1', '1', '')).map((each) => each.trim())
    const lines = fc.array(field, { maxLength: 14 })
    properties(
      fc.property(lines, (given) => {
        const read = readTokenMetadata(Buffer.from(given.join('\n')).toString('base64url'))
        if (read) expect(readTokenMetadata(writeTokenMetadata(read))).to.deep.equal(read)
      }),
    )
  })
})
