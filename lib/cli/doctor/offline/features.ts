/** Checks of methods and options that the features in use need. */
import { isPlaceholder } from '../../../base/env.js'
import { isRecord } from '../../../base/guards.js'
import type { AdapterAbilities, ResolvedOAuthProvider } from '../../../contracts/index.js'
import { isLocalOrigin } from '../../../http/ip-addresses.js'
import { siteOrigin, type ValidDoctorContext } from '../context.js'
import { type Finding, failure, note, ok, warning } from '../finding.js'

interface MissingAbility {
  readonly needs: keyof AdapterAbilities
  /** Checks whether the feature is in use. */
  readonly isUsed: (scene: ValidDoctorContext) => boolean
  /** The missing method, and the consequence. */
  readonly message: string
}

const hasProviderOfKind = (kind: string) => (scene: ValidDoctorContext) =>
  [...scene.resolved.providers.values()].some((each) => each.kind === kind)

/**
 * Features that work with restrictions without a method. The engine rejects configurations that would not work at all.
 */
const missingAbilities: readonly MissingAbility[] = [
  {
    needs: 'transact',
    isUsed: hasProviderOfKind('oauth'),
    message: 'no `transaction`: a sign-in that fails half-way may leave a user without an account',
  },
  {
    needs: 'deleteTokens',
    isUsed: hasProviderOfKind('email'),
    message: 'no `deleteVerificationTokens`: older links still work in other processes until they expire',
  },
  {
    needs: 'unlinkAccounts',
    isUsed: hasProviderOfKind('oauth'),
    message: 'no `unlinkAccount`: users cannot remove their sign-in methods',
  },
  {
    needs: 'listAccounts',
    isUsed: hasProviderOfKind('oauth'),
    message: 'no `listAccountsByUserId`: an account page cannot show the sign-in methods of a user',
  },
  {
    needs: 'listSessions',
    isUsed: ({ resolved }) => resolved.session.strategy === 'database',
    message:
      'no `listSessionsByUserId`: an account page cannot show the sessions of a user, and `auth.sessions.endAll` cannot end them',
  },
  {
    needs: 'deletePasskeys',
    isUsed: hasProviderOfKind('webauthn'),
    message: 'no `deleteAuthenticator`: passkeys cannot be removed',
  },
  {
    needs: 'noteChallenges',
    isUsed: hasProviderOfKind('webauthn'),
    message: 'no `prune`: a passkey challenge that was used is known to one process only',
  },
]

/** Checks the methods of the adapter. */
export function checkAdapter(scene: ValidDoctorContext): Finding[] {
  const { store } = scene.resolved
  if (!store) return []
  const found = missingAbilities.filter(({ needs, isUsed }) => isUsed(scene) && !store.abilities[needs])
  if (found.length === 0) return [ok('adapter.methods', 'The adapter has the methods that the features in use need.')]
  const words = found.map((lack) => lack.message).join('; ')
  return [note('adapter.optional', `The adapter has ${words}. Add the methods, or leave it where that does no harm.`)]
}

/** Checks the options of each provider. */
export function checkProviders(scene: ValidDoctorContext): Finding[] {
  const findings = [...scene.resolved.providers.values()].flatMap((provider) => {
    if (provider.kind === 'email') return checkSender(provider.id, provider.config, scene)
    return provider.kind === 'oauth' ? checkRegistration(provider, scene) : []
  })
  const isFine = findings.every(({ level }) => level === 'note')
  return isFine ? [ok('provider.options', 'The options of the providers are complete.'), ...findings] : findings
}

function checkRegistration(provider: ResolvedOAuthProvider, scene: ValidDoctorContext): Finding[] {
  const { id, clientId, issuer, logout } = provider
  const findings: Finding[] = []
  const secret = configuredSecret(provider)
  if (isPlaceholder(clientId) || (secret !== undefined && isPlaceholder(secret))) {
    findings.push(
      failure(
        'provider.placeholder',
        `Provider "${id}": the client id or secret is a placeholder, such as "undefined" or "changeme". Copy the real one from the provider.`,
      ),
    )
  }
  if (/^\s|\s$/.test(clientId) || (secret !== undefined && /^\s|\s$/.test(secret))) {
    findings.push(
      failure(
        'provider.spaces',
        `Provider "${id}": the client id or secret begins or ends with white space. Remove it.`,
      ),
    )
  }
  const end = secret === undefined ? undefined : secretExpiry(secret)
  if (end !== undefined && end * 1000 < Date.now()) {
    findings.push(
      failure(
        'provider.secret-ended',
        `Provider "${id}": the client secret is a token that has ended. Make a new one at the provider.`,
      ),
    )
  }
  if (issuer?.startsWith('http:') && !isLocalOrigin(new URL(issuer).origin)) {
    findings.push(
      warning(
        'provider.issuer-http',
        `Provider "${id}": the issuer is not https, so an attacker in the network can answer in its name. Write it with https.`,
      ),
    )
  }
  if (logout.frontchannel && siteOrigin(scene)?.startsWith('http:')) {
    findings.push(
      note(
        'provider.frontchannel',
        `Provider "${id}": the frame of its front-channel logout gets no cookies at an http site. Use https.`,
      ),
    )
  }
  return findings
}

/** Returns a configured secret. A secret from a function is not checked. */
function configuredSecret(provider: ResolvedOAuthProvider): string | undefined {
  const isMade = Object.getOwnPropertyDescriptor(provider, 'clientSecret')?.get !== undefined
  return isMade ? undefined : provider.clientSecret
}

/** Returns the expiry of a secret that is a token, as that of Apple. */
function secretExpiry(secret: string): number | undefined {
  const [, payload, signature] = secret.split('.')
  if (payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return isRecord(claims) && typeof claims.exp === 'number' ? claims.exp : undefined
  } catch {
    return undefined
  }
}

function checkSender(id: string, { server }: { readonly server?: unknown }, { env }: ValidDoctorContext): Finding[] {
  if (typeof server !== 'string' || !env.production || !/^smtp:/i.test(server)) return []
  const { hostname, port, searchParams } = new URL(server)
  const isNear = isLocalOrigin(`http://${hostname}`)
  if (isNear || port === '587' || searchParams.has('requireTLS')) return []
  return [
    note(
      'mail.plain',
      `Provider "${id}": mails go to ${hostname} with smtp:, which is encrypted only if the server offers it. Write smtps:, or add ?requireTLS=true.`,
    ),
  ]
}

/** Checks for state that is lost with a process, or exists in one process only. */
export function checkProcesses({ resolved, config, env }: ValidDoctorContext): Finding[] {
  if (!env.production) return []
  const findings: Finding[] = []
  if (resolved.rateLimit && !(isRecord(config.rateLimit) && config.rateLimit.store)) {
    findings.push(
      note(
        'limits.memory',
        'Attempts are counted in each process alone. With several processes set `rateLimit.store`.',
      ),
    )
  }
  if (config.session?.cacheFor) {
    findings.push(
      note(
        'session.cached',
        `Sessions that another process has ended stay valid here for up to ${config.session.cacheFor} seconds (\`session.cacheFor\`).`,
      ),
    )
  }
  return findings
}
