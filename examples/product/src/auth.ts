/** The configuration of server-auth: sign-in methods, second factors, roles, limits, languages and the audit log. */
import { defineAuth, type EmailConfig } from 'server-auth'
import { connect, sqlAdapter } from 'server-auth/adapters/sql'
import { auditLog } from 'server-auth/audit'
import { PasskeyFactor, RecoveryCodes, Totp } from 'server-auth/factors'
import ar from 'server-auth/i18n/ar'
import de from 'server-auth/i18n/de'
import Passkey from 'server-auth/providers/passkey'
import Password from 'server-auth/providers/password'

const db = connect(process.env.DATABASE_URL ?? 'sqlite:product.db')
export const adapter = sqlAdapter(db, { user: { role: { type: ['member', 'admin'], default: 'member' } } })
await adapter.migrate()

/** @param mail Sends the emails of passwords. The provider `company` is set by AUTH_COMPANY_ISSUER, _ID and _SECRET. */
export function createAuth(mail: EmailConfig) {
  return defineAuth({
    adapter,
    providers: [{ id: 'company', name: 'Company', type: 'oidc' }, Passkey, Password({ mail })],
    experimental: { enableWebAuthn: true },
    factors: [Totp(), PasskeyFactor(), RecoveryCodes()],
    session: { userFields: ['role'], bearer: true },
    rateLimit: { store: true },
    i18n: { locales: ['en', 'de', 'ar'], messages: { de, ar } },
    events: auditLog(db).events,
    theme: { name: 'Product' },
  })
}
