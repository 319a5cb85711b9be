/** The URL at which a user connects an account: used by them, and by others. */
import fc from 'fast-check'
import { target } from '../explore.js'
import { edited, edits } from '../hostile.js'
import type { Site } from '../site.js'
import { Stranger, Violation } from '../stranger.js'
import { headerValues, TooSlow } from '../wire.js'
import { fieldsOf, isObject, queryOf } from './shared.js'

/** The URL works in one session, unchanged; it cannot widen the requested scopes. */
export const connect = target(
  'connect',
  fc.record({
    changes: edits(['connect', 'callbackUrl', 'scope', 'prompt', 'error']),
    who: fc.constantFrom('same', 'nobody', 'other'),
    method: fc.constantFrom('GET', 'HEAD'),
  }),
  async (site, { changes, who, method }) => {
    become(site, 'one')
    const person = await signedIn(site)
    const url: unknown = JSON.parse((await person.get('/connect')).body)
    if (typeof url !== 'string') throw new Violation(`no URL: ${JSON.stringify(url)}`)
    const { pathname, searchParams } = new URL(url, 'http://site')
    const fields = edited(fieldsOf(searchParams), changes)
    const sent = queryOf(fields)
    become(site, 'two')
    const asker = who === 'same' ? person : who === 'other' ? await signedIn(site) : new Stranger(site)
    const answer = await asker.send({ method, target: `${pathname}?${sent}`, headers: asker.own })
    const [leads = ''] = headerValues(answer, 'location')
    if (!leads.startsWith(`${site.provider.issuer}/`)) return
    const first = new URLSearchParams(`${sent}`).get('connect')
    if (who !== 'same' || first !== searchParams.get('connect')) throw new Violation(`a connection by ${who}: ${leads}`)
    const scope = new URL(leads).searchParams.get('scope')
    if (scope !== 'openid profile email calendar') throw new Violation(`the scope ${scope}`)
    // Another user's account at the provider: the session keeps its user.
    const back = new URL(site.provider.authorize(leads))
    await person.get(back.pathname + back.search)
    const session = await person.session()
    const user: unknown = isObject(session) ? session.user : undefined
    if (!isObject(user) || user.email === 'two@example.com') throw new Violation(`a session ${JSON.stringify(session)}`)
  },
)

/** Changes the user at the provider. */
function become({ provider }: Site, name: string): void {
  provider.person = { ...provider.person, sub: `person-${name}`, email: `${name}@example.com` }
}

async function signedIn(site: Site): Promise<Stranger> {
  const stranger = new Stranger(site)
  const begun = await stranger.post('/signin/test', [['callbackUrl', '/welcome']])
  const [location] = headerValues(begun, 'location')
  if (location === undefined) throw new TooSlow('the sign-in could not begin')
  const back = new URL(site.provider.authorize(location))
  await stranger.get(back.pathname + back.search)
  if ((await stranger.session()) === null) throw new TooSlow('the sign-in came to nothing')
  return stranger
}
