/** The passkey form of the built-in sign-in page (`pages/passkey-form.ts`) as its script sees it. */
import type { PasskeyAction } from './passkey-error.js'

/** As little of a browser's elements as the script touches; `passkey-browser.ts` says why it is declared here. */
interface PageElement {
  readonly dataset: Readonly<Record<string, string | undefined>>
  hidden: boolean
  textContent: string | null
  focus(): void
  setAttribute(name: string, value: string): void
  append(child: PageElement): void
  replaceChildren(...children: PageElement[]): void
  addEventListener(type: string, listener: (event: { preventDefault(): void }) => void): void
}

interface PageButton extends PageElement {
  disabled: boolean
}

interface PageInput extends PageElement {
  readonly name: string
  readonly type: string
  readonly checked: boolean
  value: string
}

interface PageForm extends PageElement {
  reportValidity(): boolean
  querySelector(selector: `input${string}`): PageInput | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: `button${string}`): Iterable<PageButton>
  querySelectorAll(selector: `input${string}`): Iterable<PageInput>
}

declare const document: {
  readonly activeElement: object | null
  readonly body: object
  createElement(name: string): PageElement
  getElementById(id: string): PageElement | null
  querySelectorAll(selector: `form${string}`): Iterable<PageForm>
}
/** `form.submit` would be an input of that name, where there is one. */
declare const HTMLFormElement: { readonly prototype: { submit(this: PageForm): void } }

/** All passkey forms of the page. */
export function passkeyForms(): PasskeyForm[] {
  return Array.from(document.querySelectorAll('form[data-passkey]'), (form) => new PasskeyForm(form))
}

/** One form. */
export class PasskeyForm {
  readonly #form: PageForm
  readonly #buttons: readonly PageButton[]
  #pressed: PageButton | undefined

  constructor(form: PageForm) {
    this.#form = form
    this.#buttons = [...form.querySelectorAll('button[data-passkey-action]')]
  }

  get optionsUrl(): string {
    return this.#form.dataset.optionsUrl ?? ''
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
    const inputs = [...this.#form.querySelectorAll('input[data-form-field]')].filter(
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
    const input = this.#form.querySelector(`input[type=hidden][name=${name}]`)
    if (input) input.value = value
  }
}

function messageBox(text: string): PageElement {
  const [box, paragraph] = [document.createElement('div'), document.createElement('p')]
  box.setAttribute('class', 'error')
  paragraph.textContent = text
  box.append(paragraph)
  return box
}
