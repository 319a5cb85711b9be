/**
 * Log entries have no secret: no code, token, state, nonce, verifier, client secret or cookie. Each case runs twice,
 * once with a logger of the developer's that prints everything it gets, once with the built-in one.
 */
import { expect } from 'chai'
import type { LoggerInstance } from '../../../lib/types/logger.js'
import type { Reply } from '../../support/hostile-provider.js'
import { tellSecret } from '../../support/log-watch.js'
import { itPrintsNoSecret } from '../../support/printed.js'
import { type ProviderOptions, useStage } from './stage.js'

/** The values that a case can repeat: the token request, and correct tokens for it. */
type TokenScript = (
  body: Readonly<Record<string, string>>,
  tokens: Record<string, string>,
  authorization: string,
) => Reply | Promise<Reply>

interface Case {
  readonly options?: ProviderOptions
  readonly token?: TokenScript
  readonly userinfo?: (accessToken: string) => Reply
  /** Changes to the provider's redirect. */
  readonly answer?: (own: { state: string; code: string }) => Record<string, string | null>
  /** The text that must be logged, so that a case that logs nothing by mistake fails. */
  readonly logged: RegExp
}

const echo = (...texts: Array<string | undefined>) => ({
  status: 400,
  body: { error: 'invalid_grant', error_description: texts.join(' ') },
})

const cases: Readonly<Record<string, Case>> = {
  'a good sign-in, with debug messages': { logged: /configuration resolved/ },
  'a token endpoint that repeats the request in its error': {
    token: (body, _tokens, authorization) =>
      echo(body.code, body.code_verifier, authorization, Buffer.from(authorization, 'base64').toString()),
    logged: /invalid_grant/,
  },
  'a token endpoint that repeats the secret': {
    token: () => echo('hostile-client-secret-of-at-least-32-chars'),
    logged: /invalid_grant/,
  },
  'a token answer of broken JSON': {
    token: (_body, tokens) => ({ body: `${JSON.stringify({ token_type: 'bearer', ...tokens }).slice(0, -1)},oops` }),
    logged: /not valid JSON/,
  },
  'a token answer that begins with a token': {
    token: (_body, tokens) => ({ body: `${tokens.access_token} is not JSON` }),
    logged: /not valid JSON/,
  },
  'a token answer of HTML that holds tokens': {
    token: (_body, tokens) => ({ headers: { 'content-type': 'text/html' }, body: `<p>${JSON.stringify(tokens)}</p>` }),
    logged: /content-type/,
  },
  'a token answer of 500 that holds tokens': {
    token: (_body, tokens) => ({ status: 500, body: tokens }),
    logged: /unexpected HTTP response status/,
  },
  'a challenge that repeats the request': {
    token: (body, _tokens, authorization) => ({
      status: 401,
      headers: { 'www-authenticate': `Basic realm="${body.code} ${body.code_verifier} ${authorization}"` },
      body: { error: 'invalid_client' },
    }),
    logged: /the provider rejected the client: check `clientId`/,
  },
  'an id_token with a bad claim': {
    token: async (_body, tokens) => ({ body: { ...tokens, id_token: tokens.badAudience } }),
    logged: /"aud"/,
  },
  'an id_token with a bad signature': {
    token: async (_body, tokens) => ({ body: { ...tokens, id_token: tokens.badSignature } }),
    logged: /signature/,
  },
  'an error of the provider that repeats state and code': {
    answer: ({ state, code }) => ({ error: 'server_error', error_description: `${state} ${code}` }),
    logged: /server_error/,
  },
  'an error that is the state': {
    answer: ({ state }) => ({ code: null, error: state }),
    logged: /answered with an error/,
  },
  'a state that is not known': { answer: () => ({ state: 'x'.repeat(43) }), logged: /no open sign-in/ },
  'a foreign issuer': { answer: ({ code }) => ({ iss: `https://evil.test/${code}` }), logged: /"iss"/ },
  'a userinfo endpoint that repeats the access token': {
    options: { idToken: false },
    userinfo: (accessToken) => ({ body: `${accessToken} is no JSON` }),
    logged: /not valid JSON/,
  },
  'a userinfo challenge that repeats the access token': {
    options: { idToken: false },
    userinfo: (accessToken) => ({
      status: 401,
      headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${accessToken}"` },
    }),
    logged: /the provider rejected the request \(invalid_token\)/,
  },
  'a userinfo challenge whose error is the access token': {
    options: { idToken: false },
    userinfo: (accessToken) => ({ status: 401, headers: { 'www-authenticate': `Bearer error="${accessToken}"` } }),
    logged: /the provider rejected the request/,
  },
  'a profile function that throws a token': {
    options: {
      profile: (_profile: object, tokens: { access_token: string; id_token: string }) => {
        throw new Error(`cannot read ${tokens.access_token}, ${tokens.id_token}`, {
          cause: new Error(`inner ${tokens.access_token}`),
        })
      },
    },
    logged: /`profile` of the provider "test" threw/,
  },
}

describe('the log of a sign-in', () => {
  const stage = useStage()

  for (const [what, script] of Object.entries(cases)) {
    itPrintsNoSecret(what, script.logged, (logger) => play(script, logger))
  }

  it('escapes and shortens texts of the provider', async () => {
    const description = `<script>\r\n[auth][error] forged\u001b[31m\u202e${'x'.repeat(10_000)}`
    const response = await stage.signIn({ code: null, error: 'evil"<b>', error_description: description })
    await stage.expectRefused(response, 'OAuthCallbackError', /answered with an error: evil/)
    const message = stage.app.log.errors[0]?.message ?? ''
    expect(message).to.match(/^[\x20-\x7e]+$/)
    expect(message.length).to.be.below(400)
    const page = await stage.browser.get(response.headers.location ?? '')
    expect(page.text).not.to.match(/evil|forged/)
  })

  async function play({ options, token, userinfo, answer }: Case, logger: Partial<LoggerInstance>): Promise<void> {
    await stage.restart(options, { logger, debug: true })
    const { provider } = stage
    provider.onToken = async (body, { headers }) => {
      const [, authorization = ''] = headers.authorization?.split(' ') ?? []
      const tokens = {
        ...((await provider.tokens(body)).body as Record<string, string>),
        refresh_token: 'refresh-token-1',
        badAudience: await idToken(body, { aud: 'somebody-else' }),
        badSignature: (await idToken(body, {})).replace(/.{8}$/, 'AAAAAAAA'),
      }
      const { token_type: _type, scope: _scope, ...secrets } = tokens as Record<string, string>
      tellSecret(authorization, ...Object.values(secrets))
      return token ? token(body, tokens, authorization) : { body: tokens }
    }
    if (userinfo) provider.onUserinfo = ({ headers }) => userinfo(headers.authorization?.split(' ')[1] ?? '')
    const url = await stage.begin()
    const own = new URL(provider.authorize(url))
    const { state = '', code = '' } = Object.fromEntries(own.searchParams)
    for (const [name, value] of Object.entries(answer?.({ state, code }) ?? {})) {
      if (value === null) own.searchParams.delete(name)
      else own.searchParams.set(name, value)
    }
    await stage.browser.get(own.href)
  }

  async function idToken(body: Readonly<Record<string, string>>, claims: object): Promise<string> {
    return ((await stage.provider.tokens(body, { ...claims })).body as { id_token: string }).id_token
  }
})
