/**
 * The plans of the official OpenID conformance suite for relying parties, and their modules.
 * `scripts/conformance-table.mjs` finds the tests by the names in titles, and writes `docs/conformance.md`.
 */

/** One module of the official suite. */
export interface ConformanceModule {
  readonly name: string
  /** What the suite's provider does, and what is right then. */
  readonly what: string
  /** Why there is no test. */
  readonly notApplicable?: string
}

/** One plan. */
export interface ConformancePlan {
  readonly name: string
  readonly title: string
  /** What a reader has to know of how it is tried here. */
  readonly note?: string
  readonly modules: readonly ConformanceModule[]
}

const named = (prefix: string, modules: Readonly<Record<string, string>>): ConformanceModule[] =>
  Object.entries(modules).map(([name, what]) => ({ name: prefix + name, what }))
const absent = (name: string, what: string, notApplicable: string): ConformanceModule => ({ name, what, notApplicable })

const fapi2 = 'fapi2-security-profile-final-client-test-'
const noGrants = 'only with the variant `grant_management=enabled`, an extension that the library does not have'

/** In the order of the official plans. */
export const catalogue: readonly ConformancePlan[] = [
  {
    name: 'oidcc-client-basic-certification-test-plan',
    title: 'Basic RP',
    modules: named('oidcc-client-test', {
      '': 'a sign-in with `response_type=code`',
      '-invalid-iss': 'id_token of another issuer: refused',
      '-missing-sub': 'id_token without `sub`: refused',
      '-invalid-aud': 'id_token for another client: refused',
      '-missing-iat': 'id_token without `iat`: refused',
      '-kid-absent-single-jwks': 'id_token that names no key, one key published: taken',
      '-kid-absent-multiple-jwks': 'id_token that names no key, several fit: refused',
      '-idtoken-sig-rs256': 'id_token signed with RS256: taken',
      '-idtoken-sig-none':
        'id_token without a signature: refused. The suite says SKIPPED then, and certifies all the same',
      '-invalid-sig-rs256': 'id_token with a wrong signature: refused',
      '-userinfo-invalid-sub': 'userinfo answer about somebody else: refused',
      '-nonce-invalid': 'id_token with another nonce: refused',
      '-scope-userinfo-claims': 'claims asked for by scope, told by the userinfo endpoint',
      '-client-secret-basic': 'the client authenticates with `client_secret_basic`',
    }),
  },
  {
    name: 'oidcc-client-config-certification-test-plan',
    title: 'Config RP',
    modules: named('oidcc-client-test-', {
      'discovery-openid-config': 'the metadata are fetched and used',
      'discovery-jwks-uri-keys': 'the keys are fetched from the published `jwks_uri`',
      'discovery-issuer-mismatch': 'metadata of another issuer: refused',
      'idtoken-sig-none': 'as in the Basic plan',
      'signing-key-rotation-just-before-signing': 'keys replaced before the id_token is signed: taken',
      'signing-key-rotation': 'keys replaced between two sign-ins: both work',
    }),
  },
  {
    name: 'oidcc-client-test-plan',
    title: 'General plan',
    note: 'Modules for `response_type=code` that no certification asks for. Those of the other plans stand in it, too.',
    modules: [
      ...named('oidcc-client-test-', {
        'missing-aud': 'id_token without `aud`: refused',
        'invalid-sig-es256': 'id_token with a wrong signature, where ES256 is registered: refused',
        'invalid-sig-hs256': 'id_token with a wrong signature, where HS256 is registered: refused',
        'userinfo-bearer-header': 'the access token goes to the userinfo endpoint in the header',
        'userinfo-signed': 'userinfo that is signed: taken where it is registered',
        'form-post-error': 'an error with `response_mode=form_post`: shown',
      }),
      absent(
        'oidcc-client-test-userinfo-bearer-body',
        'the same in the body of a POST',
        'the header is used, as RFC 6750 recommends',
      ),
      absent(
        'oidcc-client-test-aggregated-claims',
        'claims of a third party, signed',
        'the library does not resolve them',
      ),
      absent(
        'oidcc-client-test-distributed-claims',
        'claims to be fetched elsewhere',
        'the library does not resolve them',
      ),
      absent(
        'oidcc-client-test-discovery-webfinger-acct',
        'the issuer is found by WebFinger',
        'issuers are configured',
      ),
      absent('oidcc-client-test-discovery-webfinger-url', 'the issuer is found by WebFinger', 'issuers are configured'),
      absent('oidcc-client-test-dynamic-registration', 'the client registers itself', 'clients are configured'),
    ],
  },
  {
    name: 'oidcc-client-rp-initiated-logout-rp-basic',
    title: 'RP-Initiated Logout',
    modules: named('oidcc-client-test-rp-init-logout', {
      '': 'a sign-out at the provider, and the way back with our `state`',
      '-other-state': 'the way back with another `state`: signed out, and no URL is followed',
      '-no-state': 'the way back without `state`: the same',
    }),
  },
  {
    name: 'oidcc-client-back-channel-logout-rp-basic',
    title: 'Back-Channel Logout',
    modules: named('oidcc-client-test-rp-backchannel-rpinitlogout', {
      '': 'a good logout token: 200, and the session has ended',
      '-alg-none': 'a logout token without a signature: 400',
      '-no-event': 'without `events`: 400',
      '-with-nonce': 'with a `nonce`: 400',
      '-wrong-alg': 'signed with another algorithm than was registered: 400',
      '-wrong-aud': 'for another client: 400',
      '-wrong-event': 'with another event: 400',
      '-wrong-iss': 'of another issuer: 400',
    }),
  },
  {
    name: 'oidcc-client-front-channel-logout-rp-basic',
    title: 'Front-Channel Logout',
    modules: named('oidcc-client-test-rp-frontchannel-', {
      rpinitlogout: 'the provider shows our frame after our own sign-out',
      opinitlogout: 'the provider shows our frame by itself. The module stands in the general plan',
    }),
  },
  {
    name: 'oidcc-client-rp-session-management-rp-basic',
    title: 'Session Management',
    modules: [
      absent(
        'oidcc-client-test-session-management',
        '`check_session_iframe` polls the provider',
        'it needs a third-party cookie, which browsers block',
      ),
    ],
  },
  {
    name: 'fapi2-security-profile-final-client-test-plan',
    title: 'FAPI 2.0 Security Profile',
    note:
      'The checks of what the provider answers are tried with `private_key_jwt`, ES256, PKCE and the `iss` of the response, at a ' +
      'scripted provider; whole sign-ins by the profile, with DPoP and with certificates, at oidc-provider with its profile `2.0`.',
    modules: [
      ...named(fapi2, {
        'happy-path': 'a sign-in by the profile: pushed, with `private_key_jwt` and tokens that are bound',
        'discovery-issuer-mismatch': 'metadata of another issuer: refused',
        'invalid-iss': 'id_token of another issuer: refused',
        'invalid-aud': 'id_token for another client: refused',
        'invalid-secondary-aud': 'id_token for us and for another client: refused',
        'invalid-null-alg': 'id_token without a signature: refused',
        'invalid-alternate-alg': 'id_token signed with RS256: refused',
        'invalid-expired-exp': 'id_token that ended over five minutes ago: refused',
        'invalid-missing-exp': 'id_token without `exp`: refused',
        'invalid-missing-aud': 'id_token without `aud`: refused',
        'invalid-missing-iss': 'id_token without `iss`: refused',
        'valid-aud-as-array': 'id_token with our id in an array: taken',
        'invalid-nonce': 'id_token with another nonce: refused',
        'invalid-missing-nonce': 'id_token without the nonce: refused',
        'invalid-authorization-response-iss': 'response with another `iss`: refused, the code is not redeemed',
        'remove-authorization-response-iss': 'response without `iss`: refused, the code is not redeemed',
        'ensure-authorization-response-with-invalid-state-fails': 'response with another `state`: refused',
        'ensure-authorization-response-with-invalid-missing-state-fails': 'response without `state`: refused',
        'token-endpoint-response-without-expires_in': 'token response without `expires_in`: taken',
        'token-type-case-insensitivity':
          '`token_type` in other letters: taken. Here with `bEARER`, in the suite with `dPoP`',
      }),
      ...named(fapi2, {
        'rs-dpop-auth-scheme-case-insensitivity': 'a DPoP challenge in other letters: answered',
        'happy-path-no-dpop-nonce': 'a provider that wants no DPoP nonce',
        'happy-path-no-mtls-endpoint-aliases':
          'client certificates, and a provider without endpoints of their own for them',
      }),
      absent('fapi2-security-profile-final-client-refresh-token-test', 'a refresh', 'for the profile of Brazil only'),
      absent(`${fapi2}grant-management-happy-path`, 'a grant with an id', noGrants),
      absent(`${fapi2}grant-management-query-and-revoke`, 'a grant is read and revoked', noGrants),
      absent(`${fapi2}grant-management-invalid-grant-id-fails`, 'a grant that the provider does not know', noGrants),
    ],
  },
  {
    name: 'fapi2-message-signing-final-client-test-plan',
    title: 'FAPI 2.0 Message Signing',
    note: 'It has the modules of the Security Profile, too.',
    modules: [
      ...named(fapi2, {
        'ensure-jarm-without-iss-fails': 'response without `iss`: refused',
        'ensure-jarm-with-invalid-iss-fails': 'response of another issuer: refused',
        'ensure-jarm-without-aud-fails': 'response without `aud`: refused',
        'ensure-jarm-with-invalid-aud-fails': 'response for another client: refused',
        'ensure-jarm-without-exp-fails': 'response without `exp`: refused',
        'ensure-jarm-with-expired-exp-fails': 'response that has ended: refused',
        'ensure-jarm-with-invalid-sig-fails': 'response with a wrong signature: refused',
        'ensure-jarm-signature-is-not-none': 'response without a signature: refused',
      }),
    ],
  },
]
