/** The targets: how much the library may cost more than the floor of a job. */
import { decide, differenceOf } from '../harness/statistics.mjs'

const both = (most) => ({ 20: most, 24: most })

/** The most over the floor, by job and major version of Node.js, in the unit of the job. */
const targets = {
  guarded: both(12),
  guard: both(12),
  anonymous: { 20: 6, 24: 4 },
  session: both(14),
  sqlite: both(32),
  postgres: both(42),
  'postgres-prepared': both(42),
  credentials: both(300),
  cold: both(60),
  memory: both(10),
}

/**
 * Decides about the targets of the measured jobs.
 * @returns `{ title, floor, unit, node, difference, most, verdict }` for each result that has a target
 */
export function judge(results) {
  return results.flatMap(({ id, title, floor, unit, node, lanes }) => {
    const most = targets[id]?.[node]
    const own = lanes.find(({ name }) => name === 'server-auth')
    if (most === undefined || own === undefined) return []
    const difference = differenceOf(own.costs, lanes[0].costs)
    return [{ title, floor, unit, node, difference, most, verdict: decide(difference, most) }]
  })
}
