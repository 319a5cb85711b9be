/** The part of "Your account" that is about passkeys. */
import type { LinkedPasskey } from 'server-auth'
import { type Html, hiddenFields, html, time } from './html.js'

/** Renaming and removing are plain forms; adding needs a browser's script (`public/passkeys.js`). */
export function passkeyList(passkeys: readonly LinkedPasskey[], csrfToken: string): Html {
  return html`<section aria-labelledby="passkeys">
    <h2 id="passkeys">Your passkeys</h2>
    ${
      passkeys.length > 0
        ? html`<ul class="rows">${passkeys.map((passkey) => html`<li>${row(passkey, csrfToken)}</li>`)}</ul>`
        : html`<p class="hint">None yet. With one you sign in by fingerprint, face or PIN, and type nothing.</p>`
    }
    <button id="add-passkey" type="button" class="quiet" hidden>Add a passkey</button>
    <p id="passkey-message" role="alert"></p>
    <noscript><p class="hint">To add a passkey, allow JavaScript.</p></noscript>
  </section>`
}

function row(passkey: LinkedPasskey, csrfToken: string): Html {
  const { id, name, createdAt, lastUsedAt, isLast } = passkey
  const shown = name ?? 'Passkey'
  return html`<p>
      <strong>${shown}</strong>
      <span>${kindOf(passkey)}</span>
      ${createdAt ? html`<span>Made ${time(createdAt)}</span>` : null}
      <span>${lastUsedAt ? html`Last used ${time(lastUsedAt)}` : 'Not used yet'}</span>
    </p>
    ${
      isLast
        ? html`<span class="hint">Your only way in</span>`
        : html`<form method="post" action="/account/passkeys/remove">
          ${hiddenFields({ csrfToken, id })}
          <button class="quiet" aria-label="Remove ${shown}">Remove</button>
        </form>`
    }
    <details>
      <summary aria-label="Rename ${shown}">Rename</summary>
      <form method="post" action="/account/passkeys/rename">
        ${hiddenFields({ csrfToken, id })}
        <label>Name <input name="name" required maxlength="64" autocomplete="off" value="${name}"></label>
        <button class="quiet">Save</button>
      </form>
    </details>`
}

/** What becomes of it when a device is lost, in words. */
function kindOf({ deviceType, backedUp, transports }: LinkedPasskey): string {
  if (deviceType === 'multiDevice')
    return backedUp ? 'On several devices, backed up' : 'Can be backed up, but is not yet'
  return transports.includes('internal') ? 'On one device only' : 'On one security key only'
}
