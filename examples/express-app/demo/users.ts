/** The users of the demo who have passwords. Keep your users in a database, with the hashes. */
import { randomUUID } from 'node:crypto'
import type { Adapter } from 'server-auth'
import type { PasswordList } from '../src/auth.js'
import { isPassword } from '../src/passwords.js'

// For the footer of the demo only. Never store passwords in your own code.
export const demoPasswords = [
  { username: 'demo', password: 'demo' },
  { username: 'grace', password: 'grace' },
]

const users = [
  {
    username: 'demo',
    name: 'Demo User',
    email: 'demo@example.com',
    passwordHash: 'scrypt$32768$8$3$4p_UJee9a0x_mTq6cYl2Xg$kzJ8qSgJeRU-heX8fMNWXYaR-Xh1JG53tgiSV_g1WGk',
  },
  {
    username: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.com',
    passwordHash: 'scrypt$32768$8$3$bFrIqiEu3G7lZoIiM3Iqtg$Dw7IAExUbeTBiOd3n26qLovkwQ0ryadoj73mcoH84w0',
  },
]

/** The functions that `createAuthConfig` needs for passwords. */
export const passwords: PasswordList = {
  check: checkPassword,
  usernameOf: (email) => users.find((each) => each.email === email)?.username,
}

/**
 * Puts the users into the database. Their addresses are verified, because no other user could have signed up with them.
 */
export async function addDemoUsers(adapter: Pick<Required<Adapter>, 'createUser' | 'getUserByEmail'>): Promise<void> {
  for (const { name, email } of users) {
    if (await adapter.getUserByEmail(email)) continue
    await adapter.createUser({ id: randomUUID(), name, email, emailVerified: new Date() })
  }
}

/**
 * Returns the email address of the user with this name and password, or null. Values from a browser may have any type.
 */
export async function checkPassword(username: unknown, password: unknown): Promise<string | null> {
  if (typeof username !== 'string' || typeof password !== 'string') return null
  const user = users.find((each) => each.username === username.trim().toLowerCase())
  const matches = await isPassword(password, user?.passwordHash)
  return user && matches ? user.email : null
}
