/** A logout token, or a front-channel request, that says nothing we may act on. The message has nothing of the token. */
export class RefusedToken extends Error {
  override readonly name = 'RefusedToken'
}
