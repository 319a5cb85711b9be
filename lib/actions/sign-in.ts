/** `GET|POST signin[/:provider]`: the sign-in page, and the start of a sign-in. */

import { BoundedMap, perOwner } from '../base/memory.js'
import { readCallbackUrl } from '../callbacks/index.js'
import type { AuthContext, ResolvedConfig, ResolvedOAuthProvider, ResolvedProvider } from '../contracts/index.js'
import { startTypedConnection } from '../features/connections/steps.js'
import { isCaptchaExpected } from '../features/limits/captcha.js'
import { passwordLinks } from '../features/passwords/action-pages.js'
import { keepsPasswords } from '../features/passwords/store.js'
import { sealedConnectionIn, startConnection } from '../features/tokens/action-connect.js'
import { flowOf, isKnownForPassword } from '../flows/index.js'
import type { AuthResponse } from '../http/message.js'
import {
  addressField,
  methodsForIdentifier,
  type PageFrame,
  pageResponse,
  prepareSignIn,
  renderSignIn,
  type SignInEntry,
  type SignInPage,
  type SignInPageValues,
  wantsAddress,
  withIdentifierForm,
} from '../pages/index.js'
import { assertCsrf, csrfTokenForForm } from '../session/csrf.js'
import { lastMethod } from './last-method.js'
import { captchaWidget } from './page-frame.js'
import { isPasskeyOffer, passkeyOffer } from './passkey-offer.js'
import { rememberCheckbox, storeRemembered } from './remember.js'
import { canonicalUrl, findRequestedProvider, signedInHere } from './requested-provider.js'
import { storeReauthentication } from './sign-in-steps.js'
import { storeIdentifier, type TypedFields, takeTypedFields } from './typed-fields.js'

/** Shows the page for GET, and starts a sign-in for POST. */
export async function signIn(context: AuthContext): Promise<AuthResponse> {
  const isPost = context.request.method === 'POST'
  if (isPost) assertCsrf(context)
  const connection = sealedConnectionIn(context)
  if (connection !== undefined) return startConnection(context, connection)
  return isPost ? startSignIn(context) : renderSignInPage(context)
}

async function startSignIn(context: AuthContext): Promise<AuthResponse> {
  const provider = await findRequestedProvider(context)
  const callbackUrl = await readCallbackUrl(context)
  if (!provider) {
    const started = await startTypedConnection(context, callbackUrl)
    if (started) return started
    if (context.config.theme.identifierFirst) await storeIdentifier(context)
    return { kind: 'redirect', to: context.urls.page('signIn') }
  }
  storeRemembered(context)
  return flowOf(provider).start(context, provider, callbackUrl)
}

async function renderSignInPage(context: AuthContext): Promise<AuthResponse> {
  const { request, urls } = context
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const provider = await findRequestedProvider(context)
  const callbackUrl = await readCallbackUrl(context)
  const reauth = await storeReauthentication(context)
  const query = (name: string) => request.url.searchParams.get(name) ?? undefined
  const error = query('error')
  const custom = urls.customPage('signIn', { callbackUrl, error, code: query('code'), reauth: reauth?.toString() })
  // A custom page does not know the connection.
  if (custom && !isOfConnection(provider)) return { kind: 'redirect', to: custom }
  const csrfToken = csrfTokenForForm(context)
  const typed = await takeTypedFields(context, csrfToken)
  const signedIn = await signedInHere(context)
  if (signedIn && isPasskeyOffer(context, provider)) return passkeyOffer(context, provider)
  const captcha = await captchaWidget(context, () => isCaptchaRequired(context, provider))
  const page = pageResponse(context, 200, (frame) => {
    const remember = rememberCheckbox(context)
    if (error === undefined && typed === undefined && signedIn === undefined && !captcha && !remember?.isChecked) {
      return visitorPage(context, provider, frame)({ nonce: frame.nonce, csrfToken, callbackUrl })
    }
    const shown = signInEntries(context, { provider, typed, reauth })
    const isReauthentication = reauth !== undefined
    return renderSignIn({
      frame,
      ...shown,
      csrfToken,
      callbackUrl,
      remember,
      lastUsed: lastMethod(context),
      error,
      signedIn,
      isReauthentication,
      captcha,
    })
  })
  return captcha ? { ...page, captcha: true } : page
}

/** Checks whether an attempt was rejected without a captcha, or the application's own rule requires one. */
async function isCaptchaRequired(context: AuthContext, provider: ResolvedProvider | undefined): Promise<boolean> {
  const { searchParams: query } = context.request.url
  if (query.get('error') === 'CaptchaRequired' || query.get('captcha') === '1') return true
  for (const { kind, id } of provider ? [provider] : context.config.providers.values()) {
    if (kind !== 'credentials' && kind !== 'email') continue
    const rule = kind === 'email' ? 'mail' : kind
    if (await isCaptchaExpected(context, { rule, provider: id })) return true
  }
  return false
}

/**
 * Prepared pages by origin, mount, language and provider. A client that sends made-up origins only evicts pages that
 * are prepared again.
 */
const preparedPages = perOwner(
  (_config: ResolvedConfig) => new BoundedMap<string, (own: SignInPageValues) => string>(40),
)

/** Returns the page for visitors without a session. */
function visitorPage(context: AuthContext, provider: ResolvedProvider | undefined, frame: PageFrame) {
  const { config, request } = context
  const pages = preparedPages(config)
  // Origin, mount and language contain no spaces.
  const lastUsed = lastMethod(context)
  const pageKey = `${request.origin}${request.basePath} ${frame.language.locale} ${provider?.id ?? ''} ${lastUsed ?? ''}`
  const known = pages.get(pageKey)
  if (known) return known
  const shown = signInEntries(context, { provider })
  const page = prepareSignIn({ frame, ...shown, lastUsed, remember: rememberCheckbox(context) })
  if (pageKey.length < 300) pages.set(pageKey, page)
  return page
}

/** The values of a request for the page. */
interface SignInPageRequest {
  readonly provider?: ResolvedProvider | undefined
  readonly typed?: TypedFields | undefined
  /** The maximum age of a reauthentication, in seconds. */
  readonly reauth?: number | undefined
}

/**
 * Returns the content of the page: all sign-in methods, or first the field for the email address, and then the methods
 * that need it.
 */
function signInEntries(
  context: AuthContext,
  { provider, typed, reauth }: SignInPageRequest,
): Pick<SignInPage, 'entries' | 'identifier'> {
  const { config, urls } = context
  const all = provider ? [provider] : [...config.providers.values()]
  const shown = reauth === undefined ? all : all.filter(canProvePresence)
  const entries = shown.map((entry) => toEntry(context, entry, { typed, reauth }))
  if (provider || reauth !== undefined || !config.theme.identifierFirst) return { entries }
  const asking = entries.filter(wantsAddress)
  const leadsToConnections = config.connections !== undefined
  if (asking.length < 2 && !leadsToConnections) return { entries }
  const value = typed && identifierIn(typed, asking)
  if (value === undefined) {
    return { entries: withIdentifierForm(entries, { action: urls.endpoint('signin'), leadsToConnections }) }
  }
  const usable = asking.length > 0 ? asking : entries
  const methods = methodsForIdentifier(usable, value, lastMethod(context)).map((entry) =>
    isKnownHere(context, entry, value) ? { ...entry, signUpUrl: undefined } : entry,
  )
  return { entries: methods, identifier: { value, changeUrl: urls.page('signIn') } }
}

/**
 * Checks whether this browser has signed in with the address before. Then the user needs no link to sign up. No account
 * is looked up, so other browsers get the same page for every address.
 */
function isKnownHere(context: AuthContext, { id }: SignInEntry, address: string): boolean {
  const provider = context.config.providers.get(id)
  return keepsPasswords(provider) && isKnownForPassword(context, provider, address)
}

function identifierIn({ provider, fields }: TypedFields, asking: readonly SignInEntry[]): string | undefined {
  if (provider === undefined) return fields.identifier
  const entry = asking.find(({ id }) => id === provider)
  return fields[(entry && addressField(entry)) ?? '']
}

function isOfConnection(provider: ResolvedProvider | undefined): boolean {
  return provider?.kind === 'oauth' && provider.connection !== undefined
}

/** Checks whether a provider can prove the user's presence. OAuth 2 does not report when the user authenticated. */
function canProvePresence(provider: ResolvedProvider): boolean {
  return provider.kind !== 'oauth' || provider.type === 'oidc'
}

/**
 * Returns the parameters that make an OpenID Connect provider authenticate the user again (OpenID Connect Core
 * §3.1.2.1).
 */
function reauthenticationParams({ acrValues }: ResolvedOAuthProvider, reauth: number): Record<string, string> {
  return { prompt: 'login', max_age: String(reauth), ...(acrValues && { acr_values: acrValues.join(' ') }) }
}

function toEntry({ urls }: AuthContext, provider: ResolvedProvider, { typed, reauth }: SignInPageRequest): SignInEntry {
  const { id, name, style } = provider
  const [beginUrl, finishUrl] = [urls.endpoint('signin', id), urls.endpoint('callback', id)]
  const fields = typed?.provider === id ? typed.fields : undefined
  switch (provider.kind) {
    case 'email':
      return { kind: 'email', id, name, action: beginUrl, typed: fields }
    case 'oauth': {
      const action =
        reauth === undefined ? beginUrl : urls.endpoint('signin', id, reauthenticationParams(provider, reauth))
      return { kind: 'redirect', id, name, action, style }
    }
    case 'credentials':
      return {
        ...{ kind: 'credentials', id, name, action: finishUrl, inputs: provider.credentials, typed: fields },
        ...(keepsPasswords(provider) && passwordLinks(urls, provider)),
      }
    case 'webauthn':
      return {
        ...{ kind: 'passkey', id, name, action: finishUrl, inputs: provider.formFields },
        optionsUrl: urls.endpoint('webauthn-options', id),
        conditional: provider.conditionalUI,
        // An authenticator that stores the passkeys itself needs no email address.
        sendsEmail: provider.residentKey !== 'required',
      }
  }
}
