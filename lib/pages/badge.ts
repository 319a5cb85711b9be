/** A small mark beside a name: a logo where one is configured, else the provider's mark, else initials. */
import type { Html } from './html.js'
import { html } from './html.js'

/** The badge. It says nothing that the name beside it does not say, so it is hidden from screen readers. */
export function renderBadge(name: string, { logo, mark: path }: { logo?: string; mark?: string } = {}): Html {
  const mark =
    logo !== undefined
      ? html`<img src="${logo}" alt="" width="28" height="28">`
      : path !== undefined
        ? html`<svg viewBox="0 0 24 24" width="18" height="18"><path fill="currentColor" d="${path}"/></svg>`
        : initials(name)
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
