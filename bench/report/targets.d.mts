import type { Interval } from '../harness/statistics.mjs'

/** The costs of a lane, one value a round. */
export interface Lane {
  readonly name: string
  readonly costs: readonly number[]
}
/** The measurement of a job on a version of Node.js. The first lane is the floor. */
export interface Result {
  readonly id: string
  readonly title: string
  readonly floor: string
  readonly unit: string
  readonly node: string
  readonly lanes: readonly Lane[]
}
export function judge(results: readonly Result[]): readonly {
  readonly title: string
  readonly node: string
  readonly difference: Interval
  readonly most: number
  readonly verdict: 'met' | 'missed' | 'undecided'
}[]
