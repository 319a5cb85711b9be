/** Two processes that use the same stores at once. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { forkScript } from './child-script.js'
import type { StoreOrder } from './store-worker-main.js'

/** Two processes for all stores: to start them costs more than what they do. */
const workers: ChildProcess[] = []

after(() => {
  for (const worker of workers.splice(0)) worker.kill('SIGKILL')
})

/** Each task succeeds once of a hundred times in two processes at once. */
export async function expectOneWinnerEach(
  tasks: ReadonlyArray<StoreOrder['task']>,
  url: string,
  prefix = '',
): Promise<void> {
  if (workers.length === 0) {
    const script = 'test/support/store-worker-main.ts'
    workers.push(await forkScript(script), await forkScript(script))
  }
  const ask = async (task: StoreOrder['task']) => {
    const told = workers.map(async (worker) => (await once(worker, 'message'))[0] as unknown)
    for (const worker of workers) worker.send({ task, url, prefix } satisfies StoreOrder)
    return (await Promise.all(told)).sort()
  }
  expect(await ask('open')).to.deep.equal(['ready', 'ready'])
  for (const task of tasks) expect(await ask(task), task).to.deep.equal([0, 1])
  await ask('close')
}
