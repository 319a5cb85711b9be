/** A store of passwords as the engine asks it. */
import type { PasswordAttempt, StoredPassword } from '../types/passwords.js'

/** Its methods answer in time, or reject with `AdapterError`. What it returns is what the types say. */
export interface GuardedPasswords {
  find(userId: string): Promise<StoredPassword | null>
  write(password: Omit<StoredPassword, 'version'>, previous: number): Promise<boolean>
  remove(userId: string): Promise<void>
  keepAttempt(attempt: PasswordAttempt): Promise<void>
  findAttempt(tokenHash: string): Promise<PasswordAttempt | null>
  takeAttempt(tokenHash: string): Promise<PasswordAttempt | null>
}
