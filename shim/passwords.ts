/** Passwords, for the request that is being answered. */
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
} from '../lib/account/index.js'
import type { Auth } from '../lib/engine/index.js'
import type { EngineOf } from './engine.js'
import { type AuthHost, currentOf, currentRequest } from './host.js'
import { toSource } from './request.js'

/** Makes the functions. */
export function createPasswordFunctions(engineOf: EngineOf<Auth>, host: AuthHost) {
  async function placeOf(caller: string) {
    const ambient = await currentRequest(host, caller)
    const engine = await engineOf(ambient.request)
    return { engine, request: { ...toSource(engine, ambient), ip: ambient.ip } }
  }

  /** About any user, and so without a request: it may be called by a job. Where there is one, it says where the site is. */
  async function anyPlace() {
    const engine = await engineOf()
    const ambient = await currentOf(host)
    return { engine, request: ambient && { ...toSource(engine, ambient), ip: ambient.ip } }
  }

  return {
    async hasPassword(): Promise<boolean> {
      const { engine, request } = await placeOf('hasPassword()')
      return hasPassword(request, engine.config)
    },
    async changePassword(change: PasswordChange): Promise<ChangePasswordResult> {
      const { engine, request } = await placeOf('changePassword()')
      return changePassword(request, engine.config, change)
    },
    async setPassword(password: UserPassword): Promise<void> {
      const { engine, request } = await anyPlace()
      return setPassword(engine.config, password, request)
    },
    async importPassword(password: UserHash): Promise<boolean> {
      const { config } = await engineOf()
      return importPassword(config, password)
    },
    async sendPasswordLink(user: LinkReceiver): Promise<void> {
      const { engine, request } = await anyPlace()
      return sendPasswordLink(engine.config, user, request)
    },
  }
}
