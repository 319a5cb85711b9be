/** Copies the methods of an object, which may be inherited, for an object that replaces some of them. */

/** Returns methods of an object or its prototypes as properties of a plain object. */
export function bindMethods<Owner extends object>(owner: Owner, names: readonly string[]): Owner {
  const target: object = owner
  const present = names.filter((name) => typeof Reflect.get(target, name) === 'function')
  return Object.fromEntries(
    present.map((name) => [name, (...values: unknown[]) => Reflect.apply(Reflect.get(target, name), target, values)]),
  ) as Owner
}
