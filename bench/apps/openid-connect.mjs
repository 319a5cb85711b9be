/** `express-openid-connect`, with a client of the authorization code flow. */
import eoc from 'express-openid-connect'
import { client, secret } from './people.mjs'

export const variants = {
  'encrypted cookie'(app, { issuer, origin }) {
    app.use(
      eoc.auth({
        issuerBaseURL: issuer,
        baseURL: origin,
        clientID: client.clientId,
        clientSecret: client.clientSecret,
        secret,
        authRequired: false,
        idpLogout: false,
        authorizationParams: { response_type: 'code', scope: 'openid profile email' },
      }),
    )
    return (req) => (req.oidc.isAuthenticated() ? req.oidc.user : undefined)
  },
}
