/**
 * The documentation site: `npm run docs:build` in the root makes it, of the pages as they are on GitHub.
 *
 * `DOCS_BASE` is the path below which it is served (`/`), `DOCS_REPOSITORY` where links to sources lead.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { readBar, readContents } from './contents.js'
import { repository, slugify } from './links.js'
import { bindMarkdown } from './markdown.js'
import { searchOptions } from './search.js'

const contents = new URL('../README.md', import.meta.url)
const sections = readContents(contents)

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  lang: 'en',
  title: 'server-auth',
  description: 'Authentication for Express, Next.js, Hono and other servers in TypeScript.',
  base: `${(process.env.DOCS_BASE ?? '').replace(/\/$/, '')}/`,
  rewrites: { 'README.md': 'index.md' },
  lastUpdated: false,
  metaChunk: true,
  // The URLs of the reader's own application, and of pages that are built with the site.
  ignoreDeadLinks: [/^https?:\/\/localhost/, /\/gallery\//],
  markdown: {
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { caddyfile: 'nginx' },
    anchor: { slugify },
    headers: { slugify },
    toc: { slugify },
    config: bindMarkdown,
  },
  vite: {
    resolve: {
      alias: [{ find: /^.*\/VPSidebarItem\.vue$/, replacement: file('./theme/sidebar-item.ts') }],
    },
  },
  themeConfig: {
    nav: readBar(sections),
    sidebar: sections,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: searchOptions(contents) },
    socialLinks: [{ icon: 'github', link: repository, ariaLabel: 'Sources on GitHub' }],
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' },
    externalLinkIcon: true,
  },
})
