/** Logos, marks and initials. */
import { expect } from 'chai'
import { readEnv } from '../../lib/base/env.js'
import { resolveConfig } from '../../lib/config/resolve.js'
import { renderBadge } from '../../lib/pages/parts.js'
import { badgeRules } from '../../lib/pages/styles.js'
import type { Provider } from '../../lib/types/provider.js'
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

  it('is on the sign-in page, drawn in a colour that contrasts with the brand’s', async () => {
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

  it('keeps the colours of a mark that has its own, on white', async () => {
    const layers = [
      { path: mark, color: '#FC6D26' },
      { path: 'M1 1h1v1z', color: '#123' },
    ]
    const provider = { id: 'fox', name: 'Fox', type: 'oidc', issuer: 'https://op.test', clientId: 'c' } as const
    const app = await startApp({ providers: [{ ...provider, style: { brandColor: '#000000', mark: layers } }] })
    const { text } = await app.browser().get('/auth/signin')
    await app.close()
    expect(text).to.include('<span class="badge own" aria-hidden="true">')
    expect(text).to.include(`<path fill="#FC6D26" d="${mark}"/><path fill="#123" d="M1 1h1v1z"/>`)
    expect(text).to.include('.badge.own{background:#fff}').and.not.include('.provider-0 .badge')
    for (const bad of [
      [],
      [{ path: mark }],
      [{ path: '"/>', color: '#fff' }],
      [{ path: mark, color: 'red"' }],
      [mark],
    ]) {
      expect(thrownBy(() => resolve({ mark: bad })).message).to.include('`providers.own.style.mark`')
    }
  })

  it('draws a mark in white on all but pale colours', () => {
    const rule = (brandColor: string) => badgeRules(0, { brandColor, mark }).join()
    for (const color of ['#FF4500', '#EB5424', '#1db954', '#5865F2'])
      expect(rule(color), color).to.include('color:#fff')
    for (const color of ['#fee500', '#ffffff']) expect(rule(color), color).to.include('color:#000')
  })

  it('takes nothing for a mark but the data of a path', () => {
    expect(() => resolve({ mark })).to.not.throw()
    for (const bad of ['"/><script>alert(1)</script>', 'url(#x)', 'M0 0"', '']) {
      expect(thrownBy(() => resolve({ mark: bad })).message).to.include('`providers.own.style.mark`')
    }
  })
})
