/** Who is signed in, on a page. */
import type { User } from '../types/identity.js'
import { renderBadge } from './badge.js'
import type { Html } from './html.js'
import { html, shorten } from './html.js'

/** Name and address, isolated (`bdi`) from the text around; the picture would come from a third party. */
export function renderPerson(user: User): Html | undefined {
  const name = readText(user.name)
  const email = readText(user.email)
  const title = name ?? email
  if (title === undefined) return undefined
  return html`<div class="user">${renderBadge(title)}<p><strong><bdi>${title}</bdi></strong>${
    name !== undefined && email !== undefined && html`<span><bdi>${email}</bdi></span>`
  }</p></div>\n`
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? shorten(value.trim(), 100) : undefined
}
