/** Reports of ended sessions by a provider, or by an attacker in its name. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { target } from '../explore.js'
import { bend, bent, edited, editedJson, edits, jsonEdits, mostly, seldom } from '../hostile.js'
import { base, type Site } from '../site.js'
import { leadsTo, Stranger, Violation } from '../stranger.js'
import { TooSlow } from '../wire.js'
import { isObject, queryOf } from './shared.js'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * A signed-in user, and the provider's name for the session. No two have the same: a user whose sessions all ended
 * cannot sign in during that second.
 */
interface Member {
  readonly person: Stranger
  readonly sid: string
}

/** Signs a user in by the provider. */
async function member(site: Site): Promise<Member> {
  const sid = randomUUID()
  const person = new Stranger(site)
  const url = leadsTo(await person.post('/signin/test'))
  site.provider.onToken = (body) => site.provider.tokens(body, { sid, sub: `of-${sid}`, email: `${sid}@example.com` })
  const back = new URL(site.provider.authorize(url.href))
  await person.get(back.pathname + back.search)
  // On a machine that is busy the provider may not answer in time.
  if ((await person.session()) === null) throw new TooSlow('the sign-in did not succeed')
  site.events.length = 0
  return { person, sid }
}

/** Checks that no sign-out was caused. */
function expectNoSignOut(site: Site): void {
  const ended = site.events.filter(({ name }) => name === 'signOut')
  if (ended.length > 0) throw new Violation('a session was ended')
}

/** A logout token. */
export const backchannel = target(
  'logout-token',
  fc.record({
    claims: jsonEdits(['iss', 'aud', 'azp', 'iat', 'exp', 'jti', 'events', 'sub', 'sid', 'nonce']),
    header: seldom(jsonEdits(['typ', 'kid', 'crit', 'b64', 'jwk', 'jku', 'x5u', 'alg'])),
    key: mostly<'own' | 'stranger'>('own', 'stranger'),
    alg: mostly<'RS256' | 'ES256' | 'HS256' | 'none'>('RS256', 'ES256', 'HS256', 'none'),
    text: seldom(bend(20_000)),
    fields: seldom(edits(['logout_token', 'csrfToken'])),
  }),
  async (site, { claims: claimEdits, header, key, alg, text, fields }) => {
    const { person, sid } = await member(site)
    const now = Math.floor(Date.now() / 1000)
    const { issuer, settings } = site.provider
    const good = {
      iss: issuer,
      aud: settings.clientId,
      iat: now,
      exp: now + 120,
      jti: `of-${sid}`,
      events: { [event]: {} },
      sub: `of-${sid}`,
      sid,
    }
    const claims = editedJson(good, claimEdits)
    const head = editedJson({ typ: 'logout+jwt' }, header ?? [])
    const signed = await site.provider
      .signIdToken(isObject(claims) ? claims : {}, { alg, key, header: isObject(head) ? head : {} })
      .catch(() => 'none.at.all')
    const token = text ? bent(signed, text) : signed
    const sent = fields ? edited([['logout_token', token]], fields) : [['logout_token', token] as const]
    const body = `${queryOf(sent)}`
    const headers = [['content-type', 'application/x-www-form-urlencoded']] as const
    const { status } = await new Stranger(site).send({
      method: 'POST',
      target: `${base}/backchannel-logout/test`,
      headers,
      body,
    })
    const isSigned =
      key === 'own' && alg === 'RS256' && `${new URLSearchParams(body).getAll('logout_token')}` === signed
    const isFit =
      isObject(claims) &&
      claims.iss === issuer &&
      [claims.aud].flat().includes(settings.clientId) &&
      // There are providers that write no end.
      (claims.exp === undefined || typeof claims.exp === 'number') &&
      typeof claims.iat === 'number' &&
      isObject(claims.events) &&
      !('nonce' in claims)
    if (isSigned && isFit) return
    if (status === 200) throw new Violation('a logout token that is none was taken')
    expectNoSignOut(site)
    if ((await person.session()) === null) throw new Violation('the session is gone')
  },
  {
    pinned: [
      // A space in the signature.
      {
        claims: [],
        header: undefined,
        key: 'own',
        alg: 'RS256',
        text: { how: 'insert', at: 0.8, text: ' ' },
        fields: undefined,
      },
    ],
  },
)

/** The parameters of a frame. */
export const frontchannel = target(
  'frontchannel',
  edits(['iss', 'sid', 'state', 'id_token_hint']),
  async (site, changes) => {
    const { person, sid } = await member(site)
    const { issuer } = site.provider
    const sent = edited(
      [
        ['iss', issuer],
        ['sid', sid],
      ],
      changes,
    )
    const search = queryOf(sent)
    await new Stranger(site).get(`${base}/frontchannel-logout/test?${search}`)
    if (`${search.getAll('iss')}` === issuer && `${search.getAll('sid')}` === sid) return
    expectNoSignOut(site)
    if ((await person.session()) === null) throw new Violation('the session is gone')
  },
)

/** The return from a sign-out at the provider. */
export const signOutReturn = target(
  'signout-return',
  edits(['state', 'callbackUrl', 'error']),
  async (site, changes) => {
    const { person } = await member(site)
    const left = leadsTo(
      await person.post('/signout', [
        ['federated', 'true'],
        ['callbackUrl', '/bye'],
      ]),
    )
    const state = left.searchParams.get('state') ?? ''
    const sent = edited([['state', state]], changes)
    await person.get(`${base}/signout/test?${queryOf(sent)}`)
    await person.expectNobody('after a sign-out')
  },
)
