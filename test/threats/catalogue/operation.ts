/** Operation: pages, caches, logs, load, races and faults. */
import { type ThreatGroup, tested } from './case.js'

export const caches: ThreatGroup = {
  title: 'Caches',
  section: 'Pages and caches',
  cases: [
    tested('CA-01', 'a cached reply of the library'),
    tested('CA-02', 'cached redirects'),
    tested('CA-03', 'a session that is extended on a public answer'),
    tested('CA-04', 'another user’s session by a conditional request'),
    tested('CA-05', 'paths that look like files to a cache'),
    tested('CA-06', 'reading the session from another site'),
    tested('CA-07', 'Back after a sign-out'),
  ],
}

export const pages: ThreatGroup = {
  title: 'Pages',
  section: 'Pages and caches',
  cases: [
    tested('XS-01', 'markup in the error of a URL'),
    tested('XS-02', 'markup in fields and links'),
    tested('XS-03', 'markup in names, logos and colours of the configuration'),
    tested('XS-04', 'markup in the name of the signed-in user'),
    tested('XS-05', 'links and forms that run a script'),
    tested('XS-06', 'the body of a redirect'),
    tested('XS-07', 'a policy that allows too much, or blocks the sign-in'),
    tested('XS-08', 'frames, referrers, sniffing, devices'),
    tested('XS-09', 'resources that a page loads from elsewhere'),
    tested('XS-10', 'JSON that is read as a page'),
    tested('XS-11', 'a page in another encoding'),
    tested('XS-12', 'custom pages on other origins, and queries that break them'),
  ],
}

export const logs: ThreatGroup = {
  title: 'Logs and errors',
  section: 'Leaks',
  cases: [
    tested('LG-01', 'secrets in the log'),
    tested('LG-02', 'line breaks and control characters in the log'),
    tested('LG-03', 'details of errors in production'),
    tested('LG-04', 'secrets in errors, printed or as JSON'),
    tested('LG-05', 'a logger that fails'),
    tested('LG-06', 'callbacks and events that fail'),
    tested('LG-07', 'who tried what, from where, with which result'),
    tested('LG-10', 'a use of an API key whose client leaves before the answer'),
  ],
}

export const load: ThreatGroup = {
  title: 'Load',
  section: 'Load and garbage',
  cases: [
    tested('DOS-01', 'a bearer token that cannot be decoded'),
    tested('DOS-02', 'a URL that cannot be parsed'),
    tested('DOS-03', 'bodies that are large, slow, malformed or inflate'),
    tested('DOS-04', 'deep JSON, many keys, many fields, brackets'),
    tested('DOS-05', 'clients that disconnect'),
    tested('DOS-06', 'long passwords, and a hundred sign-ins at once'),
    tested('DOS-07', 'email addresses that make a pattern slow'),
    tested('DOS-08', 'paths that make a pattern slow'),
    tested('DOS-09', 'a provider that is down, slow or endless'),
    tested('DOS-10', 'a million keys in each cache'),
    tested('DOS-11', 'endless cookie chunks'),
    tested('DOS-12', 'a database that throws, rejects or hangs'),
    tested('DOS-13', 'bodies with expensive work before the request is counted'),
  ],
}

export const races: ThreatGroup = {
  title: 'Races',
  section: 'Faults',
  cases: [
    tested('RC-01', 'one email link, fifty times at once'),
    tested('RC-02', 'one return of a provider, fifty times at once'),
    tested('RC-03', 'one short code, fifty times at once'),
    tested('RC-04', 'refreshing in two processes'),
    tested('RC-05', 'two first sign-ins of one user or address'),
    tested('RC-06', 'two hundred attempts at once against a limit'),
    tested('RC-07', 'a sign-out while the session is extended'),
    tested('RC-08', 'many users at once on one engine'),
    tested('RC-09', 'another secret during traffic'),
    tested('RC-10', 'a crash between user and account'),
    tested('RC-11', 'sessions that end during a sign-in'),
    tested('RC-14', 'a process that is killed or suspended while it refreshes'),
    tested('RC-12', 'one session that ends while a proof or an account is added to it'),
  ],
}

export const openDoors: ThreatGroup = {
  title: 'Failing open',
  section: 'Faults',
  cases: [
    tested('FO-01', 'a provider that is configured wrongly'),
    tested('FO-02', 'callbacks that throw'),
    tested('FO-03', 'a guard without routes, without configuration, or after the answer'),
    tested('FO-04', 'incomplete requests'),
    tested('FO-05', 'a rejected promise on Express 4'),
    tested('FO-06', 'an adapter whose store is added later'),
    tested('FO-07', 'a guard of a Fetch handler without `await`'),
    tested('FO-10', 'a connection that outlasts its session while a database or callback does not answer'),
  ],
}
