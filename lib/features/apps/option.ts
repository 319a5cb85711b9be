/** The option `apps`: the apps that may ask users for a session, and their redirect URLs. */
import { isRecord } from '../../base/guards.js'
import { parseUrl } from '../../base/url.js'
import type { FeatureOption, OptionSurroundings } from '../../config/feature-option.js'
import { optionPath, rejectOption } from '../../config/reject-option.js'
import { requiredContract, storeOption } from '../../config/resolve-store.js'
import { boolean, type Check, isListOf, record, required, shape } from '../../config/shape.js'
import type { ResolvedApp, ResolvedApps } from '../../contracts/index.js'
import type { AppOptions, AppsOptions } from './types.js'

/** The most characters of a link. With the other parameters it must fit into the callback URL of a sign-in. */
const maxLinkLength = 200

/** Checks whether a text is an https URL as browsers write it, without query and fragment. Requests are compared with it as text. */
function isLink(value: unknown): value is string {
  const url = typeof value === 'string' && value.length <= maxLinkLength ? parseUrl(value) : undefined
  if (url?.protocol !== 'https:' || url.href !== value) return false
  return url.username === '' && url.password === '' && url.search === '' && !value.includes('#') && !value.includes('?')
}

const app = shape({
  name: required<string>(
    (value) => typeof value === 'string' && /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(value) && value.trim() !== '',
    'must be the name that users see: 1 to 100 characters on one line.',
  ),
  links: (name: string, value: unknown) => {
    if (value === undefined || isListOf(value, isLink)) return value as readonly string[] | undefined
    return rejectOption(
      name,
      `must be a list of https URLs without query and fragment, such as ["https://app.example.com/signed-in"], each at most ${maxLinkLength} characters and written as browsers do. Custom schemes are not accepted, because any other app can register them: use a claimed https link, or \`loopback: true\`.`,
    )
  },
  loopback: boolean,
} satisfies Record<keyof AppOptions, Check<unknown>>)

/** Checks the apps, and names the one that is invalid. */
function clientsOf(name: string, value: unknown): ReadonlyMap<string, ResolvedApp> {
  if (!isRecord(value) || Object.keys(value).length === 0)
    rejectOption(name, 'must list the apps by id, such as { cli: { name: "Notes for the terminal", loopback: true } }.')
  return new Map(Object.entries(value).map(([id, given]) => [id, readApp(optionPath(name, id), id, given)]))
}

function readApp(name: string, id: string, given: unknown): ResolvedApp {
  if (!/^[a-z0-9-]{1,32}$/.test(id))
    rejectOption(name, 'has an invalid id. Use 1 to 32 lower-case letters, digits and hyphens.')
  const { name: shown, links = [], loopback = false } = app(name, given)
  if (links.length === 0 && !loopback)
    rejectOption(name, 'has no redirect URL. Set `links` to the https links of the app, or `loopback: true`.')
  return Object.freeze({ name: shown, links: Object.freeze([...links]), loopback })
}

const options = shape({ clients: clientsOf, store: storeOption('records') } satisfies Record<
  keyof AppsOptions,
  Check<unknown>
>)

/** The option, checked. */
type AppsSetting = ReturnType<typeof options>

function resolveApps(
  setting: AppsSetting | undefined,
  { adapter, session, revocation, timeout }: OptionSurroundings,
): ResolvedApps | undefined {
  if (!setting) return undefined
  if (adapter === undefined)
    rejectOption(
      'apps',
      'needs an `adapter`, because the sessions of apps belong to stored users. Set one, such as `sqlAdapter(db)`.',
    )
  if (!session.bearer)
    rejectOption(
      'apps',
      'needs `session.bearer`, because apps send their token in `Authorization`. Set `session: { bearer: true }`.',
    )
  if (session.strategy === 'jwt' && !revocation)
    rejectOption(
      'apps',
      'needs `session.revocation` with JWT sessions: without it, the session of a lost device cannot be ended. Set `session: { revocation: true }`.',
    )
  const { clients, store } = setting
  return Object.freeze({ clients, store: requiredContract('apps.store', 'records', { store, adapter }), timeout })
}

/** The option `apps`. */
export const appsOption: FeatureOption<AppsSetting, ResolvedApps> = {
  check: (name, value) => (value === undefined ? undefined : options(name, record(name, value))),
  resolve: resolveApps,
}
