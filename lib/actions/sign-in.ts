/** `GET|POST signin[/:provider]`: the sign-in page, and the start of a sign-in. */

import { readCallbackUrl } from '../callbacks/callback-url.js'
import type { AuthContext, ResolvedProvider } from '../contracts/index.js'
import { flowOf } from '../flows/index.js'
import type { AuthResponse } from '../http/message.js'
import { renderSignIn, type SignInEntry } from '../pages/index.js'
import { assertCsrf, csrfTokenFor } from '../session/csrf.js'
import { pageResponse } from './page-frame.js'
import { canonicalUrl, requestedProvider } from './request.js'
import { signedInHere } from './signed-in.js'
import { type TypedFields, takeTyped } from './typed-fields.js'

/** GET shows the page, POST begins. */
export async function signIn(context: AuthContext): Promise<AuthResponse> {
  return context.request.method === 'POST' ? begin(context) : show(context)
}

async function begin(context: AuthContext): Promise<AuthResponse> {
  assertCsrf(context)
  const provider = requestedProvider(context)
  const callbackUrl = await readCallbackUrl(context)
  if (!provider) return { kind: 'redirect', to: context.urls.page('signIn') }
  return flowOf(provider).begin(context, provider, callbackUrl)
}

async function show(context: AuthContext): Promise<AuthResponse> {
  const { config, request, urls } = context
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  const provider = requestedProvider(context)
  const callbackUrl = await readCallbackUrl(context)
  const query = (name: string) => request.url.searchParams.get(name) ?? undefined
  const error = query('error')
  const custom = urls.customPage('signIn', { callbackUrl, error, code: query('code') })
  if (custom) return { kind: 'redirect', to: custom }
  const csrfToken = csrfTokenFor(context)
  const shown = provider ? [provider] : [...config.providers.values()]
  const typed = await takeTyped(context, csrfToken)
  const entries = shown.map((entry) => toEntry(context, entry, typed))
  const signedIn = await signedInHere(context)
  return pageResponse(context, 200, (frame) =>
    renderSignIn({ frame, entries, csrfToken, callbackUrl, error, signedIn }),
  )
}

function toEntry({ urls }: AuthContext, provider: ResolvedProvider, typed: TypedFields | undefined): SignInEntry {
  const { id, name, style } = provider
  const [beginUrl, finishUrl] = [urls.endpoint('signin', id), urls.endpoint('callback', id)]
  switch (provider.kind) {
    case 'email':
      return { kind: 'email', id, name, action: beginUrl }
    case 'oauth':
      return { kind: 'redirect', id, name, action: beginUrl, style }
    case 'credentials': {
      const fields = typed?.provider === id ? typed.fields : undefined
      return { kind: 'credentials', id, name, action: finishUrl, inputs: provider.credentials, typed: fields }
    }
    case 'webauthn':
      return {
        kind: 'passkey',
        id,
        name,
        action: finishUrl,
        optionsUrl: urls.endpoint('webauthn-options', id),
        inputs: provider.formFields,
        conditional: provider.conditionalUI,
        // Whose passkeys are kept by the authenticator needs to name nobody.
        sendsEmail: provider.residentKey !== 'required',
      }
  }
}
