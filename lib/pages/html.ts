/** HTML from a tagged template that escapes all values. */

/** HTML that is safe to send. The class is private to this file, so only {@link html} and {@link raw} create one. */
class SafeHtml {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** HTML that is safe to send. */
export type Html = SafeHtml

/** A value of a template: text is escaped, `undefined`, `null` and `false` are left out. */
export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[]

/**
 * Creates HTML; every value is escaped for text and for quoted attributes.
 *
 * @example
 * ```ts
 * html`<p title="${title}">${items.map((item) => html`<b>${item}</b>`)}</p>`
 * ```
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new SafeHtml(parts.reduce((text, part, index) => text + toHtmlText(values[index - 1]) + part))
}

/** Declares our own text to be HTML. Never use it for text from a request, a provider or a configuration. */
export function raw(text: string): Html {
  return new SafeHtml(text)
}

/** Returns the attributes of an element: `true` writes the bare name, `undefined` and `false` leave it out. */
export function attributes(values: Readonly<Record<string, string | boolean | undefined>>): Html {
  const written = Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false || !attributeName.test(name)) return ''
    return value === true ? ` ${name}` : ` ${name}="${escapeText(value)}"`
  })
  return raw(written.join(''))
}

/** Returns text of at most `limit` characters, never cut inside one. */
export function shorten(text: string, limit: number): string {
  // A character has at most two code units, so this length is enough to see that the text is too long.
  const characters = Array.from(text.slice(0, limit * 2 + 1))
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join('')}…`
}

const attributeName = /^[a-z][a-z-]*$/

function toHtmlText(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof SafeHtml) return value.toString()
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value))
  return value.map(toHtmlText).join('')
}

/** Escapes text for elements and quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
