/** Which attempts of a flow are counted, and for whom. Mails are counted where their address is read (`flows/email/limits`). */
import type { AuthContext, Flow, FlowKind, FlowResult, Resolved } from '../contracts/index.js'
import { AdapterError } from '../errors.js'
import { onlyValue } from '../http/urls.js'
import { passCaptcha } from '../limits/captcha.js'
import { counted, limited, nameOf, rememberBrowser } from '../limits/index.js'

/** By which rule the proofs of a kind of provider are counted, and for which accounts: folded names, as they were typed. */
interface ProofLimit<K extends FlowKind> {
  readonly rule: 'credentials' | 'mailToken' | 'oauthCallback' | 'passkey'
  accountsOf(context: AuthContext, provider: Resolved<K>): readonly string[]
}

const none = (): readonly string[] => []

const proofLimits: { readonly [K in FlowKind]: ProofLimit<K> } = {
  credentials: {
    rule: 'credentials',
    accountsOf: ({ request }, { identifiers }) => identifiers.flatMap((name) => nameOf(request.body[name])),
  },
  email: {
    rule: 'mailToken',
    accountsOf: ({ request }) =>
      nameOf(request.method === 'POST' ? request.body.email : onlyValue(request.url.searchParams, 'email')),
  },
  oauth: { rule: 'oauthCallback', accountsOf: none },
  webauthn: { rule: 'passkey', accountsOf: none },
}

/**
 * The flow, with its limits before it. They come after the CSRF check: a page of another site must not use up anybody's attempts.
 * What succeeded makes this browser a known one of the account.
 */
export function withLimits<K extends FlowKind>(kind: K, flow: Flow<K>): Flow<K> {
  const { rule, accountsOf } = proofLimits[kind]
  return {
    ...flow,
    async begin(context, provider, callbackUrl) {
      if (kind === 'oauth') await counted(context, { rule: 'oauthStart' })
      if (kind === 'email') await passCaptcha(context, { rule: 'mail' })
      return flow.begin(context, provider, callbackUrl)
    },
    async finish(context, provider) {
      if (!context.config.rateLimit) return flow.finish(context, provider)
      const accounts = accountsOf(context, provider)
      // Refused without a captcha, or by a limit: that is no failure of the account.
      const asked = rule === 'credentials' ? await passCaptcha(context, { rule, accounts }) : undefined
      let isTried = false
      const result: FlowResult = await limited(context, { rule, accounts }, () => {
        isTried = true
        return flow.finish(context, provider)
      }).catch((error: unknown) => {
        if (!isTried || error instanceof AdapterError) asked?.refund()
        throw error
      })
      asked?.refund()
      if (result.kind === 'identity') rememberBrowser(context, accounts)
      return result
    },
  }
}
