/** Sends invitations by email. */
import { callSourceOf, ownRequest } from '../../calls/call.js'
import type { AuthContext, ResolvedEmailProvider } from '../../contracts/index.js'
import { InvalidConfiguration, TooManyRequests } from '../../errors.js'
import { tryReadAddress } from '../../flows/email/address.js'
import { sendMail } from '../../flows/email/send.js'
import type { RequestCall } from '../../functions/run.js'
import type { Outcome } from '../../types/outcome.js'
import { consumeAttempt, countAttempt, foldName } from '../limits/attempts.js'
import type { StoredInvitation } from './description.js'
import { changeOrganization, createInvitation, mayInvite } from './entry.js'
import type { MemberChange } from './members.js'
import { requireMembers } from './store.js'

type InviteOutcome = Outcome<'unknown' | 'forbidden' | 'email' | 'limited', { readonly invitation: StoredInvitation }>

/** Stores an invitation, and sends its email after the response. Known and unknown addresses are not distinguished. */
export async function sendInvitation(
  { auth, req }: RequestCall,
  change: MemberChange,
  { email: typed, role }: { readonly email: unknown; readonly role: string },
): Promise<InviteOutcome> {
  const { mailer, invitationMaxAge } = requireMembers(auth.config)
  if (!mailer)
    throw new InvalidConfiguration(
      '`organizations.invite` sends emails. Add an email provider or the provider `Password` to `providers`.',
    )
  const email = tryReadAddress(mailer, typed)
  if (email === undefined) return { ok: false, reason: 'email' }
  // Before the counts: a user who may not invite uses up no invitation of the organization.
  const allowed = await changeOrganization(change, (state) => mayInvite(state, change, role))
  if (!allowed.ok) return allowed
  const context = auth.createCallContext(ownRequest(auth.config, callSourceOf(req), { action: 'invitation' }))
  if (!(await isWithinLimits(context, change, { mailer, email }))) return { ok: false, reason: 'limited' }
  const created = await createInvitation(change, { email, role })
  if (!created.ok) return created
  const { invitation, token, organization } = created
  const { expires } = invitation
  const url = context.urls.endpoint('invitation', undefined, { token })
  const letter = { purpose: 'invitation', address: email, url, token, expires, lifetime: invitationMaxAge } as const
  sendMail(context, mailer, { ...letter, organization })
  return { ok: true, invitation }
}

/** Counts an invitation for the organization, for the user who sends it, and for the address. */
async function isWithinLimits(
  context: AuthContext,
  { id, actor }: MemberChange,
  { mailer, email }: { readonly mailer: ResolvedEmailProvider; readonly email: string },
): Promise<boolean> {
  try {
    await countAttempt(context, { rule: 'inviter', accounts: [actor] })
    await countAttempt(context, { rule: 'invitation', accounts: [id] })
    const { perAddress, window } = mailer.limit ?? {}
    // Not with the emails that the owner of the address asks for.
    const attempt = { rule: 'mail', scope: `invitation ${mailer.id}`, accounts: [foldName(email)] } as const
    if (perAddress !== undefined && window !== undefined)
      await consumeAttempt(context, attempt, { perAccount: perAddress, window })
    return true
  } catch (error) {
    if (error instanceof TooManyRequests) return false
    throw error
  }
}
