/** Which attempts of a flow are counted, and for whom. Mails are counted where their address is read (`flows/email/limits`). */
import { foldAddress } from '../base/address.js'
import { isSecretField } from '../config/secret-fields.js'
import type {
  AuthContext,
  Flow,
  FlowKind,
  FlowResult,
  PasswordProvider,
  Resolved,
  ResolvedProvider,
} from '../contracts/index.js'
import { AdapterError, InvalidRequest, PasswordsBusy } from '../errors.js'
import {
  counted,
  foldName,
  limited,
  nameOf,
  namesOf,
  rememberBrowser,
  rememberMailbox,
} from '../features/limits/attempts.js'
import { passCaptcha } from '../features/limits/captcha.js'
import { keepsPasswords } from '../features/passwords/store.js'
import { isStray } from '../http/stray.js'
import { onlyValue } from '../http/urls.js'
import { knownAddress } from './email/address.js'

/** By which rule the proofs of a kind of provider are counted, and for whom. */
interface ProofLimit<K extends FlowKind> {
  readonly rule: 'credentials' | 'mailToken' | 'oauthCallback' | 'passkey'
  /** The names in the request, as far as they count together. */
  accountsOf(context: AuthContext, provider: Resolved<K>): readonly string[]
  /** For what the browser counts by itself, if it is known. */
  typedOf?(context: AuthContext, provider: Resolved<K>): string | undefined
  /** For what the browser is known once the proof was good. */
  provedBy?(context: AuthContext, provider: Resolved<K>): readonly string[]
  /** The address to which mails are counted, once the proof was good. */
  mailboxOf?(context: AuthContext, provider: Resolved<K>): unknown
}

const none = (): readonly string[] => []

const proofLimits: { readonly [K in FlowKind]: ProofLimit<K> } = {
  credentials: {
    rule: 'credentials',
    accountsOf: namedAt,
    typedOf: typedAt,
    provedBy: (context, provider) => [typedAt(context, provider) ?? []].flat(),
  },
  email: {
    rule: 'mailToken',
    accountsOf: (context) => nameOf(addressIn(context)),
    // Where there is one field to say who one is, people write their address into it.
    provedBy: (context) =>
      [...context.config.providers.values()].flatMap((each) => typedFor(each, addressIn(context)) ?? []),
    mailboxOf: (context, { limit }) => (limit ? addressIn(context) : undefined),
  },
  oauth: { rule: 'oauthCallback', accountsOf: none },
  webauthn: { rule: 'passkey', accountsOf: none },
}

/**
 * The flow, with its limits before it. They come after the CSRF check: a page of another site must not use up anybody's attempts.
 * What succeeded makes this browser a known one of the account.
 */
export function withLimits<K extends FlowKind>(kind: K, flow: Flow<K>): Flow<K> {
  const { rule, accountsOf, typedOf, provedBy, mailboxOf } = proofLimits[kind]
  return {
    ...flow,
    async begin(context, provider, callbackUrl) {
      if (kind === 'oauth') await counted(context, { rule: 'oauthStart' })
      if (kind === 'email') await passCaptcha(context, { rule: 'mail' })
      return flow.begin(context, provider, callbackUrl)
    },
    async finish(context, provider) {
      if (!context.config.rateLimit) return flow.finish(context, provider)
      assertNotStray(context)
      // Where `authorize` failed nobody knows what it had looked at by then.
      const isAsked = kind === 'credentials' && !keepsPasswords(provider)
      const isFailure = (error: unknown) =>
        isAsked || !(error instanceof AdapterError || error instanceof PasswordsBusy)
      const accounts = accountsOf(context, provider)
      const known = typedOf?.(context, provider)
      const attempt = { accounts, ...(known !== undefined && { typed: known }) }
      // Refused without a captcha, or by a limit: that is no failure of the account.
      const passed = rule === 'credentials' ? await passCaptcha(context, { ...attempt, rule }) : undefined
      let isTried = false
      const prove = () => {
        isTried = true
        return flow.finish(context, provider)
      }
      const result: FlowResult = await limited(context, { ...attempt, rule }, prove, isFailure).catch(
        (error: unknown) => {
          if (!isTried || !isFailure(error)) passed?.refund()
          throw error
        },
      )
      passed?.refund()
      if (result.kind !== 'identity') return result
      const mailbox = mailboxOf?.(context, provider)
      if (typeof mailbox === 'string') rememberMailbox(context, mailbox)
      rememberBrowser(context, provedBy?.(context, provider) ?? [])
      return result
    },
  }
}

/** What a browser is known for that has set the password of an address. @param email As it is looked up. */
export function passwordTyped({ id }: PasswordProvider, email: string): string {
  return typed(id, { email }, ['email'])
}

/** A page of another site must not use up anybody's attempts: not by images either. @throws {@link InvalidRequest} */
export function assertNotStray({ config, request: { headers } }: AuthContext): void {
  if (config.checkCsrf && isStray(headers))
    throw new InvalidRequest('A page of another site loads this, and nobody signs in by it.', 403)
}

/**
 * Returns the names that an attempt with credentials counts for. A provider that keeps passwords looks a user up by an email address, which
 * the application's `normalizeIdentifier` may read out of many spellings: the attempt counts for that address. A spelling of its own
 * would have guesses of its own.
 */
function namedAt({ request: { body } }: AuthContext, provider: Resolved<'credentials'>): readonly string[] {
  const address = keepsPasswords(provider) ? knownAddress(provider.password.mailer, body.email) : undefined
  if (address !== undefined) return [foldName(address)]
  return namesOf(provider.identifiers.map((name) => body[name]))
}

/** What says whose account it is; `undefined` where nothing does: one text for all would make each browser known for all. */
function typedAt({ request: { body }, config }: AuthContext, provider: Resolved<'credentials'>): string | undefined {
  const { id, identifiers, signInFields } = provider
  if (keepsPasswords(provider)) {
    const address = knownAddress(provider.password.mailer, body.email)
    return address === undefined ? undefined : passwordTyped(provider, address)
  }
  if (namesOf(identifiers.map((name) => body[name])).length === 0) return undefined
  return typed(id, body, signInFields ?? openFields(body, config.rateLimit?.captcha?.field))
}

/** Returns what a browser is known for at a provider whose only field takes an email address that the user has proved. */
function typedFor(provider: ResolvedProvider, address: unknown): string | undefined {
  if (keepsPasswords(provider)) {
    return typeof address === 'string' ? passwordTyped(provider, foldAddress(address)) : undefined
  }
  const [field, second] = provider.type === 'credentials' ? (provider.signInFields ?? []) : []
  if (field === undefined || second !== undefined) return undefined
  return typed(provider.id, { [field]: address }, [field])
}

/** Fields of the form itself. */
const formFields: ReadonlySet<string> = new Set(['csrfToken', 'callbackUrl', 'navigation', 'remember'])

/** All that came but for secrets, in one order: any of it may say whose account is meant. */
function openFields(body: Readonly<Record<string, unknown>>, captchaField: string | undefined): readonly string[] {
  const names = Object.keys(body).filter((name) => !formFields.has(name) && name !== captchaField)
  return names.filter((name) => !isSecretField(name)).sort()
}

function typed(provider: string, body: Readonly<Record<string, unknown>>, fields: readonly string[]): string {
  return JSON.stringify([provider, ...fields.map((name) => [name, body[name] ?? ''])])
}

function addressIn({ request }: AuthContext): unknown {
  return request.method === 'POST' ? request.body.email : onlyValue(request.url.searchParams, 'email')
}
