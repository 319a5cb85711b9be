/**
 * Writes the table of `docs/reference/routes.md` from the table of routes: `npm run docs:reference`. With `--check` it writes nothing,
 * and fails if the page is out of date, or if a route has no description here. Run it with tsx, because it imports the routes.
 */
import { routes } from '../lib/http/routes.ts'
import { writePage } from './generated-blocks.mjs'

const token = 'token'
/** The description of each route, the CSRF check of a POST, and the option that the route needs, by method and path. */
const about = {
  'GET providers': ['returns the providers'],
  'GET session': ['returns the session, or `null`'],
  'POST session': ['changes the session by the `jwt` or `session` callback', token],
  'GET csrf': ['returns the CSRF token'],
  'GET signin': ['shows the sign-in page'],
  'POST signin': ['leads to the sign-in page', token],
  'GET signin/<id>': ['shows the sign-in page; with `connect` it leads to the provider'],
  'POST signin/<id>': ['begins a sign-in with this provider', token],
  'GET signout': ['shows the sign-out page'],
  'POST signout': ['ends the session', token],
  'GET signout/<id>': ['receives the user after a sign-out at the provider', '', '`logout` of the provider'],
  'GET callback/<id>': ['receives the answer of a provider, or an email link'],
  'POST callback/<id>': [
    'signs in with credentials, a passkey or a confirmed email link; receives answers with `response_mode=form_post`',
    'token; for `form_post` the `state` of this browser',
  ],
  'POST backchannel-logout/<id>': [
    'receives a logout token of the provider',
    'none: the signature of the token',
    '`logout.backchannel`',
  ],
  'GET frontchannel-logout/<id>': [
    'is loaded by a frame of the provider at a sign-out there',
    '',
    '`logout.frontchannel`',
  ],
  'GET jwks': ['returns the public keys of this application', '', 'keys of a provider'],
  'GET verify-request': ['shows "Check your email"'],
  'GET app': ['asks the user to continue to an app', '', '`apps`'],
  'POST app': ['sends a code to the app', token, '`apps`'],
  'POST app-token': ['exchanges the code of an app for a session token', 'none: `code_verifier`', '`apps`'],
  'POST app-signout': ['ends the session of an app', 'none: the bearer token', '`apps`'],
  'GET initiate/<id>': [
    'begins a sign-in by a connection, at the request of its identity provider',
    '',
    '`connections`',
  ],
  'POST initiate/<id>': [
    'begins a sign-in by a connection, at the request of its identity provider',
    'none: nothing of the request is believed',
    '`connections`',
  ],
  'GET organization': ['lists the organizations of the user', '', '`organizations.list`'],
  'GET invitation': ['shows an invitation to an organization', '', '`organizations.store`'],
  'POST invitation': ['accepts the invitation', token, '`organizations.store`'],
  'POST organization': ['makes an organization the active one', token, '`organizations.list`'],
  'GET two-factor': ['asks for a second factor; with `setup` it lists those of the user', '', '`factors`'],
  'POST two-factor': ['checks a second factor, adds or removes one', token, '`factors`'],
  'GET two-factor/<kind>': ['asks for a second factor of this kind; with `setup` it adds one', '', '`factors`'],
  'POST two-factor/<kind>': ['checks or adds a second factor of this kind', token, '`factors`'],
  'GET delete-account': ['asks the signed-in user to confirm the deletion of their account', '', '`deletion`'],
  'POST delete-account': ['deletes the account of the signed-in user', token, '`deletion`'],
  'GET error': ['shows the error page'],
  'GET webauthn-options/<id>': ['returns the options of a passkey ceremony', '', 'a passkey provider'],
  'GET signup/<id>': ['shows the sign-up page', '', 'the provider `Password`'],
  'POST signup/<id>': ['begins a sign-up', token, 'the provider `Password`'],
  'GET password/<step>': ['shows a page about passwords', '', 'the provider `Password`'],
  'POST password/<step>': [
    'verifies a sign-up, or requests, resets or changes a password',
    token,
    'the provider `Password`',
  ],
}
const segments = { 'two-factor': 'kind', password: 'step' }

const missing = new Set(Object.keys(about))
const rows = routes.flatMap(({ action, methods, takesProvider }) =>
  methods.map((method) => {
    const path = takesProvider ? `${action}/<${segments[action] ?? 'id'}>` : action
    const name = `${method} ${path}`
    if (!about[name]) throw new Error(`${name}: describe it in scripts/route-docs.mjs`)
    missing.delete(name)
    const [does, csrf = '', needs = ''] = about[name]
    return `| ${method} | \`${path}\` | ${does} | ${csrf} | ${needs} |`
  }),
)
if (missing.size > 0) throw new Error(`scripts/route-docs.mjs: there is no route ${[...missing].join(', ')}`)

writePage(
  'docs/reference/routes.md',
  'route-docs.mjs',
  [['| Method | Path | Description | CSRF check | Needs |', '|---|---|---|---|---|', ...rows].join('\n')],
  'npm run docs:reference',
)
