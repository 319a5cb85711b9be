/** What a browser holds: sessions, tokens, cookies, and values that are made for something else. */
import { type ThreatGroup, tested } from './case.js'

export const fixation: ThreatGroup = {
  title: 'Session fixation',
  section: 'Sessions',
  cases: [
    tested('SX-01', 'a session cookie that is planted before the sign-in'),
    tested('SX-02', 'a second person who signs in without a sign-out'),
    tested('SX-03', 'a session that gains something and keeps its token'),
    tested('SX-04', 'a session token in query, body or another header'),
  ],
}

export const life: ThreatGroup = {
  title: 'The life of a session',
  section: 'Sessions',
  cases: [
    tested('SE-01', 'the cookie of a database session after the sign-out'),
    tested('SE-02', 'the cookie of a JWT session after its end'),
    tested('SE-03', 'a copy of a JWT session after the sign-out, with and without a store of ended ones'),
    tested('SE-04', 'a session that is kept in use for ever'),
    tested('SE-05', 'a session of before its lifetime was shortened'),
    tested('SE-06', 'an end that is told and is not the real one'),
    tested('SE-07', 'a cookie that holds no session, and what is left of it'),
    tested('SE-08', 'a `jwt` callback that ends the session'),
    tested('SE-10', 'sessions of a user who was deleted or disabled'),
    tested('SE-11', 'other sessions after another password or second factor'),
    tested('SE-12', 'what stands in a dump of the database, as cookie or link'),
    tested('SE-13', 'tokens that can be guessed, are empty, or come twice'),
    tested('SE-14', 'what the session endpoint shows'),
    tested('SE-15', 'ending a session of somebody else'),
    tested('SE-20', 'the end of a session in another process, under the preset `strict` with options beside it'),
    tested('SE-19', 'a cookie or a foreign token that bears the name of a session'),
  ],
}

export const tokens: ThreatGroup = {
  title: 'Encrypted tokens',
  section: 'Values of another purpose',
  cases: [
    tested('JW-01', 'bits, parts and spellings of a token that are others'),
    tested('JW-03', 'what is no encrypted token at all'),
    tested('JW-04', 'a token of another cookie'),
    tested('JW-05', 'a token that inflates'),
    tested('JW-06', 'a token that asks for endless key derivation'),
    tested('JW-07', 'secrets that were replaced, dropped, empty or short'),
    tested('JW-08', 'two applications with one secret'),
    tested('JW-09', 'tokens without an end, or with none in the future'),
    tested('JW-11', 'production without a secret'),
    tested('JW-12', 'a token that names another key'),
    tested('JW-13', 'telling from outside at which step a token failed'),
  ],
}

export const purposes: ThreatGroup = {
  title: 'Purposes',
  section: 'Values of another purpose',
  cases: [
    tested('PC-01', 'values of a sign-in as a session'),
    tested('PC-02', 'each thing that is made, at each door that takes something'),
    tested('PC-03', 'an endpoint that seals what a stranger chose'),
    tested('PC-04', 'a state of the redirect proxy at another deployment'),
    tested('PC-05', 'a token of a mail for another address or provider'),
    tested('PC-06', 'a session token as a key of programs, and the other way round'),
  ],
}

export const cookies: ThreatGroup = {
  title: 'Cookies',
  section: 'Planted cookies',
  cases: [
    tested('CK-01', 'the attributes of each cookie, on http and https'),
    tested('CK-02', 'sessions of many sizes, and one that is too large'),
    tested('CK-03', 'sessions that shrink and grow'),
    tested('CK-04', 'chunks and look-alikes that somebody planted'),
    tested('CK-06', 'a cookie without the prefix on an https site'),
    tested('CK-07', 'cookie headers that are long, many, odd or hostile'),
    tested('CK-08', 'cookie names and attributes of the configuration that break the line'),
    tested('CK-09', 'cookies of the application beside ours'),
    tested('CK-10', 'clearing that a browser does not take for the same cookie'),
    tested('CK-11', 'cookies that are sent to us from other sites'),
    tested('CK-12', 'https in front of an application that does not know it'),
    tested('CK-13', 'a sign-in that a cache keeps'),
    tested('CK-14', 'cookies that are each within their bounds, and together too many'),
  ],
}

export const secondFactors: ThreatGroup = {
  title: 'Second factors',
  section: 'Second factors',
  cases: [
    tested('MF-01', 'what a person may do after the first factor'),
    tested('MF-02', 'a way in that asks for no second factor'),
    tested('MF-03', 'a level of assurance that is computed wrongly'),
    tested('MF-04', 'a one-time password that comes twice'),
    tested('MF-05', 'guessing one-time passwords'),
    tested('MF-06', 'a recovery code that comes twice'),
    tested('MF-07', 'changing factors without signing in anew'),
    tested('MF-08', 'the pending sign-in of somebody else'),
    tested('MF-09', 'the trusted device of somebody else'),
    tested('MF-10', 'an old session where a fresh one is asked for'),
    tested('MF-11', 'attaching an account to make a session fresher or stronger'),
    tested('MF-12', 'lasting changes from a copied session, or from one that ends by itself'),
    tested('MF-13', 'authentication methods that an untrusted provider reports'),
    tested('MF-14', 'a mailbox that is used for two factors'),
    tested('MF-19', 'a user without a stored record whose id is that of a stored user'),
    tested('MF-20', 'a factor that is not asked for because it was kept under another name'),
    tested('MF-21', 'a sign-in that waits for a second factor, by a sign-in method that is removed'),
    tested('MF-15', 'emails that strangers ask for, to keep a user from an emailed second factor'),
  ],
}
