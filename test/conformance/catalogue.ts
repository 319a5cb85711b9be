/**
 * The plans of the official OpenID conformance suite for relying parties, and their modules.
 * `scripts/conformance-table.mjs` finds the tests by the names in titles, and writes `docs/conformance.md`.
 */

/** One module of the official suite. */
export interface ConformanceModule {
  readonly name: string
  /** The behaviour of the suite's provider, and the expected result. */
  readonly what: string
  /** The reason why there is no test. */
  readonly notApplicable?: string
}

/** One plan. */
export interface ConformancePlan {
  readonly name: string
  readonly title: string
  /** A note on how the tests here try it. */
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
      '-invalid-iss': 'id_token of another issuer: rejected',
      '-missing-sub': 'id_token without `sub`: rejected',
      '-invalid-aud': 'id_token for another client: rejected',
      '-missing-iat': 'id_token without `iat`: rejected',
      '-kid-absent-single-jwks': 'id_token without key id, one published key: accepted',
      '-kid-absent-multiple-jwks': 'id_token without key id, several matching keys: rejected',
      '-idtoken-sig-rs256': 'id_token signed with RS256: accepted',
      '-idtoken-sig-none':
        'id_token without a signature: rejected. The suite then reports SKIPPED, and still certifies',
      '-invalid-sig-rs256': 'id_token with a wrong signature: rejected',
      '-userinfo-invalid-sub': 'userinfo of another subject: rejected',
      '-nonce-invalid': 'id_token with another nonce: rejected',
      '-scope-userinfo-claims': 'claims requested by scope, returned by the userinfo endpoint',
      '-client-secret-basic': 'the client authenticates with `client_secret_basic`',
    }),
  },
  {
    name: 'oidcc-client-config-certification-test-plan',
    title: 'Config RP',
    modules: named('oidcc-client-test-', {
      'discovery-openid-config': 'the metadata are fetched and used',
      'discovery-jwks-uri-keys': 'the keys are fetched from the published `jwks_uri`',
      'discovery-issuer-mismatch': 'metadata of another issuer: rejected',
      'idtoken-sig-none': 'as in the Basic plan',
      'signing-key-rotation-just-before-signing': 'keys replaced before the id_token is signed: accepted',
      'signing-key-rotation': 'keys replaced between two sign-ins: both work',
    }),
  },
  {
    name: 'oidcc-client-test-plan',
    title: 'General plan',
    note: 'Modules for `response_type=code` that no certification requires. The plan also contains those of the other plans.',
    modules: [
      ...named('oidcc-client-test-', {
        'missing-aud': 'id_token without `aud`: rejected',
        'invalid-sig-es256': 'id_token with a wrong signature, with ES256 registered: rejected',
        'invalid-sig-hs256': 'id_token with a wrong signature, with HS256 registered: rejected',
        'userinfo-bearer-header': 'the access token goes to the userinfo endpoint in the header',
        'userinfo-signed': 'userinfo that is signed: accepted if registered',
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
      '': 'a sign-out at the provider, and the return with the `state` that was sent',
      '-other-state': 'the return with another `state`: signed out, and no URL is followed',
      '-no-state': 'the return without `state`: the same',
    }),
  },
  {
    name: 'oidcc-client-back-channel-logout-rp-basic',
    title: 'Back-Channel Logout',
    modules: named('oidcc-client-test-rp-backchannel-rpinitlogout', {
      '': 'a valid logout token: 200, and the session has ended',
      '-alg-none': 'a logout token without a signature: 400',
      '-no-event': 'without `events`: 400',
      '-with-nonce': 'with a `nonce`: 400',
      '-wrong-alg': 'signed with an unregistered algorithm: 400',
      '-wrong-aud': 'for another client: 400',
      '-wrong-event': 'with another event: 400',
      '-wrong-iss': 'of another issuer: 400',
    }),
  },
  {
    name: 'oidcc-client-front-channel-logout-rp-basic',
    title: 'Front-Channel Logout',
    modules: named('oidcc-client-test-rp-frontchannel-', {
      rpinitlogout: 'the provider loads the frame after a sign-out here',
      opinitlogout: 'the provider loads the frame on its own. The module is in the general plan',
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
      'The checks of provider answers use `private_key_jwt`, ES256, PKCE and the `iss` of the response, with a ' +
      'scripted provider. Complete sign-ins by the profile, with DPoP and certificates, use oidc-provider with its profile `2.0`.',
    modules: [
      ...named(fapi2, {
        'happy-path': 'a sign-in by the profile: pushed, with `private_key_jwt` and bound tokens',
        'discovery-issuer-mismatch': 'metadata of another issuer: rejected',
        'invalid-iss': 'id_token of another issuer: rejected',
        'invalid-aud': 'id_token for another client: rejected',
        'invalid-secondary-aud': 'id_token for this and another client: rejected',
        'invalid-null-alg': 'id_token without a signature: rejected',
        'invalid-alternate-alg': 'id_token signed with RS256: rejected',
        'invalid-expired-exp': 'id_token expired for more than five minutes: rejected',
        'invalid-missing-exp': 'id_token without `exp`: rejected',
        'invalid-missing-aud': 'id_token without `aud`: rejected',
        'invalid-missing-iss': 'id_token without `iss`: rejected',
        'valid-aud-as-array': 'id_token with the client id in an array: accepted',
        'invalid-nonce': 'id_token with another nonce: rejected',
        'invalid-missing-nonce': 'id_token without the nonce: rejected',
        'invalid-authorization-response-iss': 'response with another `iss`: rejected, the code is not redeemed',
        'remove-authorization-response-iss': 'response without `iss`: rejected, the code is not redeemed',
        'ensure-authorization-response-with-invalid-state-fails': 'response with another `state`: rejected',
        'ensure-authorization-response-with-invalid-missing-state-fails': 'response without `state`: rejected',
        'token-endpoint-response-without-expires_in': 'token response without `expires_in`: accepted',
        'token-type-case-insensitivity':
          '`token_type` in another case: accepted. Here with `bEARER`, in the suite with `dPoP`',
      }),
      ...named(fapi2, {
        'rs-dpop-auth-scheme-case-insensitivity': 'a DPoP challenge in another case: answered',
        'happy-path-no-dpop-nonce': 'a provider without DPoP nonces',
        'happy-path-no-mtls-endpoint-aliases':
          'client certificates, with a provider without separate endpoints for them',
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
    note: 'The plan also contains the modules of the Security Profile.',
    modules: [
      ...named(fapi2, {
        'ensure-jarm-without-iss-fails': 'response without `iss`: rejected',
        'ensure-jarm-with-invalid-iss-fails': 'response of another issuer: rejected',
        'ensure-jarm-without-aud-fails': 'response without `aud`: rejected',
        'ensure-jarm-with-invalid-aud-fails': 'response for another client: rejected',
        'ensure-jarm-without-exp-fails': 'response without `exp`: rejected',
        'ensure-jarm-with-expired-exp-fails': 'expired response: rejected',
        'ensure-jarm-with-invalid-sig-fails': 'response with a wrong signature: rejected',
        'ensure-jarm-signature-is-not-none': 'response without a signature: rejected',
      }),
    ],
  },
]
