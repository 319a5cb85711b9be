/** A small mark beside a name: a logo where one is configured, else the provider's mark, else initials. */
import type { OAuthProviderButtonStyles } from '../types/provider-parts.js'
import { readColor } from './colors.js'
import type { Html } from './html.js'
import { html } from './html.js'

/** The badge. It says nothing that the name beside it does not say, so it is hidden from screen readers. */
export function renderBadge(name: string, { logo, mark }: Pick<OAuthProviderButtonStyles, 'logo' | 'mark'> = {}): Html {
  if (logo !== undefined) return frame(html`<img src="${logo}" alt="" width="28" height="28">`)
  if (mark === undefined) return frame(initials(name))
  if (typeof mark === 'string') return frame(svg(18, html`<path fill="currentColor" d="${mark}"/>`))
  const layers = mark.map(({ path, color }) => html`<path fill="${readColor(color)}" d="${path}"/>`)
  return html`<span class="badge own" aria-hidden="true">${svg(20, html`${layers}`)}</span>`
}

function frame(mark: Html | string): Html {
  return html`<span class="badge" aria-hidden="true">${mark}</span>`
}

function svg(size: number, paths: Html): Html {
  return html`<svg viewBox="0 0 24 24" width="${size}" height="${size}">${paths}</svg>`
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
