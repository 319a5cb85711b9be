/** A mail server of the demo. It accepts every email, delivers none, and keeps the last ones for the page `/demo`. */
import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

/** An email that arrived. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** A running mail server. */
export interface Mailbox {
  readonly url: string
  /** The emails, the newest first. */
  readonly mails: readonly Mail[]
  /** Waits for the next link that is sent to an address, because emails are sent after the response. */
  nextLink(to: string): Promise<string>
}

const maxMails = 30

/** Starts the server on a free port of this machine. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Mail[] = []
  const waiting = new Set<(mail: Mail) => void>()
  const read = new WeakSet<Mail>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: 1024 * 1024,
    onData(stream, { envelope }, callback) {
      simpleParser(stream).then(({ subject = '', text = '' }) => {
        const mail = { to: envelope.rcptTo.map(({ address }) => address).join(', '), subject, text }
        mails.unshift(mail)
        mails.splice(maxMails)
        for (const tell of waiting) tell(mail)
        callback()
      }, callback)
    },
  })
  // A client that hangs up in the middle.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    nextLink(to) {
      return new Promise((resolve) => {
        const take = (mail: Mail): void => {
          const [link] = /https?:\S+token=\S+/.exec(mail.text) ?? []
          if (mail.to !== to || !link || read.has(mail)) return
          read.add(mail)
          waiting.delete(take)
          resolve(link)
        }
        waiting.add(take)
        for (const mail of [...mails].reverse()) if (waiting.has(take)) take(mail)
      })
    },
  }
}
