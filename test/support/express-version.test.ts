import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import express, { Router } from 'express'

const wanted = process.env.EXPRESS_VERSION || '5'
const isExpress4 = wanted.startsWith('4')

/** Checks the visible difference of the versions: Express 5 rejects a wildcard without a name. */
function takesBareWildcard(router: { use(path: string, handler: () => void): unknown }): boolean {
  try {
    router.use('/auth/*', () => {})
    return true
  } catch {
    return false
  }
}

describe('test/support/express-version', () => {
  it(`loads Express ${wanted}, as EXPRESS_VERSION says`, () => {
    expect(takesBareWildcard(express())).to.equal(isExpress4)
    expect(takesBareWildcard(Router())).to.equal(isExpress4)
  })

  it(`tells the newest Express 4 from the oldest (${wanted})`, () => {
    // Express 4.17 added `express.text`.
    expect('text' in express).to.equal(wanted !== '4.16.4')
  })

  it('gives import() the same Express', async () => {
    expect((await import('express')).default === express).to.equal(true)
  })

  it('has the real packages to choose from', () => {
    const require = createRequire(import.meta.url)
    const versions = ['express', 'express4'].map((name) => String(require(`${name}/package.json`).version))
    expect(versions.map((version) => version.split('.')[0])).to.deep.equal(['5', '4'])
  })

  it('tests the oldest version of the peer range', () => {
    const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'))
    const { dependencies } = read('test/express-oldest/package.json')
    expect(read('package.json').peerDependencies.express.split(' ')[0]).to.equal(`^${dependencies.express}`)
    const installed = 'test/express-oldest/node_modules/express/package.json'
    if (existsSync(new URL(`../../${installed}`, import.meta.url))) {
      expect(read(installed).version).to.equal(dependencies.express)
    }
  })
})
