/** Requests of a stranger: redirect targets, forms of other sites, hosts, header lines, prototype names, paths. */
import { absent, type ThreatGroup, tested } from './case.js'

const noOrigins = 'there is no list of trusted origins: the site has one, and `callbacks.redirect` is a function'

export const redirects: ThreatGroup = {
  title: 'Redirects',
  section: 'Redirects',
  cases: [
    tested('RD-01', 'a callback URL of another site'),
    tested('RD-02', 'a callback URL that begins with two or more slashes'),
    tested('RD-03', 'backslashes where a browser reads slashes'),
    tested('RD-04', 'tabs, line ends, zero bytes and spaces in or before the URL'),
    tested('RD-05', 'a guarded path that looks like another host, and the way back to it'),
    tested('RD-06', 'the own host as the user name of another'),
    tested('RD-07', 'hosts that begin or end like the own host'),
    tested('RD-08', 'a URL that two parsers read differently'),
    absent('RD-10', 'hosts that seem to match a wildcard', noOrigins),
    absent('RD-11', 'spellings of a trusted origin: dot at the end, case, port', noOrigins),
    tested('RD-12', 'the own host with another scheme'),
    tested('RD-14', 'a very long URL, one with a fragment, one with a callback URL in it'),
    tested('RD-16', 'the callback URL cookie, written by an attacker'),
    tested('RD-17', 'the target after the sign-out at a provider'),
    tested('RD-18', 'a sign-in that fails, with a hostile URL remembered'),
    tested('RD-19', 'a `redirect` callback that fails, or returns no URL'),
    tested('RD-20', 'strings that are no URL'),
    tested('RD-21', 'the library’s own endpoints, which would loop'),
    tested('RD-22', 'an origin in the state of the redirect proxy'),
    tested('RD-23', 'a form that a guard rejects: its page, and the link back'),
  ],
}

export const forms: ThreatGroup = {
  title: 'Forms of another site',
  section: 'Requests from another site',
  cases: [
    tested('CS-01', 'a sign-in without token and cookie'),
    tested('CS-02', 'the cookie of one browser with the token of another'),
    tested('CS-03', 'a cookie with another hash or format'),
    tested('CS-06', 'a valid token from a foreign, opaque or cross-site origin'),
    tested('CS-07', 'a valid token from a client that sends no origin'),
    tested('CS-08', 'GET of routes that change state'),
    tested('CS-09', 'a provider’s answer in a browser that did not request it'),
    tested('CS-10', 'a password form that another site submits'),
    tested('CS-11', 'an update of the session from elsewhere, or without a token'),
    tested('CS-12', 'a token from before a sign-in or sign-out; the time of the comparison'),
    tested('CS-13', 'a CSRF cookie that a sibling subdomain sets'),
    tested('CS-14', 'values that resemble the symbol that turns the check off'),
    tested('CS-15', 'a token of a replaced secret'),
    tested('CS-16', 'every other POST without a token: email links, passkeys, accounts'),
    tested('CS-17', 'each function of the application, in a request that another site caused'),
    tested('CS-20', 'scripts of a sibling or another site, with `trustedOrigins`: preflights, credentials, cookies'),
    tested('CS-21', 'each route, from a sibling or another site that even knows the token'),
    tested('CS-22', 'a CSRF cookie that a sibling sets, with `trustedOrigins`'),
    tested(
      'CS-23',
      'an origin that resembles a trusted one: prefix, suffix, port, case, user, trailing dot, IDN, `null`',
    ),
    tested('CS-24', 'a trusted origin that is another site, or not encrypted'),
    tested('CS-25', '`trustedOrigins` without the CSRF check, or with a CSRF cookie that a sibling can set'),
    tested('CS-26', 'each function of the application, called by a trusted page without the token'),
    tested('CS-27', 'a WebSocket that a page of another site opens'),
  ],
}

export const hosts: ThreatGroup = {
  title: 'Host and proxy',
  section: 'The host of a request',
  cases: [
    tested('HH-01', 'a foreign `Host` with `AUTH_URL`'),
    tested('HH-02', 'an unconfirmed foreign `Host`'),
    tested('HH-03', 'forwarded headers without a trusted proxy'),
    tested('HH-04', 'lists and odd protocols in forwarded headers of a trusted proxy'),
    tested('HH-06', 'an email link to a forged host'),
    tested('HH-07', 'a forged client address'),
    tested('HH-08', 'headers that look like internal ones'),
    tested('HH-09', 'a proxy that reports http for an https site'),
    tested('HH-10', 'an `AUTH_URL` with a path, a query, or no valid URL'),
    tested('HH-11', 'nested mounts, and a rewritten URL'),
  ],
}

export const lines: ThreatGroup = {
  title: 'Lines in headers',
  section: 'Pages and caches',
  cases: [
    tested('CR-01', 'a line break in the callback URL'),
    tested('CR-02', 'a line break in a provider, an error or a code'),
    tested('CR-03', 'a line break in the result of the `redirect` callback'),
    tested('CR-04', 'a line break in an address or a name of an email'),
    tested('CR-05', 'non-ASCII letters, and half a surrogate pair, in `Location`'),
    tested('CR-06', 'a line break in the configuration of a cookie'),
  ],
}

export const prototypes: ThreatGroup = {
  title: 'Names of the prototype',
  section: 'Client-supplied values',
  cases: [
    tested('PP-01', '`__proto__` and `constructor` in JSON'),
    tested('PP-02', 'the same in a query or in field names'),
    tested('PP-03', 'cookies with such names'),
    tested('PP-04', 'a provider, an action or an error with such a name'),
    tested('PP-05', 'such members in a provider’s answer'),
    tested('PP-06', 'an update of the session that names another user'),
    tested('PP-07', 'such members in a configuration from JSON'),
  ],
}

export const parameters: ThreatGroup = {
  title: 'Parameters and methods',
  section: 'Client-supplied values',
  cases: [
    tested('HP-01', 'two callback URLs'),
    tested('HP-02', 'two codes, two states'),
    tested('HP-03', 'two addresses, or a list of them'),
    tested('HP-04', 'the token in the query, or another value in query and body'),
    tested('HP-05', 'a header or a field that overrides the method'),
    tested('HP-06', 'other methods, preflights, and HEAD'),
    tested('HP-07', 'an application that overrides methods'),
    tested('HP-08', 'unusual content types'),
  ],
}

export const paths: ThreatGroup = {
  title: 'Paths',
  section: 'Load and garbage',
  cases: [
    tested('PT-01', 'other spellings of a route'),
    tested('PT-02', 'a base path with characters that have a meaning in a pattern'),
    tested('PT-03', 'too few, too many and unknown segments'),
    tested('PT-04', 'a guarded path in another spelling'),
    tested('PT-05', 'an invalid percent-encoding'),
    tested('PT-06', 'a URL of 64 kB'),
    tested('PT-07', 'two configurations in one application'),
  ],
}
