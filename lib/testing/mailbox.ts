/** Emails that an application would have sent. */
import type { VerificationRequest } from '../types/provider.js'
import { assertTests } from './assert-tests.js'

/** A mailbox that collects the emails of an application in tests, and sends none. */
export interface Mailbox {
  /** For an email provider: `Email({ sendVerificationRequest: box.sendVerificationRequest })`. */
  readonly sendVerificationRequest: (mail: VerificationRequest) => void
  /** All emails, the oldest first. */
  readonly mails: readonly VerificationRequest[]
  /**
   * Waits for the next email, because emails are sent after the response.
   *
   * @param within In milliseconds. Default 2000.
   * @throws Error if none arrives.
   */
  next(options?: {
    /** The address of the recipient. Default: any. */
    to?: string
    /** The time to wait, in milliseconds. */
    within?: number
  }): Promise<VerificationRequest>
  /** Returns the URL in the last email, to an address or to any. @throws Error without one. */
  lastLink(to?: string): string
  /** Returns the code or token of the last email. @throws Error without one. */
  lastCode(to?: string): string
  /** Removes all emails. */
  clear(): void
}

/**
 * Creates a mailbox for tests.
 *
 * @throws `InvalidConfiguration` with `NODE_ENV=production`.
 *
 * @example
 * ```ts
 * const box = mailbox()
 * const config = { adapter, providers: [Email({ sendVerificationRequest: box.sendVerificationRequest })] }
 * const { url } = await box.next()
 * ```
 */
export function mailbox(): Mailbox {
  assertTests('mailbox')
  const mails: VerificationRequest[] = []
  const waiting = new Set<(mail: VerificationRequest) => boolean>()
  /** The emails that `next` has returned. */
  const given = new Set<VerificationRequest>()
  const isFor = (mail: VerificationRequest, to: string | undefined) =>
    to === undefined || mail.identifier.toLowerCase() === to.toLowerCase()
  const last = (to: string | undefined): VerificationRequest => {
    const found = mails.findLast((mail) => isFor(mail, to))
    if (found) return found
    throw new Error(
      `No mail${to === undefined ? '' : ` to ${to}`} has come. Mails go out after the answer: wait with \`await box.next()\`.`,
    )
  }
  return {
    mails,
    sendVerificationRequest(mail) {
      mails.push(mail)
      for (const take of waiting) if (take(mail)) return
    },
    next({ to, within = 2000 } = {}) {
      const here = mails.find((mail) => !given.has(mail) && isFor(mail, to))
      if (here) {
        given.add(here)
        return Promise.resolve(here)
      }
      return new Promise((resolve, reject) => {
        const take = (mail: VerificationRequest): boolean => {
          if (!isFor(mail, to)) return false
          given.add(mail)
          waiting.delete(take)
          clearTimeout(timer)
          resolve(mail)
          return true
        }
        const timer = setTimeout(() => {
          waiting.delete(take)
          reject(new Error(`No mail${to === undefined ? '' : ` to ${to}`} came within ${within} ms.`))
        }, within)
        waiting.add(take)
      })
    },
    lastLink: (to) => last(to).url,
    lastCode: (to) => last(to).token,
    clear() {
      mails.length = 0
      given.clear()
    },
  }
}
