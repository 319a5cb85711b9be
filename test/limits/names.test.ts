/**
 * One account has one count, however its name is written: by the application's rules, by those of databases, and by
 * none at all.
 */
import { expect } from 'chai'
import { sql } from 'kysely'
import { InvalidRequest } from '../../lib/errors.js'
import { foldedNameIn, foldedNamesIn, foldName } from '../../lib/features/limits/attempts.js'
import { credentials } from '../support/app.js'
import { databaseKinds, requireDatabase, type TestDatabase } from '../support/databases.js'
import { base, doors, type LimitStage, openLimitStage } from './stage.js'

/** Spellings of one name, which applications or their databases may treat as equal. */
const same: readonly (readonly string[])[] = [
  ['ann', 'ANN', ' ann ', 'a\u200bnn', 'ａｎｎ', 'ánn', 'a\u0301nn', '\u0363nn', 'ᵃnn', 'a\u0640nn'],
  ['soren', 'søren', 'SØREN', 'ſoren', 'şoren'],
  ['oeuvre', 'œuvre', 'ŒUVRE'],
  ['strasse', 'straße', 'STRAẞE', 'strase'],
  ['user2024', 'user٢٠٢٤', 'user２０２４', 'user२०२४', 'user②⓪24'],
  ['victim@gmail.com', 'v.i.c.t.i.m@gmail.com', 'victim+x@gmail.com', 'victim＋1+2@gmail.com', 'victim@gmail．com'],
  ['+49 170 1234', '+49 (170) 12-34', '491701234', '+49/170/1234', '+4-9.170‑1234'],
  ['иван', 'ИВАН', 'йван', 'и\u2de1ан'],
  ['Σοφός', 'σοφοσ', 'ΣΟΦΌΣ'],
  ['すずき', 'スズキ', 'ｽｽﾞｷ'],
]

const different = ['ann', 'anne', 'bob', 'иван', 'олег', '鈴木', '田中', '!', '💩', '---']

describe('names, as they are counted', () => {
  for (const spellings of same) {
    it(`are one in ${spellings.length} spellings of ${spellings[0]}`, () => {
      expect([...new Set(spellings.map(foldName))]).to.have.length(1)
    })
  }

  it('are several if they differ', () => {
    expect(new Set(different.map(foldName)).size).to.equal(different.length)
  })

  it('DOS-13: are rejected by their code points before they are folded, whatever they fold to', () => {
    for (const [name, most] of [
      ['a', 512],
      ['\u200b', 512],
      ['\u0301', 512],
      ['\u{f0000}', 512],
    ] as const) {
      expect(() => foldedNameIn(name.repeat(most))).to.not.throw()
      expect(() => foldedNameIn(name.repeat(most + 1))).to.throw(InvalidRequest, 'Send at most 512 characters')
    }
    expect(() => foldedNamesIn(['a'.repeat(300), 'b'.repeat(300)])).to.throw(InvalidRequest)
    expect(() => foldedNameIn(Array.from({ length: 400_000 }, () => 1))).to.throw(InvalidRequest)
    expect(() => foldedNameIn(Array.from({ length: 400_000 }, () => []))).to.throw(InvalidRequest)
  })

  it('are read from any JSON value', () => {
    const [folded = ''] = foldedNameIn(Array.from({ length: 500 }, () => 1))
    expect(folded).to.match(/^1{500}$/)
    const loop: Record<string, unknown> = { name: 'ann' }
    loop.self = loop
    expect(foldedNameIn(loop)).to.deep.equal(['ann'])
    expect([
      foldedNameIn(undefined),
      foldedNameIn(null),
      foldedNameIn(''),
      foldedNameIn(0),
      foldedNameIn({ a: ['An', [1]] }),
    ]).to.deep.equal([[], [], [], ['0'], ['an1']])
  })

  it('are bounded, and folded before the test times out, whatever they contain', () => {
    const signs = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => String.fromCodePoint(from + at)).join('')
    foldName('é')
    for (const [what, name] of Object.entries({
      'marks out of their order': `a${'\u0301\u0327'.repeat(25_000)}`,
      'signs that are made of eighteen': '\ufdfa'.repeat(33_000),
      'plus signs': '+'.repeat(100_000),
      'signs of which none comes twice': signs(0x4e00, 20_000),
      'signs that nobody knows': signs(0xf0000, 25_000),
    })) {
      expect(foldName(name).length, what).to.be.at.most(512)
    }
  })
})

describe('names that a database treats as equal', function () {
  this.timeout(30_000)
  let database: TestDatabase
  before(async function () {
    database = await requireDatabase(this, 'mysql')
  })
  after(() => database?.close())

  /** Returns the weights by which a collation sorts: names with the same weights are the same name. */
  const weights = async (collation: string, texts: readonly string[]): Promise<string[]> => {
    const found: string[] = []
    for (let at = 0; at < texts.length; at += 1000) {
      const each = texts
        .slice(at, at + 1000)
        .map(
          (text) => sql`hex(weight_string(cast(${text} as char character set utf8mb4) collate ${sql.raw(collation)}))`,
        )
      const { rows } = await sql<Record<string, string>>`select ${sql.join(
        each.map((weight, column) => sql`${weight} as ${sql.ref(`c${column}`)}`),
      )}`.execute(database.db)
      found.push(...each.map((_, column) => rows[0]?.[`c${column}`] ?? ''))
    }
    return found
  }

  const ascii = Array.from('abcdefghijklmnopqrstuvwxyz0123456789')
  const pairs = ascii.flatMap((first) => ascii.map((second) => first + second))
  const plane = Array.from({ length: 0x10000 - 0xa0 }, (_, at) => String.fromCharCode(0xa0 + at)).filter((sign) =>
    /[\p{L}\p{M}\p{Nd}]/u.test(sign),
  )

  for (const collation of ['utf8mb4_general_ci', 'utf8mb4_unicode_520_ci']) {
    const run = databaseKinds.includes('mysql') ? it : undefined
    run?.(`are counted together, whichever letter or digit ${collation} reads as one of ASCII`, async () => {
      const plain = new Map<string, string>()
      for (const texts of [pairs, ascii]) {
        for (const [at, weight] of (await weights(collation, texts)).entries()) plain.set(weight, texts[at] ?? '')
      }
      const escaped = (await weights(collation, plane)).flatMap((weight, at) => {
        const read = plain.get(weight)
        const sign = plane[at] ?? ''
        return read === undefined || foldName(sign) === foldName(read) ? [] : [`${sign} is ${read}`]
      })
      expect(escaped).to.deep.equal([])
    })
  }
})

for (const [name, open] of Object.entries(doors)) {
  describe(`names that are guessed, ${name}`, () => {
    let stage: LimitStage
    const start = async (settings: Parameters<typeof credentials>[0] = {}) => {
      stage = await openLimitStage(open, {
        rateLimit: { rules: { credentials: { perAccount: 5, window: 60 } } },
        ...(Object.keys(settings).length > 0 && { providers: [credentials({ authorize: () => null, ...settings })] }),
      })
    }
    afterEach(() => stage.close())

    const send = (json: object) =>
      stage.stranger().ask(`${base}/callback/credentials`, {
        json,
        headers: { origin: stage.door.origin, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
      })

    it('DOS-13: cause no delay by their length', async () => {
      await start()
      const username = `a${'\u0301\u0327'.repeat(22_000)}`
      const began = performance.now()
      expect((await send({ username, password: 'wrong' })).status).to.equal(400)
      expect(stage.evaluated).to.deep.equal([])
      expect(performance.now() - began).to.be.below(500)
    })

    it('are counted in each field that may name the user', async () => {
      const fields = { email: {}, username: {}, password: { type: 'password' } }
      await start({ credentials: fields })
      const status = []
      for (let at = 0; at < 7; at += 1) {
        status.push((await send({ email: `nobody-${at}@example.com`, username: 'ann', password: 'wrong' })).status)
      }
      expect(status).to.deep.equal([401, 401, 401, 401, 401, 429, 429])
    })

    it('are one in any JSON, if a provider accepts any', async () => {
      await start({ credentials: { username: {}, password: { type: 'password' } }, json: true })
      const names = ['ann', ['ann'], [['ANN']], { $eq: 'ann' }, [{ value: ['ann'] }], 'ann']
      const status = []
      for (const username of names) status.push((await send({ username, password: 'wrong' })).status)
      expect(status).to.deep.equal([401, 401, 401, 401, 401, 429])
      expect((await send({ username: 7, password: 'wrong' })).status).to.equal(401)
    })

    it('cause no fault of the server however deep they are', async () => {
      await start({ credentials: { username: {}, password: { type: 'password' } }, json: true })
      const deep = `{"username":${'['.repeat(40_000)}${']'.repeat(40_000)},"password":"wrong"}`
      const answer = await stage.stranger().ask(`${base}/callback/credentials`, {
        body: deep,
        headers: {
          'content-type': 'application/json',
          origin: stage.door.origin,
          'sec-fetch-site': 'same-origin',
          accept: 'application/json',
        },
      })
      expect(answer.status).to.be.below(500)
    })
  })
}
