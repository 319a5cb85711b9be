/** The parameters of `auth.connections`, which a form of the application may contain. */
import { isRecord } from '../../base/guards.js'
import { InvalidRequest } from '../../errors.js'
import type { ConnectionChange, ConnectionPolicy, ConnectionState, NewConnection } from './types.js'

/** A new connection, complete. */
export type CheckedConnection = NewConnection & Required<Pick<NewConnection, 'scopes'>>

const states: readonly unknown[] = ['test', 'on', 'off'] satisfies ConnectionState[]
const policies: readonly unknown[] = ['optional', 'required'] satisfies ConnectionPolicy[]

/** Checks a text without control characters. @throws {@link InvalidRequest} */
function text(name: string, value: unknown, most: number): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= most && !/[\p{C}\p{Zl}\p{Zp}]/u.test(value))
    return value.trim()
  throw new InvalidRequest(`\`${name}\` must be 1 to ${most} characters on one line.`)
}

/** Checks the parameters of `create`. @throws {@link InvalidRequest} */
export function readNewConnection(given: NewConnection): CheckedConnection {
  const { organization, name, issuer, clientId, clientSecret, scopes }: Partial<Record<keyof NewConnection, unknown>> =
    given ?? {}
  return {
    organization: text('organization', organization, 100),
    name: text('name', name, 60),
    issuer: text('issuer', issuer, 1000),
    clientId: text('clientId', clientId, 500),
    ...(clientSecret !== undefined && { clientSecret: text('clientSecret', clientSecret, 2000) }),
    scopes: readScopes(scopes),
  }
}

function readScopes(value: unknown): readonly string[] {
  if (value === undefined) return ['openid', 'profile', 'email']
  const isList = Array.isArray(value) && value.length <= 20 && value.every(isScope)
  if (isList) return [...new Set(['openid', ...value])]
  throw new InvalidRequest('`scopes` must be a list of at most 20 scopes, such as ["openid", "email"].')
}

/** Checks a scope (RFC 6749 §3.3). */
const isScope = (value: unknown): value is string => typeof value === 'string' && /^[!#-[\]-~]{1,100}$/.test(value)

/** Checks the parameters of `set`. @throws {@link InvalidRequest} */
export function readChange(given: ConnectionChange): ConnectionChange {
  if (!isRecord(given)) throw new InvalidRequest('The change must be an object.')
  const { state, policy, clientSecret, exempt } = given
  if (state !== undefined && !states.includes(state)) throw new InvalidRequest('`state` must be "test", "on" or "off".')
  if (policy !== undefined && !policies.includes(policy))
    throw new InvalidRequest('`policy` must be "optional" or "required".')
  return {
    ...(state !== undefined && { state: state as ConnectionState }),
    ...(policy !== undefined && { policy: policy as ConnectionPolicy }),
    ...(clientSecret !== undefined && { clientSecret: text('clientSecret', clientSecret, 2000) }),
    ...(exempt !== undefined && { exempt: readExempt(exempt) }),
  }
}

function readExempt(value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.length <= 100
  if (isList) return [...new Set(value.map((id: unknown) => text('exempt', id, 255)))]
  throw new InvalidRequest('`exempt` must be a list of at most 100 user ids.')
}
