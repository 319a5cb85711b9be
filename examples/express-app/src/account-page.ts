/** The page "Your account". */
import type { AccountOverview, LinkedAccount, OpenSession } from 'server-auth'
import { moduleScript } from './assets.js'
import { type Html, hiddenFields, html, page, time, type Visitor } from './html.js'
import { passkeyList } from './passkey-list.js'

/** What a form came to. */
export type Notice = keyof typeof notices

const notices = {
  'name-changed': 'The name is changed.',
  'name-refused': 'Please choose a name that is not empty, and not too long.',
  'email-sent': 'A link is on its way to the new address: open it in this browser.',
  'email-changed': 'Your address is changed.',
  'email-unchanged': 'That is your address already.',
  'email-refused': 'Please type one plain e-mail address.',
  'email-limited': 'So many mails were asked for that you have to wait some minutes.',
  'email-unknown': 'Please sign in again first.',
  'session-ended': 'That session is ended: whoever used it is signed out.',
  'session-unknown': 'That session had already ended.',
  'others-ended': 'You are signed in nowhere else any more.',
  'account-unlinked': 'That account does not sign you in any more.',
  'account-unknown': 'That account was not linked.',
  'account-last':
    'That account stays: without it you could not sign in any more. Link another one, or use an e-mail link.',
  'passkey-added': 'The passkey is there: next time you can sign in with it.',
  'passkey-renamed': 'The passkey has its new name.',
  'passkey-refused': 'Please choose a name that is not empty, and not too long, for a passkey that is there.',
  'passkey-deleted':
    'That passkey does not sign you in any more. Delete it on the device, too. Is the device lost? Then end its sessions below.',
  'passkey-unknown': 'That passkey had already been removed.',
  'passkey-last': 'That passkey stays: without it you could not sign in any more. Add another way to sign in first.',
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
  readonly withPasskeys: boolean
  /** The provider that can be linked, and where a sign-in with it begins. */
  readonly openId: { readonly name: string; readonly linkUrl: string }
  readonly maxNameLength: number
}

export function accountPage(visitor: Visitor, view: AccountView): string {
  const { csrfToken, notice, passkeys, url, user, withPasskeys } = view
  const found = Object.entries(notices).find(([name]) => name === notice)
  return page(
    visitor,
    { title: 'Your account', url, script: withPasskeys ? moduleScript('/passkeys.js') : null },
    html`
    <h1>Your account</h1>
    <p>Only signed-in people see this page. You came to <code>${url}</code>.</p>
    ${found ? html`<p class="notice" role="status">${found[1]}</p>` : null}
    <dl>
      <dt>Name</dt><dd id="name-shown">${user.name || '–'}</dd>
      <dt>E-mail</dt><dd>${user.email || '–'}${user.email && !user.emailVerified ? ' (not proved yet)' : null}</dd>
    </dl>
    <form method="post" action="/account/name">
      ${hiddenFields({ csrfToken })}
      <label for="name">New name</label>
      <div class="row">
        <input id="name" name="name" required maxlength="${view.maxNameLength}" autocomplete="name">
        <button type="submit">Save</button>
      </div>
    </form>
    ${view.sendsMail && !view.username ? newAddress(csrfToken) : null}
    ${waysIn(view)}
    ${withPasskeys ? passkeyList(passkeys, csrfToken) : null}
    ${openSessions(view)}`,
  )
}

/** The address is changed when the link in a mail to it was opened. The two demo users with passwords are found by theirs: they keep it. */
function newAddress(csrfToken: string): Html {
  return html`<form method="post" action="/account/email">
      ${hiddenFields({ csrfToken })}
      <label for="email">New e-mail address</label>
      <div class="row">
        <input id="email" name="email" type="email" required autocomplete="email">
        <button type="submit">Send a link</button>
      </div>
    </form>`
}

function waysIn(view: AccountView): Html {
  const { accounts, canLink, csrfToken, openId, sendsMail, user, username } = view
  return html`<section aria-labelledby="ways">
    <h2 id="ways">How you sign in</h2>
    <ul class="rows">
      ${accounts.map((account) => html`<li>${linkedAccount(view, account)}</li>`)}
      ${sendsMail && user.email ? html`<li>${mailedLink(view)}</li>` : null}
      ${username ? html`<li><p><strong>Password</strong><span>${username}</span></p></li>` : null}
    </ul>
    ${
      canLink
        ? html`<form method="post" action="${openId.linkUrl}">
      ${hiddenFields({ csrfToken, callbackUrl: '/account' })}
      <button class="quiet">Link ${openId.name}</button>
    </form>`
        : null
    }
  </section>`
}

function linkedAccount({ csrfToken }: AccountView, account: LinkedAccount): Html {
  const { provider, providerAccountId, name, isLast } = account
  return html`<p><strong>${name}</strong><span>${providerAccountId}</span></p>
    ${
      isLast
        ? html`<span class="hint">Your only way in</span>`
        : html`<form method="post" action="/account/accounts/unlink">
          ${hiddenFields({ csrfToken, provider, providerAccountId })}
          <button class="quiet" aria-label="Unlink ${name} ${providerAccountId}">Unlink</button>
        </form>`
    }`
}

/** An address is a way in as soon as it is proved. */
function mailedLink({ csrfToken, user: { email, emailVerified } }: AccountView): Html {
  if (emailVerified) return html`<p><strong>E-mail link</strong><span>${email}</span></p>`
  return html`<p><strong>E-mail link</strong><span>Not before you showed that ${email} is yours: open the link in this browser.</span></p>
    <form method="post" action="/auth/signin/email">
      ${hiddenFields({ csrfToken, email, callbackUrl: '/account' })}
      <button class="quiet">Send me a link</button>
    </form>`
}

function openSessions(view: AccountView): Html {
  const { csrfToken, sessions } = view
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="rows">${sessions.map((session) => html`<li>${openSession(view, session)}</li>`)}</ul>
    ${
      sessions.length > 1
        ? html`<form method="post" action="/account/sessions/end-others">
      ${hiddenFields({ csrfToken })}
      <button class="quiet">End all others</button>
    </form>`
        : null
    }
  </section>`
}

function openSession({ csrfToken }: AccountView, { id, current, usedAt, expires }: OpenSession): Html {
  const ends = html`Ends ${time(expires)} unless it is used`
  if (current) return html`<p><strong>This browser</strong><span>${ends}</span></p>`
  return html`<p><strong>Another browser</strong><span>Last used ${time(usedAt)}</span><span>${ends}</span></p>
    <form method="post" action="/account/sessions/end">
      ${hiddenFields({ csrfToken, id })}
      <button class="quiet">End</button>
    </form>`
}
