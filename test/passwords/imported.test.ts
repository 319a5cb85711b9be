/** Hashes that programs of others made, and what is refused of them. `make-vectors.py` says how the vectors were made. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { InvalidConfiguration } from '../../lib/errors.js'
import {
  argon2Hashes,
  aspNetIdentity,
  bcrypt,
  betterAuth,
  defaultHasher,
  django,
  firebaseHash,
  firebaseScrypt,
  type ImportedHash,
  pbkdf2,
  scryptHashes,
} from '../../lib/features/passwords/index.js'
import { inTurn } from '../support/extent.js'
import { rejectionOf } from '../support/rejection.js'

interface Vector {
  readonly kind: string
  readonly source: string
  readonly password: string
  readonly hash: string
}

const { vectors }: { vectors: Vector[] } = JSON.parse(readFileSync(new URL('./vectors.json', import.meta.url), 'utf8'))

/** The parameters, and a user, that the readme of firebase/scrypt publishes. */
const firebase = {
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memoryCost: 14,
}
const firebaseUser = {
  salt: '42xEC+ixf3L2lw==',
  passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
}

const kinds: Record<string, ImportedHash> = {
  bcrypt: bcrypt(),
  pbkdf2: pbkdf2(),
  scrypt: scryptHashes(),
  argon2: argon2Hashes(),
  django: django(),
  aspNetIdentity: aspNetIdentity(),
  betterAuth: betterAuth(),
  firebase: firebaseScrypt(firebase),
}

const kindOf = (name: string): ImportedHash => kinds[name] ?? expect.fail(`no kind ${name}`)

describe('hashes of other programs', function () {
  this.timeout(20_000)
  this.slow(2_000)

  // The vectors of a kind get different wrong passwords, and all of them each night.
  for (const [turn, vector] of vectors.filter(({ kind }) => kind in kinds).entries()) {
    const { kind, source, password, hash } = vector
    it(`${kind} of ${source}: ${hash.slice(0, 24)}… of ${password.length} characters`, async () => {
      const names = Object.keys(kinds).filter((name) => kindOf(name).recognizes(hash))
      expect(names).to.deep.equal([kind])
      expect(await kindOf(kind).verify(hash, password)).to.equal(true)
      for (const other of inTurn([`${password}x`, password.slice(1), password.toUpperCase(), ''], turn)) {
        expect(await kindOf(kind).verify(hash, other), other).to.equal(false)
      }
      expect(defaultHasher().needsRehash(hash)).to.equal(!hash.startsWith('$argon2id$v=19$m=102400'))
    })
  }

  it('Firebase: its own vector, in both alphabets of base64, and no other key', async () => {
    const hash = firebaseHash(firebaseUser)
    expect(kindOf('firebase').recognizes(hash)).to.equal(true)
    expect(await kindOf('firebase').verify(hash, 'user1password')).to.equal(true)
    expect(await kindOf('firebase').verify(hash, 'user1passwore')).to.equal(false)
    const toUrl = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
    const { salt, passwordHash } = firebaseUser
    const inUrls = firebaseHash({ salt: toUrl(salt), passwordHash: toUrl(passwordHash) })
    expect(await kindOf('firebase').verify(inUrls, 'user1password')).to.equal(true)
    const strange = firebaseScrypt({ ...firebase, signerKey: Buffer.alloc(64, 1).toString('base64') })
    expect(await strange.verify(hash, 'user1password')).to.equal(false)
  })

  it('Better Auth: of its own package, which composes in another way', async () => {
    // By `hashPassword` of @better-auth/utils 0.5.1, in Node.
    const hash =
      '0d66a25975fbd1dce748f676d1325a55:cb1b6228cd40c08abb95e2b89fe6adf8b14652bd256173d092e6f495f266daae99e5a18fd67fd70cf33b846eb40c112cf8e45f93df1546412ad06031318438b0'
    expect(await kindOf('betterAuth').verify(hash, '\ufb01ne and long enough')).to.equal(true)
    expect(await kindOf('betterAuth').verify(hash, 'fine and long enough')).to.equal(true)
    expect(await kindOf('betterAuth').verify(hash, 'fine and long enougH')).to.equal(false)
  })

  it('are of one kind each, and all others refuse them', async () => {
    for (const { kind, hash } of vectors) {
      for (const [name, imported] of Object.entries(kinds)) {
        if (kind.startsWith(name)) continue
        const error = await rejectionOf(Promise.resolve(imported.verify(hash, 'x')))
        expect(error).to.be.instanceOf(TypeError)
        expect(error.message).to.not.include(hash)
      }
    }
  })
})

describe('hashes that need too much work', () => {
  const salt = 'c2FsdHNhbHRzYWx0c2FsdA'
  const key = Buffer.alloc(32, 7).toString('base64').replace('=', '')
  const greedy: ReadonlyArray<[kind: string, hash: string]> = [
    ['scrypt', `$scrypt$ln=30,r=8,p=1$${salt}$${key}`],
    ['scrypt', `$scrypt$ln=14,r=8,p=99$${salt}$${key}`],
    ['argon2', `$argon2id$v=19$m=4194304,t=2,p=1$${salt}$${key}`],
    ['argon2', `$argon2id$v=19$m=65536,t=9999,p=1$${salt}$${key}`],
    ['pbkdf2', `$pbkdf2-sha256$1000000000$${salt}$${key}`],
    ['pbkdf2', `$pbkdf2-sha256$i=0$${salt}$${key}`],
    ['django', `pbkdf2_sha256$1000000000$salt$${key}=`],
    ['django', `scrypt$1073741824$salt$8$1$${key}=`],
    ['django', `scrypt$16385$salt$8$1$${key}=`],
    ['django', `argon2$argon2id$v=19$m=4194304,t=2,p=1$${salt}$${key}`],
    ['django', `bcrypt$$2b$31$${'a'.repeat(53)}`],
    ['bcrypt', `$2b$31$${'a'.repeat(53)}`],
    ['bcrypt', `$2b$03$${'a'.repeat(53)}`],
    [
      'aspNetIdentity',
      Buffer.concat([Buffer.from([1, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 16]), Buffer.alloc(48)]).toString(
        'base64',
      ),
    ],
  ]
  for (const [kind, hash] of greedy) {
    it(`${kind}: ${hash.slice(0, 40)} is recognized, and not computed`, async () => {
      const begin = performance.now()
      expect(kindOf(kind).recognizes(hash)).to.equal(true)
      const error = await rejectionOf(Promise.resolve(kindOf(kind).verify(hash, 'x')))
      expect(error).to.be.instanceOf(TypeError)
      expect(error.message).to.not.include(hash)
      expect(performance.now() - begin).to.be.lessThan(100)
    })
  }

  it('a password of a megabyte is false at once (CD-06, DOS-06)', async () => {
    const begin = performance.now()
    for (const { kind, hash } of vectors.filter((vector) => vector.kind in kinds)) {
      expect(await kindOf(kind).verify(hash, 'x'.repeat(2 ** 20))).to.equal(false)
    }
    expect(performance.now() - begin).to.be.lessThan(500)
  })

  it('a text that is no hash has no kind', () => {
    const texts = [
      '',
      '$',
      '$2b$',
      'django',
      'constructor$x',
      '__proto__$x',
      '!unusable',
      'a'.repeat(100_000),
      `${key}\n`,
    ]
    for (const text of texts) {
      for (const [name, kind] of Object.entries(kinds))
        expect(kind.recognizes(text), `${name}: ${text}`).to.equal(false)
    }
  })
})

describe('bcrypt and passwords that it cuts (CD-06)', function () {
  this.timeout(20_000)
  const long = vectors.filter(({ kind }) => kind === 'bcrypt-long')

  it('is false for more than 72 bytes, also for the right ones', async () => {
    expect(long).to.have.length(2)
    for (const { hash, password } of long) {
      expect(await bcrypt().verify(hash, password)).to.equal(false)
      expect(await bcrypt().verify(hash, `${password.slice(0, 72)}another`)).to.equal(false)
      // Not characters: 36 of two bytes each, and one more.
      expect(await bcrypt().verify(hash, 'ä'.repeat(37))).to.equal(false)
    }
  })

  it('is true for them where the import says that they were cut', async () => {
    for (const { hash, password } of long) {
      expect(await bcrypt({ truncated: true }).verify(hash, password)).to.equal(true)
      expect(await bcrypt({ truncated: true }).verify(hash, `b${password}`)).to.equal(false)
    }
  })

  it('CD-16: does its work for a salt whose last character has bits that bcrypt does not use', async () => {
    const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
    for (const { hash, password } of vectors.filter(({ kind }) => kind === 'bcrypt').slice(0, 2)) {
      const at = '$2b$05$'.length + 21
      const odd = hash.slice(0, at) + alphabet[alphabet.indexOf(hash.charAt(at)) + 5] + hash.slice(at + 1)
      expect(await bcrypt().verify(odd, password)).to.equal(true)
      expect(await bcrypt().verify(odd, `${password}x`)).to.equal(false)
    }
  })

  it('is false for a NUL, whatever is in front', async () => {
    for (const { hash, password } of vectors.filter(({ kind }) => kind === 'bcrypt')) {
      for (const options of [{}, { truncated: true }]) {
        expect(await bcrypt(options).verify(hash, `${password}\0`)).to.equal(false)
        // bcrypt repeats its key, with a NUL between.
        expect(await bcrypt(options).verify(hash, `${password}\0${password}`)).to.equal(false)
      }
    }
  })
})

describe('firebaseScrypt(options), firebaseHash(user)', () => {
  const wrong = [
    { signerKey: '' },
    { signerKey: 'Bw==' },
    { saltSeparator: '!' },
    { rounds: 0 },
    { rounds: 1.5 },
    { memoryCost: 30 },
  ]
  for (const options of wrong) {
    it(`refuses ${JSON.stringify(options)}, and does not tell the key`, () => {
      expect(() => firebaseScrypt({ ...firebase, ...options }))
        .to.throw(InvalidConfiguration, 'firebaseScrypt')
        .with.property('message')
        .that.does.not.include(firebase.signerKey)
    })
  }

  it('refuses what is no base64', () => {
    expect(() => firebaseHash({ ...firebaseUser, salt: '$' })).to.throw(TypeError, 'firebaseHash')
    expect(() => firebaseHash({ ...firebaseUser, passwordHash: '' })).to.throw(TypeError, 'firebaseHash')
  })
})
