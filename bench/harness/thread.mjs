/** Reads from `/proc` what the scheduler of Linux counts: the time and the interruptions of a main thread, and the load of the machine. */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

if (process.platform !== 'linux') {
  throw new Error(
    'The benchmark reads CPU time from /proc, so it needs Linux. Run it in a container or a virtual machine.',
  )
}

/**
 * Reads the counters of a process's main thread while it waits. The counters of a running thread may be 4 ms late.
 * @returns nanoseconds on a CPU (`cpu`) and ready but without a CPU (`waited`), and the number of `interruptions` by
 * other threads
 */
export async function mainThread(pid) {
  const folder = `/proc/${pid}/task/${pid}`
  while (stateOf(readFileSync(`${folder}/stat`, 'latin1')) !== 'S') await sleep(1)
  const [cpu, waited] = readFileSync(`${folder}/schedstat`, 'latin1').split(' ').map(Number)
  const interruptions = Number(
    /^nonvoluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`${folder}/status`, 'latin1'))[1],
  )
  return { cpu, waited, interruptions }
}

/** Returns the state, which is after the name of the program in parentheses. The name may contain any character. */
function stateOf(stat) {
  return stat.slice(stat.lastIndexOf(')') + 2)[0]
}

/** Reads the load of the machine: the load average of the last minute, and the ticks of all CPUs, also those that a host kept. */
export function machineLoad() {
  const ticks = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'latin1'))[1].split(' ').slice(0, 8).map(Number)
  return { average: loadavg()[0], ticks: ticks.reduce((sum, value) => sum + value), stolen: ticks[7] }
}
