/** What comes back from providers: answers, tokens, keys, and URLs that the server is to fetch. */
import { type ThreatGroup, tested } from './case.js'

export const attempts: ThreatGroup = {
  title: 'State, nonce and PKCE',
  section: 'Answers of a provider',
  cases: [
    tested('ST-01', 'a wrong state, and that of another browser'),
    tested('ST-02', 'a state that is missing, empty or there twice'),
    tested('ST-03', 'a return without the cookie of the sign-in'),
    tested('ST-04', 'the whole return once more'),
    tested('ST-05', 'a return after a quarter of an hour'),
    tested('ST-07', 'fifty sign-ins that begin at once'),
    tested('ST-08', 'a token request without the verifier'),
    tested('ST-09', 'a provider that lists only plain PKCE'),
    tested('ST-10', 'a nonce that is missing, wrong, or of another sign-in'),
    tested('ST-11', 'a provider with all checks turned off'),
    tested('ST-12', 'a cookie of the sign-in that was changed or spliced'),
    tested('ST-14', 'parameters of the protocol, named by a client'),
    tested('ST-15', 'values that can be guessed'),
  ],
}

export const mixUps: ThreatGroup = {
  title: 'Mix-up of providers',
  section: 'Answers of a provider',
  cases: [
    tested('MX-01', 'the sign-in of one provider, brought back at another'),
    tested('MX-02', 'the same while somebody is signed in'),
    tested('MX-03', 'two providers with one id'),
    tested('MX-04', 'an `iss` that is another'),
    tested('MX-05', 'no `iss` where the provider announces it'),
    tested('MX-06', 'an error or an id_token of one provider by way of another'),
    tested('MX-07', 'one subject at two providers'),
    tested('MX-08', 'a code of one provider, sent to another'),
  ],
}

export const answers: ThreatGroup = {
  title: 'Token and userinfo answers',
  section: 'Forged tokens',
  cases: [
    tested('OA-01', 'errors with status 200, garbage, redirects, endless and slow answers'),
    tested('OA-02', 'odd types of token and times'),
    tested('OA-03', 'userinfo about another subject'),
    tested('OA-04', 'signed userinfo that is not signed, or not for us'),
    tested('OA-05', 'profiles with hostile members and ids'),
    tested('OA-06', 'a `profile` function that throws, or names nobody'),
    tested('OA-07', 'errors of a provider with markup and line ends'),
    tested('OA-08', 'the client secret in URLs, and its encoding'),
    tested('OA-09', 'refreshing a token many times at once'),
    tested('OA-10', 'a refresh that brings somebody else’s token'),
    tested('OA-11', 'tokens of a provider in the session or in an URL'),
    tested('OA-12', 'an answer to a refresh that is late, not accepted or too large for its place'),
    tested('OA-13', 'a provider that hangs, and many calls for one user'),
  ],
}

export const idTokens: ThreatGroup = {
  title: 'id_tokens',
  section: 'Forged tokens',
  cases: [
    tested('ID-01', 'no algorithm, in each spelling'),
    tested('ID-02', 'an HMAC with what is no secret'),
    tested('ID-03', 'another issuer, or nearly ours'),
    tested('ID-05', 'times that are over, missing, or yet to come'),
    tested('ID-06', 'a wrong nonce'),
    tested('ID-07', 'hashes of another token'),
    tested('ID-08', 'a subject that is none'),
    tested('ID-09', 'names of keys that are unknown, hostile, or there twice'),
    tested('ID-10', 'keys that may not sign, or are weak'),
    tested('ID-12', 'a token of another kind'),
    tested('ID-13', 'a sign-in at the provider that is too old'),
    tested('ID-14', 'keys that change, fail, or are asked for without end'),
    tested('ID-15', 'no id_token'),
    tested('ID-16', 'members that are there twice'),
    tested('ID-17', 'each algorithm, and another than the pinned one'),
  ],
}

export const fetching: ThreatGroup = {
  title: 'What the server fetches',
  section: 'Forged tokens',
  cases: [
    tested('SF-01', 'issuers inside the network, and redirects to there'),
    tested('SF-02', 'a discovery document of another issuer'),
    tested('SF-03', 'endpoints on http, or of other schemes'),
    tested('SF-04', 'secret and code, sent after a redirect'),
    tested('SF-05', 'pictures that a profile names'),
    tested('SF-06', 'keys that are huge, slow, or never end'),
    tested('SF-07', 'other URLs that a client or a document names'),
  ],
}
