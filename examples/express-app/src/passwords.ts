/** Hashing passwords, and comparing them. Where users are stored, store the hash. */
import { type BinaryLike, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

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
 * Checks whether the hash belongs to this password. Leave the hash out if no user has the name: that takes as long as a
 * wrong password, so that an attacker cannot find out which names exist.
 *
 * On the Internet you also need a limit of attempts per user and per address.
 */
export async function isPassword(password: string, passwordHash?: string): Promise<boolean> {
  // Long ones cost long. Zero bytes at the end change nothing for scrypt: they would make two passwords one.
  if (password.length > maxPasswordLength || password.includes('\0')) return false
  const hash = passwordHash ?? (await nobodysHash)
  const [algorithm, N, r, p, salt = '', key = ''] = hash.split('$')
  const expected = Buffer.from(key, 'base64url')
  // A hash that was cut short never matches, because an empty key would equal every other.
  if (algorithm !== 'scrypt' || expected.length !== keyLength) return false
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: 64 * 1024 * 1024 }
  const actual = await derive(password, Buffer.from(salt, 'base64url'), expected.length, options)
  return timingSafeEqual(actual, expected)
}

const nobodysHash = hashPassword(randomBytes(16).toString('hex'))
