/** `server-auth/passwords`: how passwords are hashed. */
export type { BreachCheck, ImportedHash, PasswordHasher } from '../types/passwords.js'
export { argon2id, defaultHasher, scrypt } from './hasher.js'
