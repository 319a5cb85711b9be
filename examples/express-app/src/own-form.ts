/** Forms of our own pages: read, and known from those that another site sends. */
import express, { type RequestHandler } from 'express'
import type { DefinedAuth, ServerAuthConfig } from 'server-auth'

export const readForm = express.urlencoded({ extended: false, limit: '10kb' })

/** Allows a form that one of our pages made, for the signed-in user. */
export function requireOwnForm(auth: DefinedAuth<ServerAuthConfig>): RequestHandler {
  return function requireOwnForm(request, response, next) {
    // Another site could send the form as well; the token it cannot know.
    if (!auth.hasCsrfToken(request)) {
      const text = 'This form is out of date, and nothing was changed.'
      return void response.status(403).render('message', { title: 'Please try again', text })
    }
    // The session ended meanwhile: the page itself asks to sign in.
    if (!response.locals.session?.user) return response.redirect(303, '/account')
    next()
  }
}
