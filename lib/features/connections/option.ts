/** The option `connections`: where connections are stored, whom they admit, and which private origins they may reach. */
import { definedOnly, isRecord } from '../../base/guards.js'
import { parseUrl } from '../../base/url.js'
import type { FeatureOption, OptionSurroundings } from '../../config/feature-option.js'
import { rejectOption } from '../../config/reject-option.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import { type Check, functionOf, isNonEmptyText, listOf, oneOf, optional, record, shape } from '../../config/shape.js'
import type { ResolvedConnections } from '../../contracts/index.js'
import { isLoopbackHost } from '../../http/ip-addresses.js'
import { connectionIdFormat } from './description.js'
import type { ConnectionsOptions } from './types.js'

const origins = listOf(isOrigin, 'must be a list of origins, such as ["https://idp.intern.example:8443"].')

const options = shape({
  store: storeOption('records'),
  provision: oneOf('invited', 'verified-domain', 'everybody'),
  role: optional<NonNullable<ConnectionsOptions['role']>>(
    (value) => typeof value === 'function' || isNonEmptyText(value),
    'must be a role, or a function that returns one, not {kind}.',
  ),
  admit: functionOf<NonNullable<ConnectionsOptions['admit']>>(),
  invited: functionOf<NonNullable<ConnectionsOptions['invited']>>(),
  allowIssuer: functionOf<NonNullable<ConnectionsOptions['allowIssuer']>>(),
  privateOrigins: origins,
  nameServers: listOf(
    (each) =>
      typeof each === 'string' &&
      /^(?:(?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:.]+\])(?::\d{1,5})?$|^[\da-f:.]*:[\da-f:.]*$/i.test(each),
    'must be a list of IP addresses, such as ["9.9.9.9"].',
  ),
} satisfies Record<keyof ConnectionsOptions, Check<unknown>>)

function isOrigin(value: unknown): boolean {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

type ConnectionsSetting = ReturnType<typeof options>

function resolveConnections(
  setting: ConnectionsSetting | undefined,
  { adapter, timeout, production, providers, organizations }: OptionSurroundings,
): ResolvedConnections | undefined {
  if (!setting) return undefined
  const { store, provision = 'verified-domain', privateOrigins = [], ...functions } = setting
  if (!organizations) rejectOption('connections', 'needs `organizations`, whose connections they are. Set it.')
  if (!isRecord(adapter))
    rejectOption('connections', 'needs an `adapter`, because users are stored. Set one, such as `sqlAdapter(db)`.')
  const { role, invited } = functions
  if (provision === 'invited' && !invited && !organizations.areStored)
    rejectOption('connections.provision', 'needs the function `invited` for the value "invited". Set it.')
  if (typeof role === 'string' && !organizations.roles.includes(role))
    rejectOption('connections.role', `is "${role}", which is not in \`organizations.roles\`. Set one of its roles.`)
  const clashing = [...providers.keys()].find((id) => connectionIdFormat.test(id))
  if (clashing) rejectOption('providers', `has the id "${clashing}", which looks like one of a connection. Rename it.`)
  for (const origin of privateOrigins) {
    const { protocol, hostname } = new URL(origin)
    if (protocol === 'https:' || (!production && isLoopbackHost(hostname))) continue
    rejectOption(
      'connections.privateOrigins',
      `has "${origin}", which is not https. Plain http is for loopback in development.`,
    )
  }
  return Object.freeze(
    definedOnly<ResolvedConnections>({
      ...functions,
      provision,
      store: requiredContract('connections.store', 'records', { store, adapter }),
      privateOrigins: new Set(privateOrigins.map((origin) => new URL(origin).origin)),
      timeout,
    }),
  )
}

/** The option `connections`. */
export const connectionsOption: FeatureOption<ConnectionsSetting, ResolvedConnections> = {
  check: (name, value) => (value === undefined ? undefined : options(name, record(name, value))),
  resolve: resolveConnections,
}
