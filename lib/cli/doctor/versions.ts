/** Compares versions of packages with the ranges in our `package.json`: `^1.2.3`, `>=1.2.3`, several with `||`. */

type Version = readonly [major: number, minor: number, patch: number]

/** Checks whether a version is in a range. Unknown formats are accepted, to avoid false alarms. */
export function isInRange(version: string, range: string): boolean {
  const given = parseVersion(version)
  return given === undefined || range.split('||').some((part) => isInPart(given, part.trim()))
}

function isInPart(given: Version, part: string): boolean {
  const least = parseVersion(part.replace(/^(?:\^|>=)/, ''))
  if (!least) return true
  if (compareVersions(given, least) < 0) return false
  if (!part.startsWith('^')) return true
  // Below 1.0 the second number marks breaking changes.
  return given[0] === least[0] && (least[0] > 0 || given[1] === least[1])
}

function parseVersion(text: string): Version | undefined {
  const [, major, minor = '0', patch = '0'] = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
