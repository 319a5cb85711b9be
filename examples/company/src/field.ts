/** Returns a field of a form or a query as text. Clients can send anything. */
export function field(fields: unknown, name: string): string {
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined
  return typeof value === 'string' ? value : ''
}

/** Returns all values of a field, such as those of checkboxes with one name. */
export function fieldList(fields: unknown, name: string): string[] {
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((each) => typeof each === 'string')
}
