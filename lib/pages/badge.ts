/** A small mark beside a name: a logo where one is configured, else initials. */
import type { Html } from './html.js'
import { html } from './html.js'

/** The badge. It says nothing that the name beside it does not say, so it is hidden from screen readers. */
export function renderBadge(name: string, logo?: string): Html {
  const mark = logo === undefined ? initials(name) : html`<img src="${logo}" alt="" width="28" height="28">`
  return html`<span class="badge" aria-hidden="true">${mark}</span>`
}

/** One or two letters: of the first two words, or of the humps of one (`GitHub` is told from `Google`). */
function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '', second = ''] = words.length > 1 ? words : (words[0]?.split(/(?<=\p{Ll})(?=\p{Lu})/u) ?? [])
  return (firstCharacter(first) + firstCharacter(second)).toUpperCase()
}

function firstCharacter(word: string): string {
  return Array.from(word)[0] ?? ''
}
