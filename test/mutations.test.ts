/** The list of defences that `npm run mutate` switches off: each is where the list says. Whether a test misses it is found out each night. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { mutations } from '../scripts/mutations.mjs'

const root = new URL('../', import.meta.url)

describe('the defences that are switched off one by one', () => {
  for (const [gain, file, text, replacement, tests] of mutations) {
    it(`are in the source exactly once: ${gain}`, () => {
      const source = readFileSync(fileURLToPath(new URL(file, root)), 'utf8')
      expect(source.split(text).length - 1, `${file}: ${text}`).to.equal(1)
      expect(replacement).to.not.equal(text)
      for (const path of tests) {
        const name = path.endsWith('/') ? path : `${path}.test.ts`
        expect(existsSync(fileURLToPath(new URL(name, root))), name).to.equal(true)
      }
    })
  }

  it('have names of their own', () => {
    expect(mutations.length).to.be.above(70)
    expect(new Set(mutations.map(([gain]) => gain)).size).to.equal(mutations.length)
  })
})
