/** Each attempt does the same work, whatever kinds of hashes are stored: counted by the functions that hash, not by time. */

import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { hashFunctions } from '../../lib/features/passwords/hashing/functions.js'
import {
  argon2Hashes,
  argon2id,
  aspNetIdentity,
  bcrypt,
  betterAuth,
  django,
  firebaseHash,
  firebaseScrypt,
  type ImportedHash,
  type PasswordHasher,
  pbkdf2,
  scrypt,
  scryptHashes,
} from '../../lib/features/passwords/index.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import { target } from '../support/app.js'
import { rejectionOf } from '../support/rejection.js'
import { passwordsIn } from '../support/stores.js'
import { better, quickHasher, type Stage, startStage } from './stage.js'

interface Vector {
  readonly kind: string
  readonly password: string
  readonly hash: string
}

const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(new URL('../passwords/vectors.json', import.meta.url), 'utf8'),
)
const hashesOf = (kind: string, begin = '') =>
  vectors.filter((each) => each.kind === kind && each.hash.startsWith(begin)).map(({ hash }) => hash)

const firebase = firebaseScrypt({
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memoryCost: 10,
})
const firebaseHashes = [
  firebaseHash({
    salt: '42xEC+ixf3L2lw==',
    passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  }),
]

const light = { memory: 1024, iterations: 2, parallelism: 2 }
const vectorScrypts = [
  { cost: 2 ** 10, blockSize: 8, parallelization: 1 },
  { cost: 2 ** 12, blockSize: 4, parallelization: 3 },
]

/** The cases by name: the option `imported`, and hashes of it that take different work each. */
const cases: Record<string, { imported: readonly ImportedHash[]; hashes: readonly string[]; hash?: PasswordHasher }> = {
  bcrypt: { imported: [bcrypt({ cost: 8 })], hashes: hashesOf('bcrypt').slice(0, 2) },
  PBKDF2: {
    imported: [pbkdf2({ sha1: 2000, sha256: 5000, sha512: 1200 })],
    hashes: hashesOf('pbkdf2').slice(0, 3),
  },
  scrypt: { imported: [scryptHashes(...vectorScrypts)], hashes: hashesOf('scrypt').slice(0, 2) },
  Argon2: {
    imported: [
      argon2Hashes(
        { ...light, variant: 'argon2i' },
        { ...light, variant: 'argon2d' },
        { ...light, variant: 'argon2id' },
      ),
    ],
    hashes: hashesOf('argon2').slice(0, 3),
  },
  Django: {
    imported: [
      django({
        ...{ pbkdf2_sha256: 4000, pbkdf2_sha1: 1500, bcrypt: 7 },
        scrypt: { cost: 1024, blockSize: 8, parallelization: 1 },
      }),
    ],
    hashes: [
      ...hashesOf('django', 'pbkdf2').slice(0, 2),
      `scrypt$1024$salt$8$1$${'A'.repeat(86)}==`,
      ...hashesOf('bcrypt')
        .map((hash) => `bcrypt$${hash}`)
        .slice(0, 2),
    ],
  },
  'ASP.NET': { imported: [aspNetIdentity()], hashes: hashesOf('aspNetIdentity').slice(0, 4) },
  'Better Auth': { imported: [betterAuth()], hashes: hashesOf('betterAuth').slice(0, 1) },
  Firebase: { imported: [firebase], hashes: firebaseHashes },
  'two kinds at once': {
    imported: [bcrypt({ cost: 6 }), pbkdf2({ sha256: 1200 }), aspNetIdentity({ sha256: 1500 })],
    hashes: [...hashesOf('bcrypt').slice(0, 2), ...hashesOf('pbkdf2', '$pbkdf2-sha256').slice(0, 1)],
  },
  'Argon2 of another cost than new ones': {
    imported: [argon2Hashes()],
    hashes: ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$lPV8JKSCg4hKWHfqs2sLFEkEbvBDRu6jNyBSB1tMJlA'],
    hash: argon2id({ memory: 7168, iterations: 5 }),
  },
}

/** Units of work by function and parameters, as the functions were called. */
type Work = Record<string, number>

describe('the work of an attempt', function () {
  this.timeout(60_000)
  this.slow(10_000)
  const own = { ...hashFunctions }
  let work: Work = {}
  const count = (by: string, units: number) => {
    work[by] = (work[by] ?? 0) + units
  }
  before(() => {
    hashFunctions.argon2 = (hash, password) => {
      count(hash.split('$').slice(1, 4).join(' '), 1)
      return own.argon2(hash, password)
    }
    hashFunctions.bcrypt = (hash, password) => {
      count('bcrypt', 2 ** Number(hash.split('$')[2]))
      return own.bcrypt(hash, password)
    }
    hashFunctions.pbkdf2 = (password, options) => {
      const block = { sha1: 20, sha256: 32, sha512: 64 }[options.digest] ?? 1
      count(`pbkdf2 ${options.digest}`, options.iterations * Math.ceil(options.size / block))
      return own.pbkdf2(password, options)
    }
    hashFunctions.scrypt = (password, options) => {
      const { cost, blockSize, parallelization } = options.cost
      count(`scrypt ${cost},${blockSize},${parallelization}`, 1)
      return own.scrypt(password, options)
    }
  })
  after(() => void Object.assign(hashFunctions, own))

  let stage: Stage | undefined
  afterEach(async () => {
    await stage?.close()
    stage = undefined
  })

  /** Signs in and returns the work that was done for the answer. */
  async function workOf(email: string, password: string): Promise<Work> {
    work = {}
    await stage?.signIn(stage.browser(), email, password)
    return work
  }

  for (const [name, { imported, hashes, hash }] of Object.entries(cases)) {
    it(`CD-16: is the same for all, with hashes of ${name}`, async () => {
      stage = await startStage({ password: { hash, imported }, config: { rateLimit: false } })
      const addresses = ['nobody@example.com', 'own@example.com', 'none@example.com']
      const add = async (at: string) => {
        const id = `user-${at}`
        await stage?.adapter.createUser({ id, email: `${at}@example.com`, emailVerified: new Date() })
        return id
      }
      await add('none')
      const hasher = hash ?? argon2id()
      const userId = await add('own')
      const written = { userId, hash: await hasher.hash('the right password'), changedAt: new Date() }
      await passwordsIn(stage.adapter.store()).write(written, 0)
      for (const [at, text] of hashes.entries()) {
        const id = await add(`imported-${at}`)
        expect(
          await expressFunctions(stage.app.config).passwords.import({ userId: id, hash: text }),
          text,
        ).to.deep.equal({ ok: true })
        addresses.push(`imported-${at}@example.com`)
      }
      // Warm: a decoy was made.
      await workOf('nobody@example.com', better)
      const expected = await workOf('nobody@example.com', better)
      expect(Object.keys(expected), 'the hasher and each function').to.have.length.above(1)
      for (const email of addresses) {
        expect(await workOf(email, better), email).to.deep.equal(expected)
        // One spelt in another form than the composed one.
        const spelt = await workOf('nobody@example.com', `${better} e\u0301`)
        expect(await workOf(email, `${better} e\u0301`), email).to.deep.equal(spelt)
      }
      expect(await workOf('own@example.com', 'the right password'), 'the right one').to.deep.equal(expected)
      await stage.settle()
      for (const step of ['signup/password', 'password/forgot']) {
        const works: Work[] = []
        for (const email of addresses) {
          work = {}
          const answer = await stage.browser().submit(`/auth/${step}`, { email, password: better })
          expect(target(answer)).to.include('verify-request')
          works.push(work)
          await stage.settle()
        }
        expect(new Set(works.map((each) => JSON.stringify(each))).size, step).to.equal(1)
      }
    })
  }

  it('CD-16: is the same for a kind of the application’s own, which needs a decoy', async () => {
    const calls: string[] = []
    const kind: ImportedHash = {
      recognizes: (hash) => hash.startsWith('plain:'),
      verify: (hash, password) => {
        calls.push(hash)
        return hash === `plain:${password}`
      },
      decoy: 'plain:',
    }
    const hasher = quickHasher()
    stage = await startStage({ password: { hash: hasher, imported: [kind] }, config: { rateLimit: false } })
    await stage.adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: new Date() })
    await expressFunctions(stage.app.config).passwords.import({ userId: 'ann', hash: 'plain:right' })
    await workOf('nobody@example.com', 'x')
    const seen: unknown[] = []
    for (const email of ['nobody@example.com', 'ann@example.com']) {
      calls.length = 0
      hasher.calls.verify = 0
      await workOf(email, 'wrong')
      seen.push([calls.length, hasher.calls.verify])
    }
    expect(seen).to.deep.equal([
      [1, 1],
      [1, 1],
    ])
    expect(target(await stage.signIn(stage.browser(), 'ann@example.com', 'right'))).to.equal(`${stage.app.origin}/`)
    const { decoy: _decoy, ...lacking } = kind
    expect(await rejectionOf(startStage({ password: { imported: [lacking] } })))
      .to.have.property('message')
      .that.includes('imported[0]')
      .and.includes('decoy')
  })

  it('CD-16: is the same for a hash whose kind is not in `imported` any more, and for a damaged one', async () => {
    stage = await startStage({ password: { hash: undefined }, config: { rateLimit: false } })
    const stored = { bcrypt: hashesOf('bcrypt')[0], damaged: '$argon2id$v=19$m=9' }
    for (const [id, hash = ''] of Object.entries(stored)) {
      await stage.adapter.createUser({ id, email: `${id}@example.com`, emailVerified: new Date() })
      await passwordsIn(stage.adapter.store()).write({ userId: id, hash, changedAt: new Date() }, 0)
    }
    const expected = await workOf('nobody@example.com', better)
    expect(Object.keys(expected)).to.have.length(1)
    for (const id of Object.keys(stored)) {
      expect(await workOf(`${id}@example.com`, better)).to.deep.equal(expected)
      expect(stage.app.log.errors.splice(0).map(({ message }) => message)).to.deep.equal([
        'A stored password could not be checked.',
      ])
    }
  })

  it('CD-16: importPassword refuses a hash of more work than is said, and stores nothing', async () => {
    const weak = { memory: 7168, iterations: 5 }
    stage = await startStage({
      password: { hash: argon2id(weak), imported: [bcrypt({ cost: 5 }), pbkdf2({ sha256: 1000 })] },
    })
    const { config } = stage.app
    await stage.adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: new Date() })
    const refused = {
      [hashesOf('bcrypt', '$2y$06')[0] ?? '']: 'bcrypt of cost 6',
      [hashesOf('pbkdf2', '$pbkdf2-sha256')[0] ?? '']: 'PBKDF2 (sha256) of 1200 iterations',
      [hashesOf('pbkdf2', '$pbkdf2-sha512')[0] ?? '']: 'PBKDF2 (sha512)',
      [await scrypt().hash(better)]: 'scrypt N=16384, r=8, p=5',
      [await argon2id().hash(better)]: 'argon2id m=19456,t=2,p=1',
      [`$2b$31$${'a'.repeat(53)}`]: 'takes more work than is allowed',
    }
    for (const [hash, words] of Object.entries(refused)) {
      const error = await rejectionOf(expressFunctions(config).passwords.import({ userId: 'ann', hash }))
      expect(error).to.be.an.instanceOf(TypeError)
      expect(error.message).to.include(words).and.not.include(hash)
      expect(await passwordsIn(stage.adapter.store()).find('ann')).to.equal(null)
    }
    const hash = await argon2id(weak).hash(better)
    expect(await expressFunctions(config).passwords.import({ userId: 'ann', hash })).to.deep.equal({ ok: true })
  })

  it('CD-16: is the same once a process has met a hash of other work, which it warns of once', async () => {
    stage = await startStage({ password: { hash: undefined }, config: { rateLimit: false } })
    await stage.adapter.createUser({ id: 'old', email: 'old@example.com', emailVerified: new Date() })
    const hash = await scrypt().hash('the right password')
    await passwordsIn(stage.adapter.store()).write({ userId: 'old', hash, changedAt: new Date() }, 0)
    const first = await workOf('old@example.com', better)
    expect(Object.keys(first)).to.have.members(['argon2id v=19 m=19456,t=2,p=1', 'scrypt 16384,8,5'])
    expect(await workOf('nobody@example.com', better)).to.deep.equal(first)
    expect(await workOf('old@example.com', better)).to.deep.equal(first)
    expect(stage.app.log.warnings.map(({ code }) => code)).to.deep.equal(['password-work'])
    expect(target(await stage.signIn(stage.browser(), 'old@example.com', 'the right password'))).to.equal(
      `${stage.app.origin}/`,
    )
    await stage.settle()
  })
})
