/**
 * The endpoint `GET|POST invitation`: GET shows an invitation, and POST accepts it. GET changes nothing, because scanners open email
 * links.
 */
import { canonicalUrl } from '../../actions/requested-provider.js'
import { startProvedSession } from '../../actions/sign-in-pipeline.js'
import { checkedCallbackUrl } from '../../callbacks/index.js'
import type { AuthContext, Identity, ResolvedEmailProvider } from '../../contracts/index.js'
import { accountUuid } from '../../crypto/account-id.js'
import { InvalidRequest, Verification } from '../../errors.js'
import { type AuthResponse, requestInfo } from '../../http/message.js'
import { singleParam } from '../../http/urls.js'
import { pageResponse, renderInvitation } from '../../pages/index.js'
import { assertCsrf, csrfTokenForForm } from '../../session/csrf.js'
import { requireStore } from '../../store/guard.js'
import type { AdapterUser } from '../../types/adapter.js'
import { findByAddress } from '../../users/records.js'
import { withRateLimit } from '../limits/attempts.js'
import { setActiveOrganization } from '../organizations/action.js'
import type { OpenedInvitation } from './admission.js'
import { loadMembers } from './loader.js'
import { addressName } from './store.js'

/** The longest text that is read as a token. */
const maxTokenLength = 256

/** Answers `invitation`. @throws {@link Verification} for a link that is not valid. {@link InvalidRequest} without `organizations.store`. */
export async function invitation(context: AuthContext): Promise<AuthResponse> {
  const { config, request } = context
  if (!config.organizations?.stored)
    throw new InvalidRequest('There are no invitations. Set `organizations.store`.', 404)
  if (request.method === 'POST') {
    assertCsrf(context)
    return answerForm(context, readToken(request.body.token))
  }
  const elsewhere = canonicalUrl(context)
  if (elsewhere) return { kind: 'redirect', to: elsewhere }
  return showInvitation(context, readToken(singleParam(request.url.searchParams, 'token')))
}

function readToken(value: unknown): string {
  if (typeof value === 'string' && value.length <= maxTokenLength) return value
  throw new Verification('The link is incomplete, or was changed.')
}

/** Creates the error of a link that is not valid. One text for all: it does not show whether there was such an invitation. */
function usedLink(): Verification {
  return new Verification('There is no such invitation: it was used, replaced or revoked, or has expired.')
}

/** Opens the link. A link that is not valid is counted as a guess. */
function open(context: AuthContext, token: string): Promise<OpenedInvitation> {
  const isBadLink = (error: unknown) => error instanceof Verification
  const work = async () => {
    const opened = await (await loadMembers()).openInvitation(context.config, token)
    if (!opened) throw usedLink()
    return opened
  }
  return withRateLimit(context, { rule: 'mailToken' }, work, isBadLink)
}

async function showInvitation(context: AuthContext, token: string): Promise<AuthResponse> {
  const { urls } = context
  const { invitation: invited, organization } = await open(context, token)
  const user = await signedInUser(context)
  const isOther = user !== null && !isInvited(user, invited.address)
  const here = urls.endpoint('invitation', undefined, { token })
  return pageResponse(context, isOther ? 403 : 200, (frame) =>
    renderInvitation({
      ...{ frame, organization, token, isOther, email: invited.email },
      action: urls.endpoint('invitation'),
      signOutUrl: urls.page('signOut', { callbackUrl: here }),
      csrfToken: csrfTokenForForm(context),
    }),
  )
}

/** Returns the stored user of the session; `null` without one. */
async function signedInUser(context: AuthContext): Promise<AdapterUser | null> {
  const owner = await context.sessions.principal(context)
  return owner && requireStore(context.config).getUser(owner.userId)
}

/** Checks whether an invitation is for a user. An unverified address could be a stranger's. */
function isInvited({ email, emailVerified }: AdapterUser, address: string): boolean {
  return emailVerified !== null && addressName(email) === address
}

async function answerForm(context: AuthContext, token: string): Promise<AuthResponse> {
  const { config, sessions } = context
  const owner = await sessions.principal(context)
  if (!owner) return signInWithLink(context, token)
  if (!(await sessions.isLive(context, owner.id))) throw new Verification('The session has ended.')
  const by = { by: owner.userId, sid: owner.id, request: requestInfo(context.request) }
  const id = await (await loadMembers()).acceptInvitation(config, { token, userId: owner.userId, by })
  // Counts the guess, and shows the page to a user with another address.
  if (id === undefined) return showInvitation(context, token)
  await setActiveOrganization(context, id)
  return { kind: 'redirect', to: await checkedCallbackUrl(context) }
}

/**
 * Signs a new user in: the link proves the address, as an email link does. Users who have an account sign in as always, and
 * come back: an invitation is valid for much longer than a sign-in link.
 */
async function signInWithLink(context: AuthContext, token: string): Promise<AuthResponse> {
  const { config, request, urls } = context
  const { invitation: invited } = await open(context, token)
  const { mailer, signsIn } = config.organizations?.stored ?? {}
  const back = urls.endpoint('invitation', undefined, { token })
  const { status } = await findByAddress(config, requireStore(config), invited.email)
  if (!mailer || !signsIn || status === 'owner')
    return { kind: 'redirect', to: urls.page('signIn', { callbackUrl: back }) }
  const begun = await startProvedSession(context, {
    identity: identityOf(mailer, invited.email),
    // Of the visitors who open the link at once, one is signed in.
    async beforeSession({ user: { id: userId = '' } }) {
      const by = { by: userId, request: requestInfo(request) }
      const { acceptInvitation } = await loadMembers()
      if ((await acceptInvitation(config, { token, userId, by, isSignIn: true })) === undefined) throw usedLink()
    },
    sessionOptions: {},
    to: back,
  })
  const { user, isNewUser = false } = begun.signedIn ?? {}
  // A second factor or the connection of the address comes first. The user returns to the invitation then.
  if (user?.id === undefined) return { kind: 'redirect', to: begun.to }
  const callbackUrl = await checkedCallbackUrl(context)
  return { kind: 'redirect', to: (isNewUser && urls.customPage('newUser', { callbackUrl })) || callbackUrl }
}

function identityOf({ id }: ResolvedEmailProvider, email: string): Identity {
  return {
    user: { id: accountUuid(id, email), email },
    account: { provider: id, type: 'email', providerAccountId: email },
    amr: ['otp'],
    addressProved: true,
  }
}
