/** The picture of a user: only URLs that a page can show as an image, since providers and people may say anything. */
import { isUrl } from '../base/url.js'
import type { Identity } from '../contracts/index.js'

/** The identity, without a picture that is not safe to show. Called before a row or a token is made of it. */
export function withSafeImage(identity: Identity): Identity {
  const { image } = identity.user
  if (image === undefined || image === null || isImage(image)) return identity
  return { ...identity, user: { ...identity.user, image: null } }
}

/** Image formats without scripts. The scripts of an SVG run where it is opened as a document. */
const drawn = /^data:image\/(?:apng|avif|bmp|gif|jpe?g|png|webp)[;,]/i

/** An http(s) URL, a path on the site, or the data of a picture. Read as a browser reads it (`java\tscript:`). */
function isImage(image: unknown): boolean {
  if (typeof image !== 'string' || image === '' || !isUrl(image, 'https://site.invalid')) return false
  const { protocol, href } = new URL(image, 'https://site.invalid')
  return protocol === 'https:' || protocol === 'http:' || drawn.test(href)
}
