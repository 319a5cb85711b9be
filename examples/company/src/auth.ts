/** The configuration of server-auth: passwords, stored organizations, and the identity providers of companies. */
import { defineAuth } from 'server-auth'
import { connect, sqlAdapter } from 'server-auth/adapters/sql'
import { RecoveryCodes, Totp } from 'server-auth/factors'
import Nodemailer from 'server-auth/providers/nodemailer'
import Password from 'server-auth/providers/password'

const { DATABASE_URL = 'sqlite:company.db', SMTP_URL = 'smtp://localhost:1025', MAIL_FROM } = process.env

export const adapter = sqlAdapter(connect(DATABASE_URL))
await adapter.migrate()

/** The permissions of each role. The library checks these; add those of your own pages. */
export const roles = {
  owner: ['members:read', 'members:write', 'connections:write', 'organization:write', 'organization:delete'],
  admin: ['members:read', 'members:write'],
  member: ['members:read'],
} as const

export type Role = keyof typeof roles

/** Users who are invited sign in with the link of the invitation. All emails are sent by this provider. */
const mail = Nodemailer({ server: SMTP_URL, from: MAIL_FROM ?? 'Company <hello@example.com>' })

export const auth = defineAuth({
  adapter,
  providers: [Password({ mail }), mail],
  // An owner without a second factor cannot be exempt from a required identity provider.
  factors: [Totp(), RecoveryCodes()],
  organizations: { store: true, owner: 'owner', roles },
  connections: {
    store: true,
    // Users of a company's identity provider become members at their first sign-in.
    role: 'member',
    // The demo sets both. Identity providers on the internet and the name servers of the system need neither.
    privateOrigins: process.env.PRIVATE_ORIGINS?.split(','),
    nameServers: process.env.NAME_SERVERS?.split(','),
  },
  theme: { name: 'Company', identifierFirst: true },
})
