/**
 * Stands before a real provider, and does what happens to providers: answers late, answers never, is killed and started again. It knows
 * of each grant which refresh token the provider takes next, and why a grant was lost.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The reason why a grant ended that no application could have kept. `reuse`: one that it could have kept. */
export type Loss = 'the provider died with the answer' | 'the process died with the answer' | 'reuse'

/** One grant of a user. */
export interface Grant {
  readonly user: string
  /** The refresh token that the provider takes next. */
  current: string
  loss?: Loss
  /** The process that got the current one. */
  holder?: number
  /** The history of the grant, for the report of a loss. */
  readonly story: string[]
}

/** A refresh that the provider has not begun to work on. */
interface Waiting {
  readonly grant: Grant
  readonly pid: number
}

/** The behaviour of the front. */
export interface Manners {
  /** Milliseconds that a refresh takes at the most. */
  readonly slowest: number
  /** The share of refreshes that are never answered. */
  readonly hangs: number
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

export class UnrulyFront {
  readonly #target: string
  readonly #manners: Manners
  readonly #grants = new Map<string, Grant>()
  readonly #killed = new Set<number>()
  readonly #waiting = new Set<Waiting>()
  /** Since when others should take over what a killed process was at. */
  readonly #orphans = new Map<Grant, number>()
  #server: Server
  #port = 0
  #starts = 0
  /** Answers that the provider has made, and the front has not passed on. */
  readonly #held = new Set<Grant>()
  readonly counts = { refreshes: 0, answered: 0, hung: 0, refused: 0, deaths: 0 }
  /** Milliseconds from the death of a process until another one refreshed in its place. */
  readonly recoveries: number[] = []
  onLoss: (grant: Grant) => void = () => {}

  constructor(target: string, manners: Manners) {
    this.#target = target
    this.#manners = manners
    this.#server = createServer()
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get held(): number {
    return this.#held.size
  }

  /** Grants for which no process has taken over yet. */
  get orphans(): readonly Grant[] {
    return [...this.#orphans.keys()].filter(({ loss }) => loss === undefined)
  }

  async start(): Promise<void> {
    this.#starts += 1
    this.#server = createServer((request, response) => {
      this.#pass(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** As a provider that is killed: all connections break. */
  async kill(): Promise<void> {
    this.counts.deaths += 1
    this.#starts += 1
    // A takeover while there is no provider is not recorded.
    this.#orphans.clear()
    for (const grant of this.#held) this.#lose(grant, 'the provider died with the answer')
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  /** A sign-in has brought a grant. */
  add(user: string, refreshToken: string): Grant {
    const grant = { user, current: refreshToken, story: [] }
    this.#grants.set(refreshToken, grant)
    return grant
  }

  /** A process is being killed. Others take over the refreshes that the provider has not begun. */
  orphan(pid: number): void {
    this.#killed.add(pid)
    for (const { grant, pid: of } of this.#waiting) if (of === pid) this.#orphans.set(grant, performance.now())
  }

  /** Checks whether a process has a refresh that waits at the provider. */
  isWaiting(pid: number): boolean {
    return [...this.#waiting].some((each) => each.pid === pid)
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const refreshToken = new URLSearchParams(body).get('refresh_token')
    if (request.method === 'POST' && refreshToken !== null)
      return this.#refresh({ request, response, body }, refreshToken)
    // Metadata and keys fail now and then.
    if (Math.random() < 0.05) return void response.writeHead(503).end('down')
    await this.#forward({ request, response, body }, async () => {})
  }

  async #refresh(
    exchange: { request: IncomingMessage; response: ServerResponse; body: string },
    refreshToken: string,
  ): Promise<void> {
    const { response, request } = exchange
    const grant = this.#grants.get(refreshToken)
    if (!grant) throw new Error('a refresh token of nobody')
    const pid = Number(request.headers['x-worker'])
    this.counts.refreshes += 1
    const orphanedAt = this.#orphans.get(grant)
    if (orphanedAt !== undefined && !this.#killed.has(pid)) {
      this.recoveries.push(performance.now() - orphanedAt)
      this.#orphans.delete(grant)
    }
    const tell = (what: string) =>
      void grant.story.push(`${Math.round(performance.now())} ${pid} ${refreshToken.slice(0, 6)} ${what}`)
    tell('comes')
    response.once('close', () => tell(response.writableFinished ? 'answered' : 'broken'))
    const isHung = Math.random() < this.#manners.hangs
    const delay = Math.random() * this.#manners.slowest
    const isBefore = Math.random() < 0.75
    const started = this.#starts
    const waiting = { grant, pid }
    this.#waiting.add(waiting)
    response.once('close', () => this.#waiting.delete(waiting))
    if (isHung) {
      this.counts.hung += 1
      return
    }
    if (isBefore) await pause(delay)
    // The connection broke before the provider began.
    if (response.destroyed || started !== this.#starts) return
    this.#waiting.delete(waiting)
    await this.#forward(exchange, async (status, answer) => {
      tell(`provider says ${status}`)
      if (status !== 200) return this.#refused(grant)
      const { refresh_token: next } = JSON.parse(answer) as { refresh_token: string }
      Object.assign(grant, { current: next, holder: pid })
      this.#grants.set(next, grant)
      if (started !== this.#starts) return this.#lose(grant, 'the provider died with the answer')
      this.#held.add(grant)
      if (!isBefore) await pause(delay)
      this.#held.delete(grant)
      if (started !== this.#starts) return
      this.counts.answered += 1
      if (this.#killed.has(pid)) this.#lose(grant, 'the process died with the answer')
      else if (response.destroyed) this.#lose(grant, 'reuse')
    })
  }

  /** The provider takes a refresh token no more: it was used already. */
  #refused(grant: Grant): void {
    this.counts.refused += 1
    const isOfDead = grant.holder !== undefined && this.#killed.has(grant.holder)
    this.#lose(grant, isOfDead ? 'the process died with the answer' : 'reuse')
  }

  #lose(grant: Grant, loss: Loss): void {
    if (grant.loss !== undefined) return
    grant.loss = loss
    this.onLoss(grant)
  }

  async #forward(
    { request, response, body }: { request: IncomingMessage; response: ServerResponse; body: string },
    before: (status: number, answer: string) => Promise<void> | void,
  ): Promise<void> {
    const headers = new Headers()
    for (const name of ['content-type', 'authorization', 'accept']) {
      const value = request.headers[name]
      if (typeof value === 'string') headers.set(name, value)
    }
    const { method = 'GET', url = '/' } = request
    const answer = await fetch(`${this.#target}${url}`, { method, headers, ...(method === 'POST' && { body }) })
    const text = await answer.text()
    await before(answer.status, text)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' }).end(text)
  }
}
