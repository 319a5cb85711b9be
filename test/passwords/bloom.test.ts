/** Known passwords in a file. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { InvalidConfiguration } from '../../lib/errors.js'
import { bloomFile, writeBloomFile } from '../../lib/features/passwords/index.js'
import { rejectionOf, thrownBy } from '../support/rejection.js'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')
const { signal } = new AbortController()

describe('writeBloomFile(path, lines, options) and bloomFile(path)', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-auth-bloom-'))
    path = join(folder, 'known')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const knows = (password: string) => bloomFile(path).isBreached(password, signal)

  it('knows all that was put in, and of others as many as it says', async () => {
    const count = 20_000
    const lines = Array.from({ length: count }, (_, index) => `${sha1(`known ${index}`).toUpperCase()}:${index}`)
    expect(await writeBloomFile(path, lines, { count })).to.equal(count)
    const { isBreached } = bloomFile(path)
    const asked = (word: string) =>
      Array.from({ length: count }, (_, index) => index).filter((index) => isBreached(`${word} ${index}`, signal))
        .length
    expect(asked('known')).to.equal(count)
    expect(asked('other')).to.be.within(5, 40)
    expect(statSync(path).size / count).to.be.lessThan(1.81)
    expect(readdirSync(folder)).to.deep.equal(['known'])
  })

  it('is as exact as it is asked to be', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => sha1(`known ${index}`))
    await writeBloomFile(path, lines, { count: 2000, falsePositives: 1e-6 })
    const { isBreached } = bloomFile(path)
    const others = Array.from({ length: 20_000 }, (_, index) => `other ${index}`)
    expect(others.filter((other) => isBreached(other, signal))).to.deep.equal([])
  })

  it('reads lines as they come, empty ones and line ends of Windows among them', async () => {
    async function* lines() {
      yield `${sha1('one')}\r`
      yield ''
      yield `${sha1('caf\u00e9')}:7`
    }
    expect(await writeBloomFile(path, lines(), { count: 10 })).to.equal(2)
    expect([await knows('one'), await knows('cafe\u0301'), await knows('two')]).to.deep.equal([true, true, false])
  })

  it('replaces a file when it is whole, and leaves nothing where it fails', async () => {
    await writeBloomFile(path, [sha1('one')], { count: 1 })
    const tooMany = await rejectionOf(writeBloomFile(path, [sha1('a'), sha1('b')], { count: 1 }))
    const noHash = await rejectionOf(writeBloomFile(path, ['hunter2'], { count: 1 }))
    expect([tooMany.name, noHash.name]).to.deep.equal(['RangeError', 'TypeError'])
    // The input may be a list of passwords.
    expect(noHash.message).to.not.include('hunter2')
    await rejectionOf(writeBloomFile(join(folder, 'no', 'folder'), [sha1('a')], { count: 1 }))
    expect([await knows('one'), readdirSync(folder)]).to.deep.equal([true, ['known']])
    await writeBloomFile(path, [sha1('two')], { count: 1 })
    expect([await knows('one'), await knows('two')]).to.deep.equal([false, true])
  })

  for (const options of [
    { count: 0 },
    { count: 1.5 },
    { count: 1e12 },
    { count: 1, falsePositives: 0 },
    { count: 1, falsePositives: 1 },
  ]) {
    it(`refuses to write ${JSON.stringify(options)}`, async () => {
      const error = await rejectionOf(writeBloomFile(path, [], options))
      expect(error).to.be.instanceOf(RangeError)
    })
  }

  const damages: ReadonlyArray<[what: string, damage: () => void]> = [
    ['is not there', () => rmSync(path)],
    ['is empty', () => truncateSync(path, 0)],
    ['ends in its head', () => truncateSync(path, 40)],
    ['ends too early', () => truncateSync(path, statSync(path).size - 1)],
    ['goes on', () => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(1)]))],
    ['is something else', () => writeFileSync(path, '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:3\n'.repeat(50))],
    ['is of a later version', () => change((file) => file.writeUInt32LE(2, 8))],
    ['sets no bits', () => change((file) => file.writeUInt32LE(0, 12))],
    ['sets too many bits', () => change((file) => file.writeUInt32LE(2 ** 31, 12))],
    ['has a size of nothing', () => change((file) => file.writeBigUInt64LE(0n, 16))],
    ['has a size of everything', () => change((file) => file.writeBigUInt64LE(2n ** 64n - 1n, 16))],
    ['has one bit turned', () => change((file) => file.writeUInt8(file.readUInt8(70) ^ 4, 70))],
  ]
  function change(how: (file: Buffer) => void) {
    const file = readFileSync(path)
    how(file)
    writeFileSync(path, file)
  }
  for (const [what, damage] of damages) {
    it(`refuses a file that ${what}, when the check is made`, async () => {
      await writeBloomFile(path, [sha1('one'), sha1('two')], { count: 100 })
      damage()
      const error = thrownBy(() => bloomFile(path))
      expect(error).to.be.instanceOf(InvalidConfiguration)
      expect(error.message).to.include(path)
    })
  }
})
