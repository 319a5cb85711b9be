import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { renderMail } from '../../lib/pages/index.js'
import type { VerificationMail } from '../../lib/types/provider.js'
import { thrownBy } from '../support/rejection.js'

type Mail = Parameters<typeof renderMail>[0]

const url = 'https://app.test/auth/callback/email?callbackUrl=https%3A%2F%2Fapp.test%2F&token=abc&email=ada%40app.test'

function render(rest: Partial<Mail> = {}): VerificationMail {
  return renderMail({ url, host: 'app.test', lifetime: 86_400, theme: {}, language: english, ...rest })
}

/** Returns the URLs of the links of a mail, as a browser reads them. */
function links({ html }: VerificationMail): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&#38;', '&'))
}

/** The words of a mail, without its elements. */
function words(mail: VerificationMail): string {
  return mail.html.replace(/<style>.*<\/style>|<[^>]*>/gs, '').replaceAll('&#38;', '&')
}

describe('renderMail(mail)', () => {
  it('says the site’s name, where it has one, in subject and both bodies', () => {
    const { subject, html, text } = render({ theme: { name: 'Acme & Sons' }, language: english })
    expect(subject).to.equal('Sign in to Acme & Sons')
    expect(html).to.include('Sign in to Acme &#38; Sons</h1>')
    expect(text).to.match(/^Sign in to Acme & Sons\n/)
  })

  it('says in its subject where to sign in', () => {
    expect(render().subject).to.equal('Sign in to app.test')
    expect(render({ host: 'localhost:3000' }).subject).to.equal('Sign in to localhost:3000')
    expect(render({ host: '[::1]:3000' }).subject).to.equal('Sign in to [::1]:3000')
  })

  it('leads to the link by its button and by its text, and nowhere else off the front page', () => {
    const mail = render()
    expect(links(mail)).to.deep.equal(['https://app.test/', url, url])
    expect(words(mail)).to.include(url)
    expect(mail.text.split('\n')).to.include(url)
    expect(mail.text.match(/https?:/g)).to.have.length(1)
  })

  it('has the same text as HTML and as text: how long, where to open it, and what to do if the user did not request it', () => {
    const mail = render({ address: 'ada@app.test' })
    for (const text of [words(mail), mail.text]) {
      expect(text).to.include('Sign in to app.test')
      expect(text).to.include('The link works once, within 24 hours.')
      expect(text).to.include('Open it in the browser in which you asked for it. In any other browser')
      expect(text).to.include('You did not ask for this email? Then you can ignore it')
      expect(text).to.include('sign in as ada@app.test')
    }
  })

  it('needs no address', () => {
    const mail = render()
    expect(words(mail)).to.include('Press the button to sign in. The link')
    expect(mail.text).to.include('Open this link to sign in:')
  })

  const lifetimes: ReadonlyArray<[seconds: number, text: string]> = [
    [1, '1 second'],
    [90, '90 seconds'],
    [120, '2 minutes'],
    [600, '10 minutes'],
    [3600, '60 minutes'],
    [5400, '90 minutes'],
    [10_799, '2 hours'],
    [86_400, '24 hours'],
    [172_800, '2 days'],
    [604_799, '6 days'],
  ]
  for (const [lifetime, text] of lifetimes) {
    it(`says "${text}" for ${lifetime} seconds, never more than it is`, () => {
      expect(render({ lifetime }).text).to.include(`within ${text}.`)
    })
  }

  it('loads nothing and runs nothing', () => {
    const { html } = render({ theme: { logo: 'https://cdn.test/logo.svg', brandColor: '#123456' }, language: english })
    expect(html).to.not.match(/<(img|script|link|iframe|object|form|input|base)\b|src=|url\(|@import|javascript:/i)
    expect(html).to.not.include('cdn.test')
  })

  it('follows the colour scheme of the reader, or keeps to the one of the theme', () => {
    const auto = render().html
    expect(auto).to.include('<meta name="color-scheme" content="light dark">')
    expect(auto).to.include('@media (prefers-color-scheme:dark)').and.include('bgcolor="#ffffff"')
    const dark = render({ theme: { colorScheme: 'dark' }, language: english }).html
    expect(dark).to.include('<meta name="color-scheme" content="dark">').and.include('bgcolor="#181b21"')
    const light = render({ theme: { colorScheme: 'light' }, language: english }).html
    expect(light).to.include('<meta name="color-scheme" content="light">')
    for (const html of [dark, light]) expect(html).to.not.include('prefers-color-scheme')
  })

  it('has a button in the brand colour, with letters that can be read on it', () => {
    expect(render({ theme: { brandColor: '#ffd400' }, language: english }).html)
      .to.include('background:#ffd400')
      .and.include('color:#000;')
    expect(render({ theme: { brandColor: '#0b7a4b' }, language: english }).html)
      .to.include('bgcolor="#0b7a4b"')
      .and.include('color:#fff;')
    expect(render({ theme: { buttonText: '#eeeeee' }, language: english }).html).to.include('color:#eeeeee;')
  })

  it('writes only colours that are colours into its style', () => {
    const evil = 'red;}</style><script>alert(1)</script>'
    const theme = { brandColor: evil, buttonText: evil }
    Reflect.set(theme, 'colorScheme', evil)
    expect(render({ theme })).to.deep.equal(render())
  })

  it('says "this site" for an invalid host, so that no attacker writes our subjects and texts', () => {
    const hosts = [
      'app.test\r\nBcc: eve@evil.test',
      'app.test\n',
      'app.test – call 555-0100',
      'app.test/https://evil.test',
      '<b>app.test</b>',
      'user@app.test',
      '\u202etset.ppa',
      'x'.repeat(300),
      '',
    ]
    for (const host of hosts) {
      const { subject, html, text } = render({ host })
      expect(subject, host).to.equal('Sign in to this site')
      expect(html).to.include('>Sign in to this site</h1>')
      expect(text.split('\n')[0]).to.equal('Sign in to this site')
    }
  })

  it('makes a link of the host only where it leads there', () => {
    expect(links(render({ host: 'other.test' }))).to.deep.equal([url, url])
  })

  it('leaves out an address that could be read as a link, or as elements', () => {
    const addresses = [
      'https://evil.test/@app.test',
      'evil.test/x@app.test',
      '<b>ada</b>@app.test',
      'a b@app.test',
      'ada@app.test\nEvil',
      '"ada"@app.test',
      '\u202eada@app.test',
      `${'a'.repeat(300)}@app.test`,
      '',
    ]
    for (const address of addresses) expect(render({ address }), address).to.deep.equal(render())
  })

  it('shows unusual addresses that are nothing else', () => {
    for (const address of [
      "o'hara+news@app.test",
      'grüße@bücher.test',
      'a_b-c.d@xn--bcher-kva.test',
      '用户@例子.test',
    ]) {
      expect(render({ address }).text).to.include(`as ${address}:`)
    }
  })

  it('EM-12 escapes the link', () => {
    const mail = render({ url: `https://app.test/?a="><script>alert(1)</script>&b='&c=1` })
    expect(mail.html).to.not.include('<script')
    expect(mail.text).to.not.include('<script')
  })

  it('refuses a link that leads to no site', () => {
    for (const wrong of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '/auth/callback', '']) {
      expect(
        thrownBy(() => render({ url: wrong })),
        wrong,
      ).to.be.instanceOf(TypeError)
    }
  })

  it('is a table of 600 pixels at the most, which Outlook takes too', () => {
    const { html } = render()
    expect(html).to.include('max-width:600px').and.include('<!--[if mso]><table role="presentation" width="600"')
    expect(html.match(/<table(?! role="presentation")/g)).to.equal(null)
    expect(html.match(/<table/g)?.length).to.equal(html.match(/<\/table>/g)?.length)
  })
})
