/**
 * The script of the built-in sign-in page, from which `scripts/page-script.mjs` creates `generated/passkey-script.ts`.
 * Everything else on the page works without it.
 */
import { performCeremony, suggestsPasskeys, unavailableReason } from './passkey-ceremony.js'
import { type PasskeyAction, type PasskeyError, toPasskeyError } from './passkey-error.js'
import { runExclusively } from './passkey-schedule.js'
import { signalIfRejected, storeCreatedPasskey } from './rejected-passkey.js'

const unavailableTexts = {
  insecure: 'Passkeys work on secure pages only (https), and this page is not one.',
  unsupported: 'This browser does not support passkeys.',
}

/** The keys of these texts in other languages. */
const unavailableKeys = { insecure: 'insecurePage', unsupported: 'unsupportedBrowser' } as const

type Texts = Readonly<Record<string, string>>

/** Returns the text for a page that is not in English. The server's own sentence is in the page's language already. */
function failureText(
  words: Texts,
  { action, reason, rejection }: Pick<PasskeyError, 'reason' | 'rejection'> & { action: PasskeyAction },
): string | undefined {
  if (rejection.error !== undefined && rejection.message !== undefined) return rejection.message
  if (rejection.message !== undefined && words.outage !== undefined) return words.outage
  return (action === 'register' ? words[`${reason}New`] : undefined) ?? words[reason]
}

function initForms(forms: readonly PasskeyForm[]): void {
  const reason = unavailableReason()
  for (const form of forms) form.show(reason && (form.texts[unavailableKeys[reason]] ?? unavailableTexts[reason]))
  if (reason) return
  const suggest = createSuggestions(forms)
  for (const form of forms) {
    form.onPress((action) => void runButton(form, action).then((isOver) => isOver && suggest()))
    form.onFocus(suggest)
  }
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    for (const form of forms) form.reset()
    suggest()
  })
  suggest()
}

/**
 * Runs the ceremony of a button. @returns True if it is over; false while the page is being left, or if another
 * button's request replaced it.
 */
async function runButton(form: PasskeyForm, action: PasskeyAction): Promise<boolean> {
  if (form.isBusy) return false
  form.showError()
  if (action === 'register' && !form.isComplete()) return true
  form.setBusy(true)
  try {
    const ceremony = { action, optionsUrl: form.optionsUrl, fields: form.fieldsFor(action) }
    const { data, made } = await runExclusively((signal) => performCeremony(ceremony, signal))
    if (made) storeCreatedPasskey(made)
    form.submit(action, data)
    return false
  } catch (thrown) {
    const { reason, message, rejection } = toPasskeyError(thrown, action)
    form.setBusy(false)
    if (reason === 'aborted') return false
    form.showError(failureText(form.texts, { action, reason, rejection }) ?? message)
    return true
  }
}

/**
 * Returns a function that waits for a passkey from the browser's suggestions, unless it is already waiting. Errors are
 * not shown, because the user did not start it. If a browser ends it (Safari may, after a reload) the next focus starts
 * it again.
 */
function createSuggestions(forms: readonly PasskeyForm[]): () => void {
  const form = forms.find(({ isConditional }) => isConditional)
  let isWaiting = false
  const mayWait = () => !forms.some(({ isBusy }) => isBusy)
  const wait = async (waiting: PasskeyForm) => {
    const ceremony = { action: 'authenticate', optionsUrl: waiting.optionsUrl, fields: {}, autofill: true } as const
    if (!(await suggestsPasskeys()) || !mayWait()) return
    const { data } = await runExclusively((signal) => performCeremony(ceremony, signal))
    if (!mayWait()) return
    waiting.setBusy(true)
    waiting.submit('authenticate', data)
  }
  return () => {
    if (!form || isWaiting || !mayWait()) return
    isWaiting = true
    wait(form)
      // The buttons still work, and show errors.
      .catch(() => undefined)
      .finally(() => {
        isWaiting = false
      })
  }
}

/** A passkey form of the page (`pages/passkey-form.ts`). */
class PasskeyForm {
  readonly #form: HTMLFormElement
  readonly #buttons: readonly HTMLButtonElement[]
  #pressed: HTMLButtonElement | undefined

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#buttons = [...form.querySelectorAll<HTMLButtonElement>('button[data-passkey-action]')]
  }

  get optionsUrl(): string {
    return this.#form.dataset.optionsUrl ?? ''
  }

  /** The texts in the page's language, by reason (`pages/texts.ts`). Empty in English. */
  get texts(): Texts {
    return JSON.parse(this.#form.dataset.words ?? '{}')
  }

  /** True if the page offers passkeys among the browser's suggestions. */
  get isConditional(): boolean {
    return this.#form.dataset.conditional !== undefined
  }

  get isBusy(): boolean {
    return this.#buttons.some(({ disabled }) => disabled)
  }

  /** Returns the fields for the options request. A password must not be in a URL. */
  fieldsFor(action: PasskeyAction): Record<string, string> {
    const inputs = [...this.#form.querySelectorAll<HTMLInputElement>('input[data-form-field]')].filter(
      ({ name, type, checked }) =>
        type !== 'password' && (type !== 'checkbox' || checked) && (action === 'register' || name === 'email'),
    )
    if (action === 'authenticate' && this.#form.dataset.sendsEmail === undefined) return {}
    return Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()]))
  }

  /** Checks whether all required fields are filled in; otherwise the browser shows what is missing. */
  isComplete(): boolean {
    return this.#form.reportValidity()
  }

  /** Shows the form, or the reason why it cannot be used. */
  show(whyNot: string | undefined): void {
    this.#form.hidden = whyNot !== undefined
    const note = document.getElementById(this.#form.dataset.passkey ?? '')
    if (!note) return
    note.hidden = whyNot === undefined
    note.textContent = whyNot ?? ''
  }

  onPress(listener: (action: PasskeyAction) => void): void {
    for (const button of this.#buttons) {
      button.addEventListener('click', (event) => {
        event.preventDefault()
        this.#pressed = button
        listener(button.dataset.passkeyAction === 'register' ? 'register' : 'authenticate')
      })
    }
  }

  onFocus(listener: () => void): void {
    this.#form.addEventListener('focusin', listener)
  }

  /** Disables the buttons while it is busy. A disabled button loses the focus, and gets it back. */
  setBusy(isBusy: boolean): void {
    this.#form.setAttribute('aria-busy', String(isBusy))
    for (const button of this.#buttons) button.disabled = isBusy
    if (!isBusy && document.activeElement === document.body) this.#pressed?.focus()
  }

  /** Shows an error in an element that screen readers announce, or removes it. */
  showError(text?: string): void {
    this.#form.querySelector('[role=alert]')?.replaceChildren(...(text === undefined ? [] : [messageBox(text)]))
  }

  /** Submits as a browser does without a script, with its usual cookies, redirects and error pages. */
  submit(action: PasskeyAction, data: string): void {
    this.#fill('action', action)
    this.#fill('data', data)
    // An input with the name `submit` would replace `form.submit`.
    HTMLFormElement.prototype.submit.call(this.#form)
  }

  /** Resets a page that the browser restores from its cache. */
  reset(): void {
    this.showError()
    this.setBusy(false)
    this.#fill('action', '')
    this.#fill('data', '')
  }

  #fill(name: string, value: string): void {
    const input = this.#form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`)
    if (input) input.value = value
  }
}

function messageBox(text: string): HTMLElement {
  const [box, paragraph] = [document.createElement('div'), document.createElement('p')]
  box.setAttribute('class', 'error')
  paragraph.textContent = text
  box.append(paragraph)
  return box
}

const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-passkey]')].map((form) => new PasskeyForm(form))
initForms(forms)
void signalIfRejected()
