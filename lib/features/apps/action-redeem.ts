/**
 * The endpoint `POST app-token`: an app exchanges its code for the token of a session. A code is used once. If a client that knows the
 * verifier uses it again, the session that it began ends (RFC 6749 §4.1.2).
 */
import { recordFailure } from '../../actions/failure.js'
import { continueInApp } from '../../actions/sign-in-pipeline.js'
import { emitSessionsEnded } from '../../callbacks/index.js'
import type { AuthContext, IssuedSession, ResolvedApps } from '../../contracts/index.js'
import { equalText, shortHash } from '../../crypto/hash.js'
import { AccessDenied, type AuthError, InvalidRequest, ReauthenticationRequired } from '../../errors.js'
import { CookieJar } from '../../http/cookies.js'
import { type AuthResponse, requestInfo } from '../../http/message.js'
import { readProofs } from '../../principal/index.js'
import { sessionIdOf } from '../../session/browser.js'
import { withRateLimit } from '../limits/attempts.js'
import type { StoredAppCode } from './description.js'
import { type Approval, changeCode, type FoundCode, findCode, readCode } from './store.js'

/** The fields of a request, well-formed. */
interface TokenRequest {
  readonly app: string
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Answers `app-token`. Errors have the form of RFC 6749 §5.2. */
export async function redeem(context: AuthContext, apps: ResolvedApps): Promise<AuthResponse> {
  const given = readFields(context)
  try {
    if (!given)
      throw new InvalidRequest('Send `app`, `code`, `code_verifier` and `redirect_uri`, each once, as a form or JSON.')
    const { token, sid, expires } = await withRateLimit(context, { rule: 'appToken' }, () =>
      redeemCode(context, apps, given),
    )
    // As it is sent in the header: a token of the application's functions may have other characters.
    const data = { token: encodeURIComponent(token), tokenType: 'Bearer', expires: expires.toISOString(), sid }
    return { kind: 'json', status: 200, data }
  } catch (error) {
    if (!isInvalidGrant(error)) throw error
    await recordFailure(context, error)
    const description = given ? 'The code is invalid, was used, or has expired. Begin again.' : error.message
    const data = { error: given ? 'invalid_grant' : 'invalid_request', error_description: description }
    return { kind: 'json', status: 400, data }
  }
}

/** Checks for an error of the client, or of the user who approved. Others are rate limits, or those of a store or of the application. */
function isInvalidGrant(error: unknown): error is AuthError {
  if (error instanceof InvalidRequest) return error.status === 400
  return error instanceof AccessDenied || error instanceof ReauthenticationRequired
}

function readFields({ request: { body } }: AuthContext): TokenRequest | undefined {
  const { app, code, code_verifier: verifier, redirect_uri: redirectUri } = body
  if (typeof app !== 'string' || typeof redirectUri !== 'string') return undefined
  if (typeof code !== 'string' || typeof verifier !== 'string') return undefined
  // RFC 7636 §4.1.
  return /^[\w.~-]{43,128}$/.test(verifier) ? { app, code, verifier, redirectUri } : undefined
}

const invalid = () => new InvalidRequest('The code of an app is invalid, was used, or has expired.')

/** Uses a code, and begins the session. @throws {@link InvalidRequest} for a code that this client cannot use. */
async function redeemCode(context: AuthContext, apps: ResolvedApps, given: TokenRequest): Promise<IssuedSession> {
  const found = /^[\w-]{43}$/.test(given.code) ? await findCode(context.config, apps, given.code) : undefined
  // Checked first: a client without the verifier changes nothing.
  if (!found || !isBoundTo(found.approval, given)) throw invalid()
  const { record, approval } = found
  const used = record.state === 'open' ? await useCode(context, apps, found) : undefined
  if (!used) {
    await endSessionOf(context, apps, found)
    throw invalid()
  }
  const issued = await beginSession(context, { approval, userId: record.userId }, () =>
    changeCode(apps, used, { state: 'open' }),
  )
  await keepSession(context, apps, { used, issued })
  return issued
}

function isBoundTo({ app, redirectUri, challenge }: Approval, given: TokenRequest): boolean {
  return app === given.app && redirectUri === given.redirectUri && equalText(shortHash(given.verifier), challenge)
}

/**
 * Marks a code as used. Of concurrent calls in all processes, exactly one succeeds; `undefined` for the others.
 *
 * @throws {@link InvalidRequest} for a code that has expired, or whose approving session has ended.
 */
async function useCode({ config, sessions }: AuthContext, apps: ResolvedApps, { record, approval }: FoundCode) {
  if (approval.until <= Date.now() || !apps.clients.has(approval.app)) throw invalid()
  if (!(await sessions.exists(config, approval.session))) throw invalid()
  return changeCode(apps, record, { state: 'used' })
}

/** Begins the session with the facts of the approving one. It is in no browser: no cookie is read or set. */
function beginSession(
  context: AuthContext,
  { approval, userId }: { readonly approval: Approval; readonly userId: string },
  undo: () => Promise<unknown>,
): Promise<IssuedSession> {
  const { app, proofs, startedAt, organization, provider, stamp } = approval
  const alone = { ...context, cookies: new CookieJar(undefined) }
  const facts = { app, proofs: readProofs(proofs), startedAt, organization, provider, stamp }
  return continueInApp(alone, { ...facts, userId }, undo)
}

/** Notes the session of a code. If the code was used again meanwhile, the session ends. */
async function keepSession(
  context: AuthContext,
  apps: ResolvedApps,
  { used, issued: { name } }: { readonly used: StoredAppCode; readonly issued: IssuedSession },
): Promise<void> {
  const end = async () => {
    await context.sessions.endByName(context.config, name)
    await reportEnd(context, name, used)
  }
  const kept = await changeCode(apps, used, { state: 'used', session: name }).catch(async (error: unknown) => {
    // Without the note, a second use could not end the session.
    await end()
    throw error
  })
  if (!kept) await end()
}

/** The most attempts to mark a code whose record changes at the same time. It changes twice at most. */
const maxAttempts = 5

/** Marks a code that is used again. Its session ends here, or by the first use if that is still under way. */
async function endSessionOf(context: AuthContext, apps: ResolvedApps, { record: { id } }: FoundCode): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const record = await readCode(apps, id)
    if (!record || record.state === 'replayed') return
    const { session } = record
    // Before the mark: after a failure in between, the next use tries again.
    if (session !== null) await context.sessions.endByName(context.config, session)
    if (!(await changeCode(apps, record, { state: 'replayed' }))) continue
    if (session !== null) await reportEnd(context, session, record)
    return
  }
}

async function reportEnd({ config, request }: AuthContext, name: string, { userId }: StoredAppCode): Promise<void> {
  const facts = { reason: 'appCodeReused', request: requestInfo(request) } as const
  await emitSessionsEnded(config, [{ sid: sessionIdOf(name), userId }], facts)
}
