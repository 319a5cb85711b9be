/** The script that is part of a built-in page, for tests that look for foreign ones. */
import { renderRevealScript } from '../../lib/pages/reveal-script.js'

/** Returns a page without the library's own script with its nonce. Any other script stays. */
export function withoutOwnScript(page: string): string {
  const nonce = /<style nonce="([\w-]+)">/.exec(page)?.[1] ?? ''
  return page.replace(renderRevealScript(nonce).toString(), '')
}
