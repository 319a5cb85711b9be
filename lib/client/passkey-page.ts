/**
 * The script of the built-in sign-in page. `scripts/page-script.mjs` makes `generated/passkey-script.ts` of it. Everything else
 * on the page works without it.
 */
import { obstacle, performCeremony, suggestsPasskeys } from './passkey-ceremony.js'
import { type PasskeyAction, type PasskeyError, toPasskeyError } from './passkey-error.js'
import { remember, settle } from './passkey-orphan.js'
import { inTurn } from './passkey-turn.js'

const whyNot = {
  insecure: 'Passkeys work on secure pages only (https), and this page is not one.',
  unsupported: 'This browser does not support passkeys.',
}

/** Their names among the words of another language. */
const whyNotKeys = { insecure: 'insecurePage', unsupported: 'unsupportedBrowser' } as const

type Words = Readonly<Record<string, string>>

/** What is said in another language than English: the server's own sentence is in the page's language already. */
function wordsFor(
  words: Words,
  { action, reason, refusal }: Pick<PasskeyError, 'reason' | 'refusal'> & { action: PasskeyAction },
): string | undefined {
  if (refusal.error !== undefined && refusal.message !== undefined) return refusal.message
  if (refusal.message !== undefined && words.outage !== undefined) return words.outage
  return (action === 'register' ? words[`${reason}New`] : undefined) ?? words[reason]
}

function serve(forms: readonly PasskeyForm[]): void {
  const reason = obstacle()
  for (const form of forms) form.show(reason && (form.words[whyNotKeys[reason]] ?? whyNot[reason]))
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
    const { reason, message, refusal } = toPasskeyError(thrown, action)
    form.setBusy(false)
    if (reason === 'aborted') return false
    form.say(wordsFor(form.words, { action, reason, refusal }) ?? message)
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

  /** What is said in the page's language, by reason (`pages/passkey-words.ts`). Empty in English. */
  get words(): Words {
    return JSON.parse(this.#form.dataset.words ?? '{}')
  }

  /** Whether the page wants passkeys among the browser's suggestions. */
  get isConditional(): boolean {
    return this.#form.dataset.conditional !== undefined
  }

  get isBusy(): boolean {
    return this.#buttons.some(({ disabled }) => disabled)
  }

  /** What the server is asked with. A password never stands in an URL. */
  fieldsFor(action: PasskeyAction): Record<string, string> {
    const inputs = [...this.#form.querySelectorAll<HTMLInputElement>('input[data-form-field]')].filter(
      ({ name, type, checked }) =>
        type !== 'password' && (type !== 'checkbox' || checked) && (action === 'register' || name === 'email'),
    )
    if (action === 'authenticate' && this.#form.dataset.sendsEmail === undefined) return {}
    return Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()]))
  }

  /** Whether everything that an account needs is filled in; if not, the browser says what is missing. */
  isComplete(): boolean {
    return this.#form.reportValidity()
  }

  /** Shows the form, or the sentence why it cannot be used. */
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

  /** While it is busy no button can be pressed. A disabled button loses the focus, and gets it back. */
  setBusy(isBusy: boolean): void {
    this.#form.setAttribute('aria-busy', String(isBusy))
    for (const button of this.#buttons) button.disabled = isBusy
    if (!isBusy && document.activeElement === document.body) this.#pressed?.focus()
  }

  /** Says what went wrong where a screen reader hears of it, or takes back what was said. */
  say(text?: string): void {
    this.#form.querySelector('[role=alert]')?.replaceChildren(...(text === undefined ? [] : [messageBox(text)]))
  }

  /** Submits as a browser does without a script: cookies, redirects and error pages work by themselves. */
  submit(action: PasskeyAction, data: string): void {
    this.#fill('action', action)
    this.#fill('data', data)
    // `form.submit` would be an input of that name, where there is one.
    HTMLFormElement.prototype.submit.call(this.#form)
  }

  /** Makes a page that comes back from the browser's memory look as it did before anything was pressed. */
  reset(): void {
    this.say()
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
serve(forms)
void settle()
