/**
 * How many attempts are let through. Each is counted before its work, since a count that came after it would let all pass that come at
 * once; and one that was no failure is taken back afterwards.
 *
 * Counted are an account (a name as it was typed, whether anybody has it or not, so that a refusal does not tell), a client's
 * network, or both together; and instead of all these a browser that has signed in to the account before.
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
  /** Whom it is made for: folded names, several where any of them may count. */
  readonly accounts?: readonly string[]
  /** What was typed, letter by letter. A browser that is known for it has a count of its own, in the place of all others. */
  readonly typed?: string
  /** What has counts of its own, such as one of several providers. */
  readonly scope?: string
}

/** What was counted of an attempt. */
export interface Taken {
  /** It was no failure. */
  refund(): void
}

/**
 * Does the work of an attempt if it may be made.
 *
 * @param isFailure Whether what the work throws is the person's failure. Default: all but a database that is away.
 * @throws {@link TooManyRequests} in the place of the work. {@link AdapterError} when the counts cannot be had.
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

/** What was typed has proved right: this browser is known for it from now on, where attempts are counted. */
export function rememberBrowser(context: AuthContext, typed: readonly string[]): void {
  const { rules, captcha } = context.config.rateLimit ?? {}
  // Captchas are asked for by account as well: without the cookie, strangers' failures would make the owner's browser ask.
  if (rules?.credentials?.perAccount === undefined && (!captcha || captcha.required)) return
  for (const each of typed) rememberDevice(context, each)
}

/** Somebody followed a link that was mailed to the address: this browser is known for it from now on. */
export function rememberMailbox(context: AuthContext, address: string): void {
  rememberDevice(context, mailboxOf(address))
}

/** Counts an attempt for good: what it costs, it costs in any case. @throws as {@link limited} does. */
export async function counted(
  context: AuthContext,
  attempt: Attempt & { readonly rule: Exclude<RuleName, 'mail'> },
): Promise<void> {
  const rule = context.config.rateLimit?.rules[attempt.rule]
  if (rule) await take(context, attempt, rule)
}

/** Counts an attempt by a rule. @throws as {@link limited} does. Nothing is counted then. */
export async function take(context: AuthContext, attempt: Attempt, rule: Rule): Promise<Taken> {
  const outcome = await consume(context, attempt, rule)
  if ('refund' in outcome) return outcome
  const { by, key, retryAfter } = outcome
  await tell(context, { rule: attempt.rule, by, key, retryAfter })
  throw new TooManyRequests(retryAfter)
}

/** The same where a refusal is for the caller to answer: `undefined` then. Nobody is told. @throws {@link AdapterError} */
export async function tryTake(context: AuthContext, attempt: Attempt, rule: Rule): Promise<Taken | undefined> {
  const outcome = await consume(context, attempt, rule)
  return 'refund' in outcome ? outcome : undefined
}

type Refusal = Pick<DeniedMessage, 'by' | 'key' | 'retryAfter'>

async function consume(context: AuthContext, attempt: Attempt, rule: Rule): Promise<Taken | Refusal> {
  const { config, background } = context
  // A name may stand in two fields. It is one, and a statement of a database cannot count the same twice.
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

/** Counts for which a refusal is no refusal of a client or an account. */
interface EachAttempt {
  readonly rule: RuleName
  readonly scope: string
  /** How many the client may try. */
  readonly client?: Pick<KeyedConsumption, 'limit' | 'window'>
  readonly others: ReadonlyArray<Pick<KeyedConsumption, 'key' | 'limit' | 'window'>>
}

/**
 * Counts an attempt for the client, and under keys of the caller's own.
 *
 * @returns `undefined` where one of the keys has no more.
 * @throws {@link TooManyRequests} when the client has no more.
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

/** Nobody waits for it, and with the memory of the process there is nothing to wait for. */
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

/** The client first: where that is refused, no account is slowed down. */
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
  // A mail costs something, also one to a mailbox of the client's own.
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
 * Whether something is used for the first time, as far as the store of counts knows: it is let through once. Without a store for all
 * processes the caller's own memory has to know.
 *
 * @param seconds For how long it could come again.
 */
export async function isFirstUse(config: ResolvedConfig, what: readonly string[], seconds: number): Promise<boolean> {
  const store = config.rateLimit?.store
  if (!store) return true
  const key = keyOf(config, ['used', ...what])
  const [answer] = await store.consume([{ key, cost: 1, limit: 1, window: seconds }])
  return answer?.allowed === true
}

/** Where the counts of a configuration are kept. */
export function limitsOf({ rateLimit, memory }: Pick<ResolvedConfig, 'rateLimit' | 'memory'>): GuardedLimits {
  return rateLimit?.store ?? memoryOf(memory)
}

const memoryOf = perOwner((site: SiteMemory) => plainLimits(memoryCounterOf(site)))

/** Tells the `denied` event. */
async function tell(
  { config, request }: Requester,
  message: Omit<DeniedMessage, 'request' | 'provider'>,
): Promise<void> {
  if (!config.events.denied) return
  const { providerId } = request
  const isOurs = providerId !== undefined && config.providers.has(providerId)
  await emit(config, 'denied', { ...message, ...(isOurs && { provider: providerId }), request: requestInfo(request) })
}

/** Whether no more are let through under a key now. Counts nothing. */
export async function isSpent(
  config: ResolvedConfig,
  key: string,
  allowance: Pick<KeyedConsumption, 'limit' | 'window'>,
): Promise<boolean> {
  const [answer] = await limitsOf(config).consume([{ ...allowance, key, cost: 0 }])
  return answer?.allowed !== true
}
