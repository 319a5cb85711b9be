/**
 * The names that fragments of code for Express use without a definition: an application, its configuration, a request.
 * See `scripts/check-snippets.mjs`.
 */

import { after, before, describe, it } from 'node:test'
import PostgresAdapter from '@auth/pg-adapter'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import pg from 'pg'
import { defineAuth, type OIDCConfig, requireSession, type ServerAuthConfig } from 'server-auth'
import type { Adapter } from 'server-auth/adapters'
import { connect, migrate, sqlAdapter } from 'server-auth/adapters/sql'
import Email from 'server-auth/providers/email'
import GitHub from 'server-auth/providers/github'
import Google from 'server-auth/providers/google'
import Passkey from 'server-auth/providers/passkey'
import { memoryStore } from '../../../lib/adapters/memory/index.js'
import type { RecordStore, Store } from '../../../lib/types/store.js'

export {
  defineAuth,
  getSession,
  hasCsrfToken,
  requireSession,
  ServerAuth,
  type VerificationRequest,
} from 'server-auth'
export { signIn, signOut } from 'server-auth/client'
export { AccessDenied, CredentialsSignin, TooManyRequests } from 'server-auth/errors'
export {
  after,
  before,
  connect,
  describe,
  Email,
  express,
  GitHub,
  Google,
  it,
  migrate,
  Passkey,
  PostgresAdapter,
  sqlAdapter,
}

type PrivateKey = NonNullable<OIDCConfig['decryptionKeys']>[number]

export const app = express()
export const db = connect('sqlite:app.db')
export const adapter = sqlAdapter(db)
export const providers = [Google, GitHub]
export const config = {
  providers,
  adapter,
  tokens: { store: true },
  session: { data: true },
} satisfies ServerAuthConfig
export const auth = defineAuth(config)
export const store = memoryStore()
export const links = Email({ server: 'smtp://localhost', from: 'hello@example.com' })
export const readForm = express.urlencoded({ extended: false })
export const calendar = { provider: 'google', scope: ['https://www.googleapis.com/auth/calendar.readonly'] }
export const adminRouter = Router()

export declare const req: Request
export declare const res: Response
export declare const userId: string
export declare const id: string
export declare const name: string
export declare const adminPage: RequestHandler
export declare const username: string
export declare const password: string
export declare const isAdmin: (user: unknown) => Promise<boolean>
export declare const roleOf: (profile: unknown) => string
export declare const show: (text: string) => void
export declare const forgetPassword: (userId: string) => Promise<void>
export declare const userOf: (req: Request) => string
export declare const isNameChange: (data: unknown) => data is { name: string }
export declare const memberships: {
  find(user: string, organisation: unknown): Promise<{ organisationId: string } | null>
}
export declare const users: { check(name: unknown, password: unknown): Promise<{ id: string; name: string } | null> }
export declare const singleSignOn: {
  verify(req: Request): Promise<{ userId: string; passwordAt: number; codeAt: number } | null>
}
export declare const invitations: { use(code: unknown): Promise<{ email: string; name: string } | null> }
export declare const usersWithCalendars: () => Promise<string[]>
export declare const copyCalendar: (userId: string, google: typeof fetch) => Promise<void>
export declare const mailThatTheCalendarIsDisconnected: (userId: string) => Promise<void>
export declare const url: string
export declare const request: (app: unknown) => import('supertest').Agent
export declare const render: (session: unknown) => void
export declare const renderOffline: () => void
export declare const storeClient: unknown
export declare const signingKey: PrivateKey
export declare const decryptionKey: PrivateKey
export declare const myRecords: (client: unknown) => RecordStore
export declare const myStore: (client: unknown) => Store
export declare const myAdapter: (db: unknown) => Adapter
export declare const openDatabase: () => Promise<{ close(): Promise<void> }>
export declare const client: unknown
export declare const message: HTMLElement
export declare const signInButton: HTMLButtonElement
export declare const signUpButton: HTMLButtonElement
export declare const addButton: HTMLButtonElement
export declare const email: HTMLInputElement
export declare const fullName: HTMLInputElement
export declare const alertStaff: (what: { userId: unknown; credentialID: unknown }) => void
export const signedIn = requireSession(config)
export const pool = new pg.Pool()
