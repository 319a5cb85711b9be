/** Mail services with an HTTP API: what each is asked with, and how each says no. */
import ForwardEmail from '../../../lib/providers/forwardemail.js'
import Loops from '../../../lib/providers/loops.js'
import Mailgun from '../../../lib/providers/mailgun.js'
import Postmark from '../../../lib/providers/postmark.js'
import Resend from '../../../lib/providers/resend.js'
import SendGrid from '../../../lib/providers/sendgrid.js'

import type { ListedProvider } from './entry.js'

/** One service. */
export interface MailService {
  /** The default export of its file. */
  readonly create: ListedProvider
  readonly name: string
  /** The required options, beside `apiKey`. */
  readonly required: Readonly<Record<string, string>>
  readonly url: string
  /** Headers with the key `key_1`, beside `accept` and `content-type`. */
  readonly headers: Readonly<Record<string, string>>
  /** The body: fields of a form where it is `mailgun`, else JSON. */
  readonly body: Readonly<Record<string, unknown>>
  /** An answer that rejects, and the resulting error message. */
  readonly refusal: { readonly status: number; readonly body: unknown; readonly message: string }
}

/** The mail that is sent. */
export const mail = { subject: 'Sign in to app.test', html: '<p>HTML ünd</p>', text: 'text ünd' }
/** The link in it, for services with mails of their own. */
export const link = 'https://app.test/auth/callback/mail?token=t&email=ann%40example.com'

const from = 'Example <hello@example.com>'
const to = 'ann@example.com'

/** The services by id. */
export const mailServices: Readonly<Record<string, MailService>> = {
  forwardemail: {
    create: ForwardEmail,
    name: 'Forward Email',
    required: { from },
    url: 'https://api.forwardemail.net/v1/emails',
    headers: { authorization: 'Basic a2V5XzE6' },
    body: { from, to, ...mail },
    refusal: {
      status: 401,
      body: { statusCode: 401, error: 'Unauthorized', message: 'Invalid API token.' },
      message: 'Invalid API token.',
    },
  },
  loops: {
    create: Loops,
    name: 'Loops',
    required: { transactionalId: 'clx1234abc' },
    url: 'https://app.loops.so/api/v1/transactional',
    headers: { authorization: 'Bearer key_1' },
    body: { transactionalId: 'clx1234abc', email: to, dataVariables: { url: link } },
    refusal: {
      status: 400,
      body: { success: false, path: 'transactionalId', message: 'Transactional email not published.' },
      message: 'Transactional email not published.',
    },
  },
  mailgun: {
    create: Mailgun,
    name: 'Mailgun',
    required: { from },
    url: 'https://api.mailgun.net/v3/example.com/messages',
    headers: { authorization: 'Basic YXBpOmtleV8x' },
    body: { from, to, ...mail, 'o:tracking-clicks': 'no' },
    refusal: { status: 401, body: 'Forbidden', message: 'Forbidden' },
  },
  postmark: {
    create: Postmark,
    name: 'Postmark',
    required: { from },
    url: 'https://api.postmarkapp.com/email',
    headers: { 'x-postmark-server-token': 'key_1' },
    body: {
      From: from,
      To: to,
      Subject: mail.subject,
      HtmlBody: mail.html,
      TextBody: mail.text,
      MessageStream: 'outbound',
      TrackLinks: 'None',
    },
    refusal: {
      status: 422,
      body: { ErrorCode: 400, Message: 'The Sender Signature is not confirmed.' },
      message: 'The Sender Signature is not confirmed.',
    },
  },
  resend: {
    create: Resend,
    name: 'Resend',
    required: { from },
    url: 'https://api.resend.com/emails',
    headers: { authorization: 'Bearer key_1' },
    body: { from, to: [to], ...mail },
    refusal: {
      status: 403,
      body: { statusCode: 403, name: 'validation_error', message: 'The example.com domain is not verified.' },
      message: 'The example.com domain is not verified.',
    },
  },
  sendgrid: {
    create: SendGrid,
    name: 'SendGrid',
    required: { from },
    url: 'https://api.sendgrid.com/v3/mail/send',
    headers: { authorization: 'Bearer key_1' },
    body: {
      personalizations: [{ to: [{ email: to }] }],
      from: { email: 'hello@example.com', name: 'Example' },
      subject: mail.subject,
      content: [
        { type: 'text/plain', value: mail.text },
        { type: 'text/html', value: mail.html },
      ],
      tracking_settings: { click_tracking: { enable: false, enable_text: false } },
    },
    refusal: {
      status: 400,
      body: { errors: [{ message: 'The from address does not match.', field: 'from', help: null }] },
      message: 'The from address does not match.',
    },
  },
}
