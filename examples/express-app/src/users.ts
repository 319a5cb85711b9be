/** Users with passwords. In an application of yours the hash is a column of the users' table; the rest can stay. */
import { type BinaryLike, randomBytes, randomUUID, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Adapter } from 'server-auth'

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

interface DemoUser {
  readonly username: string
  readonly name: string
  readonly email: string
  readonly passwordHash: string
}

// For the page of this example only: nobody else writes passwords down.
export const demoPasswords = [
  { username: 'demo', password: 'demo' },
  { username: 'grace', password: 'grace' },
]

const users: readonly DemoUser[] = [
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

/** Puts the users into the database. Their addresses are known to be theirs: nobody else could have signed up with them. */
export async function addDemoUsers(adapter: Pick<Required<Adapter>, 'createUser' | 'getUserByEmail'>): Promise<void> {
  for (const { name, email } of users) {
    if (await adapter.getUserByEmail(email)) continue
    await adapter.createUser({ id: randomUUID(), name, email, emailVerified: new Date() })
  }
}

/** The name with which somebody signs in by password. */
export function usernameOf(email: string): string | undefined {
  return users.find((each) => each.email === email)?.username
}

/** scrypt's cost: about a quarter of a second and 32 MB for each try. OWASP names these numbers. */
const cost = { N: 32768, r: 8, p: 3 }
const keyLength = 32
const maxPasswordLength = 256

/** Hashes a password for storing. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, keyLength, { ...cost, maxmem: 64 * 1024 * 1024 })
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/**
 * The e-mail address of the user with this name and password, or null.
 *
 * An unknown name takes as long as a wrong password, so that nobody can find out which names exist.
 * What is missing here and needed on the Internet: a limit of attempts per user and per address.
 */
export async function checkPassword(username: unknown, password: unknown): Promise<string | null> {
  if (typeof username !== 'string' || typeof password !== 'string' || !canBePassword(password)) return null
  const user = users.find((each) => each.username === username.trim().toLowerCase())
  const matches = await isPassword(password, user?.passwordHash ?? (await nobodysHash))
  return user && matches ? user.email : null
}

/** Long ones cost long. Zero bytes at the end change nothing for scrypt: they would make two passwords one. */
function canBePassword(password: string): boolean {
  return password.length <= maxPasswordLength && !password.includes('\0')
}

const nobodysHash = hashPassword(randomBytes(16).toString('hex'))

/** Whether the hash is this password's. One that was cut short is nobody's: an empty key would equal every other. */
export async function isPassword(password: string, passwordHash: string): Promise<boolean> {
  const [algorithm, N, r, p, salt = '', key = ''] = passwordHash.split('$')
  const expected = Buffer.from(key, 'base64url')
  if (algorithm !== 'scrypt' || expected.length !== keyLength) return false
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: 64 * 1024 * 1024 }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, options)
  return timingSafeEqual(actual, expected)
}
