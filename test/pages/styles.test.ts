import { expect } from 'chai'
import { badgeRules, styleSheet } from '../../lib/pages/styles.js'

const hostile = ['red', '#12', '#1234', '#12345g', '#fff;}', '</style><script>', 'url(x)', '#fff\n', '']

describe('badgeRules(place, style)', () => {
  it('writes one class rule with readable text', () => {
    expect(badgeRules(2, { brandColor: '#1A73E8' })).to.deep.equal([
      '.provider-2 .badge{background:#1A73E8;color:#fff}',
    ])
    expect(badgeRules(0, { brandColor: '#fe0' })).to.deep.equal(['.provider-0 .badge{background:#fe0;color:#000}'])
  })

  it('takes the deprecated bg where there is no brandColor', () => {
    expect(badgeRules(0, { bg: '#000', text: '#000' })).to.deep.equal([
      '.provider-0 .badge{background:#000;color:#fff}',
    ])
  })

  for (const value of hostile) {
    it(`ignores ${JSON.stringify(value)}`, () => expect(badgeRules(0, { brandColor: value })).to.deep.equal([]))
  }

  it('has a contrast of at least 4.5:1 on every grey and on saturated colours', () => {
    const pairs = ['00', '33', '66', '99', 'cc', 'ff']
    const colors = pairs.flatMap((r) => pairs.flatMap((g) => pairs.map((b) => `#${r}${g}${b}`)))
    const greys = Array.from({ length: 256 }, (_, level) => `#${level.toString(16).padStart(2, '0').repeat(3)}`)
    for (const brandColor of [...colors, ...greys]) {
      const text = badgeRules(0, { brandColor }).join('').includes('color:#fff') ? '#ffffff' : '#000000'
      expect(contrast(brandColor, text), brandColor).to.be.at.least(4.5)
    }
  })
})

describe('styleSheet(theme)', () => {
  it('follows the browser unless the scheme is forced', () => {
    expect(styleSheet({})).to.include('@media (prefers-color-scheme:dark)').and.include('color-scheme:light')
    expect(styleSheet({ colorScheme: 'dark' })).to.not.match(/prefers-color-scheme|color-scheme:light/)
    expect(styleSheet({ colorScheme: 'light' })).to.not.match(/prefers-color-scheme|color-scheme:dark/)
  })

  it('takes brandColor and buttonText, and chooses the text where only the brand is given', () => {
    expect(styleSheet({ brandColor: '#abcdef', buttonText: '#123' })).to.include(
      ':root{--accent:#abcdef}\n:root{--accent-text:#123}',
    )
    expect(styleSheet({ brandColor: '#ffcc00' })).to.include(':root{--accent-text:#000}')
  })

  for (const value of hostile) {
    it(`ignores ${JSON.stringify(value)} as a theme colour`, () =>
      expect(styleSheet({ brandColor: value, buttonText: value })).to.equal(styleSheet({})))
  }

  it('is readable: text on its background has at least 4.5:1 in both schemes', () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const color = variables(styleSheet({ colorScheme }))
      for (const [text, background] of readPairs) {
        expect(contrast(color(text), color(background)), `${colorScheme} ${text} on ${background}`).to.be.at.least(4.5)
      }
      expect(contrast(color('field-line'), color('field')), `${colorScheme} field border`).to.be.at.least(3)
      expect(contrast(color('focus'), color('card')), `${colorScheme} focus`).to.be.at.least(3)
    }
  })
})

const readPairs = [
  ['text', 'card'],
  ['text', 'field'],
  ['text', 'hover'],
  ['text', 'press'],
  ['text', 'page'],
  ['muted', 'card'],
  ['muted', 'field'],
  ['link', 'card'],
  ['badge-text', 'badge'],
  ['bad-text', 'bad'],
  ['accent-text', 'accent'],
] as const

function variables(css: string): (name: string) => string {
  return (name) => {
    const value = new RegExp(`--${name}:(#[0-9a-f]+)`).exec(css)?.[1] ?? ''
    return value.length === 4 ? value.replace(/[^#]/g, '$&$&') : value
  }
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const channel = (at: number) => {
    const value = Number(`0x${color.slice(at, at + 2)}`) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}
