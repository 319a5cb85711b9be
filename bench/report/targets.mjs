/** The targets, and whether a measurement meets them. */
import { median } from '../harness/measure.mjs'

/** Each target finds its value in the cases by id; `undefined` where the case was not measured. */
const targets = [
  atLeast(
    'Guarded route, one hot token, to bare Express',
    0.9,
    (find) => find('guarded', 'hot-200-B', 'server-auth')?.ratio,
  ),
  atLeast('Guarded route, all tokens distinct, to the bare codec', 0.95, (find) =>
    between(find('guarded', 'distinct-200-B', 'bare codec'), find('guarded', 'distinct-200-B', 'server-auth')),
  ),
  atLeast(
    'Guarded route without a session, to bare Express',
    0.95,
    (find) => find('anonymous', 'anonymous', 'server-auth')?.ratio,
  ),
  atLeast('GET session, to bare Express', 0.65, (find) => find('session', 'session', 'server-auth')?.ratio),
  atLeast(
    'Database session, SQLite, to the bare query',
    0.9,
    (find) => find('database', 'sqlite', 'server-auth')?.ratio,
  ),
  atLeast(
    'Database session, PostgreSQL, to the bare query',
    0.9,
    (find) => find('database', 'postgres', 'server-auth')?.ratio,
  ),
  atLeast(
    'The same with `prepare`, as in the bare query',
    0.9,
    (find) => find('database', 'postgres', 'server-auth, `prepare`')?.ratio,
  ),
  atLeast(
    'Sign-in with credentials, all requests, to bare Express',
    0.4,
    (find) => find('credentials', 'credentials', 'server-auth')?.ratio,
  ),
  atLeast('A hundred providers, to one', 0.97, (find) =>
    between(find('providers', 'providers', 'server-auth, 1'), find('providers', 'providers', 'server-auth, 100')),
  ),
  {
    title: 'Import, milliseconds of CPU more than Express',
    wanted: 'at most 60',
    digits: 0,
    value: (find) => difference(find('cold', 'import', 'server-auth'), find('cold', 'import', 'Express')),
    holds: (value) => value <= 60,
  },
]

function atLeast(title, least, value) {
  return { title, wanted: `at least ${least.toFixed(2)}`, digits: 2, value, holds: (found) => found >= least }
}

/** Returns the ratio of two rows, as the median of all rounds. */
function between(base, row) {
  return base && row && median(row.rounds.map((cost, round) => base.rounds[round] / cost))
}

function difference(row, base) {
  return row && base && median(row.rounds.map((cost, round) => cost - base.rounds[round]))
}

/** The targets that a report has measured: `{ title, wanted, value, met }`. */
export function judge({ cases }) {
  const find = (caseId, tableId, name) =>
    cases
      .find(({ id }) => id === caseId)
      ?.tables.find(({ id }) => id === tableId)
      ?.rows.find((row) => row.name === name)
  return targets.flatMap(({ title, wanted, digits, value, holds }) => {
    const found = value(find)
    return found === undefined ? [] : [{ title, wanted, value: found.toFixed(digits), met: holds(found) }]
  })
}
