/** Bodies that would cost much before anything is counted are refused, or left unread, at both doors. `test/fuzz/targets/costs` measures all routes. */
import { expect } from 'chai'
import { base, doors, type LimitStage, openLimitStage } from '../limits/stage.js'

for (const [name, open] of Object.entries(doors)) {
  describe(`bodies that cost much, ${name}`, () => {
    let stage: LimitStage
    const asked: string[] = []
    beforeEach(async () => {
      asked.length = 0
      stage = await openLimitStage(open, {
        callbacks: {
          redirect: ({ url, baseUrl }) => {
            asked.push(url)
            return baseUrl
          },
        },
      })
    })
    afterEach(() => stage.close())

    const send = (body: string, path = '/callback/credentials') =>
      stage.stranger().ask(`${base}${path}`, {
        body,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          origin: stage.door.origin,
          'sec-fetch-site': 'same-origin',
        },
      })
    const objects = (count: number, from = 0) =>
      Array.from({ length: count }, (_, at) => `{"${(from + at).toString(36)}":0}`).join()

    it('DOS-13 DOS-04: JSON of too many names is not parsed', async () => {
      const bodyOf = (count: number) => `{"username":"ann","password":"wrong","other":[${objects(count)}]}`
      expect((await send(bodyOf(1900))).status).to.equal(401)
      expect((await send(bodyOf(2100))).status).to.equal(413)
      expect((await send(bodyOf(7000), '/session')).status).to.equal(413)
    })

    it('DOS-13 DOS-04: JSON of too many objects and lists is not parsed', async () => {
      const bodyOf = (count: number, each: string) =>
        `{"username":"ann","password":"wrong","other":[${Array.from({ length: count }, () => each).join()}]}`
      expect((await send(bodyOf(4900, '[]'))).status).to.equal(401)
      for (const each of ['[]', '{}']) expect((await send(bodyOf(5100, each))).status).to.equal(413)
    })

    it('DOS-13 RD-14: a callback URL that is too long is not parsed: neither here nor by the `redirect` callback', async () => {
      const letters = Array.from({ length: 1100 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')
      const bodyOf = (callbackUrl: string) => JSON.stringify({ callbackUrl })
      const answer = await send(bodyOf(`https://${letters}`), '/signout')
      expect(answer.body).to.deep.equal({ url: `${stage.door.origin}/` })
      expect(asked).to.deep.equal([])
      await send(bodyOf('/asked'), '/signout')
      expect(asked).to.deep.equal(['/asked'])
    })

    it('DOS-13: a name that is too long is rejected, in all fields together, and no password is checked', async () => {
      for (const username of ['\u200b'.repeat(30_000), 'a'.repeat(513)]) {
        expect((await send(JSON.stringify({ username, password: 'right' }))).status).to.equal(400)
      }
      expect(stage.evaluated).to.deep.equal([])
      expect((await send(JSON.stringify({ username: 'a'.repeat(512), password: 'wrong' }))).status).to.equal(401)
    })
  })
}
