import { expect } from 'chai'
import { configureClient, endpoint } from '../../lib/client/request.js'

describe('the endpoints of another origin', () => {
  after(() => configureClient({ basePath: undefined, baseUrl: undefined }))

  it('are below `baseUrl` and `basePath`, with or without slashes at their ends', () => {
    for (const [options, url] of [
      [{ baseUrl: 'https://api.example.com' }, 'https://api.example.com/auth/session'],
      [{ baseUrl: 'https://api.example.com/', basePath: '/own/' }, 'https://api.example.com/own/session'],
      [{ baseUrl: undefined, basePath: '/own' }, '/own/session'],
      [{ basePath: '/' }, '/session'],
    ] as const) {
      configureClient(options as Parameters<typeof configureClient>[0])
      expect(endpoint('session')).to.equal(url)
    }
  })
})
