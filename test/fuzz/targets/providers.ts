/** The answers of a provider: sent by way of the browser, and directly to us. */
import fc from 'fast-check'
import { target } from '../explore.js'
import { edited, editedJson, edits, type JsonEdit, jsonEdits, line, mostly, seldom } from '../hostile.js'
import type { Site } from '../site.js'
import { leadsTo, Stranger } from '../stranger.js'
import { TooSlow } from '../wire.js'
import { fieldsOf, isObject, queryOf, textsIn } from './shared.js'

/** The status codes by which an unusable provider may be named as the cause. */
const atFault = { faults: [502, 503] }

/** On a busy machine the provider may not answer in time. A failure at each try is not caused by the machine. */
const notBegun = 'the sign-in could not begin'

/** Begins a sign-in and returns its redirect. Returns `undefined` if the provider's own metadata prevent it. */
async function begin(stranger: Stranger, id: string, anywhere = false): Promise<URL | undefined> {
  const answer = await stranger.post(`/signin/${id}`, [['callbackUrl', '/welcome']], { ...atFault, anywhere })
  if (answer.status >= 400) return undefined
  const url = leadsTo(answer)
  return url.searchParams.has('redirect_uri') ? url : undefined
}

/** Sends the browser back, with the current answers of the provider. */
async function comeBack(site: Site, stranger: Stranger, url: URL): Promise<void> {
  const back = new URL(site.provider.authorize(url.href))
  await stranger.get(back.pathname + back.search, atFault)
}

/** Checks that no user is signed in unless it is allowed. */
async function judge(stranger: Stranger, may: boolean, why: string): Promise<void> {
  if (!may) await stranger.expectNobody(why)
}

const answerNames = [
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'response',
  'id_token',
  'access_token',
  'session_state',
  'form_post',
  'user',
]

/** The redirect back: its parameters, by GET or by a form. */
export const callback = target(
  'callback',
  fc.record({
    id: fc.constantFrom('test', 'plain'),
    changes: edits(answerNames),
    isPost: fc.boolean(),
    json: fc.boolean(),
  }),
  async (site, { id, changes, isPost, json }) => {
    const stranger = new Stranger(site)
    const url = await begin(stranger, id)
    if (!url) throw new TooSlow(notBegun)
    const back = new URL(site.provider.authorize(url.href, id === 'plain' ? { iss: null } : {}))
    const fields = fieldsOf(back.searchParams)
    const sent = edited(fields, changes)
    const search = queryOf(sent)
    const headers = json ? [['accept', 'application/json'] as const] : []
    if (isPost) {
      const type = ['content-type', 'application/x-www-form-urlencoded'] as const
      const relayed = await stranger.send(
        { method: 'POST', target: back.pathname, headers: [...headers, type], body: `${search}` },
        atFault,
      )
      if (relayed.status < 400 && relayed.status >= 300) {
        const next = leadsTo(relayed)
        await stranger.get(next.pathname + next.search, atFault)
      }
    } else {
      await stranger.send({ target: `${back.pathname}?${search}`, headers }, atFault)
    }
    const isSame = (name: string) => `${search.getAll(name)}` === `${back.searchParams.getAll(name)}`
    // The plain provider takes any code, and says nothing of itself.
    const needed = id === 'plain' ? ['state'] : ['state', 'code', 'iss']
    // An empty value is treated as not sent (RFC 6749 §3.1).
    const isRefused = search.getAll('error').some((error) => error !== '')
    await judge(stranger, needed.every(isSame) && !isRefused, 'though the answer was changed')
  },
)

const claimNames = [
  'iss',
  'sub',
  'aud',
  'azp',
  'exp',
  'iat',
  'nbf',
  'nonce',
  'auth_time',
  'at_hash',
  'amr',
  'acr',
  'sid',
  'email',
  'email_verified',
  'name',
  'picture',
]

interface TokenAnswer {
  readonly answer: readonly JsonEdit[]
  readonly claims: readonly JsonEdit[]
  readonly header: readonly JsonEdit[]
  readonly key: 'own' | 'stranger'
  readonly alg: 'RS256' | 'ES256' | 'HS256' | 'none'
  readonly how: 'whole' | 'cut' | 'endless' | 'huge'
  readonly type: string
  readonly status: number
}

/** Returns changes, or most often none: one fault gets further than all at once. */
const rarely = (names: readonly string[]) => seldom(jsonEdits(names)).map((changes = []) => changes)

const tokenAnswers: fc.Arbitrary<TokenAnswer> = fc.record({
  answer: rarely(['error', 'refresh_token', 'expires_in', 'token_type', 'scope']),
  claims: fc.oneof(fc.constant([]), jsonEdits(claimNames)),
  header: rarely(['typ', 'kid', 'crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'alg', 'enc', 'zip']),
  key: mostly<TokenAnswer['key']>('own', 'stranger'),
  alg: mostly<TokenAnswer['alg']>('RS256', 'ES256', 'HS256', 'none'),
  how: mostly<TokenAnswer['how']>('whole', 'cut', 'endless', 'huge'),
  type: fc.oneof({ weight: 6, arbitrary: fc.constant('application/json') }, { weight: 1, arbitrary: line(200) }),
  status: mostly(200, 201, 204, 302, 400, 401, 429, 500, 503),
})

/** The answer of the token endpoint, and the id_token in it. */
export const token = target('token', fc.tuple(tokenAnswers), async (site, [input]) => {
  const stranger = new Stranger(site)
  const url = await begin(stranger, 'test')
  if (!url) throw new TooSlow(notBegun)
  const now = Math.floor(Date.now() / 1000)
  const nonce = url.searchParams.get('nonce')
  const { issuer, settings, person } = site.provider
  const good = { iss: issuer, aud: settings.clientId, iat: now, exp: now + 300, nonce, ...person }
  const claims = editedJson(good, input.claims)
  const signed = await sign(site, claims, input)
  const answer = {
    access_token: 'access-token-of-the-fuzzing',
    token_type: 'Bearer',
    expires_in: 3600,
    id_token: signed,
  }
  const told = editedJson(answer, input.answer)
  site.provider.onToken = () => ({
    status: input.status,
    headers: {
      'content-type': input.type.replace(/[^\x20-\xff]/g, '') || 'text/plain',
      ...(input.status === 302 && { location: '/jwks' }),
    },
    body:
      input.how === 'huge'
        ? JSON.stringify({ ...Object(told), much: 'x'.repeat(2_000_000) })
        : (JSON.stringify(told) ?? ''),
    reset: input.how === 'cut',
    // Node throws away what is written after a status without a body, and so never stops.
    endless: input.how === 'endless' && input.status !== 204,
  })
  await comeBack(site, stranger, url)
  const isSigned = input.key === 'own' && input.alg === 'RS256' && isObject(told) && told.id_token === signed
  const isOurs =
    isObject(claims) &&
    claims.iss === issuer &&
    claims.nonce === nonce &&
    [claims.aud].flat().includes(settings.clientId)
  const isInTime = isObject(claims) && typeof claims.exp === 'number' && claims.exp > now - 60
  const isNamed = isObject(claims) && typeof claims.sub === 'string' && claims.sub !== ''
  await judge(stranger, isSigned && isOurs && isInTime && isNamed, 'by an id_token that is none')
  site.provider.reset()
})

/** Signs the id_token. Returns an invalid text if the library of the provider cannot create it. */
async function sign(site: Site, claims: unknown, { header, alg, key }: TokenAnswer): Promise<string> {
  const more = editedJson({ typ: 'JWT' }, header)
  const options = { alg, key, header: isObject(more) ? more : {} }
  return site.provider.signIdToken(isObject(claims) ? claims : {}, options).catch(() => 'none.at.all')
}

/** The profile of a user from a provider without id_tokens. */
export const userinfo = target(
  'userinfo',
  fc.record({
    user: jsonEdits(['id', 'sub', 'email', 'name', 'picture', 'avatar_url', 'login', 'toString']),
    tokens: rarely(['id_token', 'error', 'expires_in']),
    status: mostly(200, 404, 500),
  }),
  async (site, { user, tokens, status }) => {
    const stranger = new Stranger(site)
    const url = await begin(stranger, 'plain')
    if (!url) throw new TooSlow(notBegun)
    const person = editedJson(
      { id: 7, name: 'Plain Person', email: 'plain@example.com', image: 'https://example.com/a.png' },
      user,
    )
    const told = editedJson({ access_token: 'plain-access-token', token_type: 'bearer' }, tokens)
    const { routes } = site.provider
    const before = [...routes]
    routes.set('/plain/user', () => ({ status, body: JSON.stringify(person) ?? '' }))
    routes.set('/plain/token', () => ({ body: JSON.stringify(told) ?? '' }))
    const back = new URL(site.provider.authorize(url.href, { iss: null }))
    await stranger.get(back.pathname + back.search, atFault)
    for (const [path, answer] of before) routes.set(path, answer)
    const id: unknown = isObject(person) ? (person.sub ?? person.id) : undefined
    const ids = isObject(person) ? [id, person.id] : []
    const isNamed = ids.some((each) => (typeof each === 'string' && each !== '') || Number.isSafeInteger(each))
    await judge(stranger, isNamed && status < 300, 'of a person without an id')
  },
)

const metadataNames = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
  'id_token_signing_alg_values_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
  'response_types_supported',
  'mtls_endpoint_aliases',
]

/** The discovery document. */
export const discovery = target(
  'discovery',
  fc.record({ changes: jsonEdits(metadataNames), type: line(100), isTyped: fc.boolean() }),
  async (site, { changes, type, isTyped }) => {
    site.renew()
    const { discovery: good, issuer } = site.provider
    const told = editedJson(good, changes)
    const headers: Record<string, string> = isTyped
      ? {}
      : { 'content-type': type.replace(/[^\x20-\xff]/g, '') || 'x/y' }
    site.provider.onDiscovery = () => ({ headers, body: JSON.stringify(told) ?? '' })
    const stranger = new Stranger(site)
    const url = await begin(stranger, 'test', true)
    if (url) await comeBack(site, stranger, url)
    await stranger.post('/signout', [['federated', 'true']], { ...atFault, anywhere: true })
    await judge(stranger, false, 'after a sign-out')
    const again = new Stranger(site)
    const next = await begin(again, 'test', true)
    if (next) await comeBack(site, again, next)
    await judge(again, isObject(told) && told.issuer === issuer, 'though the issuer is another')
  },
)

/** The published keys. */
export const jwks = target(
  'jwks',
  jsonEdits(['kid', 'alg', 'use', 'key_ops', 'kty', 'n', 'e', 'crv', 'x', 'y', 'd', 'k', 'x5c', 'oth']),
  async (site, changes) => {
    site.renew()
    const { jwks: good } = site.provider
    const told = editedJson(good, changes)
    site.provider.onJwks = () => ({ body: JSON.stringify(told) ?? '' })
    const stranger = new Stranger(site)
    const url = await begin(stranger, 'test')
    if (!url) throw new TooSlow(notBegun)
    await comeBack(site, stranger, url)
    // By what it comes to: decoders of base64url pass over characters that are none.
    const published = textsIn(told).map((each) => Buffer.from(each, 'base64url').toString('hex'))
    const moduli = good.keys.flatMap(({ n }) => (n === undefined ? [] : Buffer.from(n, 'base64url').toString('hex')))
    const isThere = moduli.some((modulus) => published.some((each) => each.includes(modulus)))
    await judge(stranger, isThere, 'by a key that is not published')
  },
  // Characters that base64url does not have, inside the modulus: it is the same key.
  { pinned: [[{ kind: 'bend', at: 0.236, bend: { how: 'insert', at: 0.062, text: '\u0000' } }]] },
)
