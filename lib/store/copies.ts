/** Records, copied: who gets one may change it. */

/**
 * Bytes that a value takes, about; `NaN` where it cannot be copied faithfully: functions, and objects of a class, whose copy would
 * be another kind of object than what the adapter returned.
 */
export function sizeOf(value: unknown, depth = 0): number {
  switch (typeof value) {
    case 'string':
      return 16 + 2 * value.length
    case 'function':
    case 'symbol':
      return Number.NaN
    case 'object':
      break
    default:
      return 8
  }
  if (value === null) return 8
  if (value instanceof Date) return 32
  // A record that holds itself would have no end.
  if (depth > deepest || !isPlain(value)) return Number.NaN
  let size = 32
  for (const [key, inner] of Object.entries(value)) size += key.length + 8 + sizeOf(inner, depth + 1)
  return size
}

const deepest = 8

/** A copy of what {@link sizeOf} gives a number for. */
export function copyOf<T>(value: T): T
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return new Date(value.getTime())
  if (Array.isArray(value)) return value.map((inner: unknown) => copyOf(inner))
  const copy: Record<string, unknown> = { ...value }
  for (const key in copy) {
    const inner = copy[key]
    if (typeof inner === 'object' && inner !== null) copy[key] = copyOf(inner)
  }
  return copy
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
