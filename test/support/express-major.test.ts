import { createRequire } from 'node:module'
import { expect } from 'chai'
import express, { Router } from 'express'

const wanted = process.env.EXPRESS_MAJOR || '5'

/** The version's visible difference: Express 5 refuses a wildcard without a name. */
function takesBareWildcard(router: { use(path: string, handler: () => void): unknown }): boolean {
  try {
    router.use('/auth/*', () => {})
    return true
  } catch {
    return false
  }
}

describe('test/support/express-major', () => {
  it(`loads Express ${wanted}, as EXPRESS_MAJOR says`, () => {
    expect(takesBareWildcard(express())).to.equal(wanted === '4')
    expect(takesBareWildcard(Router())).to.equal(wanted === '4')
  })

  it('gives import() the same Express', async () => {
    expect((await import('express')).default === express).to.equal(true)
  })

  it('has the real package of both majors to choose from', () => {
    const require = createRequire(import.meta.url)
    const versions = ['express', 'express4'].map((name) => String(require(`${name}/package.json`).version))
    expect(versions.map((version) => version.split('.')[0])).to.deep.equal(['5', '4'])
  })
})
