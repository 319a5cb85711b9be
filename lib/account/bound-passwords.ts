/** The functions for passwords as methods, for one configuration. */
import type { SessionRequest } from '../get-session.js'
import type { ServerAuthConfig } from '../types/config.js'
import {
  type ChangePasswordResult,
  changePassword,
  hasPassword,
  importPassword,
  type LinkReceiver,
  type PasswordChange,
  sendPasswordLink,
  setPassword,
  type UserHash,
  type UserPassword,
} from './passwords.js'

/** With the provider `Password`. They throw what the functions of `server-auth/passwords` throw. */
export interface BoundPasswords {
  /** Whether the person has a password: `hasPassword` of `server-auth/passwords`. */
  hasPassword(req: SessionRequest): Promise<boolean>
  /** Gives the person another password: `changePassword` of `server-auth/passwords`. Check the form with `hasCsrfToken` before. */
  changePassword(req: SessionRequest, change: PasswordChange): Promise<ChangePasswordResult>
  /** Sets the password of any user: `setPassword` of `server-auth/passwords`. Nobody is asked whether that is allowed. */
  setPassword(password: UserPassword, req?: SessionRequest): Promise<void>
  /** Stores a hash that another system made: `importPassword` of `server-auth/passwords`. */
  importPassword(password: UserHash): Promise<boolean>
  /** Mails any user a link to set a password: `sendPasswordLink` of `server-auth/passwords`. */
  sendPasswordLink(user: LinkReceiver, req?: SessionRequest): Promise<void>
}

/** Binds them. */
export function bindPasswords(config: ServerAuthConfig): BoundPasswords {
  return {
    hasPassword: (req) => hasPassword(req, config),
    changePassword: (req, change) => changePassword(req, config, change),
    setPassword: (password, req) => setPassword(config, password, req),
    importPassword: (password) => importPassword(config, password),
    sendPasswordLink: (user, req) => sendPasswordLink(config, user, req),
  }
}
