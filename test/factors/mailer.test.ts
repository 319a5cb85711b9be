/** The sender and the number of mails about second factors, if the only email provider is that of `Password`. */
import { expect } from 'chai'
import { EmailCode, RecoveryCodes, Totp } from '../../lib/features/factors/index-kinds.js'
import { totpCodeAt, totpStepAt } from '../../lib/features/factors/totp-factor.js'
import { startStage } from '../password/stage.js'
import { formIn } from '../support/mail-server.js'
import { keyIn } from './stage.js'

const ann = 'ann@example.com'

describe('mails about second factors, with the mailer of Password() alone', () => {
  it('one reports that an app was added, with its recovery codes, and the codes of EmailCode() are sent that way', async () => {
    const stage = await startStage({ config: { factors: [Totp(), RecoveryCodes(), EmailCode()] } })
    const browser = stage.browser()
    await stage.register(browser, ann)
    await stage.signIn(browser, ann)
    const before = stage.mails.length
    const page = await browser.get('/auth/two-factor/totp?setup')
    const { action, fields } = formIn(page.text, '/auth/two-factor')
    const added = await browser.post(action, { ...fields, code: totpCodeAt(keyIn(page.text), totpStepAt(Date.now())) })
    expect(added.status).to.equal(200)
    expect(added.text).to.include('<code>')
    await stage.settle()
    const sent = stage.mails.slice(before)
    expect(sent.map((mail) => [mail.identifier, mail.purpose])).to.deep.equal([[ann, 'notice']])

    const email = await browser.get('/auth/two-factor/email?setup')
    const form = formIn(email.text, '/auth/two-factor')
    expect((await browser.post(form.action, form.fields)).status).to.equal(303)
    const { token } = (await stage.mail(ann, 'second-factor')) as { token?: string }
    expect(token).to.match(/^\d{6,8}$/)
    await stage.close()
  })

  it('a user who was redirected to add one can go home instead, because the way back would lead here again', async () => {
    const stage = await startStage({ config: { factors: [Totp()] } })
    const browser = stage.browser()
    await stage.register(browser, ann)
    await stage.signIn(browser, ann)
    const wanted = await browser.get(`/auth/two-factor?aal=2&callbackUrl=${encodeURIComponent('/payroll')}`)
    expect(wanted.text).to.include('>Cancel</a>').and.not.include('>Done</a>')
    expect(/<a href="([^"]+)">Cancel/.exec(wanted.text)?.[1]).to.equal(`${stage.app.origin}/`)
    const looking = await browser.get(`/auth/two-factor?setup&callbackUrl=${encodeURIComponent('/payroll')}`)
    expect(looking.text).to.include('>Done</a>').and.not.include('>Cancel</a>')
    await stage.close()
  })
})
