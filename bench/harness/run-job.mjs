/** Runs a job on a version of Node.js, and records how busy the machine was meanwhile. */
import { Bench } from './bench.mjs'
import { measure } from './lanes.mjs'
import { machineLoad } from './thread.mjs'

/**
 * Measures a job.
 * @param job one of `jobs`
 * @param node `{ major, program, version }`
 * @param roots URLs of the folders of built packages, which become the job's own lanes
 * @param choose returns the lanes as `[name, lane]`, from what `prepare` of the job resolves to
 * @returns `{ id, title, floor, unit, node, lanes: [{ name, costs }], machine }`
 */
export async function runJob(job, { node, roots, settings, choose }) {
  const bench = new Bench(node.program)
  try {
    const before = machineLoad()
    const chosen = await choose(await job.prepare(bench, roots))
    const { costs, disturbance } = await (job.measure ?? measure)(
      chosen.map(([name, lane]) => ({ ...lane, name })),
      { ...settings, ...job.settings },
    )
    const lanes = chosen.map(([name], at) => ({ name, costs: costs[at].map((cost) => Number(cost.toFixed(3))) }))
    const { id, title, floor, unit = 'µs' } = job
    const machine = disturbanceOf(before, machineLoad(), disturbance)
    return { id, title, floor, unit, node: node.major, version: node.version, lanes, machine }
  } finally {
    await bench.end()
  }
}

/** Returns shares of 1: `stolen` by the host, and `waited` for a CPU by the measured threads; interruptions by second. */
function disturbanceOf(before, after, { cpu, waited, interruptions }) {
  return {
    load: before.average,
    stolen: (after.stolen - before.stolen) / Math.max(1, after.ticks - before.ticks),
    waited: waited / Math.max(1, cpu),
    interruptions: (interruptions * 1e9) / Math.max(1, cpu),
  }
}

/**
 * Checks whether other programs left the machine to the benchmark. The load average has the benchmark's own threads: the load, which
 * never waits, a server, whose helper threads its main thread waits for, and a database.
 */
export function isQuiet({ load, stolen }) {
  return load < 4 && stolen < 0.01
}
