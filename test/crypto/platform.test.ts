/** base64url of the platform: by Node, and as an edge runtime does it. jose is the judge. */
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { EdgeVM } from '@edge-runtime/vm'
import { expect } from 'chai'
import { build } from 'esbuild'
import { base64url } from 'jose'
import * as node from '../../lib/crypto/platform.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Each length up to three groups, and all 256 bytes: every digit of the alphabet. */
const samples = [
  ...Array.from({ length: 10 }, (_, length) => randomBytes(length)),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
]

describe('toBase64url(bytes) and fromBase64url(text)', () => {
  it('are base64url without padding, in Node', () => {
    for (const bytes of samples) {
      expect(node.toBase64url(bytes)).to.equal(base64url.encode(bytes))
      expect([...node.fromBase64url(base64url.encode(bytes))]).to.deep.equal([...bytes])
    }
  })

  it('encode a view of a buffer, and not the rest of it', () => {
    expect(node.toBase64url(new Uint8Array([9, 1, 2, 9]).subarray(1, 3))).to.equal('AQI')
  })

  it('are the same on an edge runtime', async () => {
    const program = `export { fromBase64url, toBase64url } from './lib/crypto/platform.ts'`
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: root, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'platform',
      platform: 'neutral',
    })
    const vm = new EdgeVM({ initialCode: outputFiles[0]?.text ?? '' })
    for (const bytes of samples) {
      const text = base64url.encode(bytes)
      const there = (expression: string) => JSON.parse(String(vm.evaluate(`JSON.stringify(${expression})`)))
      expect(there(`platform.toBase64url(new Uint8Array(${JSON.stringify([...bytes])}))`)).to.equal(text)
      expect(there(`[...platform.fromBase64url(${JSON.stringify(text)})]`)).to.deep.equal([...bytes])
    }
    expect(vm.evaluate('typeof Buffer')).to.equal('undefined')
  })
})
