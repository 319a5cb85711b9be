/** The option `theme`: what it takes, and what of it gets into pages and mails. */
import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import { ServerAuth } from '../../lib/index.js'
import { renderMail, renderSignIn } from '../../lib/pages/index.js'
import type { Theme } from '../../lib/types/theme.js'
import { credentials, secret } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

const build = (theme: object) => ServerAuth({ secret, providers: [credentials()], theme })
const frame = (theme: Theme) => ({ nonce: 'n', theme, host: 'app.test', language: english })
const page = (theme: Theme) =>
  renderSignIn({
    ...{ frame: frame(theme), csrfToken: 't', callbackUrl: '/' },
    entries: [{ kind: 'credentials', id: 'c', name: 'C', action: '/c', inputs: { password: {} } }],
  })
const mail = (theme: Theme) =>
  renderMail({ url: 'https://app.test/x', lifetime: 60, host: 'app.test', theme, language: english })

describe('theme', () => {
  for (const theme of [
    { radius: 0 },
    { radius: 32 },
    { font: 'Inter' },
    { font: 'Noto Sans JP, Arial' },
    { css: '.card{border:0}' },
    { css: 'a>b{}' },
    { showPassword: true, identifierFirst: false },
  ]) {
    it(`takes ${JSON.stringify(theme)}`, () => expect(() => build(theme)).to.not.throw())
  }

  for (const [theme, says] of [
    [{ radius: -1 }, /theme\.radius` must be a number of pixels from 0 to 32/],
    [{ radius: 33 }, /theme\.radius/],
    [{ radius: '8px' }, /theme\.radius/],
    [{ radius: Number.NaN }, /theme\.radius/],
    [{ font: 'Inter; color: red' }, /theme\.font` must be a list of font names/],
    [{ font: '"Inter"' }, /theme\.font/],
    [{ font: 'Inter}body{' }, /theme\.font/],
    [{ font: 'Inter</style>' }, /theme\.font/],
    [{ font: '' }, /theme\.font/],
    [{ css: 'a{}</style><script>alert(1)</script>' }, /theme\.css` must be CSS rules/],
    [{ css: '<!--' }, /theme\.css/],
    [{ css: '\\3c /style>' }, /theme\.css/],
    [{ css: 5 }, /theme\.css/],
    [{ showPassword: 'yes' }, /theme\.showPassword` must be true or false/],
    [{ corner: 4 }, /no option `theme\.corner`/],
  ] as const) {
    it(`XS-03 refuses ${JSON.stringify(theme)}`, () => {
      expect(thrownBy(() => build(theme)).message).to.match(says)
    })
  }

  it('puts them on the pages, the developer’s rules last', () => {
    const css = '.card{border-width:2px}'
    const [, style = ''] = /<style[^>]*>([\s\S]*?)<\/style>/.exec(page({ radius: 4, font: 'Inter, Arial', css })) ?? []
    expect(style).to.include('--radius:4px').and.include('--font:Inter, Arial')
    expect(style.trimEnd().endsWith(css)).to.equal(true)
  })

  it('puts corners and fonts into mails, and no rules', () => {
    const { html } = mail({ radius: 4, font: 'Inter, Arial', css: '.card{border-width:2px}' })
    expect(html)
      .to.include('border-radius:4px')
      .and.include('font-family:Inter, Arial,system-ui')
      .and.not.include('border-width:2px}')
  })

  it('has a script on a page of a password that shows it, unless that is off', () => {
    expect(page({ showPassword: false }))
      .to.not.include('<script')
      .and.not.include('data-show')
    const shown = page({})
    expect(shown.match(/<script nonce="n">/g)).to.have.length(1)
    expect(shown).to.include('data-show="Show password"').and.include('data-hide="Hide password"')
  })
})
