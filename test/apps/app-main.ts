/** An application with apps in a process of its own, forked by `processes.test.ts`, with the database that the environment names. */
import { connect, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { Strategy } from '../support/world.js'
import { type DoorName, openStage } from './stage.js'

export interface AppSettings {
  readonly door: DoorName
  readonly strategy: Strategy
  readonly databaseUrl: string
}

const { door, strategy, databaseUrl }: AppSettings = JSON.parse(process.env.APP_SETTINGS ?? '{}')
const { origin } = await openStage(door, strategy, { adapter: sqlAdapter(connect(databaseUrl)) })
process.on('disconnect', () => process.exit())
process.send?.({ origin })
