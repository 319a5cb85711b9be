/**
 * Chooses the Express that tests import. `EXPRESS_VERSION=4` loads the newest Express 4 (the package `express4`), and `4.16.4` the oldest
 * supported one, from `test/express-oldest`. Loaded by `.mocharc.json` before anything else. The types are always those of Express 5.
 */
import { register } from 'node:module'

const here = import.meta.url
const packages = new Map([
  ['5', undefined],
  ['4', { name: 'express4', parentURL: here }],
  ['4.16.4', { name: 'express', parentURL: new URL('../express-oldest/package.json', here).href }],
])

/** The requested version. An unknown version is an error: the run must not silently use Express 5. */
const version = process.env.EXPRESS_VERSION || '5'
if (!packages.has(version)) {
  throw new Error(`EXPRESS_VERSION is ${version}. Set one of: ${[...packages.keys()].join(', ')}.`)
}
const wanted = packages.get(version)
if (wanted) register('./express-version-hooks.mjs', here, { data: { wanted } })
