/** A whole sign-in with every provider of the catalogue, answered on this machine as its servers would. */
import { expect } from 'chai'
import { resolveConfig } from '../../lib/config/resolve.js'
import type { ResolvedOAuthProvider } from '../../lib/contracts/index.js'
import type { OAuthConfig } from '../../lib/types/provider.js'
import { customFetch } from '../../lib/types/symbols.js'
import { type Stage, useStage } from '../flows/oauth/stage.js'
import { createLog, secret, target } from '../support/app.js'
import type { ReceivedRequest, Reply } from '../support/hostile-provider.js'
import { type Answers, answerAt, lastRequest, reroute } from './internet.js'
import type { Entry } from './rows/entry.js'
import { catalogue } from './rows/index.js'

const clientSecret = 'a-client-secret'
/** The endpoints in the discovery document of an OpenID provider. */
const found = { token: 'https://op.test/token', keys: 'https://op.test/keys', userinfo: 'https://op.test/userinfo' }

describe('a whole sign-in with', () => {
  const stage = useStage()

  for (const [id, entry] of Object.entries(catalogue)) {
    if (entry.gone !== undefined) continue

    it(id, async () => {
      const { issuer, required } = entry
      const create = entry.create as (options: object) => OAuthConfig
      const given = create({
        clientId: 'client',
        clientSecret,
        ...(issuer !== undefined && { issuer }),
        ...required,
        [customFetch]: reroute(stage.provider),
      })
      await stage.restart({}, { providers: [given] })
      const provider = resolved(given)
      const [person] = entry.people
      if (!person) throw new Error(`${id} has no people`)
      stage.provider.person = { ...person.profile }
      answerAt(stage.provider, { ...usualAnswers(stage, entry, provider), ...entry.answers })

      await stage.expectSignedIn(await comeBack(stage, id, provider))
      const [told] = stage.signedIn
      const { email, ...user } = person.user
      expect(told?.user).to.include({ name: user.name, image: user.image, email: email?.toLowerCase() ?? null })
      expect(told?.account).to.include({ provider: id, type: provider.type, providerAccountId: user.id })
      if (entry.authentication !== 'other') expectAuthentication(stage, entry, provider)
    })
  }
})

function resolved(given: OAuthConfig): ResolvedOAuthProvider {
  const [provider] = resolveConfig({ providers: [given], secret, logger: createLog().logger }).providers.values()
  if (provider?.kind !== 'oauth') throw new Error('not an OAuth provider')
  return provider
}

/** The answer comes in the way that the provider was asked for. */
async function comeBack(stage: Stage, id: string, { formPost }: ResolvedOAuthProvider) {
  const back = new URL(stage.provider.authorize(await stage.begin(id), { iss: null }))
  if (!formPost) return stage.browser.get(back.href)
  const relayed = await stage.browser.post(back.pathname, Object.fromEntries(back.searchParams))
  return stage.browser.get(target(relayed))
}

function usualAnswers(stage: Stage, entry: Entry, provider: ResolvedOAuthProvider): Answers {
  const [person] = entry.people
  const token = tokenUrl(provider)
  const userinfo = provider.userinfo.url ?? found.userinfo
  if (provider.type === 'oauth') {
    return {
      [addressOf(token)]: { access_token: 'an-access-token', token_type: 'bearer' },
      [addressOf(userinfo)]: person?.profile ?? {},
    }
  }
  const { discovery } = entry
  const iss = entry.iss ?? discovery?.issuer ?? provider.issuer
  const pinned = provider.client.id_token_signed_response_alg
  const options = pinned === 'HS256' ? { alg: 'HS256' as const, secret: clientSecret } : {}
  return {
    ...(discovery && {
      [addressOf(discovery.url)]: {
        issuer: discovery.issuer,
        authorization_endpoint: entry.authorization,
        token_endpoint: found.token,
        userinfo_endpoint: found.userinfo,
        jwks_uri: found.keys,
      },
    }),
    [addressOf(provider.jwksUri ?? found.keys)]: () => ({ body: stage.provider.jwks }),
    [addressOf(token)]: ({ body }: ReceivedRequest): Promise<Reply> => stage.provider.tokens(body, { iss }, options),
    [addressOf(userinfo)]: provider.client.userinfo_signed_response_alg
      ? async () => ({
          headers: { 'content-type': 'application/jwt' },
          body: await stage.provider.signIdToken({ iss, aud: 'client', ...person?.profile }),
        })
      : (person?.profile ?? {}),
  }
}

/** The client proves itself as the facts say, and never in an URL. */
function expectAuthentication(stage: Stage, entry: Entry, provider: ResolvedOAuthProvider): void {
  const { headers, body, query } = lastRequest(stage.provider, addressOf(tokenUrl(provider)))
  expect(query.has('client_secret')).to.equal(false)
  if (entry.authentication === 'client_secret_post') {
    expect(body).to.include({ client_id: 'client', client_secret: clientSecret })
    expect(headers.authorization).to.equal(undefined)
    return
  }
  expect(headers.authorization).to.equal(`Basic ${Buffer.from('client:a-client-secret').toString('base64')}`)
  expect(body.client_secret).to.equal(undefined)
}

function tokenUrl({ token }: ResolvedOAuthProvider): string {
  return token.url ?? found.token
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
