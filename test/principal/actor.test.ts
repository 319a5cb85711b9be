/** The actor of a session: its text, and what it forbids. */
import { expect } from 'chai'
import {
  appendTokenMetadata,
  hashSessionToken,
  listedAct,
  metadataOfStoredToken,
  type SessionToken,
} from '../../lib/crypto/session-token.js'
import {
  type Actor,
  factorProof,
  readActor,
  reasonOfActor,
  rejectionReasonOf,
  type SessionAction,
  writeActor,
  writeProofs,
} from '../../lib/principal/index.js'

const actor: Actor = {
  userId: 'root@example.com\twith 100 % of it',
  reason: 'ticket 7: “Größe” 字',
  since: 1_790_000_000,
  session: `h1_${'a'.repeat(64)}.f${'b'.repeat(110)}`,
  startedAt: 1_790_000_001,
  binding: 'r'.repeat(22),
}

describe('the text of an actor', () => {
  it('reads back what was written, on one line', () => {
    const text = writeActor(actor)
    expect(text).not.to.match(/[\n\r]/)
    expect(readActor(text)).to.deep.equal(actor)
    expect(reasonOfActor(text)).to.equal(actor.reason)
  })

  it('reads back the origin of the own session at a provider, and is no actor if that is malformed', () => {
    for (const provider of [{ subject: 's' }, { subject: 's', session: 'of the provider' }]) {
      expect(readActor(writeActor({ ...actor, provider }))).to.deep.equal({ ...actor, provider })
    }
    for (const text of ['', '{}', '[]', '[1]', 'x']) {
      expect(readActor(`${writeActor(actor)}\t${text}`), text).to.equal(undefined)
    }
  })

  it('AZ-03 is no actor if anything is missing', () => {
    const parts = writeActor(actor).split('\t')
    for (const [at] of parts.entries()) {
      if (at === 0) continue
      expect(readActor(parts.map((part, each) => (each === at ? '' : part)).join('\t')), `${at}`).to.equal(undefined)
      expect(readActor(parts.slice(0, at).join('\t'))).to.equal(undefined)
    }
    expect(readActor(writeActor({ ...actor, since: Number.NaN }))).to.equal(undefined)
    expect(readActor('')).to.equal(undefined)
  })

  it('is stored as the beginning of the reason, in every column', () => {
    for (const reason of [
      'x',
      'x'.repeat(60),
      'x'.repeat(100),
      '字'.repeat(100),
      'ß'.repeat(61),
      `${'x'.repeat(56)}字${'y'.repeat(40)}`,
    ]) {
      const listed = listedAct(writeActor({ ...actor, reason }))
      expect(Buffer.byteLength(listed)).to.be.at.most(60)
      expect(listed).not.to.include('\ufffd')
      expect(reason.startsWith(listed.replace('…', ''))).to.equal(true)
      expect(listed.endsWith('…')).to.equal(Buffer.byteLength(reason) > 60)
      const end = 1_790_000_900
      const facts = {
        startedAt: actor.since,
        end,
        remembered: false,
        proofs: writeProofs([]),
        act: writeActor({ ...actor, reason }),
      }
      const token = appendTokenMetadata('t'.repeat(43), facts) as SessionToken
      const stored = hashSessionToken(token)
      expect(stored).to.have.length.at.most(191)
      expect(stored).to.equal(hashSessionToken(token))
      expect(metadataOfStoredToken(stored)).to.include({ act: listed, startedAt: actor.since, end })
    }
  })
})

describe('a session with an actor', () => {
  const actions: Readonly<Record<SessionAction, true>> = {
    ...{ link: true, attach: true, manageFactors: true, enrol: true, changePassword: true },
    ...{
      stepUp: true,
      manageAccount: true,
      deleteAccount: true,
      createApiKey: true,
      impersonate: true,
      authorizeApp: true,
      manageConnections: true,
    },
  }

  it('AZ-03 allows no action, whatever it has proved', () => {
    const session = { proofs: [factorProof('totp', ['otp'])], startedInThisBrowser: true, hasOwnExpiry: false }
    for (const action of Object.keys(actions) as SessionAction[]) {
      expect(rejectionReasonOf({ ...session, actor }, action, undefined), action).to.equal('session')
      expect(rejectionReasonOf(session, action, undefined), action).not.to.equal('session')
    }
  })
})
