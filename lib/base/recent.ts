/**
 * Whether less than so many milliseconds have passed since a moment. A clock that was set back makes nothing last longer: a
 * moment that is still to come is no recent one.
 */
export function isRecent(moment: number | undefined, milliseconds: number): boolean {
  if (moment === undefined) return false
  const age = Date.now() - moment
  return age >= 0 && age < milliseconds
}
