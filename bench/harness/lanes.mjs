/**
 * Measures lanes side by side. A lane is a server in its own process and the requests that it gets. The cost of a lane is
 * the CPU time of the server's main thread.
 *
 * Lanes get their load in short slices by turns, in a random order that each block repeats backwards. Load of other
 * programs and drift of the machine therefore affect all lanes alike. Two processes with identical code may still differ
 * by some per cent for their whole life, because V8 optimises at other moments and memory has another layout. So all servers are
 * started again in each round, and a round is one value of the statistics, however many slices it has.
 */
import { Connection, write } from './http.mjs'
import { mean } from './statistics.mjs'
import { mainThread } from './thread.mjs'

const connectionsOfLoad = 8

/**
 * Measures the cost of a request, or of another unit of work, in each lane.
 * @param lanes `{ name, start() → Server, work(server) → Work }`. A {@link repeat} is the usual work. A unit is a request,
 * or all requests of a sign-in.
 * @param settings `rounds`, `blocks` of a round, `slice` in milliseconds of CPU time, `warmUp` in units
 * @returns `costs`, microseconds by lane and round, and `disturbance` of the measured threads
 */
export async function measure(lanes, { rounds, blocks, slice, warmUp }) {
  const costs = lanes.map(() => [])
  const disturbance = { cpu: 0, waited: 0, interruptions: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const running = []
    try {
      for (const lane of lanes) running.push(await open(lane))
      for (const lane of running) await warm(lane, { warmUp, slice })
      const slices = running.map(() => [])
      for (let block = 0; block < blocks; block += 1) {
        const order = shuffled(running.keys())
        for (const at of [...order, ...order.toReversed()]) {
          const spent = await run(running[at], running[at].units)
          slices[at].push(spent.cpu / running[at].units)
          for (const key of Object.keys(disturbance)) disturbance[key] += spent[key]
        }
      }
      for (const [at, values] of slices.entries()) costs[at].push(mean(values) / 1000)
    } finally {
      for (const lane of running) await close(lane)
    }
  }
  return { costs, disturbance }
}

/**
 * Measures lanes whose cost is one number for each process, in random order.
 * @param lanes `{ name, sample() → number }`
 * @returns the same as {@link measure}, without a disturbance
 */
export async function measureSamples(lanes, { rounds }) {
  const costs = lanes.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const at of shuffled(lanes.keys())) costs[at].push(await lanes[at].sample())
  }
  return { costs, disturbance: { cpu: 0, waited: 0, interruptions: 0 } }
}

async function open({ name, start, work }) {
  const server = await start()
  return { name, server, connections: connectionsTo(server), work: await work(server) }
}

/** Opens the connections of the load to a server. */
export function connectionsTo({ port }) {
  return Array.from({ length: connectionsOfLoad }, () => new Connection(port))
}

async function close({ server, connections }) {
  for (const connection of connections) connection.close()
  await server.stop()
}

/** The longest warm-up of a lane, in nanoseconds of CPU time. Slow lanes need no more requests to become warm. */
const longestWarmUp = 3e9

/** Sends requests until V8 has optimised the code, and chooses the size of the lane's slices by the last of them. */
async function warm(lane, { warmUp, slice }) {
  const units = Math.ceil(warmUp / 10)
  let spent = 0
  let last = 0
  for (let done = 0; done < warmUp && spent < longestWarmUp; done += units) {
    last = (await run(lane, units)).cpu
    spent += last
  }
  lane.units = Math.max(connectionsOfLoad, Math.round((slice * 1e6 * units) / last))
}

/** Does units of work; resolves to the counters of the main thread for them. */
async function run({ server, connections, work }, count) {
  await work.prepare?.(count)
  const before = await mainThread(server.pid)
  await drive(connections, work, count)
  const after = await mainThread(server.pid)
  return Object.fromEntries(Object.entries(after).map(([key, value]) => [key, value - before[key]]))
}

/**
 * Does units of prepared work on all connections. Meanwhile this process never waits in the kernel. Otherwise each answer
 * wakes it, which takes the server several microseconds in a virtual machine, and more often the slower the server is.
 */
export async function drive(connections, work, count) {
  let next = 0
  let isBusy = true
  const poll = () => {
    if (isBusy) setImmediate(poll)
  }
  const each = async (connection) => {
    while (next < count) await work.run(connection, next++)
  }
  poll()
  try {
    await Promise.all(connections.map(each))
  } finally {
    isBusy = false
  }
}

/**
 * Returns the work of sending the same requests in each unit.
 * @param messages the requests for `write`, with the expected `status`, by default 200
 */
export function repeat({ port }, messages) {
  const prepared = messages.map((message) => prepare(port, message))
  return {
    async run(connection) {
      for (const message of prepared) await send(connection, message)
    },
  }
}

/** Returns the work of sending another request in each unit. `make` creates or chooses its message. */
export function distinct({ port }, make) {
  let prepared = []
  return {
    async prepare(count) {
      prepared = []
      while (prepared.length < count) prepared.push(prepare(port, await make()))
    },
    run: (connection, at) => send(connection, prepared[at]),
  }
}

function prepare(port, { status = 200, ...message }) {
  return { text: write(port, message), status }
}

async function send(connection, { text, status }) {
  const answer = await connection.send(text)
  if (answer.status === status) return
  throw new Error(
    `The server answered ${answer.status}, not ${status}:\n${answer.head}\n\n${answer.body.slice(0, 200)}`,
  )
}

/** Returns the values in a random order. */
function shuffled(values) {
  return [...values]
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
