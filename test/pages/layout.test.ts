import { expect } from 'chai'
import { english } from '../../lib/config/site.js'
import type { PageFrame } from '../../lib/pages/index.js'
import { renderContinue, renderError, renderSignIn, renderSignOut, renderVerifyRequest } from '../../lib/pages/index.js'

/** The content of the page after an email was sent. */
const mailPage = (text: string) => ({
  ...{ csrfToken: text, homeUrl: text, signInUrl: text, identifierUrl: text, hasOtherMethods: true },
  mail: { address: text, action: text, fields: { email: text }, callbackUrl: text },
})

const hostile = `"><script>alert(1)</script></style><img src=x onerror=alert(1)>'`
const hostileFrame: PageFrame = {
  nonce: 'n0nce',
  host: `app.test${hostile}`,
  theme: { logo: `javascript:${hostile}`, brandColor: `#fff${hostile}`, buttonText: hostile },
  language: english,
}

/** Every page, with the same frame and the same text wherever text comes from outside. */
function renderAll(frame: PageFrame, text: string): Record<string, string> {
  return {
    'sign-in': renderSignIn({
      frame,
      csrfToken: text,
      callbackUrl: text,
      error: text,
      entries: [
        { kind: 'redirect', id: text, name: text, action: text, style: { brandColor: text, logo: text, bg: text } },
        { kind: 'credentials', id: text, name: text, action: text, inputs: { [text]: { label: text, type: text } } },
      ],
    }),
    'sign-out': renderSignOut({
      frame,
      action: text,
      csrfToken: text,
      callbackUrl: text,
      signInUrl: text,
      homeUrl: text,
      user: { name: text, email: text, image: text },
    }),
    error: renderError({ frame, error: text, signInUrl: text, homeUrl: text, detail: text }),
    'verify-request': renderVerifyRequest({ frame, ...mailPage(text) }),
    continue: renderContinue({ frame, to: text }),
  }
}

const frame: PageFrame = { nonce: 'n0nce', theme: {}, language: english, host: 'app.test' }

describe('the site’s name and logos', () => {
  it('takes theme.name for the host, everywhere, escaped', () => {
    for (const [page, text] of Object.entries(
      renderAll({ ...frame, theme: { name: 'Acme <b>' }, language: english }, '/text'),
    )) {
      expect(text, page).to.match(/<title>[^<]* · Acme &#60;b&#62;<\/title>/)
      if (page !== 'continue') expect(text, page).to.not.include('app.test')
    }
    const page = renderSignIn({
      frame: { ...frame, theme: { name: 'Acme' }, language: english },
      entries: [],
      csrfToken: '',
      callbackUrl: '/',
    })
    expect(page).to.include('<h1>Sign in to Acme</h1>')
  })

  const shown = (theme: PageFrame['theme']) =>
    /<main class="card">\n([\s\S]*?)<h1>/.exec(
      renderError({ frame: { ...frame, theme }, error: 'x', signInUrl: '/', homeUrl: '/' }),
    )?.[1]
  const both = { logo: '/light.svg', logoDark: 'https://cdn.test/a,b.svg' }
  const image = (src: string) => `<img class="logo" src="${src}" alt="">`

  it('has the dark logo for browsers that prefer dark', () => {
    expect(shown(both)).to.equal(
      `<picture><source srcset="https://cdn.test/a%2Cb.svg" media="(prefers-color-scheme:dark)">${image('/light.svg')}</picture>\n`,
    )
    expect(shown({ logo: '/light.svg' })).to.equal(`${image('/light.svg')}\n`)
    expect(shown({ logoDark: '/dark.svg' })).to.equal(`${image('/dark.svg')}\n`)
  })

  it('has one logo where the colour scheme is forced', () => {
    expect(shown({ ...both, colorScheme: 'light' })).to.equal(`${image('/light.svg')}\n`)
    expect(shown({ ...both, colorScheme: 'dark' })).to.equal(`${image('https://cdn.test/a,b.svg')}\n`)
    expect(shown({ logo: '/light.svg', logoDark: 'javascript:alert(1)' })).to.equal(`${image('/light.svg')}\n`)
  })
})

describe('every built-in page', () => {
  const titles: Record<string, string> = {
    'sign-in': 'Sign in',
    'sign-out': 'Sign out',
    error: 'Error',
    'verify-request': 'Check your email',
    continue: 'Continue',
  }
  for (const [name, page] of Object.entries(renderAll(frame, 'text'))) {
    it(`${name} is a whole document with a title, landmarks and one heading`, () => {
      expect(page).to.match(/^<!doctype html>\n<html lang="en">/)
      expect(page).to.include('<meta charset="utf-8">').and.include('name="viewport"')
      expect(page).to.include('<meta name="robots" content="noindex">')
      expect(page).to.include('<meta name="color-scheme" content="light dark">')
      expect(page).to.include(`<title>${titles[name]} · app.test</title>`)
      expect(page).to.include(`<body class="auth-page auth-${name}">`)
      for (const element of ['main', 'h1', 'title']) {
        expect(page.match(new RegExp(`<${element}[ >]`, 'g')), element).to.have.length(1)
      }
    })
  }

  for (const [name, page] of Object.entries(renderAll(hostileFrame, hostile))) {
    it(`${name} fits its policy whatever it is given: one style with the nonce, no script, no foreign markup`, () => {
      expect(page.match(/<style/g)).to.have.length(1)
      expect(page.match(/<\/style/g)).to.have.length(1)
      expect(page).to.include('<style nonce="n0nce">')
      // The one link is an empty icon: browsers do not ask the site for one then.
      expect(page.replace('<link rel="icon" href="data:,">', '')).to.not.match(
        /<script|<img|<base|<iframe|<link|url\(|@import/i,
      )
      for (const tag of page.replace(/"[^"]*"/g, '""').match(/<[^>]+>/g) ?? []) {
        expect(tag).to.not.match(/\s(style|on\w+|formaction)\b/i)
      }
    })

    it(`${name} has no unsafe URL`, () => {
      const unsafe = renderAll(hostileFrame, 'javascript:alert(1)')[name] ?? ''
      for (const target of unsafe.match(/(href|action|src)="[^"]*"/g) ?? []) expect(target).to.not.include('javascript')
    })

    it(`${name} cuts a host that cannot be one`, () => {
      const long = renderAll({ ...frame, host: 'x'.repeat(10_000) }, 'text')[name] ?? ''
      expect(long)
        .to.include(`${'x'.repeat(254)}…`)
        .and.not.include('x'.repeat(256))
    })
  }

  it('shows a logo that is allowed, and forces a colour scheme', () => {
    const page = renderVerifyRequest({
      frame: { ...frame, theme: { logo: '/logo.svg', colorScheme: 'dark' }, language: english },
      ...mailPage('/'),
    })
    expect(page).to.include('<img class="logo" src="/logo.svg" alt="">')
    expect(page).to.include('<meta name="color-scheme" content="dark">')
  })

  it('gives every form the method, the marker and the hidden inputs', () => {
    const pages = renderAll(frame, 'https://app.test/x')
    for (const name of ['sign-in', 'sign-out']) {
      const forms = (pages[name] ?? '').match(/<form[\s\S]*?<\/form>/g) ?? []
      expect(forms).to.have.length(name === 'sign-in' ? 2 : 1)
      for (const form of forms) {
        expect(form).to.match(/^<form method="post" action="https:\/\/app.test\/x">/)
        expect(form).to.include('<input type="hidden" name="csrfToken" value="https://app.test/x">')
        expect(form).to.include('<input type="hidden" name="callbackUrl" value="https://app.test/x">')
        expect(form).to.include('<input type="hidden" name="navigation" value="form">')
      }
    }
  })
})
