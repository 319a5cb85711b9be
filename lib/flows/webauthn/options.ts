/**
 * `GET webauthn-options/:provider`: the options for a ceremony in a browser. The response does not reveal whether an
 * address has an account.
 */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { parseEmailAddress } from '../../base/email-address.js'
import { withTimeout } from '../../base/timeout.js'
import type { AuthContext, ResolvedWebAuthnProvider } from '../../contracts/index.js'
import { randomUuid } from '../../crypto/random.js'
import { InvalidRequest } from '../../errors.js'
import { toFetchHeaders } from '../../http/message.js'
import { singleParam } from '../../http/urls.js'
import type { StoredPrincipal } from '../../principal/index.js'
import { requireStore } from '../../store/guard.js'
import { linkableUser } from '../../users/linking.js'
import { findByAddress } from '../../users/records.js'
import { type Ceremony, createChallenge } from './challenge.js'
import { decoyPasskeys } from './decoy-passkeys.js'
import { toBrowserId, utf8 } from './encoding.js'
import { loadSimpleWebAuthn } from './simplewebauthn.js'
import { createHandle, existingHandle } from './user-handle.js'

/** The maximum length of a user's name, in characters. */
const maxNameLength = 200

/** The response to a browser. */
export type CeremonyOptions =
  | { readonly action: 'authenticate'; readonly options: PublicKeyCredentialRequestOptionsJSON }
  | { readonly action: 'register'; readonly options: PublicKeyCredentialCreationOptionsJSON }

/**
 * Returns options for the ceremony in the query; without one, for a sign-in.
 *
 * For a signed-in user the origin of the request is not checked. Another site can send a browser here, but cannot read
 * the challenge, and the request stores nothing. The POST that links the passkey needs the CSRF token and an allowed
 * origin.
 *
 * @throws {@link InvalidRequest} for an incomplete query.
 */
export async function passkeyOptions(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
): Promise<CeremonyOptions> {
  const owner = await linkableUser(context)
  const asking = { context, provider, owner }
  if (requestedCeremony(context, owner) === 'register') {
    return { action: 'register', options: await creationOptions(asking) }
  }
  return { action: 'authenticate', options: await requestOptions(asking) }
}

/** Returns options for a second factor: any passkey of this user, for this attempt or session only. */
export async function secondFactorOptions(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  { userId, startedBy }: { userId: string; startedBy: string },
): Promise<CeremonyOptions> {
  const named = await credentialDescriptorsOf(context, userId)
  const challenge = await createChallenge(context, provider, { ceremony: 'authenticate', startedBy })
  return { action: 'authenticate', options: await toRequestOptions(provider, challenge, named) }
}

interface OptionsRequest {
  readonly context: AuthContext
  readonly provider: ResolvedWebAuthnProvider
  readonly owner: StoredPrincipal | null
}

function requestedCeremony({ request }: AuthContext, owner: StoredPrincipal | null): Ceremony {
  const action = singleParam(request.url.searchParams, 'action')
  if (action === 'authenticate' || action === 'register') return action
  if (request.url.searchParams.has('action')) {
    throw new InvalidRequest('`action` must be "authenticate" or "register".')
  }
  if (owner === null) return 'authenticate'
  throw new InvalidRequest('You are signed in. Send `action=register` to add a passkey, or `action=authenticate`.')
}

async function requestOptions({
  context,
  provider,
  owner,
}: OptionsRequest): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const email =
    owner || provider.residentKey === 'required' ? undefined : (await requestedUserInfo(context, provider)).email
  const named = owner
    ? await credentialDescriptorsOf(context, owner.userId)
    : email && (await passkeysOrDecoys(context, provider, email))
  const challenge = await createChallenge(context, provider, {
    ceremony: 'authenticate',
    startedBy: owner?.key,
    email,
  })
  return toRequestOptions(provider, challenge, named || [])
}

async function toRequestOptions(
  provider: ResolvedWebAuthnProvider,
  challenge: string,
  named: ReadonlyArray<{ id: string }>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { userVerification, extensions } = provider.authentication
  const { generateAuthenticationOptions } = await loadSimpleWebAuthn()
  return generateAuthenticationOptions({
    rpID: provider.relyingParty.id,
    challenge: utf8(challenge),
    timeout: provider.timeout,
    userVerification,
    allowCredentials: named.length > 0 ? [...named] : undefined,
    extensions: extensions && { ...extensions },
  })
}

async function creationOptions({
  context,
  provider,
  owner,
}: OptionsRequest): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const passkeyOwner = owner ? await signedInOwner(context, provider, owner) : await newOwner(context, provider)
  const { email, name, handle } = passkeyOwner
  const challenge = await createChallenge(context, provider, {
    ceremony: 'register',
    handle,
    ...(owner ? { startedBy: owner.key } : { email, name }),
  })
  const { generateRegistrationOptions } = await loadSimpleWebAuthn()
  const { authenticatorSelection, attestationType, extensions, preferredAuthenticatorType, supportedAlgorithmIDs } =
    provider.registration
  return generateRegistrationOptions({
    rpName: provider.relyingParty.name,
    rpID: provider.relyingParty.id,
    userID: utf8(handle),
    userName: email ?? name ?? provider.relyingParty.name,
    userDisplayName: name ?? email ?? '',
    challenge: utf8(challenge),
    timeout: provider.timeout,
    excludeCredentials: passkeyOwner.passkeys,
    authenticatorSelection: { ...authenticatorSelection, residentKey: provider.residentKey },
    supportedAlgorithmIDs: [...supportedAlgorithmIDs],
    attestationType,
    preferredAuthenticatorType,
    extensions: extensions && { ...extensions },
  })
}

/** The user who creates a passkey. */
interface PasskeyOwner {
  readonly email: string | undefined
  readonly name: string | undefined
  readonly handle: string
  /** The passkeys of the user, so that none is created twice. */
  readonly passkeys: CredentialDescriptor[]
}

async function signedInOwner(
  { config }: AuthContext,
  provider: ResolvedWebAuthnProvider,
  { userId }: StoredPrincipal,
): Promise<PasskeyOwner> {
  const store = requireStore(config)
  const user = await store.getUser(userId)
  if (!user) throw new InvalidRequest('The signed-in user is not in the database, so no passkey can be added.', 409)
  const passkeys = await store.listAuthenticators(userId)
  return {
    email: user.email || undefined,
    name: user.name ?? undefined,
    handle: (await existingHandle(store, provider, passkeys)) ?? createHandle(),
    passkeys: passkeys.map(toCredentialDescriptor),
  }
}

/** Returns a new user without any look-up, so that the response is the same for used and unused addresses. */
async function newOwner(context: AuthContext, provider: ResolvedWebAuthnProvider): Promise<PasskeyOwner> {
  assertSignUp(provider)
  const { email, name } = await requestedUserInfo(context, provider)
  if (email === undefined && (name === undefined || !provider.getUserInfo)) {
    throw new InvalidRequest('An email address is required to create an account.')
  }
  return { email, name, handle: createHandle(), passkeys: [] }
}

/** Throws if passkeys cannot create accounts. @throws {@link InvalidRequest} */
export function assertSignUp({ formFields }: ResolvedWebAuthnProvider): void {
  if (Object.keys(formFields).length > 0) return
  throw new InvalidRequest(
    'A passkey cannot create an account here. Sign in with another method first, then add a passkey.',
  )
}

/** Returns the unverified email address and name of the request, by `getUserInfo` or from its query. */
async function requestedUserInfo(
  { config, request }: AuthContext,
  { getUserInfo }: ResolvedWebAuthnProvider,
): Promise<{ email: string | undefined; name: string | undefined }> {
  const read = (name: string) => singleParam(request.url.searchParams, name)
  const info = getUserInfo
    ? await withTimeout(
        Promise.resolve(getUserInfo(new Request(request.url, { headers: toFetchHeaders(request.headers) }))),
        config.timeout,
        '`getUserInfo`',
      )
    : { email: read('email'), name: read('name') }
  const typed = info?.email || undefined
  const email = typed === undefined ? undefined : parseEmailAddress(String(typed))
  if (typed !== undefined && email === undefined) throw new InvalidRequest('That is not an email address.')
  return { email, name: typeof info?.name === 'string' ? toName(info.name) : undefined }
}

/**
 * Returns a name in one line, cut between characters: databases reject half a surrogate pair, and some control
 * characters.
 */
function toName(typed: string): string | undefined {
  const characters = [...typed.replace(/\p{Cc}+/gu, ' ').trim()]
  return characters.slice(0, maxNameLength).join('') || undefined
}

/**
 * Returns the passkeys of the user with this address, or decoys, by the same steps. Transports are left out, because
 * real ones vary too much to be imitated.
 */
async function passkeysOrDecoys(
  context: AuthContext,
  provider: ResolvedWebAuthnProvider,
  email: string,
): Promise<{ id: string }[]> {
  const { user } = await findByAddress(context.config, requireStore(context.config), email)
  const passkeys = await credentialDescriptorsOf(context, user?.id ?? randomUuid()).catch((error: unknown) => {
    // Some databases reject the made-up id, because their ids are numbers.
    if (user) throw error
    return []
  })
  const ids = passkeys.length > 0 ? passkeys.map(({ id }) => id) : decoyPasskeys(context.config, provider.id, email)
  return ids.map((id) => ({ id }))
}

async function credentialDescriptorsOf({ config }: AuthContext, userId: string): Promise<CredentialDescriptor[]> {
  return (await requireStore(config).listAuthenticators(userId)).map(toCredentialDescriptor)
}

/** A passkey in the options for a browser. */
type CredentialDescriptor = ReturnType<typeof toCredentialDescriptor>

function toCredentialDescriptor({ credentialID, transports }: { credentialID: string; transports?: string | null }) {
  const words = transports?.split(',').filter(Boolean) ?? []
  return { id: toBrowserId(credentialID), transports: words }
}
