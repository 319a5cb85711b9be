/**
 * An application is upgraded: cookies and a database that the code of November 2026 wrote, before capabilities had
 * folders of their own, are still valid. `written-before.json` was made by that code and is never made again. Its
 * sessions last for thirty years.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { type Kysely, sql } from 'kysely'
import { connect, migrate, sqlAdapter } from '../../lib/adapters/sql/index.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type Browser, credentials, startApp, type TestApp } from '../support/app.js'

interface Written {
  readonly cookies: Readonly<Record<string, string>>
  readonly session: { readonly user: object; readonly expires: string }
}

const before: {
  readonly jwt: Written
  readonly database: Written & {
    readonly schema: readonly string[]
    readonly rows: Readonly<Record<string, ReadonlyArray<Record<string, unknown>>>>
  }
} = JSON.parse(readFileSync(new URL('./written-before.json', import.meta.url), 'utf8'))

const thirtyYears = 30 * 365 * 24 * 3600

describe('the values of an earlier version', () => {
  let app: TestApp | undefined
  let db: Kysely<unknown> | undefined
  afterEach(async () => {
    await app?.close()
    await db?.destroy()
  })

  async function browserWith(written: Written, config: Partial<ServerAuthConfig>): Promise<Browser> {
    app = await startApp({ providers: [credentials()], ...config })
    const browser = app.browser()
    for (const [name, value] of Object.entries(written.cookies)) browser.cookies.set(name, value)
    return browser
  }

  /** Opens the old database, migrated as `npx server-auth migrate` does. */
  async function upgraded(): Promise<Kysely<unknown>> {
    const made = connect(':memory:')
    for (const statement of before.database.schema) await sql.raw(statement).execute(made)
    for (const [table, rows] of Object.entries(before.database.rows)) {
      for (const row of rows) {
        const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
        await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(made)
      }
    }
    await migrate(made)
    return made
  }

  /** Later versions also show the user's id. */
  async function assertLives(browser: Browser, { session }: Written, id: unknown) {
    expect(await browser.session()).to.deep.equal({ ...session, user: { id, ...session.user } })
    // The CSRF token of a form that was rendered before the upgrade.
    const [csrfToken] = decodeURIComponent(browser.cookies.get('auth.csrf-token') ?? '').split('|')
    const { status } = await browser.post('/auth/signout', { csrfToken })
    expect(status).to.equal(303)
    expect(await browser.session()).to.equal(null)
  }

  it('are a session in a token', async () => {
    const session = { maxAge: thirtyYears, updateAge: thirtyYears, rememberMaxAge: thirtyYears + 60, data: true }
    await assertLives(await browserWith(before.jwt, { session }), before.jwt, 'id-of-ann')
  })

  it('are a session in a database', async () => {
    db = await upgraded()
    const session = { strategy: 'database', maxAge: thirtyYears, updateAge: thirtyYears, data: true } as const
    const [{ id } = {}] = before.database.rows.auth_users ?? []
    await assertLives(await browserWith(before.database, { adapter: sqlAdapter(db), session }), before.database, id)
  })
})
