/** Starts an application in a process of its own, which can be killed at a chosen moment. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ProviderLogoutOptions } from '../../lib/types/provider.js'
import { Browser, secret } from '../support/app.js'
import { forkScript } from '../support/child-script.js'

/** The databases and the secret of the application. */
export interface AppSettings {
  readonly secret: string
  readonly databaseUrl: string
  /** Keeps sessions there. */
  readonly redis?: { readonly url: string; readonly prefix: string }
  /** JWT sessions, whose ends are stored in the database, or in Redis where there is a prefix. */
  readonly revocation?: {
    readonly maxStale: number
    readonly redis?: { readonly url: string; readonly prefix: string }
  }
  readonly provider: {
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret?: string
    readonly logout?: ProviderLogoutOptions
  }
}

/** A message to a running application. */
export interface Order {
  readonly dieAfter?: string
}

/** A mail that the application sent. */
export interface SentMail {
  readonly identifier: string
  readonly url: string
}

type Report = { port?: number; mail?: SentMail; error?: string; done?: boolean }

/** An application in another process. */
export class AppProcess {
  readonly origin: string
  readonly mails: SentMail[] = []
  readonly errors: string[] = []
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.origin = `http://127.0.0.1:${port}`
    child.on('message', ({ mail, error }: Report) => {
      if (mail) this.mails.push(mail)
      if (error) this.errors.push(error)
    })
  }

  static async start(settings: Omit<AppSettings, 'secret'>): Promise<AppProcess> {
    const child = await forkScript('test/faults/app-main.ts', { APP_SETTINGS: JSON.stringify({ secret, ...settings }) })
    const [report] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Report | number]
    if (typeof report !== 'object' || report?.port === undefined) throw new Error('the application did not start')
    return new AppProcess(child, report.port)
  }

  browser(): Browser {
    return new Browser(this.origin)
  }

  /** Makes the process die right after the next call of the method. */
  async dieAfter(method: string): Promise<void> {
    const answered = new Promise<void>((resolve) => {
      this.#child.on('message', ({ done }: Report) => done && resolve())
    })
    this.#child.send({ dieAfter: method } satisfies Order)
    await answered
  }

  /** Waits for the death of the process. */
  async died(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit')
  }

  /** Returns the last mail to an address, once it is there. */
  async mailTo(identifier: string): Promise<SentMail> {
    for (;;) {
      const mail = this.mails.findLast((each) => each.identifier === identifier)
      if (mail) return mail
      await once(this.#child, 'message')
    }
  }

  async stop(): Promise<void> {
    await this.end('SIGKILL')
  }

  /**
   * Sends `SIGTERM`: the process answers pending requests, and ends. @returns Its exit code; `null` when it was killed.
   */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#child.kill(signal)
    await this.died()
    return this.#child.exitCode
  }
}
