/**
 * Browsers that a user remembers, if `factors.remember` is set.
 *
 * The cookie is a random value and grants no access. It replaces the second factor after the first factor of the same
 * user is verified. A hash of it is stored with the user's factors.
 */
import { shortHash } from '../../crypto/hash.js'
import { randomText } from '../../crypto/random.js'
import { deviceType } from './store.js'
import { makeRoom, type Scene, writeRow } from './subject.js'

/** The most browsers of one user. The one that was created first is removed to make room. */
const most = 20

/** Checks whether this browser is remembered by the user. */
export function isRemembered({ context, options, rows }: Scene): boolean {
  const token = context.cookies.get(context.cookiePolicy.trustedDevice.name)
  if (options.remember === undefined || token === undefined || !/^[\w-]{43}$/.test(token)) return false
  const id = rowId(token)
  return rows.some((row) => row.type === deviceType && row.id === id)
}

/**
 * Remembers this browser. @returns A function that forgets it again, for a sign-in that is rejected later; `undefined`
 * if the option is off.
 */
export async function rememberDevice(scene: Scene): Promise<(() => Promise<void>) | undefined> {
  const { context, options, store, subject } = scene
  const { remember } = options
  if (remember === undefined) return undefined
  await makeRoom(scene, { type: deviceType, most })
  const token = randomText(32)
  const expires = new Date(Date.now() + remember * 1000)
  const id = rowId(token)
  await writeRow(scene, { id, type: deviceType, expiresAt: expires })
  const { name, options: attributes } = context.cookiePolicy.trustedDevice
  context.cookies.set({ name, options: { ...attributes, maxAge: remember, expires } }, token)
  return async () => {
    context.cookies.clear(context.cookiePolicy.trustedDevice)
    await store.remove({ userId: subject.userId, id })
  }
}

function rowId(token: string): string {
  return `device:${shortHash(token)}`
}
