/**
 * The script of the built-in sign-in page. `scripts/page-script.mjs` makes `pages/passkey-script.ts` of it. Everything else
 * on the page works without it.
 */
import { obstacle } from './passkey-browser.js'
import { performCeremony, suggestsPasskeys } from './passkey-ceremony.js'
import { type PasskeyAction, toPasskeyError } from './passkey-error.js'
import { remember, settle } from './passkey-orphan.js'
import { inTurn } from './passkey-turn.js'
import { type PasskeyForm, passkeyForms } from './passkey-view.js'

declare function addEventListener(type: 'pageshow', listener: (event: { readonly persisted: boolean }) => void): void

const whyNot = {
  insecure: 'Passkeys work on secure pages only (https), and this page is not one.',
  unsupported: 'This browser does not support passkeys.',
}

serve(passkeyForms())
void settle()

function serve(forms: readonly PasskeyForm[]): void {
  const reason = obstacle()
  for (const form of forms) form.show(reason && whyNot[reason])
  if (reason) return
  const suggest = suggestionsFor(forms)
  for (const form of forms) {
    form.onPress((action) => void press(form, action).then((isOver) => isOver && suggest()))
    form.onFocus(suggest)
  }
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    for (const form of forms) form.reset()
    suggest()
  })
  suggest()
}

/** @returns Whether it is over. It is not while the page is being left, or when another button's request took its place. */
async function press(form: PasskeyForm, action: PasskeyAction): Promise<boolean> {
  if (form.isBusy) return false
  form.say()
  if (action === 'register' && !form.isComplete()) return true
  form.setBusy(true)
  try {
    const ceremony = { action, optionsUrl: form.optionsUrl, fields: form.fieldsFor(action) }
    const { data, made } = await inTurn((signal) => performCeremony(ceremony, signal))
    if (made) remember(made)
    form.submit(action, data)
    return false
  } catch (thrown) {
    const { reason, message } = toPasskeyError(thrown, action)
    form.setBusy(false)
    if (reason === 'aborted') return false
    form.say(message)
    return true
  }
}

/**
 * What starts the waiting for a passkey out of the browser's suggestions, unless it goes on already. Nobody asked for it,
 * so when it fails nothing is said. Where a browser gives it up (Safari may, after a reload) the next focus starts it again.
 */
function suggestionsFor(forms: readonly PasskeyForm[]): () => void {
  const form = forms.find(({ isConditional }) => isConditional)
  let isWaiting = false
  const mayWait = () => !forms.some(({ isBusy }) => isBusy)
  const wait = async (waiting: PasskeyForm) => {
    const ceremony = { action: 'authenticate', optionsUrl: waiting.optionsUrl, fields: {}, autofill: true } as const
    if (!(await suggestsPasskeys()) || !mayWait()) return
    const { data } = await inTurn((signal) => performCeremony(ceremony, signal))
    if (!mayWait()) return
    waiting.setBusy(true)
    waiting.submit('authenticate', data)
  }
  return () => {
    if (!form || isWaiting || !mayWait()) return
    isWaiting = true
    wait(form)
      // The buttons still work, and they say what is wrong.
      .catch(() => undefined)
      .finally(() => {
        isWaiting = false
      })
  }
}
