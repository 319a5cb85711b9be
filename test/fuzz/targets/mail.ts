/** Addresses to which mails are requested, and links that come back from mails. */
import fc from 'fast-check'
import { target } from '../explore.js'
import { bend, bent, edited, edits } from '../hostile.js'
import { base } from '../site.js'
import { Stranger, Violation } from '../stranger.js'
import { fieldsOf, queryOf } from './shared.js'

const domain = fc.oneof(
  fc.domain(),
  fc.constantFrom(
    'example.com',
    'xn--bcher-kva.example',
    'bücher.example',
    '[127.0.0.1]',
    'localhost',
    'a..b',
    '-a.example',
  ),
)
const local = fc.oneof(
  fc.emailAddress().map((each) => each.slice(0, each.indexOf('@'))),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('"a b"', '"a@b"', 'a,b', 'a b', 'a\tb', '<a>', 'a(b)', 'é', '.a', 'a..b'),
)
const addresses = fc.oneof(
  fc.emailAddress({ size: '+1' }),
  fc.tuple(local, domain).map((parts) => parts.join('@')),
)

/** An address: a mail is sent to one mailbox, and to that of the text. */
export const address = target(
  'address',
  fc.record({ address: addresses, change: fc.option(bend(), { nil: undefined }) }),
  async (site, input) => {
    site.mails.length = 0
    const stranger = new Stranger(site)
    const typed = input.change ? bent(input.address, input.change) : input.address
    await stranger.post('/signin/email', [['email', typed]])
    if (site.mails.length > 1) throw new Violation(`${site.mails.length} mails for one address`)
    for (const { identifier, url } of site.mails) {
      // A list, a comment, a second header, a quoted part: what a mail server might read as something else.
      if (
        !/^[^\s@,;:<>()[\]\\"\p{Cc}\p{Cf}]+@[^\s@,;:<>()\\"\p{Cc}\p{Cf}]+$/u.test(identifier) ||
        identifier.length > 320
      ) {
        throw new Violation(`a mail to ${JSON.stringify(identifier)}`)
      }
      if (!new RegExp(`^http://127\\.0\\.0\\.1:${site.port}${base}/callback/email\\?`).test(url))
        throw new Violation(`a link to ${url}`)
    }
    await stranger.expectNobody('by an address alone')
  },
)

/** An email link that has been changed, in the browser that requested it. */
export const link = target(
  'mailed-link',
  fc.record({ changes: edits(['token', 'email', 'attempt', 'callbackUrl']), isPost: fc.boolean() }),
  async (site, { changes, isPost }) => {
    site.mails.length = 0
    const stranger = new Stranger(site)
    await stranger.post('/signin/email', [['email', 'person@example.com']])
    const [mail] = site.mails
    if (!mail) throw new Violation('no mail came')
    const good = fieldsOf(new URL(mail.url).searchParams)
    const sent = edited(good, changes)
    const search = queryOf(sent)
    if (isPost) await stranger.post('/callback/email', sent)
    else await stranger.get(`${base}/callback/email?${search}`)
    const { searchParams } = new URL(mail.url)
    const plain = (values: readonly string[]) =>
      values.map((each) => each.normalize('NFKC').trim().toLowerCase()).join()
    const isSame = (name: string) => plain(search.getAll(name)) === plain(searchParams.getAll(name))
    if (!isSame('token') || !isSame('email')) await stranger.expectNobody('by a link that was changed')
  },
)
