/** Values of JSON. */

/** A value of JSON once more: who gets it may write into it. A member `__proto__` stays a mere member. */
export function copyOfJson(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = { ...value }
  for (const key in copy) {
    const member = copy[key]
    if (typeof member === 'object' && member !== null) copy[key] = copyOfMember(member)
  }
  return copy
}

function copyOfMember(value: object): object {
  return Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'object' && item !== null ? copyOfMember(item) : item))
    : copyOfJson(value as Record<string, unknown>)
}
