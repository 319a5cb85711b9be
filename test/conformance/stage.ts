/** The functions that the suites of conformance modules share, on the stage of the OAuth suites. */
import { expect } from 'chai'
import { exportJWK, type JWK } from 'jose'
import type { Stage } from '../flows/oauth/stage.js'
import type { Claims, SignOptions } from '../support/hostile-provider.js'
import type { KeyLoan } from '../support/key-loan.js'

/** Lets the provider answer with changed claims, or with another signature. */
export function useTokens(stage: Stage, claims: Claims, options: SignOptions = {}): void {
  stage.provider.onToken = (body) => stage.provider.tokens(body, claims, options)
}

/**
 * Checks a sign-in whose id_token is rejected: no session, the code used once, and no request with the access token.
 * The suite checks this: a relying party that continues to the userinfo endpoint has failed.
 */
export async function refuse(stage: Stage, reason: RegExp, claims: Claims, options: SignOptions = {}): Promise<void> {
  useTokens(stage, claims, options)
  await stage.expectRefused(await stage.signIn(), 'OAuthCallbackError', reason)
  expect(stage.provider.count('/token')).to.equal(1)
  expect(stage.provider.count('/userinfo')).to.equal(0)
}

/** Checks an answer of the authorization endpoint that is rejected: no session, and the code is not redeemed. */
export async function refuseAnswer(
  stage: Stage,
  [type, reason]: readonly [type: string, reason: RegExp],
  changes: Readonly<Record<string, string | null>>,
): Promise<void> {
  await stage.expectRefused(await stage.signIn(changes), type, reason)
  expect(stage.provider.count('/token')).to.equal(0)
}

/** Returns the provider's published RSA key. */
export function publishedRsa(stage: Stage): JWK {
  const key = stage.provider.jwks.keys.find(({ kty }) => kty === 'RSA')
  if (!key) throw new Error('the provider publishes no RSA key')
  return key
}

/** Returns another RSA key, with which nothing is signed. */
export async function rsaTwin(loan: KeyLoan): Promise<JWK> {
  const { publicKey } = await loan.take('RS256')
  return { ...(await exportJWK(publicKey)), kid: 'twin', alg: 'RS256', use: 'sig' }
}
