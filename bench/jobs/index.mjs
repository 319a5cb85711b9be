/** The jobs of the benchmark. */
import { postgres, postgresPrepared, sqlite } from './databases.mjs'
import { hono, next } from './frameworks.mjs'
import { coldStart, memory } from './processes.mjs'
import {
  anonymous,
  crowd,
  distinctTokens,
  guard,
  guarded,
  largeToken,
  otherCookies,
  providers,
  rejected,
  session,
  sessionHeaders,
} from './routes.mjs'
import { credentials } from './sign-ins.mjs'

/**
 * Each job has `id`, `title`, the name of its `floor`, and `prepare(bench, roots)`. This resolves to `floor`, the lane with
 * the least work that answers the same; `own`, a lane for each folder of a built package; and `peers`, which resolves to
 * `[name, lane]` of other libraries. Optional: `unit`, `measure` (a function of `lanes.mjs`), and own `settings`.
 */
export const jobs = [
  guarded,
  guard,
  anonymous,
  rejected,
  session,
  sessionHeaders,
  sqlite,
  postgres,
  postgresPrepared,
  credentials,
  distinctTokens,
  largeToken,
  crowd,
  otherCookies,
  providers,
  hono,
  next,
  coldStart,
  memory,
]

/**
 * Returns the jobs with these ids, or all without ids.
 * @throws Error for an unknown id
 */
export function jobsOf(ids) {
  const unknown = ids?.filter((id) => !jobs.some((job) => job.id === id)) ?? []
  if (unknown.length === 0) return jobs.filter(({ id }) => ids?.includes(id) ?? true)
  throw new Error(`There is no job ${unknown.join(', ')}. Choose from ${jobs.map(({ id }) => id).join(', ')}.`)
}
