/** A mean and its 95 % interval. */
export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}
export function mean(values: readonly number[]): number
export function intervalOf(values: readonly number[]): Interval
export function differenceOf(costs: readonly number[], base: readonly number[]): Interval
export function decide(interval: Pick<Interval, 'low' | 'high'>, most: number): 'met' | 'missed' | 'undecided'
