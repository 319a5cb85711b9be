/** Values in a browser: sessions, tokens, cookies, and values that were made for another purpose. */
import { type ThreatGroup, tested } from './case.js'

export const fixation: ThreatGroup = {
  title: 'Session fixation',
  section: 'Sessions',
  cases: [
    tested('SX-01', 'a session cookie that is planted before the sign-in'),
    tested('SX-02', 'a second user who signs in without a sign-out'),
    tested('SX-03', 'a session that gains rights and keeps its token'),
    tested('SX-04', 'a session token in query, body or another header'),
    tested('SX-05', 'a planted session whose user is signed out everywhere instead of the own one'),
  ],
}

export const life: ThreatGroup = {
  title: 'The life of a session',
  section: 'Sessions',
  cases: [
    tested('SE-01', 'the cookie of a database session after the sign-out'),
    tested('SE-02', 'the cookie of a JWT session after its end'),
    tested('SE-03', 'a copy of a JWT session after the sign-out, with and without a store of ended sessions'),
    tested('SE-04', 'a session that is used for ever'),
    tested('SE-05', 'a session from before its lifetime was shortened'),
    tested('SE-06', 'an expiry that is shown and not the real one'),
    tested('SE-07', 'a cookie without a valid session, and its remains'),
    tested('SE-08', 'a `jwt` callback that ends the session'),
    tested('SE-10', 'sessions of a user who was deleted or disabled'),
    tested('SE-11', 'other sessions after another password or second factor'),
    tested('SE-12', 'values of a database dump, as cookie or link'),
    tested('SE-13', 'tokens that are predictable, empty, or repeated'),
    tested('SE-14', 'the content of the session endpoint'),
    tested('SE-15', 'ending a session of another user'),
    tested('SE-20', 'the end of a session in another process, with the preset `strict` and further options'),
    tested('SE-21', 'a guard with `live` that checks another session, or an older user, than it allows'),
    tested('SE-19', 'a cookie or a foreign token that bears the name of a session'),
  ],
}

export const tokens: ThreatGroup = {
  title: 'Encrypted tokens',
  section: 'Values of another purpose',
  cases: [
    tested('JW-01', 'changed bits, parts and spellings of a token'),
    tested('JW-03', 'values that are no encrypted token'),
    tested('JW-04', 'a token of another cookie'),
    tested('JW-05', 'a token that inflates'),
    tested('JW-06', 'a token that requests endless key derivation'),
    tested('JW-07', 'secrets that were replaced, removed, empty or short'),
    tested('JW-08', 'two applications with one secret'),
    tested('JW-09', 'tokens without expiry, or with one in the past'),
    tested('JW-11', 'production without a secret'),
    tested('JW-12', 'a token with another key id'),
    tested('JW-13', 'finding out at which step a token failed'),
  ],
}

export const purposes: ThreatGroup = {
  title: 'Purposes',
  section: 'Values of another purpose',
  cases: [
    tested('PC-01', 'values of a sign-in as a session'),
    tested('PC-02', 'each sealed value at each endpoint that accepts one'),
    tested('PC-03', 'an endpoint that seals values of a stranger'),
    tested('PC-04', 'a state of the redirect proxy at another deployment'),
    tested('PC-05', 'an email token for another address or provider'),
    tested('PC-06', 'a session token as an API key, and vice versa'),
  ],
}

export const cookies: ThreatGroup = {
  title: 'Cookies',
  section: 'Planted cookies',
  cases: [
    tested('CK-01', 'the attributes of each cookie, on http and https'),
    tested('CK-02', 'sessions of many sizes, and one that is too large'),
    tested('CK-03', 'sessions that shrink and grow'),
    tested('CK-04', 'planted chunks and look-alikes'),
    tested('CK-06', 'a cookie without the prefix on an https site'),
    tested('CK-07', 'cookie headers that are long, many, odd or hostile'),
    tested('CK-08', 'configured cookie names and attributes that break the header'),
    tested('CK-09', 'cookies of the application beside those of the library'),
    tested('CK-10', 'clearing a cookie with other attributes'),
    tested('CK-11', 'cookies that are sent from other sites'),
    tested('CK-12', 'https in front of an application that does not know it'),
    tested('CK-13', 'a cached sign-in'),
    tested('CK-14', 'cookies that are within their limits, and together too large'),
  ],
}

export const secondFactors: ThreatGroup = {
  title: 'Second factors',
  section: 'Second factors',
  cases: [
    tested('MF-01', 'the rights of a user after the first factor'),
    tested('MF-02', 'a sign-in method that asks for no second factor'),
    tested('MF-03', 'a level of assurance that is computed wrongly'),
    tested('MF-04', 'a repeated one-time password'),
    tested('MF-05', 'guessing one-time passwords'),
    tested('MF-06', 'a repeated recovery code'),
    tested('MF-07', 'changing factors without a recent sign-in'),
    tested('MF-08', 'the pending sign-in of another user'),
    tested('MF-09', 'the trusted device of another user'),
    tested('MF-10', 'an old session where a recent one is required'),
    tested('MF-11', 'attaching an account to make a session fresher or stronger'),
    tested('MF-12', 'permanent changes from a copied session, or from one with a fixed duration'),
    tested('MF-13', 'authentication methods that an untrusted provider reports'),
    tested('MF-14', 'a mailbox that counts as two factors'),
    tested('MF-19', 'a user without a stored record whose id is that of a stored user'),
    tested('MF-20', 'a factor that is not required because it was stored under another key'),
    tested('MF-21', 'a sign-in that is pending for a second factor, by a removed sign-in method'),
    tested('MF-15', 'emails that strangers request, to block the emailed second factor of a user'),
  ],
}
