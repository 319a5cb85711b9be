/** `server-auth/passwords`: how passwords are hashed, which hashes of other systems are verified, and which passwords are rejected. */
export { type PasswordFault, PasswordRejected } from '../errors.js'
export type { BreachCheck, ImportedHash, PasswordHasher } from '../types/passwords.js'
export { bloomFile, writeBloomFile } from './bloom.js'
export { argon2id, defaultHasher, scrypt } from './hasher.js'
export { type HibpOptions, hibp } from './hibp.js'
export { type AspNetIdentityOptions, aspNetIdentity } from './imported/asp-net-identity.js'
export { type BcryptOptions, bcrypt } from './imported/bcrypt.js'
export { betterAuth } from './imported/better-auth.js'
export { type DjangoOptions, django } from './imported/django.js'
export { type FirebaseScryptOptions, type FirebaseUser, firebaseHash, firebaseScrypt } from './imported/firebase.js'
export {
  type Argon2HashCost,
  argon2Hashes,
  type Pbkdf2Iterations,
  pbkdf2,
  scryptHashes,
} from './imported/phc-hashes.js'
export type { Argon2Cost, ScryptCost } from './phc.js'
