import { expect } from 'chai'
import { lookUpLanguage, wantedLanguages } from '../../lib/http/accept-language.js'

describe('wantedLanguages(header)', () => {
  for (const [header, wanted] of [
    ['de', ['de']],
    ['de-CH, fr;q=0.9, en;q=0.8, *;q=0.5', ['de-CH', 'fr', 'en']],
    ['en;q=0.2, de;q=0.9, fr', ['fr', 'de', 'en']],
    ['en;q=0.5,de;q=0.5', ['en', 'de']],
    ['de ; q = 0.5 , fr', ['fr', 'de']],
    ['de;q=0, fr', ['fr']],
    ['zh-Hant-TW', ['zh-Hant-TW']],
    ['', []],
    ['*', []],
    ['de;q=2, fr;q=x, es;q=-1, it;level=1, <script>, de_DE, toolongtag', []],
    ['constructor, __proto__, en', ['en']],
  ] as const) {
    it(`reads ${JSON.stringify(header)}`, () => expect(wantedLanguages(header)).to.deep.equal(wanted))
  }

  it('reads a part of a hostile header only', () => {
    expect(wantedLanguages(`${'a-'.repeat(500_000)},de`)).to.deep.equal([])
    expect(wantedLanguages('de,'.repeat(100_000))).to.have.length(20)
  })
})

describe('lookUpLanguage(wanted, offered)', () => {
  const offered = new Set(['en', 'de', 'de-ch', 'pt-br', 'zh-hant'])
  for (const [wanted, found] of [
    [['de'], 'de'],
    [['de-CH'], 'de-ch'],
    [['DE-ch-1996'], 'de-ch'],
    [['de-AT', 'en'], 'de'],
    [['fr', 'en-GB'], 'en'],
    [['pt'], 'pt-br'],
    [['pt-PT', 'en'], 'pt-br'],
    [['zh-Hant-TW'], 'zh-hant'],
    [['fr', 'it'], undefined],
    [[], undefined],
  ] as const) {
    it(`finds ${found} for ${wanted.join(', ') || 'nobody'}`, () => {
      expect(lookUpLanguage(wanted, offered)).to.equal(found)
    })
  }

  it('takes no longer for a tag of very many parts', () => {
    const tags = ['en', 'xx'].map((language) => `${language}-x${'-a'.repeat(50_000)}`)
    const begun = performance.now()
    expect([lookUpLanguage(tags, offered), lookUpLanguage(tags.slice(1), offered)]).to.deep.equal(['en', undefined])
    expect(performance.now() - begun).to.be.lessThan(200)
  })
})
