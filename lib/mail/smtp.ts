/** What `Email` and `Nodemailer` share: links over SMTP. Not a provider. */
import type { EmailConfig, EmailNotice, EmailUserConfig, OwnMailSender } from '../types/provider.js'

/** Options: `server` and `from`, or a `sendVerificationRequest`; and what else an e-mail provider has. */
export type SmtpOptions = EmailUserConfig & (SmtpServer | OwnMailSender)

/** What is needed to send over SMTP. */
interface SmtpServer {
  /** An URL such as `smtps://user:password@smtp.example.com:465`, or nodemailer's options for SMTP or another transport. */
  server: string | object
  /** The sender, such as `Example <hello@example.com>`. */
  from: string
}

/** What we use of a nodemailer transport. */
interface Transport {
  sendMail(mail: object): Promise<{ rejected?: unknown[]; pending?: unknown[] }>
  /** Transports of others may have none. */
  verify?(): Promise<unknown>
  close?(): void
}

/**
 * Milliseconds after which a server that does not answer is given up. Without these one that accepts connections and says
 * nothing would hold them for minutes.
 */
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }

/**
 * A provider that sends over SMTP, called `own` where the options give it no other id and name.
 *
 * @throws TypeError where nobody else sends: without `server` or `from`, when `server` is a text but no URL of an SMTP server,
 * and without the package nodemailer.
 */
export function smtpProvider(own: { id: string; name: string }, options: SmtpOptions): EmailConfig {
  const { id = own.id, name = own.name, sendVerificationRequest } = options ?? {}
  return {
    id,
    name,
    type: 'email',
    ...(sendVerificationRequest ? { sendVerificationRequest } : sender(own.name, options)),
    options,
  }
}

function sender(
  name: string,
  options: SmtpOptions,
): Pick<EmailConfig, 'from' | 'sendNotice' | 'sendVerificationRequest' | 'server'> {
  const { server, from } = options ?? {}
  if (!server) throw new TypeError(`${name} needs \`server\`: the URL of an SMTP server, or nodemailer options.`)
  if (typeof server === 'string' && !(/^smtps?:\/\//i.test(server) && URL.canParse(server))) {
    throw new TypeError(
      `${name}: \`server\` must begin with smtp:// or smtps://, with special characters percent-encoded.`,
    )
  }
  if (!from) throw new TypeError(`${name} needs \`from\`: the sender, such as "Example <hello@example.com>".`)
  assertInstalled()
  let transport: Promise<Transport> | undefined
  const sendOwn = async (mail: EmailNotice): Promise<void> => {
    transport ??= connect(server)
    await send(await transport, from, mail)
  }
  return { server, from, sendVerificationRequest: sendOwn, sendNotice: sendOwn }
}

const howToInstall = 'Sign-in by e-mail over SMTP needs the package nodemailer: npm install nodemailer'

/**
 * Looks for the package without loading it, where this file is one of Node's: in a bundle the package may be part of it, and
 * on edge runtimes no mail is sent.
 */
function assertInstalled(): void {
  if (typeof import.meta.resolve !== 'function' || !/\/smtp\.[jt]s$/.test(import.meta.url)) return
  try {
    import.meta.resolve('nodemailer')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing) throw new TypeError(howToInstall, { cause: error })
  }
}

/**
 * Connects to a mail server and signs in there, without sending anything: for `npx server-auth doctor`.
 *
 * @param server As in the options of the provider.
 * @throws Error of nodemailer, whose `code` says what is wrong.
 */
export async function verifySmtp(server: string | object): Promise<void> {
  const transport = await connect(server)
  try {
    await transport.verify?.()
  } finally {
    transport.close?.()
  }
}

async function connect(server: string | object): Promise<Transport> {
  const { createTransport } = await import('nodemailer').catch((cause: unknown) => {
    throw new Error(howToInstall, { cause })
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

async function send(transport: Transport, from: string, { identifier, mail }: EmailNotice): Promise<void> {
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
