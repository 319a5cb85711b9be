/** Every page, with hostile text in every parameter and in the user's data, at both doors. */

import { expect } from 'chai'
import { memoryAdapter } from '../../lib/adapters/memory/index.js'
import { op } from '../router/fixtures.js'
import { type Browser, credentials, target } from '../support/app.js'
import { doors } from '../support/doors.js'
import { opened } from '../support/opened.js'
import { withoutOwnScript } from '../support/own-scripts.js'

const payloads: Readonly<Record<string, string>> = {
  'an element': '<svg/onload=planted()>',
  'the end of an attribute': '" onmouseover="planted()',
  'the end of an attribute in single quotes': "' onmouseover='planted()",
  'the end of a style and a script': '</style></script><script>planted()</script>',
  'a comment': '<!--planted--><script>planted()',
  'a template': '{{planted()}}#{planted()}<%planted()%>',
  'a scheme': 'javascript:planted()',
  'a scheme with a tab in it': 'java\tscript:planted()',
  data: 'data:text/html,<script>planted()</script>',
  'a form': '"><form action=https://evil.test><input name=planted>',
  'a base': '"><base href=https://evil.test/>',
  'a refresh': '"><meta http-equiv=refresh content="0;url=https://evil.test">',
  'wide letters that are narrow elsewhere': '＜script＞planted()＜/script＞',
  'bytes of another encoding': '+ADw-script+AD4-planted()+ADw-/script+AD4-',
}
const parameters = [
  'error',
  'code',
  'callbackUrl',
  'provider',
  'type',
  'reference',
  'message',
  'state',
  'token',
  'email',
  'login_hint',
  'error_description',
  'planted',
]
const pages = [
  'signin',
  'signin/op',
  'signin/nobody',
  'signout',
  'error',
  'verify-request',
  'callback/nobody',
  'callback/email',
]

/** Elements that our pages have. Any other element comes from an attacker. */
const own =
  /^(?:!doctype|bdi|html|head|meta|title|style|body|main|header|h1|h2|p|div|span|a|form|input|button|label|ul|li|svg|path|g|circle|rect|small|strong|hr|section|footer|details|summary|code|pre|dl|dt|dd|img|picture|source|nav|em|br|fieldset|legend|output|template)$/

/**
 * Returns the parts of a page that can load or run something: elements that are not ours, handlers, and URLs that leave
 * the site.
 */
function dangersIn(html: string, origin: string): string[] {
  // Our one style, and the icon that keeps browsers from asking for one.
  const outside = withoutOwnScript(html)
    .replace(/<style nonce="[\w-]+">[^<]*<\/style>/, '')
    .replace('<link rel="icon" href="data:,">', '')
  const tags = [...outside.matchAll(/<(?!\/)([!a-z][^\s>/]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi)]
  return tags.flatMap(([tag, name = '', rest = '']) => {
    const attributes = [...rest.matchAll(/\s([^\s=>"']+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g)]
    const bad = attributes.filter(([, attribute = '', ...values]) => {
      const value = values.find((each) => each !== undefined) ?? ''
      if (/^on/i.test(attribute) || attribute === 'style' || attribute === 'srcdoc') return true
      if (!/^(?:href|action|formaction|src|srcset|xlink:href|background|content|ping)$/i.test(attribute)) return false
      if (attribute === 'content') return /url=/i.test(value)
      return !value.startsWith(`${origin}/`) && !value.startsWith('#') && !value.startsWith('/')
    })
    return own.test(name.toLowerCase()) && bad.length === 0 ? [] : [tag]
  })
}

for (const [door, start] of doors) {
  describe(`hostile text on pages (${door})`, () => {
    const app = opened(() =>
      start({
        adapter: memoryAdapter(),
        session: { strategy: 'jwt' },
        providers: [
          op,
          credentials(),
          { id: 'email', name: 'E-mail', type: 'email', sendVerificationRequest: () => {} },
        ],
      }),
    )

    it('(control) dangers are found', () => {
      const found = (html: string) => dangersIn(html, 'https://app.test').length
      expect(found('<p>fine</p><a href="https://app.test/x">x</a>')).to.equal(0)
      for (const html of [
        '<script>x</script>',
        '<p onclick="x">',
        '<a href="javascript:x">',
        '<form action=https://evil.test>',
        '<base href=x>',
        '<a href="https://app.test.evil.test/">',
      ]) {
        expect(found(html), html).to.equal(1)
      }
    })

    for (const [what, payload] of Object.entries(payloads)) {
      it(`XS-01 XS-02 XS-05 ${what}, in each parameter of each page`, async () => {
        for (const path of pages) {
          const everywhere = new URLSearchParams(parameters.map((name) => [name, payload]))
          for (const query of [
            everywhere,
            ...['error', 'callbackUrl'].map((name) => new URLSearchParams({ [name]: payload })),
          ]) {
            const browser = app.browser()
            const first = await browser.get(`/auth/${path}?${query}`)
            const page = first.status === 302 ? await browser.get(target(first)) : first
            expect(page.status, path).to.be.within(200, 404)
            expect(page.headers['content-type'], path).to.include('charset=utf-8')
            if (/[<"']/.test(payload)) expect(page.text, `${path}?${query}`).to.not.include(payload)
            expect(dangersIn(page.text, app.origin), `${path}?${query}`).to.deep.equal([])
          }
        }
      })

      it(`XS-04 ${what}, as the name of the signed-in user, and in typed text`, async () => {
        const browser = app.browser()
        await browser.signIn({ username: payload })
        expect(await browser.session()).to.have.nested.property('user.name', payload)
        await expectHarmless(browser, ['signin', 'signout', 'error'], payload)
        const other = app.browser()
        await other.signIn({ username: payload, password: 'wrong' })
        await expectHarmless(other, ['signin', 'signin/credentials'], payload)
      })
    }

    async function expectHarmless(browser: Browser, paths: readonly string[], payload: string): Promise<void> {
      for (const path of paths) {
        const page = await browser.get(`/auth/${path}`)
        expect(page.status, path).to.equal(200)
        expect(dangersIn(page.text, app.origin), path).to.deep.equal([])
        if (/[<"']/.test(payload)) expect(page.text, path).to.not.include(payload)
      }
    }
  })
}
