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
import { emit } from '../../callbacks/index.js'
import type { AuthContext, GuardedLimits, ResolvedConfig } from '../../contracts/index.js'
import { AdapterError, TooManyRequests } from '../../errors.js'
import { requestInfo } from '../../http/message.js'
import { memoryCounterOf } from '../../store/memory-counter.js'
import type { KeyedConsumption } from '../../types/store.js'
import { clientOf, deviceOf, keyOf, mailboxOf, type Requester, rememberDevice } from './client.js'
import { plainLimits } from './guard.js'
import type { DeniedMessage, Rule, RuleName } from './types.js'

export { clientOf, keyOf, mailboxOf, networkOf } from './client.js'
export { guardLimits } from './guard.js'
export { foldName, nameOf, namesOf } from './names.js'

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
export interface Taken {
  /** Takes the attempt back, because it was no failure. */
  refund(): void
}

/**
 * Runs the work of an attempt if the rate limits allow it.
 *
 * @param isFailure Whether an error of the work is a failure of the user. Default: all but database errors.
 * @throws {@link TooManyRequests} instead of running the work. {@link AdapterError} if the store of counts fails.
 */
export async function limited<T>(
  context: AuthContext,
  attempt: Attempt & { readonly rule: Exclude<RuleName, 'mail'> },
  work: () => Promise<T>,
  isFailure: (error: unknown) => boolean = (error) => !(error instanceof AdapterError),
): Promise<T> {
  const rule = context.config.rateLimit?.rules[attempt.rule]
  if (!rule) return work()
  const taken = await take(context, attempt, rule)
  try {
    const result = await work()
    taken.refund()
    return result
  } catch (error) {
    if (!isFailure(error)) taken.refund()
    throw error
  }
}

/** Makes this browser known for the typed text, which was right, if such attempts are counted. */
export function rememberBrowser(context: AuthContext, typed: readonly string[]): void {
  const { rules, captcha } = context.config.rateLimit ?? {}
  // Captchas are required by account as well. Without the cookie, failures of strangers would make the owner's browser
  // need one.
  if (rules?.credentials?.perAccount === undefined && (!captcha || captcha.required)) return
  for (const each of typed) rememberDevice(context, each)
}

/** Makes this browser known for an email address, after a link that was sent there was opened. */
export function rememberMailbox(context: AuthContext, address: string): void {
  rememberDevice(context, mailboxOf(address))
}

/** Counts an attempt that is never refunded. @throws The same errors as {@link limited}. */
export async function counted(
  context: AuthContext,
  attempt: Attempt & { readonly rule: Exclude<RuleName, 'mail'> },
): Promise<void> {
  const rule = context.config.rateLimit?.rules[attempt.rule]
  if (rule) await take(context, attempt, rule)
}

/** Counts an attempt by a rule. @throws The same errors as {@link limited}. Nothing is counted then. */
export async function take(context: AuthContext, attempt: Attempt, rule: Rule): Promise<Taken> {
  const outcome = await consume(context, attempt, rule)
  if ('refund' in outcome) return outcome
  const { by, key, retryAfter } = outcome
  await tell(context, { rule: attempt.rule, by, key, retryAfter })
  throw new TooManyRequests(retryAfter)
}

/**
 * Counts an attempt as {@link take} does, but returns `undefined` if it is rejected, and emits no event. @throws {@link
 * AdapterError}
 */
export async function tryTake(context: AuthContext, attempt: Attempt, rule: Rule): Promise<Taken | undefined> {
  const outcome = await consume(context, attempt, rule)
  return 'refund' in outcome ? outcome : undefined
}

type Refusal = Pick<DeniedMessage, 'by' | 'key' | 'retryAfter'>

async function consume(context: AuthContext, attempt: Attempt, rule: Rule): Promise<Taken | Refusal> {
  const { config, background } = context
  // A name may be in two fields. It is counted once, since a database statement cannot count the same key twice.
  const counts = countsOf(context, { ...attempt, accounts: [...new Set(attempt.accounts)].sort() }, rule)
  if (counts.length === 0) return { refund() {} }
  const store = limitsOf(config)
  const answers = await store.consume(counts)
  const at = answers.findIndex(({ allowed }) => !allowed)
  const refused = counts[at]
  if (!refused) return { refund: () => giveBack(store, counts, background) }
  giveBack(store, counts.slice(0, at), background)
  return { by: refused.by, key: refused.key, retryAfter: Math.max(answers[at]?.retryAfter ?? 0, 1) }
}

/**
 * An attempt for {@link takeEach}. Reaching one of its limits under a key is no rejection of a client or an account.
 */
interface EachAttempt {
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
export async function takeEach(context: AuthContext, each: EachAttempt): Promise<Taken | undefined> {
  const { rule, scope, client, others } = each
  const ofClient = client
    ? await take(context, { rule, scope }, { perClient: client.limit, window: client.window })
    : undefined
  const store = limitsOf(context.config)
  const counts = others.map((count) => ({ ...count, cost: 1 as const }))
  const answers = await store.consume(counts)
  const at = answers.findIndex(({ allowed }) => !allowed)
  if (at >= 0) ofClient?.refund()
  giveBack(store, at < 0 ? [] : counts.slice(0, at), context.background)
  if (at >= 0) return undefined
  return {
    refund() {
      ofClient?.refund()
      giveBack(store, counts, context.background)
    },
  }
}

/** Refunds counts in the background. With counts in memory it is done at once. */
function giveBack(
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
            key: keyOf(config, [...own, by, ...who]),
            cost: 1,
            limit,
            window,
            delay: by === 'client' ? undefined : delay,
          },
        ]
  const device = perAccount === undefined || typed === undefined ? undefined : deviceOf(context, typed)
  const ofDevice = device === undefined ? undefined : count('device', [device], perAccount)
  // An email has a cost, even to the client's own mailbox.
  if (ofDevice && name !== 'mail') return ofDevice
  const client = perClient === undefined && perClientAndAccount === undefined ? undefined : clientOf(context)
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
  const key = keyOf(config, ['used', ...what])
  const [answer] = await store.consume([{ key, cost: 1, limit: 1, window: seconds }])
  return answer?.allowed === true
}

/** Returns the store of counts of a configuration: the configured one, otherwise the memory of the process. */
export function limitsOf({ rateLimit, memory }: Pick<ResolvedConfig, 'rateLimit' | 'memory'>): GuardedLimits {
  return rateLimit?.store ?? memoryOf(memory)
}

const memoryOf = perOwner((site: SiteMemory) => plainLimits(memoryCounterOf(site)))

/** Emits the `denied` event. */
async function tell(
  { config, request }: Requester,
  message: Omit<DeniedMessage, 'request' | 'provider'>,
): Promise<void> {
  if (!config.events.denied) return
  const { providerId } = request
  const isOurs = providerId !== undefined && config.providers.has(providerId)
  await emit(config, 'denied', { ...message, ...(isOurs && { provider: providerId }), request: requestInfo(request) })
}

/** Checks whether a key has reached its limit. Counts nothing. */
export async function isSpent(
  config: ResolvedConfig,
  key: string,
  allowance: Pick<KeyedConsumption, 'limit' | 'window'>,
): Promise<boolean> {
  const [answer] = await limitsOf(config).consume([{ ...allowance, key, cost: 0 }])
  return answer?.allowed !== true
}
