/** The common part of `Email` and `Nodemailer`: links over SMTP. It is not a provider. */
import type { EmailConfig, EmailNotice, EmailUserConfig, OwnMailSender } from '../types/provider.js'

/** The options: `server` and `from`, or a `sendVerificationRequest`; and the options of any email provider. */
export type SmtpOptions = EmailUserConfig & (SmtpServer | OwnMailSender)

/** The options for SMTP. */
interface SmtpServer {
  /**
   * A URL such as `smtps://user:password@smtp.example.com:465`, or nodemailer's options for SMTP or another transport.
   */
  server: string | object
  /** The sender, such as `Example <hello@example.com>`. */
  from: string
}

/** The used parts of a nodemailer transport. */
interface Transport {
  sendMail(mail: object): Promise<{ rejected?: unknown[]; pending?: unknown[] }>
  /** Custom transports may not have it. */
  verify?(): Promise<unknown>
  close?(): void
}

/**
 * The time limits of a server, in milliseconds. Without them a server that accepts connections but does not respond
 * would block for minutes.
 */
const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 10_000 }

/**
 * Returns a provider that sends over SMTP, with the id and name of `own` unless the options have them.
 *
 * @throws TypeError without a custom sender: if `server` or `from` is missing, `server` is not the URL of an SMTP
 *   server, or the package nodemailer is missing.
 */
export function smtpProvider(own: { id: string; name: string }, options: SmtpOptions): EmailConfig {
  const { id = own.id, name = own.name, sendVerificationRequest } = options ?? {}
  return {
    id,
    name,
    type: 'email',
    ...(sendVerificationRequest ? { sendVerificationRequest } : smtpSender(own.name, options)),
    options,
  }
}

function smtpSender(
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
    transport ??= connectSmtp(server)
    await sendOverSmtp(await transport, from, mail)
  }
  return { server, from, sendVerificationRequest: sendOwn, sendNotice: sendOwn }
}

const howToInstall = 'Sign-in by e-mail over SMTP needs the package nodemailer: npm install nodemailer'

/**
 * Checks that the package exists without loading it, if Node runs this file: a bundle may contain the package, and edge
 * runtimes send no emails.
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
 * Connects and signs in to a mail server, without sending anything: for `npx server-auth doctor`.
 *
 * @param server As in the options of the provider.
 * @throws Error of nodemailer, whose `code` names the problem.
 */
export async function verifySmtp(server: string | object): Promise<void> {
  const transport = await connectSmtp(server)
  try {
    await transport.verify?.()
  } finally {
    transport.close?.()
  }
}

async function connectSmtp(server: string | object): Promise<Transport> {
  const { createTransport } = await import('nodemailer').catch((cause: unknown) => {
    throw new Error(howToInstall, { cause })
  })
  if (typeof server === 'string') return createTransport(withTimeLimits(server))
  // A custom transport has its own time limits.
  const options: object = 'send' in server ? server : { ...timeLimits, ...server }
  return createTransport(options)
}

/** Adds the time limits as URL parameters: older versions of nodemailer ignore options beside a URL. */
function withTimeLimits(server: string): string {
  const url = new URL(server)
  for (const [name, milliseconds] of Object.entries(timeLimits)) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(milliseconds))
  }
  return url.href
}

async function sendOverSmtp(transport: Transport, from: string, { identifier, mail }: EmailNotice): Promise<void> {
  const { rejected = [], pending = [] } = await transport.sendMail({
    // An object, because a text would be parsed again and might become several addresses.
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
