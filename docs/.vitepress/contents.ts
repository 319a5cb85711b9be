/** The navigation, as `docs/README.md` lists the pages: a section for each heading, an entry for the first link of each line. */
import { readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'
import { isPage, pagePath, sourceUrl } from './links.js'

type Entry = DefaultTheme.SidebarItem

/** One section of the site: `## Heading`, with groups `### Heading` and entries in between. */
export function readContents(file: URL): Entry[] {
  const sections: Entry[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, depth, heading] = /^(##|###) (.+)$/.exec(line) ?? []
    const [, text, target] = /^- \[(.+?)\]\(([^)]+)\)/.exec(line) ?? []
    if (depth === '##' && heading) sections.push({ text: heading, items: [] })
    if (depth === '###' && heading) sections.at(-1)?.items?.push({ text: heading, collapsed: true, items: [] })
    if (text && target) placeOf(sections)?.push({ text: withoutMarks(text), link: toLink(target) })
  }
  return sections
}

/** The bar at the top: each section by its first page. */
export function readBar(sections: readonly Entry[]): DefaultTheme.NavItem[] {
  return sections.flatMap(({ text, items }) => {
    const first = items?.flatMap((item) => [item, ...(item.items ?? [])]).find(({ link }) => link !== undefined)
    return text && first?.link ? [{ text, link: first.link, activeMatch: pagesOf(items) }] : []
  })
}

function placeOf(sections: Entry[]): Entry[] | undefined {
  const section = sections.at(-1)?.items
  const last = section?.at(-1)
  return last?.items ?? section
}

/** A pattern for the pages of a section, wherever their files are. */
function pagesOf(items: readonly Entry[] = []): string {
  const links = items.flatMap((item) => [item, ...(item.items ?? [])]).flatMap(({ link }) => link ?? [])
  return `^(?:${links.filter((link) => link.startsWith('/')).join('|')})(?:\\.html)?$`
}

function toLink(target: string): string {
  return isPage(target) ? `/${pagePath(target)}` : sourceUrl('README.md', target)
}

/** In a menu a name is plain text. */
const withoutMarks = (text: string) => text.replaceAll(/[`*]/g, '')
