/** `server-auth/passwords`: hashers of passwords, hashes of other systems, and checks of new passwords. */
export { PasswordRejected, type PasswordRejectionReason } from '../../errors.js'
export { type AspNetIdentityOptions, aspNetIdentity } from './hashing/asp-net-identity.js'
export { type BcryptOptions, bcrypt } from './hashing/bcrypt.js'
export { betterAuth } from './hashing/better-auth.js'
export { bloomFile, writeBloomFile } from './hashing/bloom.js'
export { type DjangoOptions, django } from './hashing/django.js'
export { type FirebaseScryptOptions, type FirebaseUser, firebaseHash, firebaseScrypt } from './hashing/firebase.js'
export { argon2id, defaultHasher, scrypt } from './hashing/hasher.js'
export { type HibpOptions, hibp } from './hashing/hibp.js'
export type { Argon2Cost, ScryptCost } from './hashing/phc.js'
export {
  type Argon2HashCost,
  argon2Hashes,
  type Pbkdf2Iterations,
  pbkdf2,
  scryptHashes,
} from './hashing/phc-hashes.js'
export type { BreachCheck, ImportedHash, PasswordHasher } from './types.js'
