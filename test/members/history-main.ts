/** A process of an application with stored organizations, forked by `processes.test.ts`. It plays its part of each history. */
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import { getEngine } from '../../lib/engine/index.js'
import { assertOwned, membersOf, type Operation, perform, settingsOf } from './operations.js'

/** The part of this process in a history. */
export interface Part {
  readonly number: number
  readonly organization: string
  readonly operations: readonly Operation[]
  /** `true` if all operations begin at once. Otherwise each waits for the one before it. */
  readonly atOnce: boolean
  /** The tokens of invitations, by user. */
  readonly tokens: ReadonlyArray<readonly [string, string]>
}

/** The result of a part. */
export interface Played {
  readonly number: number
  /** The operations that took effect. */
  readonly performed: readonly Operation[]
  /** The number of `memberAdded` events of the organization. */
  readonly added: number
  readonly error?: string
}

const adapter = sqlAdapter(connect(process.env.HISTORY_DATABASE ?? ''))
const { records } = adapter.store()
const added = new Map<string, number>()
const { config } = getEngine({
  ...settingsOf(adapter),
  events: {
    organizationChanged({ organizationId: id, change }) {
      if (change === 'memberAdded') added.set(id, (added.get(id) ?? 0) + 1)
    },
  },
})

async function play({ organization, operations, atOnce, tokens }: Part): Promise<readonly Operation[]> {
  const known = new Map(tokens)
  const performed: Operation[] = []
  const playOne = async (each: Operation) => {
    if (await perform(config, organization, each, known)) performed.push(each)
    assertOwned(await membersOf(records, organization))
  }
  if (atOnce) await Promise.all(operations.map(playOne))
  else for (const each of operations) await playOne(each)
  return performed
}

process.on('message', async (part: Part) => {
  const played = await play(part).then(
    (performed) => ({ performed }),
    (thrown: unknown) => ({ performed: [], error: String(thrown instanceof Error ? thrown.stack : thrown) }),
  )
  const { number, organization } = part
  process.send?.({ number, added: added.get(organization) ?? 0, ...played } satisfies Played)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
