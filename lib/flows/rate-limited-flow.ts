/**
 * Rate limits for the sign-in attempts of each flow. Emails are counted where their address is read
 * (`flows/email/limits`).
 */
import { foldAddress } from '../base/email-address.js'
import { isSecretField } from '../config/secret-fields.js'
import type {
  AuthContext,
  Flow,
  FlowKind,
  FlowResult,
  PasswordProvider,
  ResolvedProvider,
  ResolvedProviderOf,
} from '../contracts/index.js'
import { AdapterError, InvalidRequest, PasswordsBusy } from '../errors.js'
import {
  countAttempt,
  foldedNameIn,
  foldedNamesIn,
  foldName,
  isKnownBrowser,
  rememberKnownBrowser,
  rememberMailboxBrowser,
  withRateLimit,
} from '../features/limits/attempts.js'
import { passCaptcha } from '../features/limits/captcha.js'
import { keepsPasswords } from '../features/passwords/store.js'
import { isCrossSiteLoad } from '../http/cross-site-load.js'
import { singleParam } from '../http/urls.js'
import { knownAddress } from './email/address.js'

/** The rule by which the proofs of a kind of provider are counted, and the accounts they count for. */
interface ProofLimit<K extends FlowKind> {
  readonly rule: 'credentials' | 'mailToken' | 'oauthCallback' | 'passkey'
  /** Returns the account names in the request that are counted together. */
  accountsOf(context: AuthContext, provider: ResolvedProviderOf<K>): readonly string[]
  /** Returns the text for which a known browser has its own count, if any. */
  browserKeyOf?(context: AuthContext, provider: ResolvedProviderOf<K>): string | undefined
  /** Returns further texts for which the browser becomes known after a valid proof. */
  provenBrowserKeys?(context: AuthContext, provider: ResolvedProviderOf<K>): readonly string[]
  /** Returns the address for which emails are counted, after a valid proof. */
  mailboxOf?(context: AuthContext, provider: ResolvedProviderOf<K>): unknown
}

const noAccounts = (): readonly string[] => []

const proofLimits: { readonly [K in FlowKind]: ProofLimit<K> } = {
  credentials: {
    rule: 'credentials',
    accountsOf: attemptedAccounts,
    browserKeyOf: attemptedBrowserKey,
  },
  email: {
    rule: 'mailToken',
    accountsOf: (context) => foldedNameIn(submittedAddress(context)),
    // Users type their email address into a provider's only identifying field.
    provenBrowserKeys: (context) =>
      [...context.config.providers.values()].flatMap(
        (each) => browserKeyForAddress(each, submittedAddress(context)) ?? [],
      ),
    mailboxOf: (context, { limit }) => (limit ? submittedAddress(context) : undefined),
  },
  oauth: { rule: 'oauthCallback', accountsOf: noAccounts },
  webauthn: { rule: 'passkey', accountsOf: noAccounts },
}

/**
 * Returns the flow with its limits. They apply after the CSRF check, so that a page of another site cannot use up
 * attempts.
 * A successful sign-in makes this browser a known one of the account.
 */
export function withLimits<K extends FlowKind>(kind: K, flow: Flow<K>): Flow<K> {
  const { rule, accountsOf, browserKeyOf, provenBrowserKeys, mailboxOf } = proofLimits[kind]
  return {
    ...flow,
    async start(context, provider, callbackUrl) {
      if (kind === 'oauth') await countAttempt(context, { rule: 'oauthStart' })
      if (kind === 'email') await passCaptcha(context, { rule: 'mail' })
      return flow.start(context, provider, callbackUrl)
    },
    async complete(context, provider) {
      if (!context.config.rateLimit) return flow.complete(context, provider)
      assertNotCrossSiteLoad(context)
      // If `authorize` failed, it is unknown whether it had checked the password.
      const callsAuthorize = kind === 'credentials' && !keepsPasswords(provider)
      const isFailure = (error: unknown) =>
        callsAuthorize || !(error instanceof AdapterError || error instanceof PasswordsBusy)
      const accounts = accountsOf(context, provider)
      const known = browserKeyOf?.(context, provider)
      const attempt = { accounts, ...(known !== undefined && { typed: known }) }
      // A rejection by the captcha or a limit is not a failure of the account.
      const passed = rule === 'credentials' ? await passCaptcha(context, { ...attempt, rule }) : undefined
      let isTried = false
      const prove = () => {
        isTried = true
        return flow.complete(context, provider)
      }
      const result: FlowResult = await withRateLimit(context, { ...attempt, rule }, prove, isFailure).catch(
        (error: unknown) => {
          if (!isTried || !isFailure(error)) passed?.refund()
          throw error
        },
      )
      passed?.refund()
      if (result.kind !== 'identity') return result
      const mailbox = mailboxOf?.(context, provider)
      if (typeof mailbox === 'string') rememberMailboxBrowser(context, mailbox)
      const proven = provenBrowserKeys?.(context, provider) ?? []
      rememberKnownBrowser(context, known === undefined ? proven : [known, ...proven])
      return result
    },
  }
}

/**
 * Returns the text for which a browser is known that has set the password of an address. @param email As it is looked
 * up.
 */
export function passwordBrowserKey({ id }: PasswordProvider, email: string): string {
  return browserKey(id, { email }, ['email'])
}

/** Checks whether this browser has signed in with the email address before. No account is looked up. */
export function isKnownForPassword(context: AuthContext, provider: PasswordProvider, typed: string): boolean {
  const address = knownAddress(provider.password.mailer, typed)
  return address !== undefined && isKnownBrowser(context, passwordBrowserKey(provider, address))
}

/**
 * Rejects requests that another site triggers, such as by images: they must not use up attempts. @throws {@link
 * InvalidRequest}
 */
export function assertNotCrossSiteLoad({ config, request: { headers } }: AuthContext): void {
  if (config.checkCsrf && isCrossSiteLoad(headers))
    throw new InvalidRequest('A page of another site sent this request, so it cannot sign in a user.', 403)
}

/**
 * Returns the names that an attempt with credentials counts for. A provider that stores passwords looks a user up by an
 * email address, which the application's `normalizeIdentifier` may derive from many spellings. The attempt counts for
 * that address, so that other spellings give no extra guesses.
 */
function attemptedAccounts(
  { request: { body } }: AuthContext,
  provider: ResolvedProviderOf<'credentials'>,
): readonly string[] {
  const address = keepsPasswords(provider) ? knownAddress(provider.password.mailer, body.email) : undefined
  if (address !== undefined) return [foldName(address)]
  return foldedNamesIn(provider.identifiers.map((name) => body[name]))
}

/**
 * Returns the text that identifies the account; `undefined` without one, because a shared text would make each browser
 * known for all.
 */
function attemptedBrowserKey(
  { request: { body }, config }: AuthContext,
  provider: ResolvedProviderOf<'credentials'>,
): string | undefined {
  const { id, identifiers, signInFields } = provider
  if (keepsPasswords(provider)) {
    const address = knownAddress(provider.password.mailer, body.email)
    return address === undefined ? undefined : passwordBrowserKey(provider, address)
  }
  if (foldedNamesIn(identifiers.map((name) => body[name])).length === 0) return undefined
  return browserKey(id, body, signInFields ?? nonSecretFields(body, config.rateLimit?.captcha?.field))
}

/** Returns the text for which a browser is known at a provider whose only field takes a verified email address. */
function browserKeyForAddress(provider: ResolvedProvider, address: unknown): string | undefined {
  if (keepsPasswords(provider)) {
    return typeof address === 'string' ? passwordBrowserKey(provider, foldAddress(address)) : undefined
  }
  const [field, second] = provider.type === 'credentials' ? (provider.signInFields ?? []) : []
  if (field === undefined || second !== undefined) return undefined
  return browserKey(provider.id, { [field]: address }, [field])
}

/** The fields of the form itself. */
const formFields: ReadonlySet<string> = new Set(['csrfToken', 'callbackUrl', 'navigation', 'remember'])

/** Returns the sorted names of all submitted fields except secrets, because any of them may identify the account. */
function nonSecretFields(body: Readonly<Record<string, unknown>>, captchaField: string | undefined): readonly string[] {
  const names = Object.keys(body).filter((name) => !formFields.has(name) && name !== captchaField)
  return names.filter((name) => !isSecretField(name)).sort()
}

function browserKey(provider: string, body: Readonly<Record<string, unknown>>, fields: readonly string[]): string {
  return JSON.stringify([provider, ...fields.map((name) => [name, body[name] ?? ''])])
}

function submittedAddress({ request }: AuthContext): unknown {
  return request.method === 'POST' ? request.body.email : singleParam(request.url.searchParams, 'email')
}
