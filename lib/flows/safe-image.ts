/** The picture of whoever signs in: an URL that a page can show and that runs nothing, whoever described the person. */
import type { Identity } from '../contracts/index.js'

/** The identity without a picture that is none. Before a row or a token is made of it. */
export function withSafeImage(identity: Identity): Identity {
  const { image } = identity.user
  if (image === undefined || image === null || isImage(image)) return identity
  return { ...identity, user: { ...identity.user, image: null } }
}

/** Formats that a browser only draws. SVG is a document: where it is opened and not drawn, its scripts run. */
const drawn = /^data:image\/(?:apng|avif|bmp|gif|jpe?g|png|webp)[;,]/i

/** An http(s) URL, a path on the site, or the data of a picture. Read as a browser reads it (`java\tscript:`). */
function isImage(image: unknown): boolean {
  if (typeof image !== 'string' || image === '' || !URL.canParse(image, 'https://site.invalid')) return false
  const { protocol, href } = new URL(image, 'https://site.invalid')
  return protocol === 'https:' || protocol === 'http:' || drawn.test(href)
}
