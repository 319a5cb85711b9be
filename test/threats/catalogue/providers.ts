/** Values from providers: answers, tokens, keys, and URLs that the server fetches. */
import { type ThreatGroup, tested } from './case.js'

export const attempts: ThreatGroup = {
  title: 'State, nonce and PKCE',
  section: 'Answers of a provider',
  cases: [
    tested('ST-01', 'a wrong state, and that of another browser'),
    tested('ST-02', 'a state that is missing, empty or repeated'),
    tested('ST-03', 'a return without the cookie of the sign-in'),
    tested('ST-04', 'a replayed return'),
    tested('ST-05', 'a return after 15 minutes'),
    tested('ST-07', 'fifty concurrent sign-ins'),
    tested('ST-08', 'a token request without the verifier'),
    tested('ST-09', 'a provider that lists only plain PKCE'),
    tested('ST-10', 'a nonce that is missing, wrong, or of another sign-in'),
    tested('ST-11', 'a provider with all checks turned off'),
    tested('ST-12', 'a sign-in cookie that was changed or spliced'),
    tested('ST-14', 'protocol parameters from a client'),
    tested('ST-15', 'predictable values'),
  ],
}

export const mixUps: ThreatGroup = {
  title: 'Mix-up of providers',
  section: 'Answers of a provider',
  cases: [
    tested('MX-01', 'the sign-in of one provider, returned to another'),
    tested('MX-02', 'the same while a user is signed in'),
    tested('MX-03', 'two providers with one id'),
    tested('MX-04', 'a different `iss`'),
    tested('MX-05', 'no `iss` although the provider announces it'),
    tested('MX-06', 'an error or an id_token of one provider through another'),
    tested('MX-07', 'one subject at two providers'),
    tested('MX-08', 'a code of one provider, sent to another'),
  ],
}

export const answers: ThreatGroup = {
  title: 'Token and userinfo answers',
  section: 'Forged tokens',
  cases: [
    tested('OA-01', 'errors with status 200, garbage, redirects, endless and slow answers'),
    tested('OA-02', 'unusual token types and times'),
    tested('OA-03', 'userinfo about another subject'),
    tested('OA-04', 'unsigned userinfo where a signature is required, or userinfo for another client'),
    tested('OA-05', 'profiles with hostile members and ids'),
    tested('OA-06', 'a `profile` function that throws, or returns no user'),
    tested('OA-07', 'errors of a provider with markup and line ends'),
    tested('OA-08', 'the client secret in URLs, and its encoding'),
    tested('OA-09', 'refreshing a token many times at once'),
    tested('OA-10', 'a refresh that returns another user’s token'),
    tested('OA-11', 'provider tokens in the session or in a URL'),
    tested('OA-12', 'an answer to a refresh that is late, rejected or too large to store'),
    tested('OA-13', 'a provider that hangs, and many calls for one user'),
  ],
}

export const idTokens: ThreatGroup = {
  title: 'id_tokens',
  section: 'Forged tokens',
  cases: [
    tested('ID-01', 'no algorithm, in each spelling'),
    tested('ID-02', 'an HMAC with a public value as secret'),
    tested('ID-03', 'another issuer, or a similar one'),
    tested('ID-05', 'times that are past, missing, or in the future'),
    tested('ID-06', 'a wrong nonce'),
    tested('ID-07', 'hashes of another token'),
    tested('ID-08', 'an invalid subject'),
    tested('ID-09', 'key ids that are unknown, hostile, or repeated'),
    tested('ID-10', 'keys that may not sign, or are weak'),
    tested('ID-12', 'a token of another kind'),
    tested('ID-13', 'a sign-in at the provider that is too old'),
    tested('ID-14', 'keys that change, fail, or are requested without end'),
    tested('ID-15', 'no id_token'),
    tested('ID-16', 'repeated members'),
    tested('ID-17', 'each algorithm, and another than the pinned one'),
  ],
}

export const fetching: ThreatGroup = {
  title: 'Requests of the server',
  section: 'Forged tokens',
  cases: [
    tested('SF-01', 'issuers inside the network, and redirects to there'),
    tested('SF-02', 'a discovery document of another issuer'),
    tested('SF-03', 'endpoints on http, or of other schemes'),
    tested('SF-04', 'secret and code, sent after a redirect'),
    tested('SF-05', 'pictures of a profile'),
    tested('SF-06', 'keys that are huge, slow, or never end'),
    tested('SF-07', 'other URLs from a client or a document'),
  ],
}
