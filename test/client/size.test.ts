/** Tests of the size of the client that a page has to load. */
import { expect } from 'chai'
import { bundle } from './bundle.js'

const minified = { minify: true, external: ['react'] }

describe('the size of the client', () => {
  for (const [entry, limit] of [
    ['lib/client/index.ts', 4224],
    ['lib/client/react.ts', 7168],
  ] as const) {
    it(`${entry}: at most ${limit} bytes, of our own files`, async () => {
      const { code, files } = await bundle(entry, minified)
      expect(code.length).to.be.within(1024, limit)
      expect(files).to.include(entry)
      expect(files.filter((file) => !file.startsWith('lib/client/'))).to.deep.equal([])
    })
  }

  it('is smaller where little of it is used', async () => {
    const whole = await bundle('lib/client/index.ts', minified)
    const part = await bundle('lib/client/session.ts', minified)
    expect(part.code.length).to.be.lessThan(whole.code.length * 0.7)
  })
})
