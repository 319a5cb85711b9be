/** The texts of each language: complete, each with its placeholders, and equal to the same texts in other files. */
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { PasskeyError } from '../../lib/client/passkey-error.js'
import { errorClasses } from '../../lib/errors.js'
import en, { type MessageKey, type Messages } from '../../lib/i18n/en.js'

const keys = Object.keys(en)
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

// A file such as `en-errors.ts` is a part of its language.
const tags = readdirSync(new URL('../../lib/i18n/', import.meta.url))
  .filter((name) => !name.includes('-'))
  .map((name) => name.replace('.ts', ''))

/** The words of a language. */
async function messagesOf(tag: string): Promise<Messages> {
  return (await import(`../../lib/i18n/${tag}.ts`)).default
}

describe('the words of the pages and mails', () => {
  it('are there in ten languages', () => {
    expect(tags).to.have.members(['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'ar'])
  })

  for (const tag of tags) {
    describe(tag, () => {
      let messages: Messages
      before(async () => {
        messages = await messagesOf(tag)
      })

      it('has every text, in the order of the English ones', () => {
        expect(Object.keys(messages)).to.deep.equal(keys)
      })

      it('puts into each what the English one does, once', () => {
        for (const [key, text] of Object.entries(messages)) {
          expect(placeholders(text), key).to.deep.equal(placeholders(en[key as MessageKey]))
        }
      })

      it('has no text that is empty, begins or ends with a space, or has markup', () => {
        for (const [key, text] of Object.entries(messages)) {
          expect(text, key).to.match(/^\S(.*\S)?$/s)
          expect(text, key).to.not.match(/[<>&]|\{(?!\w+\})/)
        }
      })

      it('has as many paragraphs as the English ones', () => {
        for (const [key, text] of Object.entries(messages)) {
          expect(text.split('\n'), key).to.have.length(en[key as MessageKey].split('\n').length)
        }
      })

      if (tag !== 'en') {
        it('is translated', () => {
          const same = keys.filter((key) => messages[key as MessageKey] === en[key as MessageKey])
          // Words that are the same in both.
          expect(same.length, same.join()).to.be.lessThan(8)
        })
      }
    })
  }
})

describe('the words of errors', () => {
  it('are there for each error that the outside may know, and for no other', () => {
    const shown = [...errorClasses].filter(([, { shown }]) => shown).map(([type]) => type)
    const worded = keys.filter((key) => /^error\.\w+\.text$/.test(key)).map((key) => key.split('.')[1])
    expect(worded.filter((type) => type !== 'Configuration' && type !== 'unknown').sort()).to.deep.equal(shown.sort())
  })

  it('have a heading if they are shown on the error page', () => {
    for (const [type, { kind, shown }] of errorClasses) {
      expect(keys.includes(`error.${type}.heading`), type).to.equal(shown !== undefined && kind === 'error')
    }
  })
})

describe('the English words of the script of passkeys', () => {
  for (const [reason, key] of [
    ['cancelled', 'cancelled'],
    ['not-allowed', 'notAllowed'],
    ['already-registered', 'alreadyRegistered'],
    ['unsupported', 'unsupported'],
    ['insecure', 'insecure'],
    ['refused', 'refused'],
    ['network', 'network'],
    ['failed', 'failed'],
  ] as const) {
    it(`are those of the pages: ${reason}`, () => {
      const messages: Readonly<Record<string, string>> = en
      expect(new PasskeyError(reason, 'authenticate').message).to.equal(messages[`passkey.${key}`])
      const whenNew = messages[`passkey.${key}New`] ?? messages[`passkey.${key}`]
      expect(new PasskeyError(reason, 'register').message).to.equal(whenNew)
    })
  }
})
