/** Requests to the endpoints, and what a refusal says. */
import { page } from './page.js'
import { type PasskeyAction, PasskeyError } from './passkey-error.js'

/** Milliseconds. The next ceremony waits for this one, so that it must come to an end. */
const timeout = 30_000

/** How an endpoint is asked. With a body: by POST. */
export interface Question {
  /** What it is for: it words the failure. */
  readonly action: PasskeyAction
  readonly body?: URLSearchParams
  readonly signal?: AbortSignal
}

/** Fields of an answer. */
export type Answer = Readonly<Record<string, unknown>>

/** Asks an endpoint for JSON. @throws {@link PasskeyError} */
export async function requestJson(url: string | URL, { action, body, signal }: Question): Promise<Answer> {
  const late = AbortSignal.timeout(timeout)
  const response = await page
    .fetch(url, {
      ...(body && { method: 'POST', body }),
      // Not every browser that has passkeys can join signals.
      signal: signal ? (joined([signal, late]) ?? signal) : late,
      headers: { accept: 'application/json', ...(body && { 'x-auth-return-redirect': '1' }) },
    })
    .catch((cause: unknown) => {
      throw new PasskeyError(signal?.aborted ? 'aborted' : 'network', action, { cause })
    })
  const answer: Answer = Object(await response.json().catch(() => undefined))
  if (response.ok) return answer
  const message = textOf(answer.message) ?? (response.status >= 500 ? outage : undefined)
  throw new PasskeyError('refused', action, { error: textOf(answer.error), message, status: response.status })
}

const joined = (signals: AbortSignal[]) => (AbortSignal as Partial<typeof AbortSignal>).any?.(signals)

/** A proxy that answers in place of the site has no sentence for people. */
const outage = 'The site has a problem, so this does not work right now. Please try again later.'

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
