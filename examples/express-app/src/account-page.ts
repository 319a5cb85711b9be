/** The page "Your account". */
import type { AccountOverview, LinkedAccount, OpenSession } from 'server-auth'
import { type Html, html, page, time, type Visitor } from './html.js'

/** What a form came to. */
export type Notice = keyof typeof notices

const notices = {
  'name-changed': 'The name is changed.',
  'name-refused': 'Please choose a name that is not empty, and not too long.',
  'session-ended': 'That session is ended: whoever used it is signed out.',
  'session-unknown': 'That session had already ended.',
  'others-ended': 'You are signed in nowhere else any more.',
  'account-unlinked': 'That account does not sign you in any more.',
  'account-unknown': 'That account was not linked.',
  'account-last':
    'That account stays: without it you could not sign in any more. Link another one, or use an e-mail link.',
}

/** What the page shows. */
export interface AccountView extends AccountOverview {
  readonly csrfToken: string
  readonly url: string
  /** Of the query: a {@link Notice}, or anything. */
  readonly notice: unknown
  /** For people with a password. */
  readonly username: string | undefined
  readonly sendsMail: boolean
  readonly canLink: boolean
  /** The provider that can be linked, and where a sign-in with it begins. */
  readonly openId: { readonly name: string; readonly linkUrl: string }
  readonly maxNameLength: number
}

export function accountPage(visitor: Visitor, view: AccountView): string {
  const { user, notice, url } = view
  const found = Object.entries(notices).find(([name]) => name === notice)
  return page(
    visitor,
    { title: 'Your account', url },
    html`
    <h1>Your account</h1>
    <p>Only signed-in people see this page. You came to <code>${url}</code>.</p>
    ${found ? html`<p class="notice" role="status">${found[1]}</p>` : null}
    <dl>
      <dt>Name</dt><dd id="name-shown">${user.name || '–'}</dd>
      <dt>E-mail</dt><dd>${user.email || '–'}${user.email && !user.emailVerified ? ' (not proved yet)' : null}</dd>
    </dl>
    <form method="post" action="/account/name">
      ${hidden(view, {})}
      <label for="name">New name</label>
      <div class="row">
        <input id="name" name="name" required maxlength="${view.maxNameLength}" autocomplete="name">
        <button type="submit">Save</button>
      </div>
    </form>
    ${waysIn(view)}
    ${openSessions(view)}`,
  )
}

function waysIn(view: AccountView): Html {
  const { accounts, canLink, openId, sendsMail, user, username } = view
  return html`<section aria-labelledby="ways">
    <h2 id="ways">How you sign in</h2>
    <ul class="rows">
      ${accounts.map((account) => html`<li>${linkedAccount(view, account)}</li>`)}
      ${sendsMail && user.email ? html`<li><p><strong>E-mail link</strong><span>${user.email}</span></p></li>` : null}
      ${username ? html`<li><p><strong>Password</strong><span>${username}</span></p></li>` : null}
    </ul>
    ${
      canLink
        ? html`<form method="post" action="${openId.linkUrl}">
      ${hidden(view, { callbackUrl: '/account' })}
      <button class="quiet">Link ${openId.name}</button>
    </form>`
        : null
    }
  </section>`
}

function linkedAccount(view: AccountView, { provider, providerAccountId, name, isLast }: LinkedAccount): Html {
  return html`<p><strong>${name}</strong><span>${providerAccountId}</span></p>
    ${
      isLast
        ? html`<span class="hint">Your only way in</span>`
        : html`<form method="post" action="/account/accounts/unlink">
          ${hidden(view, { provider, providerAccountId })}
          <button class="quiet" aria-label="Unlink ${name} ${providerAccountId}">Unlink</button>
        </form>`
    }`
}

function openSessions(view: AccountView): Html {
  const { sessions } = view
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="rows">${sessions.map((session) => html`<li>${openSession(view, session)}</li>`)}</ul>
    ${
      sessions.length > 1
        ? html`<form method="post" action="/account/sessions/end-others">
      ${hidden(view, {})}
      <button class="quiet">End all others</button>
    </form>`
        : null
    }
  </section>`
}

function openSession(view: AccountView, { id, current, usedAt, expires }: OpenSession): Html {
  const ends = html`Ends ${time(expires)} unless it is used`
  if (current) return html`<p><strong>This browser</strong><span>${ends}</span></p>`
  return html`<p><strong>Another browser</strong><span>Last used ${time(usedAt)}</span><span>${ends}</span></p>
    <form method="post" action="/account/sessions/end">
      ${hidden(view, { id })}
      <button class="quiet">End</button>
    </form>`
}

/** The fields that nobody sees: those of the form, and the token without which it is refused. */
function hidden({ csrfToken }: AccountView, fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries({ csrfToken, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
}
