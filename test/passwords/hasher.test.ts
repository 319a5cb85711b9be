/** The hashing of new passwords, and the valid and invalid options of hashers. */
import { expect } from 'chai'
import { InvalidConfiguration } from '../../lib/errors.js'
import { argon2id, defaultHasher, scrypt } from '../../lib/features/passwords/index.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

const password = 'correct horse battery staple'
/** The least that is taken: the tests have many. */
const quick = { argon2: argon2id({ memory: 7168, iterations: 5 }), scrypt: scrypt({ parallelization: 5 }) }

describe('hashers', function () {
  this.timeout(20_000)
  this.slow(2_000)

  it('take Argon2id where its package is installed, with the cost of OWASP', async () => {
    const hasher = defaultHasher()
    const hash = await hasher.hash(password)
    expect(hash).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await hasher.verify(hash, password)).to.equal(true)
    expect(await hasher.verify(hash, `${password} `)).to.equal(false)
    expect(hasher.needsRehash(hash)).to.equal(false)
  })

  it('take scrypt as a PHC string, of 16 bytes of salt and 32 of key', async () => {
    const hash = await scrypt().hash(password)
    expect(hash).to.match(/^\$scrypt\$ln=14,r=8,p=5\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(await scrypt().verify(hash, password)).to.equal(true)
    expect(await scrypt().verify(hash, password.toUpperCase())).to.equal(false)
    expect(scrypt().needsRehash(hash)).to.equal(false)
  })

  it('make another salt for each, in texts that a store can keep', async () => {
    for (const hasher of Object.values(quick)) {
      const [one, other] = [await hasher.hash(password), await hasher.hash(password)]
      expect(one).to.not.equal(other)
      expect(one.length).to.be.at.most(1024)
    }
  })

  it("verify each other's, and migrate users (CD-07)", async () => {
    const [byScrypt, byArgon2] = [await quick.scrypt.hash(password), await quick.argon2.hash(password)]
    for (const hasher of [defaultHasher(), ...Object.values(quick)]) {
      expect(await hasher.verify(byScrypt, password)).to.equal(true)
      expect(await hasher.verify(byArgon2, password)).to.equal(true)
    }
    expect(quick.argon2.needsRehash(byScrypt)).to.equal(true)
    expect(quick.scrypt.needsRehash(byArgon2)).to.equal(true)
    const usual = defaultHasher()
    expect(await usual.verify(byScrypt, password)).to.equal(true)
    expect(usual.needsRehash(byScrypt)).to.equal(true)
  })

  const costs: ReadonlyArray<[hash: string, isWeaker: boolean]> = [
    ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA', false],
    ['$argon2id$v=19$m=47104,t=1,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA', false],
    ['$argon2id$v=19$m=19456,t=1,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA', true],
    ['$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA', true],
    ['$argon2id$v=16$m=19456,t=2,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA', true],
    ['$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA', true],
    ['$2b$12$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuabcdefghij', true],
    ['', true],
  ]
  for (const [hash, isWeaker] of costs) {
    it(`${isWeaker ? 'replace' : 'keep'} ${hash.slice(0, 32)}`, () => {
      expect(argon2id().needsRehash(hash)).to.equal(isWeaker)
    })
  }

  it('replace scrypt of a lower cost', async () => {
    const hash = await scrypt().hash(password)
    expect(scrypt({ cost: 2 ** 15 }).needsRehash(hash)).to.equal(true)
    expect(scrypt({ cost: 2 ** 13, parallelization: 10 }).needsRehash(hash)).to.equal(false)
  })

  it('reject a stored text that is not their hash, without disclosing it (CD-07)', async () => {
    const good = await quick.scrypt.hash(password)
    const broken = [
      '',
      'x',
      good.slice(0, -30),
      `${good}\n`,
      good.replace('ln=14', 'ln=1e1'),
      good.replace('$scrypt', '$scrypt2'),
    ]
    for (const hash of [
      ...broken,
      good.replace('ln=14', 'ln=0'),
      good.replace('ln=14', 'ln=40'),
      good.replace('r=8', 'r=0'),
    ]) {
      const error = await rejectionOf(Promise.resolve(defaultHasher().verify(hash, password)))
      expect(error, hash).to.be.instanceOf(TypeError)
      expect(error.message).to.not.include(good.slice(30))
    }
  })

  it('take both spellings of a letter for one, and nothing else (CD-06)', async () => {
    for (const hasher of Object.values(quick)) {
      const hash = await hasher.hash(' cafe\u0301 \u{1F511} and more ')
      expect(await hasher.verify(hash, ' caf\u00e9 \u{1F511} and more ')).to.equal(true)
      expect(await hasher.verify(hash, 'caf\u00e9 \u{1F511} and more')).to.equal(false)
      expect(await hasher.verify(await hasher.hash('\ufb01ne words'), 'fine words')).to.equal(false)
    }
  })

  it('look at each character, a NUL and those behind it, too (CD-06)', async () => {
    for (const hasher of Object.values(quick)) {
      const hash = await hasher.hash(`${'a'.repeat(72)}\0one`)
      expect(await hasher.verify(hash, `${'a'.repeat(72)}\0one`)).to.equal(true)
      expect(await hasher.verify(hash, `${'a'.repeat(72)}\0two`)).to.equal(false)
      expect(await hasher.verify(hash, 'a'.repeat(72))).to.equal(false)
    }
  })

  it('hash 1024 characters, and never more (CD-06, DOS-06)', async () => {
    for (const hasher of Object.values(quick)) {
      const hash = await hasher.hash('\u{1F511}'.repeat(1024))
      expect(await hasher.verify(hash, '\u{1F511}'.repeat(1024))).to.equal(true)
      const begin = performance.now()
      for (const long of ['\u{1F511}'.repeat(1025), 'x'.repeat(2 ** 20)]) {
        expect(await hasher.verify(hash, long)).to.equal(false)
        const error = await rejectionOf(Promise.resolve(hasher.hash(long)))
        expect(error).to.be.instanceOf(RangeError)
        expect(error.message).to.not.include('xx')
      }
      expect(performance.now() - begin).to.be.lessThan(50)
    }
  })

  const refused: ReadonlyArray<[what: string, make: () => unknown, message: RegExp]> = [
    [
      'argon2id of little memory',
      () => argon2id({ memory: 4096, iterations: 10 }),
      /`memory` \(KiB\) must be at least 7168/,
    ],
    ['argon2id of one pass', () => argon2id({ iterations: 1 }), /the cost is too low/],
    ['argon2id of a gigabyte', () => argon2id({ memory: 2 ** 20 }), /too high for a sign-in/],
    ['argon2id in a hundred threads', () => argon2id({ parallelism: 100 }), /too high for a sign-in/],
    ['argon2id of a text', () => argon2id(JSON.parse('{"memory":"19456"}')), /`memory` must be a whole number/],
    ['argon2id of NaN', () => argon2id({ iterations: Number.NaN }), /`iterations` must be a whole number/],
    ['scrypt of 15000', () => scrypt({ cost: 15_000 }), /power of two/],
    ['scrypt of little memory', () => scrypt({ cost: 4096, parallelization: 16 }), /the cost is too low/],
    ['scrypt of one part', () => scrypt({ parallelization: 1 }), /the cost is too low/],
    ['scrypt of two gigabytes', () => scrypt({ cost: 2 ** 21 }), /too high for a sign-in/],
    ['scrypt of no blocks', () => scrypt({ blockSize: 0 }), /`blockSize` must be a whole number above zero/],
  ]
  for (const [what, make, message] of refused) {
    it(`refuse ${what}`, () => {
      const error = thrownBy(make)
      expect(error).to.be.instanceOf(InvalidConfiguration)
      expect(error.message).to.match(message)
    })
  }
})
