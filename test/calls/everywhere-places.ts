/** The places of the tests of `signOut({ everywhere: true })`: stored users and sessions, at both entry points, in several processes. */
import { expect } from 'chai'
import { memoryAdapter, memoryStore } from '../../lib/adapters/memory/index.js'
import { clearSiteMemories } from '../../lib/base/memory.js'
import type { ServerAuthConfig } from '../../lib/index.js'
import type { LogStore } from '../../lib/types/store.js'
import type { Browser, Door } from '../support/app.js'
import { credentials } from '../support/app.js'
import { expressDoor, shimDoor } from './doors.js'

/** The data that processes share. */
export interface Shared {
  readonly adapter: ReturnType<typeof memoryAdapter>
  readonly log: LogStore
}

/** The configuration of a process. Each has its own copy of ended sessions. */
export const places: Readonly<Record<string, (shared: Shared) => Partial<ServerAuthConfig>>> = {
  'database sessions': ({ adapter }) => ({ adapter, session: { strategy: 'database' } }),
  'JWT sessions with an adapter': ({ adapter, log }) => ({ adapter, session: jwtSession(log) }),
  'JWT sessions without an adapter': ({ log }) => ({ session: jwtSession(log) }),
}

const jwtSession = (log: LogStore) => ({ strategy: 'jwt', revocation: { store: { log: { ...log } } } }) as const

export const entryPoints = { express: expressDoor, shim: shimDoor } as const

export const ownPage = (origin: string) => ({ origin, 'sec-fetch-site': 'same-origin' })

/** A site with processes, at one entry point. */
export class Site {
  readonly shared: Shared = { adapter: memoryAdapter(), log: memoryStore().log }
  /** Event names and messages, of all processes. */
  readonly events: Array<readonly [string, unknown]> = []
  readonly #doors: Door[] = []

  constructor(
    readonly place: string,
    readonly entryPoint: keyof typeof entryPoints,
  ) {}

  close(): Promise<unknown> {
    return Promise.all(this.#doors.splice(0).map((door) => door.close()))
  }

  /** Starts a process: its own memory, and the shared data. */
  async start(
    options: object = { everywhere: true, redirectTo: '/bye' },
    changed: Partial<Shared> = {},
  ): Promise<Door> {
    clearSiteMemories()
    const config = places[this.place]?.({ ...this.shared, ...changed })
    const door = await entryPoints[this.entryPoint](
      {
        ...config,
        providers: [credentials()],
        events: {
          signOut: (message) => void this.events.push(['signOut', message]),
          sessionEnded: (message) => void this.events.push(['sessionEnded', message]),
        },
      },
      (calls) => calls.signOut(options),
    )
    this.#doors.push(door)
    return door
  }

  async signedIn(door: Door, username = 'ann'): Promise<Browser> {
    const browser = door.browser()
    await browser.signIn({ username }, '/api/auth')
    expect(await isIn(browser)).to.equal(true)
    return browser
  }
}

export const isIn = async (browser: Browser) => (await browser.session('/api/auth')) !== null

export const leave = (browser: Browser, door: Door) =>
  browser.ask('/do', { method: 'POST', headers: ownPage(door.origin) })

/** The same cookies at another process. */
export function copyAt(door: Door, { cookies }: Browser): Browser {
  const browser = door.browser()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  return browser
}
