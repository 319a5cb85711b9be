/**
 * A mail server inside the example, so that you can try email links without having one. It takes every mail, delivers
 * none, and keeps the last ones for `/dev/mailbox`.
 */
import type { AddressInfo } from 'node:net'
import { type AddressObject, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { MailSettings } from './settings.js'

/** A mail that arrived. */
export interface Mail {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly receivedAt: Date
  readonly html: string | undefined
  readonly text: string
}

export interface Mailbox {
  /** The settings for `createAuthConfig`. */
  readonly settings: MailSettings
  /** Newest first. */
  mails(): readonly Mail[]
  close(): Promise<void>
}

const most = 50
const maxBytes = 1024 * 1024

/** Starts the server on a free port, for this machine only. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Mail[] = []
  let received = 0
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: maxBytes,
    closeTimeout: 1000,
    onData(stream, _session, callback) {
      received += 1
      read(stream, received).then((mail) => {
        mails.unshift(mail)
        mails.splice(most)
        callback()
      }, callback)
    },
  })
  // A client that hangs up in the middle.
  server.on('error', () => {})
  const port = await new Promise<number>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.server.address() as AddressInfo).port))
  })
  return {
    settings: { server: `smtp://127.0.0.1:${port}`, from: 'server-auth example <hello@example.com>' },
    mails: () => mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function read(stream: SMTPServerDataStream, id: number): Promise<Mail> {
  const { from, to, subject, html, text } = await simpleParser(stream)
  if (stream.sizeExceeded) throw new Error('The mail is too long.')
  return {
    id,
    from: namesOf(from),
    to: namesOf(to),
    subject: subject ?? '',
    receivedAt: new Date(),
    html: html || undefined,
    text: text ?? '',
  }
}

function namesOf(addresses: AddressObject | AddressObject[] | undefined): string {
  return [addresses ?? []]
    .flat()
    .map(({ text }) => text)
    .join(', ')
}
