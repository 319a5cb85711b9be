/** Type tests: every way to write a provider fits into `providers`, and wrong ones do not. Compiled, never run. */
import { CredentialsSignin, defineAuth, type Profile, type ServerAuthConfig } from '../../lib/index.js'
import Apple from '../../lib/providers/apple.js'
import Auth0 from '../../lib/providers/auth0.js'
import Credentials from '../../lib/providers/credentials.js'
import Discord from '../../lib/providers/discord.js'
import GitHub, { type GitHubProfile } from '../../lib/providers/github.js'
import GitLab from '../../lib/providers/gitlab.js'
import Google from '../../lib/providers/google.js'
import Keycloak from '../../lib/providers/keycloak.js'
import Line from '../../lib/providers/line.js'
import MicrosoftEntraID from '../../lib/providers/microsoft-entra-id.js'
import Passkey from '../../lib/providers/passkey.js'
import WebAuthn from '../../lib/providers/webauthn.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function assertType<T extends true>(_proof?: T): void {}

export const functions: ServerAuthConfig = {
  providers: [Apple, Auth0, Discord, GitHub, GitLab, Google, Keycloak, Line, MicrosoftEntraID],
}

export const called = defineAuth({
  providers: [
    Apple({ clientId: 'a', clientSecret: 'b' }),
    GitHub({
      enterprise: { baseUrl: 'https://github.example' },
      profile(profile) {
        assertType<Equal<typeof profile, GitHubProfile>>()
        return { id: String(profile.id) }
      },
    }),
    GitLab({ baseUrl: 'https://gitlab.example' }),
    Discord(),
    Credentials({
      credentials: { username: { label: 'User name' }, password: { type: 'password' } },
      authorize({ username, password }, request) {
        assertType<Equal<typeof username, unknown>>()
        assertType<Equal<typeof request, Request>>()
        if (password !== 'right') throw new CredentialsSignin()
        return { id: String(username) }
      },
    }),
  ],
})

export const plain: ServerAuthConfig = {
  providers: [
    {
      id: 'company',
      name: 'Company',
      type: 'oidc',
      issuer: 'https://login.example',
      clientId: 'id',
      profile(profile) {
        assertType<Equal<typeof profile, Profile>>()
        return { id: profile.sub ?? '' }
      },
    },
    { id: 'other', name: 'Other', type: 'oauth', authorization: 'https://a.example', checks: ['state'] },
  ],
}

export const passkeys = defineAuth({
  experimental: { enableWebAuthn: true },
  providers: [
    Passkey,
    WebAuthn({
      id: 'key',
      relyingParty: { id: 'example.com', origin: ['https://a.example.com', 'android:apk-key-hash:x'] },
      enableConditionalUI: false,
      formFields: { email: { label: 'Email', autocomplete: 'username webauthn' } },
      authenticationOptions: { userVerification: 'preferred', extensions: { uvm: true } },
      registrationOptions: { authenticatorSelection: { residentKey: 'discouraged' }, supportedAlgorithmIDs: [-7] },
      getUserInfo(request) {
        assertType<Equal<typeof request, Request>>()
        return { email: new URL(request.url).searchParams.get('email') }
      },
    }),
    { id: 'own', name: 'Own', type: 'passkey', relayingParty: { id: 'example.com' } },
  ],
})

export const wrong: ServerAuthConfig = {
  providers: [
    // @ts-expect-error: a plain OAuth 2 provider has no nonce
    { id: 'other', name: 'Other', type: 'oauth', checks: ['nonce'] },
    // @ts-expect-error: no such kind
    { id: 'other', name: 'Other', type: 'saml' },
    // @ts-expect-error: no such option
    Google({ clientID: 'x' }),
    // @ts-expect-error: no such word
    Passkey({ authenticationOptions: { userVerification: true } }),
    // @ts-expect-error: the spelling of Auth.js is taken in objects only
    Passkey({ relayingParty: { id: 'example.com' } }),
    // @ts-expect-error: authorize is missing
    Credentials({ credentials: {} }),
  ],
}
