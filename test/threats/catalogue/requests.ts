/** What a stranger sends: URLs to go to, forms of other sites, hosts, header lines, names of the prototype, paths. */
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
    tested('RD-06', 'the own host as a user name of another one'),
    tested('RD-07', 'hosts that begin or end like the own one'),
    tested('RD-08', 'an URL that two parsers read differently'),
    absent('RD-10', 'hosts that only look as if a wildcard took them in', noOrigins),
    absent('RD-11', 'spellings of a trusted origin: dot at the end, case, port', noOrigins),
    tested('RD-12', 'the own host by another scheme'),
    tested('RD-14', 'a very long URL, one with a fragment, one with a callback URL in it'),
    tested('RD-16', 'the cookie that remembers the callback URL, written by somebody else'),
    tested('RD-17', 'where a person goes after the sign-out at a provider'),
    tested('RD-18', 'a sign-in that fails, with a hostile URL remembered'),
    tested('RD-19', 'a `redirect` callback that fails, or returns what is no URL'),
    tested('RD-20', 'what no parser takes for an URL'),
    tested('RD-21', 'our own endpoints, which would go round for ever'),
    tested('RD-22', 'an origin in the state of the redirect proxy'),
    tested('RD-23', 'a form that a guard refuses: its page, and the way back from there'),
  ],
}

export const forms: ThreatGroup = {
  title: 'Forms of another site',
  section: 'Requests from another site',
  cases: [
    tested('CS-01', 'a sign-in without token and cookie'),
    tested('CS-02', 'the cookie of one browser with the token of another'),
    tested('CS-03', 'a cookie whose hash is another, or whose form is'),
    tested('CS-06', 'a good token from a foreign, an opaque or a cross-site origin'),
    tested('CS-07', 'a good token from a program that sends no origin'),
    tested('CS-08', 'GET of what changes something'),
    tested('CS-09', 'an answer of a provider in a browser that did not ask'),
    tested('CS-10', 'a password form that another site submits'),
    tested('CS-11', 'an update of the session from elsewhere, or without a token'),
    tested('CS-12', 'a token of before a sign-in or sign-out; the time that comparing takes'),
    tested('CS-13', 'a CSRF cookie that a sibling subdomain sets'),
    tested('CS-14', 'things that are nearly the symbol that turns the check off'),
    tested('CS-15', 'a token of a secret that was replaced'),
    tested('CS-16', 'each further POST without a token: mailed links, passkeys, accounts'),
    tested('CS-17', 'each function that an application calls, in a request that another site caused'),
  ],
}

export const hosts: ThreatGroup = {
  title: 'Host and proxy',
  section: 'The host of a request',
  cases: [
    tested('HH-01', 'a foreign `Host` where `AUTH_URL` is set'),
    tested('HH-02', 'a foreign `Host` where nobody vouches for it'),
    tested('HH-03', 'forwarded headers without a trusted proxy'),
    tested('HH-04', 'lists and odd protocols in forwarded headers of a trusted proxy'),
    tested('HH-06', 'a mailed link to a host that the request made up'),
    tested('HH-07', 'an address of the client that the client made up'),
    tested('HH-08', 'headers that look like internal ones'),
    tested('HH-09', 'a proxy that says http where the site has https'),
    tested('HH-10', 'an `AUTH_URL` with a path, a query, or that is none'),
    tested('HH-11', 'mounts in mounts, and a rewritten URL'),
  ],
}

export const lines: ThreatGroup = {
  title: 'Lines in headers',
  section: 'Pages and caches',
  cases: [
    tested('CR-01', 'a line end in the callback URL'),
    tested('CR-02', 'a line end in a provider, an error or a code'),
    tested('CR-03', 'a line end in what the `redirect` callback returns'),
    tested('CR-04', 'a line end in an address or a name that a mail is made of'),
    tested('CR-05', 'letters beyond ASCII, and half a surrogate pair, in `Location`'),
    tested('CR-06', 'a line end in the configuration of a cookie'),
  ],
}

export const prototypes: ThreatGroup = {
  title: 'Names of the prototype',
  section: 'What clients say of themselves',
  cases: [
    tested('PP-01', '`__proto__` and `constructor` in JSON'),
    tested('PP-02', 'the same in a query or in names of fields'),
    tested('PP-03', 'cookies with such names'),
    tested('PP-04', 'a provider, an action or an error with such a name'),
    tested('PP-05', 'such members in what a provider answers'),
    tested('PP-06', 'an update of the session that names another user'),
    tested('PP-07', 'such members in a configuration that was JSON'),
  ],
}

export const parameters: ThreatGroup = {
  title: 'Parameters and methods',
  section: 'What clients say of themselves',
  cases: [
    tested('HP-01', 'two callback URLs'),
    tested('HP-02', 'two codes, two states'),
    tested('HP-03', 'two addresses, or a list of them'),
    tested('HP-04', 'the token in the query, or another value in query and body'),
    tested('HP-05', 'a header or a field that names another method'),
    tested('HP-06', 'other methods, preflights, and HEAD'),
    tested('HP-07', 'an application that overrides methods'),
    tested('HP-08', 'odd types of content'),
  ],
}

export const paths: ThreatGroup = {
  title: 'Paths',
  section: 'Load and garbage',
  cases: [
    tested('PT-01', 'other spellings of a path of ours'),
    tested('PT-02', 'a base path with signs that mean something in a pattern'),
    tested('PT-03', 'too few, too many and unknown segments'),
    tested('PT-04', 'a guarded path in another spelling'),
    tested('PT-05', 'a percent sign that encodes nothing'),
    tested('PT-06', 'an URL of 64 kB'),
    tested('PT-07', 'two configurations in one application'),
  ],
}
