/**
 * Rate limits of attempts.
 *
 * Each attempt is counted before its work, because a later count would let concurrent attempts pass. An attempt that
 * was no failure is refunded afterwards.
 *
 * Attempts are counted by account, by the client's network, or by both together. The account is the name as it was
 * typed, so that a rejection does not reveal whether it exists. A browser that has signed in to the account before has
 * its own count instead.
 */
import { perOwner, type SiteMemory } from '../../base/memory.js'
import { emitEvent } from '../../callbacks/index.js'
import type { AuthContext, GuardedLimits, ResolvedConfig } from '../../contracts/index.js'
import { AdapterError, TooManyRequests } from '../../errors.js'
import { requestInfo } from '../../http/message.js'
import { memoryCounterOf } from '../../store/memory-counter.js'
import type { KeyedConsumption } from '../../types/store.js'
import {
  addKnownBrowser,
  clientNetworkOf,
  knownBrowserOf,
  limitKey,
  mailboxText,
  type Requester,
} from './client-identity.js'
import { unguardedLimits } from './guard.js'
import type { DeniedMessage, Rule, RuleName } from './types.js'

export { clientNetworkOf, limitKey, mailboxText, networkOf } from './client-identity.js'
export { foldedNameIn, foldedNamesIn, foldName } from './folded-names.js'
export { guardLimits } from './guard.js'

/** An attempt that is about to be made. */
export interface Attempt {
  readonly rule: RuleName
  /** The folded names of the account; several if any of them may be it. */
  readonly accounts?: readonly string[]
  /** The exact typed text. A browser that is known for it has its own count, instead of all others. */
  readonly typed?: string
  /** A scope with separate counts, such as one of several providers. */
  readonly scope?: string
}

/** The counts of an attempt. */
export interface CountedAttempt {
  /** Takes the attempt back, because it was no failure. */
  refund(): void
}

/**
 * Runs the work of an attempt if the rate limits allow it.
 *
 * @param isFailure Whether an error of the work is a failure of the user. Default: all but database errors.
 * @throws {@link TooManyRequests} instead of running the work. {@link AdapterError} if the store of counts fails.
 */
export async function withRateLimit<T>(
  context: AuthContext,
  attempt: Attempt & { readonly rule: Exclude<RuleName, 'mail'> },
  work: () => Promise<T>,
  isFailure: (error: unknown) => boolean = (error) => !(error instanceof AdapterError),
): Promise<T> {
  const rule = context.config.rateLimit?.rules[attempt.rule]
  if (!rule) return work()
  const countedAttempt = await consumeAttempt(context, attempt, rule)
  try {
    const result = await work()
    countedAttempt.refund()
    return result
  } catch (error) {
    if (!isFailure(error)) countedAttempt.refund()
    throw error
  }
}

/** Checks whether this browser has signed in with the typed text before. It is unknown if attempts are not counted. */
export function isKnownBrowser(context: AuthContext, typed: string): boolean {
  return knownBrowserOf(context, typed) !== undefined
}

/** Makes this browser known for the typed text, which was right, if such attempts are counted. */
export function rememberKnownBrowser(context: AuthContext, typed: readonly string[]): void {
  const { rules, captcha } = context.config.rateLimit ?? {}
  // Captchas are required by account as well. Without the cookie, failures of strangers would make the owner's browser
  // need one.
  if (rules?.credentials?.perAccount === undefined && (!captcha || captcha.required)) return
  for (const each of typed) addKnownBrowser(context, each)
}

/** Makes this browser known for an email address, after a link that was sent there was opened. */
export function rememberMailboxBrowser(context: AuthContext, address: string): void {
  addKnownBrowser(context, mailboxText(address))
}

/** Counts an attempt that is never refunded. @throws The same errors as {@link withRateLimit}. */
export async function countAttempt(
  context: AuthContext,
  attempt: Attempt & { readonly rule: Exclude<RuleName, 'mail'> },
): Promise<void> {
  const rule = context.config.rateLimit?.rules[attempt.rule]
  if (rule) await consumeAttempt(context, attempt, rule)
}

/** Counts an attempt by a rule. @throws The same errors as {@link withRateLimit}. Nothing is counted then. */
export async function consumeAttempt(context: AuthContext, attempt: Attempt, rule: Rule): Promise<CountedAttempt> {
  const outcome = await consumeCounts(context, attempt, rule)
  if ('refund' in outcome) return outcome
  const { by, key, retryAfter } = outcome
  await emitDenied(context, { rule: attempt.rule, by, key, retryAfter })
  throw new TooManyRequests(retryAfter)
}

/**
 * Counts an attempt as {@link consumeAttempt} does, but returns `undefined` if it is rejected, and emits no event. @throws {@link
 * AdapterError}
 */
export async function tryConsumeAttempt(
  context: AuthContext,
  attempt: Attempt,
  rule: Rule,
): Promise<CountedAttempt | undefined> {
  const outcome = await consumeCounts(context, attempt, rule)
  return 'refund' in outcome ? outcome : undefined
}

type AttemptRejection = Pick<DeniedMessage, 'by' | 'key' | 'retryAfter'>

async function consumeCounts(
  context: AuthContext,
  attempt: Attempt,
  rule: Rule,
): Promise<CountedAttempt | AttemptRejection> {
  const { config, background } = context
  // A name may be in two fields. It is counted once, since a database statement cannot count the same key twice.
  const counts = countsOf(context, { ...attempt, accounts: [...new Set(attempt.accounts)].sort() }, rule)
  if (counts.length === 0) return { refund() {} }
  const store = limitStoreOf(config)
  const answers = await store.consume(counts)
  const at = answers.findIndex(({ allowed }) => !allowed)
  const refused = counts[at]
  if (!refused) return { refund: () => refundInBackground(store, counts, background) }
  refundInBackground(store, counts.slice(0, at), background)
  return { by: refused.by, key: refused.key, retryAfter: Math.max(answers[at]?.retryAfter ?? 0, 1) }
}

/**
 * An attempt for {@link consumeKeyedAttempt}. Reaching one of its limits under a key is no rejection of a client or an account.
 */
interface KeyedAttempt {
  readonly rule: RuleName
  readonly scope: string
  /** The limit of the client. */
  readonly client?: Pick<KeyedConsumption, 'limit' | 'window'>
  readonly others: ReadonlyArray<Pick<KeyedConsumption, 'key' | 'limit' | 'window'>>
}

/**
 * Counts an attempt for the client, and under keys of the caller.
 *
 * @returns `undefined` if one of the keys has reached its limit.
 * @throws {@link TooManyRequests} if the client has reached its limit.
 */
export async function consumeKeyedAttempt(
  context: AuthContext,
  each: KeyedAttempt,
): Promise<CountedAttempt | undefined> {
  const { rule, scope, client, others } = each
  const ofClient = client
    ? await consumeAttempt(context, { rule, scope }, { perClient: client.limit, window: client.window })
    : undefined
  const store = limitStoreOf(context.config)
  const counts = others.map((count) => ({ ...count, cost: 1 as const }))
  const answers = await store.consume(counts)
  const at = answers.findIndex(({ allowed }) => !allowed)
  if (at >= 0) ofClient?.refund()
  refundInBackground(store, at < 0 ? [] : counts.slice(0, at), context.background)
  if (at >= 0) return undefined
  return {
    refund() {
      ofClient?.refund()
      refundInBackground(store, counts, context.background)
    },
  }
}

/** Refunds counts in the background. With counts in memory it is done at once. */
function refundInBackground(
  store: GuardedLimits,
  counts: readonly KeyedConsumption[],
  background: AuthContext['background'],
): void {
  if (counts.length === 0) return
  const work = store.refund(counts)
  if (work !== undefined) background.run(Promise.resolve(work))
}

type Count = KeyedConsumption & Pick<DeniedMessage, 'by'>

/** Returns the counts of an attempt. The client comes first: if it is rejected, no account is slowed down. */
function countsOf(context: AuthContext, { rule: name, accounts = [], typed, scope }: Attempt, rule: Rule): Count[] {
  const { config } = context
  const { perAccount, perClient, perClientAndAccount, window, delay } = rule
  const own = scope === undefined ? [name] : [name, scope]
  const count = (by: Count['by'], who: readonly string[], limit: number | undefined): Count[] =>
    limit === undefined
      ? []
      : [
          {
            by,
            key: limitKey(config, [...own, by, ...who]),
            cost: 1,
            limit,
            window,
            delay: by === 'client' ? undefined : delay,
          },
        ]
  const device = perAccount === undefined || typed === undefined ? undefined : knownBrowserOf(context, typed)
  const ofDevice = device === undefined ? undefined : count('device', [device], perAccount)
  // An email has a cost, even to the client's own mailbox.
  if (ofDevice && name !== 'mail') return ofDevice
  const client = perClient === undefined && perClientAndAccount === undefined ? undefined : clientNetworkOf(context)
  const ofClient = client === undefined ? [] : count('client', [client], perClient)
  if (ofDevice) return [...ofClient, ...ofDevice]
  return [
    ...ofClient,
    ...(client === undefined
      ? []
      : accounts.flatMap((each) => count('clientAndAccount', [client, each], perClientAndAccount))),
    ...accounts.flatMap((account) => count('account', [account], perAccount)),
  ]
}

/**
 * Checks whether a value is used for the first time, and marks it as used in the store of counts.
 *
 * Always `true` without a store for all processes: the caller has to remember it in memory.
 *
 * @param seconds The time for which the value could be used again.
 */
export async function isFirstUse(config: ResolvedConfig, what: readonly string[], seconds: number): Promise<boolean> {
  const store = config.rateLimit?.store
  if (!store) return true
  const key = limitKey(config, ['used', ...what])
  const [answer] = await store.consume([{ key, cost: 1, limit: 1, window: seconds }])
  return answer?.allowed === true
}

/** Returns the store of counts of a configuration: the configured one, otherwise the memory of the process. */
export function limitStoreOf({ rateLimit, memory }: Pick<ResolvedConfig, 'rateLimit' | 'memory'>): GuardedLimits {
  return rateLimit?.store ?? memoryOf(memory)
}

const memoryOf = perOwner((site: SiteMemory) => unguardedLimits(memoryCounterOf(site)))

/** Emits the `denied` event. */
export async function emitDenied(
  { config, request }: Requester,
  message: Omit<DeniedMessage, 'request' | 'provider'>,
): Promise<void> {
  if (!config.events.denied) return
  const { providerId } = request
  const isOurs = providerId !== undefined && config.providers.has(providerId)
  await emitEvent(config, 'denied', {
    ...message,
    ...(isOurs && { provider: providerId }),
    request: requestInfo(request),
  })
}

/** Checks whether a key has reached its limit. Counts nothing. */
export async function isLimitReached(
  config: ResolvedConfig,
  key: string,
  allowance: Pick<KeyedConsumption, 'limit' | 'window'>,
): Promise<boolean> {
  const [answer] = await limitStoreOf(config).consume([{ ...allowance, key, cost: 0 }])
  return answer?.allowed !== true
}
