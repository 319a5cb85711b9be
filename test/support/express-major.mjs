/**
 * Runs the suite on Express 4: with `EXPRESS_MAJOR=4`, `import … from 'express'` loads the package `express4`.
 * Loaded by `.mocharc.json` before anything else. Types are not touched: they are Express 5's.
 */
import { register } from 'node:module'

const majors = new Map([
  ['4', 'express4'],
  ['5', 'express'],
])

/** The package that `EXPRESS_MAJOR` asks for. A mistyped number is an error: it must not pass for a run on Express 4. */
const wanted = majors.get(process.env.EXPRESS_MAJOR || '5')
if (!wanted) throw new Error(`EXPRESS_MAJOR must be 4 or 5, not ${process.env.EXPRESS_MAJOR}`)
if (wanted !== 'express') register('./express-major-hooks.mjs', import.meta.url, { data: { wanted } })
