/** Logos, marks and initials. */
import { expect } from 'chai'
import { resolveConfig } from '../../lib/config/resolve.js'
import { readEnv } from '../../lib/env.js'
import { renderBadge } from '../../lib/pages/badge.js'
import type { Provider } from '../../lib/providers/types.js'
import { createLog, secret, startApp } from '../support/app.js'
import { thrownBy } from '../support/rejection.js'

const mark = 'M0 0h24v24H0z'

function resolve(style: object) {
  const provider = { id: 'own', name: 'Own', type: 'oidc', issuer: 'https://op.test', clientId: 'c', style } as Provider
  return resolveConfig({ providers: [provider], secret, logger: createLog().logger }, readEnv({}))
}

describe('the badge of a provider', () => {
  it('is the configured logo, else the mark, else initials', () => {
    expect(String(renderBadge('GitHub', { logo: '/l.png', mark }))).to.include('<img src="/l.png"')
    expect(String(renderBadge('GitHub', { mark }))).to.include(`<path fill="currentColor" d="${mark}"/>`)
    expect(String(renderBadge('GitHub'))).to.include('>GH<')
  })

  it('stands on the sign-in page, drawn in a colour that is told from the brand’s', async () => {
    const app = await startApp({
      providers: [
        {
          id: 'dark',
          name: 'Dark',
          type: 'oidc',
          issuer: 'https://op.test',
          clientId: 'c',
          style: { brandColor: '#000000', mark },
        },
        {
          id: 'pale',
          name: 'Pale',
          type: 'oidc',
          issuer: 'https://op.test',
          clientId: 'c',
          style: { brandColor: '#ffff00', mark },
        },
      ],
    })
    const { text } = await app.browser().get('/auth/signin')
    await app.close()
    expect(text.match(/<svg /g)).to.have.length(2)
    expect(text).to.include('.provider-0 .badge{background:#000000;color:#fff}')
    expect(text).to.include('.provider-1 .badge{background:#ffff00;color:#000}')
  })

  it('takes nothing for a mark but the data of a path', () => {
    expect(() => resolve({ mark })).to.not.throw()
    for (const bad of ['"/><script>alert(1)</script>', 'url(#x)', 'M0 0"', '']) {
      expect(thrownBy(() => resolve({ mark: bad })).message).to.include('`providers.own.style.mark`')
    }
  })
})
