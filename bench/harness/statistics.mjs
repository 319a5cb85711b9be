/** The statistics of the benchmark: 95 % intervals, and the decision whether an interval meets a target. */

/** Student's t for a two-sided 95 % interval, by degrees of freedom from 1. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
]

/** Returns Student's t for a two-sided 95 % interval. From 31 degrees on it is the value of 30, which is a little too wide. */
function quantile(degrees) {
  return quantiles[Math.min(degrees, quantiles.length) - 1]
}

/** Returns the mean of a list of numbers. */
export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * Returns the mean of independent values and its 95 % interval, by Student's t.
 * @returns `{ mean, low, high }`
 * @throws Error for fewer than two values, which have no interval.
 */
export function intervalOf(values) {
  if (values.length < 2) throw new Error(`An interval needs two values or more, not ${values.length}.`)
  const middle = mean(values)
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
  const half = quantile(values.length - 1) * Math.sqrt(variance / values.length)
  return { mean: middle, low: middle - half, high: middle + half }
}

/**
 * Returns the interval of the differences of two lists whose values belong together in pairs.
 * @param costs the values of the variant
 * @param base the values of its base, in the same order
 */
export function differenceOf(costs, base) {
  return intervalOf(costs.map((cost, at) => cost - base[at]))
}

/**
 * Decides whether a value is at most `most`. Only an interval that is wholly on one side decides.
 * @returns `met`, `missed` or `undecided`
 */
export function decide({ low, high }, most) {
  if (high <= most) return 'met'
  return low > most ? 'missed' : 'undecided'
}
