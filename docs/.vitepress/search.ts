/** The search of the site: the text of each page, and the order of the results. */
import { readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'
import { isPage } from './links.js'
import { ranking } from './ranking.js'

/** Returns the options of the local search. @param contents `docs/README.md`, whose lines describe the pages. */
export function searchOptions(contents: URL): DefaultTheme.LocalSearchOptions {
  const descriptions = readDescriptions(contents)
  return {
    miniSearch: { searchOptions: ranking },
    _render(source, env, md) {
      // The contents contain the words of every page.
      if (env.relativePath === 'README.md') return ''
      const description = descriptions.get(env.relativePath) ?? ''
      return md.render(source, env).replace('</h1>', `</h1><p>${md.utils.escapeHtml(description)}</p>`)
    },
  }
}

/** Reads the title and the description of each page, by its path. */
function readDescriptions(contents: URL): ReadonlyMap<string, string> {
  const lines = readFileSync(contents, 'utf8').matchAll(/^- \[(.+?)\]\(([^)]+)\)(.*)$/gm)
  return new Map(
    [...lines].flatMap(([, title = '', target = '', rest = '']) =>
      isPage(target) ? [[target, `${title}${rest}`.replaceAll(/[`*]/g, '')] as const] : [],
    ),
  )
}
