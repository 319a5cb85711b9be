/** The tests of the product: `npm test`. */
import { it } from 'node:test'
import Nodemailer from 'server-auth/providers/nodemailer'
import { createSession, mailbox } from 'server-auth/testing'
import request from 'supertest'
import { createApp } from '../src/app.js'
import { adapter, createAuth } from '../src/auth.js'

const box = mailbox()
const auth = createAuth(Nodemailer({ sendVerificationRequest: box.sendVerificationRequest }))
const app = createApp(auth)
const ann = await adapter.createUser({ id: 'ann', email: 'ann@example.com', emailVerified: new Date(), role: 'admin' })

it('shows the administration to admins with two factors', async () => {
  const open = (cookie: string) => request(app).get('/admin').set('Cookie', cookie)
  await open((await createSession(auth.config, { user: ann, aal: 2 })).cookie).expect(200)
  await open((await createSession(auth.config, { user: ann })).cookie).expect(401)
  await open((await createSession(auth.config, { aal: 2 })).cookie).expect(403)
})

it('ends all sessions, also those of apps', async () => {
  const { cookie, csrfToken, storageState } = await createSession(auth.config)
  const token = storageState.cookies.find(({ name }) => name === 'auth.session-token')?.value
  const me = () => request(app).get('/api/me').set('Authorization', `Bearer ${token}`)
  const endAll = () => request(app).post('/devices/end-all').set('Cookie', cookie).type('form')
  await me().expect(200, /"role":"member"/)
  await endAll().expect(403)
  await endAll().send({ csrfToken }).expect(303)
  await me().expect(401)
})

it('signs up by email, in German', async () => {
  const browser = request.agent(app).set('Accept-Language', 'de')
  const { csrfToken } = (await browser.get('/auth/csrf')).body
  const fields = { csrfToken, email: 'neu@example.com', password: 'ein langes Kennwort' }
  await browser.post('/auth/signup/password').type('form').send(fields).expect(303)
  const { url } = await box.next({ to: fields.email })
  const verify = { csrfToken, token: new URL(url).searchParams.get('token') }
  await browser.post('/auth/password/verify').type('form').send(verify).expect(303)
  await browser.get('/').expect(200, /Hallo/)
})
