/** `npx server-auth urls`: what has to be registered at a provider. */
import { expect } from 'chai'
import { urls } from '../../lib/cli/urls.js'
import { withEnv } from '../shim/stage.js'
import { rejectionOf } from '../support/rejection.js'

const run = async (...args: string[]) => urls.run(args)

describe('npx server-auth urls', () => {
  it('prints the four URLs of each provider', async () => {
    const text = await run('--url', 'https://app.example.com/api/auth/', 'keycloak', 'okta')
    for (const id of ['keycloak', 'okta']) {
      for (const action of ['callback', 'signout', 'backchannel-logout', 'frontchannel-logout']) {
        expect(text.split(/\s+/)).to.include(`https://app.example.com/api/auth/${action}/${id}`)
      }
    }
  })

  it('takes AUTH_URL, and the usual mount', () =>
    withEnv({ AUTH_URL: 'https://app.example.com' }, async () => {
      expect(await run('keycloak')).to.include('https://app.example.com/auth/callback/keycloak')
    }))

  const wrong: ReadonlyArray<[title: string, args: string[], message: RegExp]> = [
    ['no provider', ['--url', 'https://app.example.com'], /Which provider/],
    ['no URL', ['keycloak'], /AUTH_URL/],
    ['what is no URL', ['--url', 'app.example.com', 'keycloak'], /no URL/],
    ['what is no id', ['--url', 'https://app.example.com', 'a/b'], /no id/],
    ['an unknown option', ['--uri', 'x'], /uri/],
  ]
  for (const [title, args, message] of wrong) {
    it(`complains about ${title}`, () =>
      withEnv({ AUTH_URL: undefined, LEGACYAUTH_URL: undefined }, async () => {
        expect((await rejectionOf(run(...args))).message).to.match(message)
      }))
  }
})
