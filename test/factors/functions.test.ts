/** The functions of `server-auth/factors`, on custom pages, through both doors. */

import { expect } from 'chai'
import type { Request, Response } from 'express'
import { AuthError } from '../../lib/errors.js'
import type { FactorConfirmation } from '../../lib/features/factors/types.js'
import { expressFunctions } from '../../lib/functions/on-express.js'
import type { FullStackAuthConfig } from '../../lib/types/config.js'
import initAuth from '../../shim/index.js'
import { createLog } from '../support/app.js'
import { advanceClock, restoreClock } from '../support/clock.js'
import { type Door, openExpress, openFetch } from '../support/doors.js'
import type { Answer } from '../support/http-browser.js'
import { type FactorStage, openFactorStage, type Person, stopClock, strategies } from './stage.js'

type Fields = Record<string, string>

/** A page of the application, which returns the answer to its form. */
type Page = (fields: Fields) => Promise<unknown>

const paths = ['/enrol', '/confirm', '/remove', '/codes', '/reset', '/account'] as const

const told = (error: unknown) => ({ error: error instanceof AuthError ? error.type : String(error) })

const express = (config: Partial<FullStackAuthConfig>): Promise<Door> =>
  openExpress(config, {
    after(app, full) {
      const pages = (req: Request, res: Response): Record<(typeof paths)[number], Page> => ({
        '/enrol': ({ type }) => {
          const { enrolEmail, enrolTotp } = expressFunctions(full).factors
          return type === 'totp' ? enrolTotp(req, res) : enrolEmail(req, res)
        },
        '/confirm': (fields) =>
          expressFunctions(full).factors.confirm(req, res, fields as unknown as FactorConfirmation),
        '/remove': ({ id = '' }) => expressFunctions(full).factors.remove(req, res, id),
        '/codes': () => expressFunctions(full).factors.newRecoveryCodes(req, res),
        '/reset': ({ id = '' }) => expressFunctions(full).factors.reset(id, req),
        '/account': async () => (await expressFunctions(full).account.get(req))?.factors,
      })
      for (const path of paths) {
        app.post(path, (req, res) => {
          const fields = Object.fromEntries(new URL(req.url, 'http://x').searchParams)
          void pages(req, res)
            [path](fields)
            .then(
              (found) => res.json(found ?? null),
              (error) => res.status(403).json(told(error)),
            )
        })
      }
    },
  })

const shim = async (config: Partial<FullStackAuthConfig>): Promise<Door> => {
  const log = createLog()
  const full = { providers: [], ...config, logger: log.logger }
  const own = initAuth(full)
  const pages: Record<(typeof paths)[number], Page> = {
    '/enrol': ({ type }) => (type === 'totp' ? own.factors.enrolTotp() : own.factors.enrolEmail()),
    '/confirm': (fields) => own.factors.confirm(fields as unknown as FactorConfirmation),
    '/remove': ({ id = '' }) => own.factors.remove(id),
    '/codes': () => own.factors.newRecoveryCodes(),
    '/reset': ({ id = '' }) => own.factors.reset(id),
    '/account': async () => (await own.account.get())?.factors,
  }
  return openFetch(
    log,
    async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      const page = paths.find((path) => path === pathname)
      if (!page) return own.handlers.GET(request)
      return pages[page](Object.fromEntries(searchParams)).then(
        (found) => Response.json(found ?? null),
        (error) => Response.json(told(error), { status: 403 }),
      )
    },
    { ip: '127.0.0.1' },
  )
}

for (const [name, open] of Object.entries({ express, shim })) {
  for (const strategy of strategies) {
    describe(`functions of second factors, ${name}, ${strategy}`, () => {
      let stage: FactorStage
      let ann: Person

      const call = (path: (typeof paths)[number], fields: Fields = {}, from: Fields = {}, who = ann): Promise<Answer> =>
        who.ask(`${path}?${new URLSearchParams(fields)}`, {
          method: 'POST',
          headers: { 'sec-fetch-site': 'same-origin', origin: stage.door.origin, ...from },
        })
      const json = async (...asked: Parameters<typeof call>) => (await call(...asked)).body

      beforeEach(async () => {
        stopClock()
        stage = await openFactorStage(open, {
          session: { strategy, ...(strategy === 'jwt' && { revocation: true }) },
        })
        ann = stage.stranger()
        await ann.followLink('ann@example.com')
      })
      afterEach(async () => {
        restoreClock()
        await stage.close()
      })

      /** Adds an app by the functions. */
      async function addApp() {
        const setup = await json('/enrol', { type: 'totp' })
        ann.key = keyOf(setup.secret)
        return json('/confirm', { type: 'totp', setup: setup.setup, code: ann.code(), name: 'Phone' })
      }

      it('add an app: key, QR code and link; the session goes up, and recovery codes come', async () => {
        const before = ann.cookies.get('auth.session-token')
        const setup = await json('/enrol', { type: 'totp' })
        expect(setup).to.have.keys('secret', 'uri', 'qr', 'setup')
        expect(setup.uri).to.include(setup.secret.replaceAll(' ', ''))
        expect(setup.qr).to.match(/^<svg role="img"/)
        ann.key = keyOf(setup.secret)
        expect(await json('/confirm', { type: 'totp', setup: setup.setup, code: '000000' })).to.deep.equal({
          ok: false,
          reason: 'wrong',
        })
        const { ok, recoveryCodes } = await json('/confirm', {
          type: 'totp',
          setup: setup.setup,
          code: ann.code(),
          name: 'Phone',
        })
        expect(ok).to.equal(true)
        expect(recoveryCodes).to.have.length(10)
        expect(ann.cookies.get('auth.session-token')).to.not.equal(before)
        expect(await ann.session()).to.have.nested.property('assurance.aal', 2)
        const factors = await json('/account')
        expect(factors).to.have.length(2)
        const ofType = (type: string) => factors.find((each: { type: string }) => each.type === type)
        expect(ofType('totp')).to.include({ name: 'Phone' })
        expect(ofType('recovery')).to.include({ left: 10 })
      })

      it('remove it, and its codes with it; another id is no factor', async () => {
        await addApp()
        const { id } = (await json('/account')).find(({ type }: { type: string }) => type === 'totp')
        expect(await json('/remove', { id: 'none' })).to.deep.equal({ ok: false, reason: 'unknown' })
        expect(await json('/remove', { id })).to.deep.equal({ ok: true })
        expect(await json('/account')).to.deep.equal([])
      })

      it('make new codes, which end the old ones', async () => {
        const { recoveryCodes: old } = await addApp()
        const codes = await json('/codes')
        expect(codes).to.have.length(10)
        const other = ann.elsewhere()
        await other.followLink('ann@example.com')
        expect((await other.answer('recovery', { code: old[0] })).headers.location).to.include('InvalidCode')
        await other.answer('recovery', { code: codes[0] })
        expect(await other.session()).to.have.nested.property('assurance.aal', 2)
      })

      it('MF-07: reject an old session, a visitor, and another site; nothing changes', async () => {
        await addApp()
        const rows = await json('/account')
        const { id } = rows.find(({ type }: { type: string }) => type === 'totp')
        advanceClock(301)
        for (const [path, fields] of [
          ['/enrol', { type: 'totp' }],
          ['/enrol', { type: 'email' }],
          ['/remove', { id }],
          ['/codes', {}],
        ] as const) {
          expect(await json(path, fields), path).to.deep.equal({ error: 'ReauthenticationRequired' })
          expect(await json(path, fields, {}, stage.stranger()), path).to.deep.equal({
            error: 'ReauthenticationRequired',
          })
          const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
          expect(await json(path, fields, elsewhere), path).to.deep.equal({ error: 'MissingCSRF' })
        }
        expect(await json('/account')).to.deep.equal(rows)
      })

      it('factors.reset removes all factors of a user, ends the sessions, and emits the event', async () => {
        await addApp()
        const userId = stage.changes[0]?.userId ?? ''
        expect(await json('/reset', { id: userId })).to.equal(null)
        expect(await ann.session()).to.equal(null)
        const again = ann.elsewhere()
        expect((await again.followLink('ann@example.com')).headers.location).to.not.include('two-factor')
        expect(await again.session()).to.have.nested.property('assurance.aal', 1)
        const removed = stage.changes.filter(({ event }) => event === 'factorRemoved')
        expect(removed.map(({ factor, reason }) => [factor, reason])).to.have.deep.members([
          ['totp', 'reset'],
          ['recovery', 'reset'],
        ])
        expect(stage.ended.map(({ reason }) => reason)).to.include('resetFactors')
      })
    })
  }
}

function keyOf(secret: string): Buffer {
  const bits = [...secret.replaceAll(' ', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
