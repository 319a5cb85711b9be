/** What `Email` and `Nodemailer` share: links over SMTP. Not a provider. */
import type { EmailConfig, EmailUserConfig, VerificationRequest } from './types.js'

/** Options: `server` and `from`, and what else an e-mail provider has. */
export interface SmtpOptions extends EmailUserConfig {
  /** An URL such as `smtps://user:password@smtp.example.com:465`, or nodemailer's options for SMTP or another transport. */
  server: string | object
  /** The sender, such as `Example <hello@example.com>`. */
  from: string
}

/** What we use of a nodemailer transport. */
interface Transport {
  sendMail(mail: object): Promise<{ rejected?: unknown[]; pending?: unknown[] }>
}

/**
 * Milliseconds after which a server that does not answer is given up. Without these one that accepts connections and says
 * nothing would hold them for minutes.
 */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }

/**
 * A provider that sends over SMTP, called `own` where the options give it no other id and name.
 *
 * @throws TypeError without `server` or `from`, or when `server` is a text but no URL of an SMTP server.
 */
export function smtpProvider(own: { id: string; name: string }, options: SmtpOptions): EmailConfig {
  const { id = own.id, name = own.name, server, from } = options ?? {}
  if (!server) throw new TypeError(`${own.name} needs \`server\`: the URL of an SMTP server, or nodemailer options.`)
  if (typeof server === 'string' && !(/^smtps?:\/\//i.test(server) && URL.canParse(server))) {
    throw new TypeError(
      `${own.name}: \`server\` must begin with smtp:// or smtps://, with special characters percent-encoded.`,
    )
  }
  if (!from) throw new TypeError(`${own.name} needs \`from\`: the sender, such as "Example <hello@example.com>".`)
  let transport: Promise<Transport> | undefined
  return {
    id,
    name,
    type: 'email',
    server,
    from,
    async sendVerificationRequest(request) {
      transport ??= connect(server)
      // A package that is missing may be installed without a restart of a development server.
      transport.catch(() => {
        transport = undefined
      })
      await send(await transport, from, request)
    },
    options,
  }
}

async function connect(server: string | object): Promise<Transport> {
  const { createTransport } = await import('nodemailer').catch((error: unknown) => {
    throw new Error('Sign-in by e-mail over SMTP needs the package nodemailer: npm install nodemailer', {
      cause: error,
    })
  })
  if (typeof server === 'string') return createTransport(withPatience(server))
  // A transport that somebody wrote knows itself how long it waits.
  const options: object = 'send' in server ? server : { ...patience, ...server }
  return createTransport(options)
}

/** As parameters of the URL: older versions of nodemailer drop options beside one. */
function withPatience(server: string): string {
  const url = new URL(server)
  for (const [name, milliseconds] of Object.entries(patience)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(milliseconds))
  }
  return url.href
}

async function send(transport: Transport, from: string, { identifier, mail }: VerificationRequest): Promise<void> {
  const { rejected = [], pending = [] } = await transport.sendMail({
    // As an object: text would be parsed once more, and might become several addresses.
    to: { name: '', address: identifier },
    from,
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (rejected.length + pending.length > 0) throw new Error('The mail server did not accept the recipient.')
}
