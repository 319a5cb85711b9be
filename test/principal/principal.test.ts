/**
 * The consequences of a session's proofs: when, how and how strongly its user was authenticated, and what the session
 * may do.
 */
import { expect } from 'chai'
import {
  asAttachedProof,
  authenticationOf,
  factorProof,
  identityProof,
  identityProofs,
  meetsRequirement,
  type Principal,
  type Proof,
  readProofs,
  rejectionReasonOf,
  type SessionAction,
  singleFactorOf,
  withProof,
  writeProofs,
} from '../../lib/principal/index.js'
import { advanceClock, freezeClock, restoreClock, seconds } from '../support/clock.js'

const password = () => identityProof({ account: { type: 'credentials', provider: 'password' }, amr: ['pwd'] })
const passkey = (amr: string[]) => identityProof({ account: { type: 'passkey', provider: 'passkey' }, amr })
const github = (aal?: 2) => identityProof({ account: { type: 'oauth', provider: 'github' }, amr: [], aal })
const mail = () => identityProof({ account: { type: 'email', provider: 'email' }, amr: ['otp'], byMail: true })
const totp = () => factorProof('totp', ['otp'])

describe('proofs', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)

  it('MF-11: what was attached says nothing about the user: neither when, nor how, nor how strongly', () => {
    const first = password()
    advanceClock(3600)
    for (const attached of [github(), github(2), passkey(['hwk', 'user', 'mfa'])]) {
      const proofs = withProof([first], asAttachedProof(attached))
      expect(authenticationOf(proofs)).to.deep.equal({ auth_time: first.at, amr: ['pwd'], aal: 1 })
      expect(meetsRequirement(proofs, { maxAge: 300 })).to.equal(false)
      expect(meetsRequirement(proofs, { amr: ['hwk'] })).to.equal(false)
      expect(meetsRequirement(proofs, { aal: 2 })).to.equal(false)
    }
  })

  it('states exactly the proofs of the application, which survive their text form and later proofs', () => {
    const account = { type: 'application', provider: '' } as const
    const stated = [
      { amr: ['pwd'], at: seconds() - 900 },
      { amr: ['otp'], at: seconds() - 600 },
    ]
    const proofs = identityProofs({ account, amr: ['ignored'], aal: 2, authenticatedAt: seconds(), stated })
    expect(readProofs(writeProofs(proofs))).to.deep.equal(proofs)
    expect(authenticationOf(proofs)).to.deep.equal({ auth_time: seconds() - 600, amr: ['pwd', 'otp'], aal: 1 })
    expect(meetsRequirement(proofs, { aal: 2 })).to.equal(false)
    expect(meetsRequirement(proofs, { amr: ['pwd'], maxAge: 700 })).to.equal(false)
    expect(meetsRequirement(proofs, { amr: ['otp'], maxAge: 700 })).to.equal(true)
    // A second factor that this library verifies counts beside them.
    expect(meetsRequirement(withProof(proofs, totp()), { aal: 2, maxAge: 300 })).to.equal(true)
    // Without stated proofs there is one, of this moment.
    expect(identityProofs({ account, amr: ['pwd'] })).to.deep.equal([identityProof({ account, amr: ['pwd'] })])
  })

  it('MF-11: attaching again and again keeps nothing fresh', () => {
    let proofs: readonly Proof[] = [password(), totp()]
    for (let minutes = 0; minutes < 60; minutes += 4) {
      advanceClock(240)
      proofs = withProof(proofs, asAttachedProof({ ...github(2), by: `p${minutes}` }))
    }
    expect(proofs.length).to.be.at.most(8)
    expect(authenticationOf(proofs)).to.include({ aal: 2, auth_time: seconds() - 3600 })
    expect(meetsRequirement(proofs, { aal: 2, maxAge: 300 })).to.equal(false)
  })

  it('MF-10: each method and each level has its own time', () => {
    const first = passkey(['hwk'])
    advanceClock(3600)
    const proofs = withProof([first], totp())
    expect(meetsRequirement(proofs, { maxAge: 300 })).to.equal(true)
    expect(meetsRequirement(proofs, { aal: 2, maxAge: 300 })).to.equal(true)
    expect(meetsRequirement(proofs, { amr: ['hwk', 'swk'] })).to.equal(true)
    expect(meetsRequirement(proofs, { amr: ['hwk', 'swk'], maxAge: 300 })).to.equal(false)
    expect(meetsRequirement(proofs, { amr: ['otp'], maxAge: 300 })).to.equal(true)
    const other = withProof(
      proofs.map((each) => ({ ...each })),
      password(),
    )
    advanceClock(301)
    const late = withProof(other, password())
    // The password is fresh, and the second factor is not.
    expect(meetsRequirement(late, { maxAge: 300 })).to.equal(true)
    expect(meetsRequirement(late, { aal: 2, maxAge: 300 })).to.equal(false)
    expect(meetsRequirement(late, { amr: ['mfa'], maxAge: 300 })).to.equal(false)
  })

  it('MF-03: two proofs of one factor are one factor', () => {
    expect(authenticationOf([mail(), factorProof('email', ['otp'])]).aal).to.equal(1)
    expect(authenticationOf([passkey(['hwk']), factorProof('passkey', ['hwk'])]).aal).to.equal(1)
    expect(authenticationOf([password(), factorProof('email', ['otp'])]).aal).to.equal(2)
    expect(authenticationOf([password(), totp()])).to.deep.include({ aal: 2, amr: ['pwd', 'otp', 'mfa'] })
    const application = identityProof({ account: { type: 'application', provider: '' }, amr: ['otp'] })
    expect(authenticationOf([application, factorProof('email', ['otp'])]).aal).to.equal(1)
  })

  it('MF-03: a passkey with a PIN counts for two, unless the application says otherwise', () => {
    const identity = { account: { type: 'passkey', provider: 'passkey' }, amr: ['hwk', 'user', 'mfa'] } as const
    expect(authenticationOf([identityProof(identity)]).aal).to.equal(2)
    expect(authenticationOf([identityProof(identity, { passkeyIsEnough: false })]).aal).to.equal(1)
  })

  it('MF-13: reported methods are not those that were proved', () => {
    const proof = identityProof({ account: { type: 'oidc', provider: 'op' }, amr: ['pwd'], reportedAmr: ['hwk'] })
    expect(authenticationOf([proof])).to.deep.equal({
      auth_time: seconds(),
      amr: ['pwd'],
      aal: 1,
      reported_amr: ['hwk'],
    })
    expect(meetsRequirement([proof], { amr: ['hwk'] })).to.equal(false)
    expect(meetsRequirement([proof], { amr: ['pwd'] })).to.equal(true)
  })

  it('MF-10: a session without proofs meets nothing but its mere presence', () => {
    expect(authenticationOf([])).to.deep.equal({ aal: 1 })
    expect(meetsRequirement([], {})).to.equal(true)
    for (const requirement of [{ maxAge: 10 ** 9 }, { aal: 2 as const }, { amr: ['pwd'] }]) {
      expect(meetsRequirement([], requirement)).to.equal(false)
    }
  })

  it('MF-10: a provider whose clock is ahead makes nothing fresher than now', () => {
    const ahead = identityProof({
      account: { type: 'oidc', provider: 'op' },
      amr: [],
      authenticatedAt: seconds() + 3600,
    })
    const before = identityProof({
      account: { type: 'oidc', provider: 'op' },
      amr: [],
      authenticatedAt: seconds() - 3600,
    })
    expect([ahead.at, before.at]).to.deep.equal([seconds(), seconds() - 3600])
  })

  it('come back from their text as they were, whatever a provider is called', () => {
    const all: Proof[] = [
      password(),
      asAttachedProof(github(2)),
      github(2),
      totp(),
      { ...mail(), by: 'a|b c,d~é%\n' },
      identityProof({ account: { type: 'oidc', provider: 'op' }, amr: ['a:b', 'c/d'], reportedAmr: ['x', 'y'] }),
      { method: 'unknown', at: 1, of: 'user', by: '', amr: [] },
    ]
    const text = writeProofs(all)
    expect(text).to.match(/^[\x20-\x7e]+$/)
    expect(readProofs(text)).to.deep.equal(all)
    expect(readProofs(writeProofs([]))).to.deep.equal([])
  })

  it('that cannot be read prove nothing, and break nothing', () => {
    for (const text of ['', ' ', '|', 'p|zz', 'p|1|%|', 'p|1||%E0', 'p2+|1||', 'p|1|a|b|c', '-', '- -']) {
      expect(
        readProofs(text).filter(({ aal }) => aal === 2),
        text,
      ).to.deep.equal([])
    }
    expect(readProofs('p|1|%|pwd')).to.deep.equal([])
  })

  it('MF-14: a mailbox alone differs from a password and from a passkey', () => {
    expect(singleFactorOf([mail()])).to.equal('mail')
    expect(singleFactorOf([password()])).to.equal('password')
    expect(singleFactorOf([passkey(['hwk'])])).to.equal('passkey')
    expect(singleFactorOf([password(), totp()])).to.equal(undefined)
    expect(singleFactorOf([mail(), asAttachedProof(password())])).to.equal('mail')
  })
})

describe('the permissions of a principal', () => {
  beforeEach(() => freezeClock())
  afterEach(restoreClock)

  const all: SessionAction[] = ['link', 'attach', 'manageFactors', 'changePassword', 'stepUp', 'manageAccount']
  const principal = (more: Partial<Principal> = {}) => ({
    proofs: [password()],
    startedInThisBrowser: true,
    hasOwnExpiry: false,
    ...more,
  })

  it('MF-12: in a session with an end of its own: prove more, and nothing that lasts', () => {
    const allowed = all.filter(
      (each) => rejectionReasonOf(principal({ hasOwnExpiry: true }), each, false) === undefined,
    )
    expect(allowed).to.deep.equal(['stepUp'])
  })

  it('MF-12: in a copy of a session: nothing', () => {
    for (const each of all)
      expect(rejectionReasonOf(principal({ startedInThisBrowser: false }), each, false), each).to.equal('session')
  })

  it('MF-07: what needs a fresh proof needs one of everything that the user has', () => {
    const stale = principal()
    const both = principal({ proofs: [password(), totp()] })
    const fresh = (of: ReturnType<typeof principal>, isEnrolled?: boolean) =>
      all.filter((each) => rejectionReasonOf(of, each, isEnrolled) === undefined)
    expect(fresh(stale, false)).to.deep.equal(all)
    expect(fresh(stale, true)).to.deep.equal(['stepUp', 'manageAccount'])
    expect(fresh(both, true)).to.deep.equal(all)
    advanceClock(301)
    expect(fresh(both, true)).to.deep.equal(['stepUp', 'manageAccount'])
    // Where no factors are configured, linking needs no fresh proof.
    expect(fresh(stale)).to.deep.equal(['link', 'attach', 'stepUp', 'manageAccount'])
    expect(fresh(principal({ proofs: [] }), false)).to.deep.equal(['stepUp', 'manageAccount'])
  })
})
