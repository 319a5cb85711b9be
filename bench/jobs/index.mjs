/** The jobs of the benchmark. */
import { postgres, postgresPrepared, sqlite } from './databases.mjs'
import { anonymous, guard, guarded, rejected, session } from './routes.mjs'
import { credentials } from './sign-ins.mjs'

/**
 * Each job has `id`, `title`, the name of its `floor`, and `prepare(bench, roots)`, which resolves to `{ floor, own }`: a lane
 * of the floor, and for each folder of a built package a lane.
 */
export const jobs = [guarded, guard, anonymous, rejected, session, sqlite, postgres, postgresPrepared, credentials]
