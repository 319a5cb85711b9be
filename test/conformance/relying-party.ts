/**
 * The application that the official conformance suite is run against: `node --import tsx test/conformance/relying-party.ts`.
 * `run.md` says how. It reads the provider from AUTH_SUITE_ISSUER, AUTH_SUITE_ID and AUTH_SUITE_SECRET, its own URL from
 * AUTH_URL, and the secret from AUTH_SECRET.
 */
import { pathToFileURL } from 'node:url'
import express, { type Express } from 'express'
import { memoryStore } from '../../lib/adapters/memory/index.js'
import { getSession, ServerAuth, type ServerAuthConfig } from '../../lib/index.js'
import type { OIDCConfig } from '../../lib/types/provider.js'

/**
 * The relying party, with the provider `suite`.
 * @param own Options of the provider, over those here.
 * @param more Options of the application.
 */
export function createRelyingParty(own: Partial<OIDCConfig> = {}, more: Partial<ServerAuthConfig> = {}): Express {
  const suite: OIDCConfig = {
    id: 'suite',
    name: 'the suite',
    type: 'oidc',
    // The suite looks for a request with the access token: the profile comes from the userinfo endpoint.
    idToken: false,
    // The client's registered algorithms: the suite signs with RS256, and a logout token by another algorithm is wrong.
    client: { id_token_signed_response_alg: 'RS256' },
    logout: { rpInitiated: 'always', backchannel: true, frontchannel: true },
    ...own,
  }
  const config: ServerAuthConfig = { providers: [suite], session: { revocation: memoryStore() }, ...more }
  const app = express()
  app.use('/auth', ServerAuth(config))
  app.get('/', async (req, res) => {
    res.json(await getSession(req, config))
  })
  return app
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const port = Number(process.env.PORT ?? 3000)
  createRelyingParty().listen(port, () => console.log(`The relying party listens on port ${port}: open /auth/signin`))
}
