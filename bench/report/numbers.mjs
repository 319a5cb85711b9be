/** Numbers as text. */

/** Returns a function that writes values of a unit: megabytes with two digits after the point, others with one. */
export function digitsOf(unit) {
  const digits = unit === 'MB' ? 2 : 1
  return (value) => value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1')
}

/** Returns a share of 1 in per cent. */
export function shareOf(part) {
  return `${(100 * part).toFixed(1)} %`
}

/** Returns a mean and its interval. */
export function intervalText({ mean, low, high }, unit) {
  const show = digitsOf(unit)
  return `${show(mean)} [${show(low)}, ${show(high)}]`
}
