import { expect } from 'chai'
import { attributes, html, raw, shorten } from '../../lib/pages/html.js'

describe('html', () => {
  it('escapes values in text and in quoted attributes', () => {
    const hostile = `"><script>alert('1')</script>&\``
    const page = String(html`<p title="${hostile}">${hostile}</p>`)
    expect(page).to.not.include('<script')
    const escaped = '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;&#96;'
    expect(page).to.equal(`<p title="${escaped}">${escaped}</p>`)
  })

  it('leaves nothing for undefined, null and false, and writes numbers', () => {
    expect(String(html`<p>${undefined}${null}${false}${0}</p>`)).to.equal('<p>0</p>')
  })

  it('keeps HTML it made itself, also in lists', () => {
    expect(String(html`<ul>${['<', '>'].map((item) => html`<li>${item}</li>`)}</ul>`)).to.equal(
      '<ul><li>&#60;</li><li>&#62;</li></ul>',
    )
  })

  it('is not fooled by an object that looks like HTML', () => {
    const fake: unknown = JSON.parse('{"text":"<b>","toString":"<b>"}')
    expect(() => html`${fake as string}`).to.throw()
  })
})

describe('raw(text)', () => {
  it('is not escaped', () => {
    expect(String(html`<style>${raw('a>b{}')}</style>`)).to.equal('<style>a>b{}</style>')
  })
})

describe('attributes(values)', () => {
  it('quotes and escapes values, writes true as a bare name, leaves out the rest', () => {
    const values = { id: 'a"b', required: true, autofocus: false, value: undefined }
    expect(String(attributes(values))).to.equal(' id="a&#34;b" required')
  })

  it('leaves out a name that is not one', () => {
    expect(String(attributes({ 'x onfocus': 'alert(1)', 'a>': '1' }))).to.equal('')
  })
})

describe('shorten(text, limit)', () => {
  it('cuts long text, and never inside a character', () => {
    expect(shorten('abcd', 4)).to.equal('abcd')
    expect(shorten('abcde', 4)).to.equal('abc…')
    expect(shorten('😀😀😀', 3)).to.equal('😀😀😀')
    expect(shorten('😀😀😀😀', 3)).to.equal('😀😀…')
  })
})
