/** The search of the documentation site, as `npm run docs:build` made it: the words that readers type, and the page that they need. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { ranking } from '../../docs/.vitepress/ranking.js'
import { skip } from '../support/skip.js'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const chunks = join(docs, '.vitepress/dist/assets/chunks')
const library = join(docs, 'node_modules/minisearch/dist/es/index.js')

/** The page that comes first for each query. */
const expected: Readonly<Record<string, string>> = {
  'protect a route': 'guides/protect-routes',
  roles: 'guides/roles',
  'refresh token': 'guides/provider-tokens',
  'log out everywhere': 'guides/end-sessions',
  'rate limit': 'guides/limits',
  passkey: 'guides/passkeys',
  prisma: 'guides/databases',
  'next middleware': 'guides/nextjs',
  test: 'guides/testing',
  nginx: 'guides/behind-a-proxy',
  'session expires': 'guides/session-lifetime',
  csrf: 'guides/protect-routes',
  'custom sign in page': 'guides/custom-pages',
  'change email': 'guides/account',
  'delete user': 'guides/delete-users',
  gdpr: 'guides/delete-users',
  'impersonate user': 'guides/support',
  tenant: 'guides/tenants',
  'switch organization': 'guides/organizations',
  docker: 'guides/deployment',
  cors: 'guides/spa',
  websocket: 'guides/websockets',
  'typescript session type': 'guides/session-data',
  'sign in with google': 'start/express',
  'forgot password': 'guides/passwords',
  'magic link': 'guides/email',
  'two factor': 'guides/two-factor',
}

/** The part of MiniSearch that the site uses. */
interface SearchLibrary {
  loadJSON(json: string, options: object): { search(query: string): readonly { readonly id: string }[] }
}

describe('the search of the documentation site', () => {
  let search: (query: string) => readonly string[]

  before(async function () {
    const [chunk] = existsSync(chunks)
      ? readdirSync(chunks).filter((name) => name.startsWith('@localSearchIndexroot'))
      : []
    if (chunk === undefined || !existsSync(library)) {
      skip(this, 'the documentation site is not built: npm run docs:build')
      return
    }
    const { default: MiniSearch }: { default: SearchLibrary } = await import(pathToFileURL(library).href)
    const { default: json }: { default: string } = await import(pathToFileURL(join(chunks, chunk)).href)
    const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] }
    const index = MiniSearch.loadJSON(json, { ...fields, searchOptions: ranking })
    search = (query) => index.search(query).map(({ id }) => id)
  })

  for (const [query, page] of Object.entries(expected)) {
    it(`finds ${page} first for "${query}"`, () => {
      const [first = ''] = search(query)
      expect(first.replace(/\.html.*$/, '')).to.match(new RegExp(`(?:^|/)${page}$`))
    })
  }

  it('does not find the contents', () => {
    expect(search('Passkeys').filter((id) => /\/(?:#|$)/.test(id))).to.deep.equal([])
  })
})
