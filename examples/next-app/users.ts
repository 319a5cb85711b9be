/**
 * The users of this example. Keep your users in a database, with a hash of each password (see `examples/express-app`).
 */
import { createHash, timingSafeEqual } from 'node:crypto'

const users = [
  { id: '1', username: 'demo', password: 'demo', name: 'Demo User', email: 'demo@example.com' },
  { id: '2', username: 'grace', password: 'grace', name: 'Grace Hopper', email: 'grace@example.com' },
]

/** The user with this name and password, or null. */
export function checkPassword(username: unknown, password: unknown) {
  const user = users.find((each) => each.username === username)
  if (!user || typeof password !== 'string' || !isSame(password, user.password)) return null
  const { id, name, email } = user
  return { id, name, email }
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
