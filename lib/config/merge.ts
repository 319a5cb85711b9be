/** Merges what the developer passed to a provider's function over the provider's defaults. */

/**
 * A new object: records are merged key by key, everything else (arrays and functions too) replaces, `undefined` does
 * nothing. Own properties only; a `__proto__` key from JSON stays a stranger.
 */
export function mergeOptions(
  defaults: Readonly<Record<string, unknown>>,
  overrides: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...defaults }
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined || key === '__proto__') continue
    const present = Object.hasOwn(merged, key) ? merged[key] : undefined
    merged[key] = isPlainRecord(present) && isPlainRecord(value) ? mergeOptions(present, value) : value
  }
  return merged
}

/** A record written as a literal: not an array, a date, a key or another class's object. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
