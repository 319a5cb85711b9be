/** The values that all variants share. */

export const secret = 'a-benchmark-secret-of-more-than-32-characters'
export const user = { id: '1', name: 'Ann Example', email: 'ann@example.com', image: 'https://example.com/ann.png' }
export const password = 'correct horse battery staple'

/** Name of our session cookie, and of Auth.js', without https. */
export const cookieName = 'auth.session-token'
export const authJsCookieName = 'authjs.session-token'

/** The client of the benchmark's OpenID provider. */
export const client = { clientId: 'bench', clientSecret: 'the-secret-of-the-bench-of-32-characters' }
