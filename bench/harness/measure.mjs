/** Load, rounds and medians. */
import { Connection } from './http.mjs'

const lanes = 16

/**
 * CPU of a server for each request of a load, in microseconds.
 *
 * @param message gives the text of each request by its number.
 */
export function cpuPerRequest(server, { count, message, status = 200 }) {
  let next = 0
  const drive = async (connection) => {
    while (next < count) {
      const answer = await connection.send(message(next++))
      if (answer.status === status) continue
      const { module, name } = server
      throw new Error(`${module} ${name} answered ${answer.status}, not ${status}: ${answer.body.slice(0, 200)}`)
    }
  }
  return cpuOf(server, count, () => Promise.all(connectionsTo(server).map(drive)))
}

const open = new WeakMap()

/** Returns the connections to a server, which stay open because opening them is no part of a request's cost. */
function connectionsTo(server) {
  const known = open.get(server) ?? Array.from({ length: lanes }, () => new Connection(server.port))
  open.set(server, known)
  return known
}

/** CPU of a server for each of `count` pieces of work, in microseconds. */
export async function cpuOf(server, count, work) {
  const before = await server.cpu()
  await work()
  return ((await server.cpu()) - before) / count
}

/**
 * Measures variants side by side: a round is made of slices in which each variant has its turn, beginning with another one each
 * time, so that what the machine does besides meets all alike.
 *
 * A variant's ratio of a round is the base's cost by its own in that round: 1 is as cheap as the base, 0.25 four times as
 * expensive. The median of the rounds counts; lowest and highest are the spread.
 *
 * @param variants `{ name, run(count) → cost }`; the first is the base unless `base` names another.
 */
export async function compare(variants, { base = variants[0].name, rounds, slices = 1, count, warmUp }) {
  for (const { run } of variants) await run(warmUp)
  const costs = new Map(variants.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    const sums = new Map(variants.map(({ name }) => [name, 0]))
    for (let slice = 0; slice < slices; slice += 1) {
      for (let at = 0; at < variants.length; at += 1) {
        const { name, run } = variants[(at + round + slice) % variants.length]
        sums.set(name, sums.get(name) + (await run(Math.ceil(count / slices))) / slices)
      }
    }
    for (const [name, sum] of sums) costs.get(name).push(sum)
  }
  return variants.map(({ name, facts }) => summary(name, costs.get(name), costs.get(base), facts))
}

/** A row of a table. */
function summary(name, costs, baseCosts, facts = {}) {
  const ratios = costs.map((cost, round) => baseCosts[round] / cost)
  return {
    name,
    cost: median(costs),
    ratio: median(ratios),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
    rounds: costs.map((cost) => Number(cost.toFixed(2))),
    ...(typeof facts === 'function' ? facts() : facts),
  }
}

/** The middle value; of an even number, the mean of both in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
