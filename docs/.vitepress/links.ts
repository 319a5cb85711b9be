/** Links of the pages. Those that leave `docs/` lead to the repository, where GitHub shows the file. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

const manifest: { repository: { url: string } } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** The URL of the repository. `DOCS_REPOSITORY` replaces the one in `package.json`. */
export const repository = process.env.DOCS_REPOSITORY ?? manifest.repository.url.replace(/^git\+|\.git$/g, '')

/** Checks whether a link of `docs/README.md` leads to a page of the site. */
export const isPage = (target: string) => !/^(?:[a-z]+:|\.\.)/.test(target)

/** `guides/roles.md` → `guides/roles` */
export const pagePath = (target: string) => target.replace(/\.md(?=#|$)/, '')

/** Returns the URL at which GitHub shows a file outside `docs/` that a page links to. */
export function sourceUrl(page: string, target: string): string {
  const [path = '', anchor] = target.split('#')
  const file = posix.join('docs', posix.dirname(page), path)
  return `${repository}/blob/main/${file}${anchor === undefined ? '' : `#${anchor}`}`
}

/** Checks whether a link leads to a file that is no page of the site: outside `docs/`, data or drawings. */
export function isSource(page: string, target: string): boolean {
  if (/^(?:[a-z]+:|[#/])/.test(target)) return false
  const [path = ''] = posix.join(posix.dirname(page), target).split('#')
  return path.startsWith('..') || !path.endsWith('.md')
}

/** The anchor of a heading, as GitHub makes it: the same links are good there and on the site. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
