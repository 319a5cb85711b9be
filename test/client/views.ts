/**
 * Pages with the client in them, for the site of a test:
 *
 * - `/view/plain`: `window.auth` is the client
 * - `/view/react?props=<JSON>`: the application of `pages/app.ts`; with `&server` rendered by the server first
 * - `/view/published?props=<JSON>`: the same with `next-auth/react` instead of our client
 */
import type { Express, Response } from 'express'
import { renderToString } from 'react-dom/server'
import type { ServerAuthConfig } from '../../lib/types/config.js'
import { type Bundle, bundle, publishedClient } from './bundle.js'
import { type AppProps, application } from './pages/app.js'

const bundles = {
  plain: () => bundle('test/client/pages/plain.ts'),
  react: () => bundle('test/client/pages/react.ts'),
  published: () => bundle('test/client/pages/react.ts', publishedClient),
}

/** The pages. */
export type View = keyof typeof bundles

const built = new Map<View, Promise<Bundle>>()

function bundleOf(view: View): Promise<Bundle> {
  const known = built.get(view) ?? bundles[view]()
  built.set(view, known)
  return known
}

/** Callbacks that accept a name which the client sends with `update`. */
export const takesName: ServerAuthConfig['callbacks'] = {
  jwt({ token, trigger, session }) {
    if (trigger === 'update') token.name = (session as { name: string }).name
    return token
  },
}

/** Adds the pages to an application. */
export function addViews(app: Express): void {
  for (const view of Object.keys(bundles) as View[]) {
    app.get(`/view/${view}.js`, (_req, res, next) => {
      bundleOf(view).then(({ code }) => res.type('js').send(Buffer.from(code)), next)
    })
    app.get(`/view/${view}`, ({ query }, res) => {
      const props: AppProps = JSON.parse(typeof query.props === 'string' ? query.props : '{}')
      sendPage(res, view, props, query.server === undefined ? '' : renderToString(application(props)))
    })
  }
}

function sendPage(res: Response, view: View, props: AppProps, html: string): void {
  res.send(`<!doctype html><html lang="en"><title>View</title><link rel="icon" href="data:,">
<div id="app">${html}</div><script id="props" type="application/json">${JSON.stringify(props).replaceAll('<', '\\u003c')}</script>
<script type="module" src="/view/${view}.js"></script></html>`)
}

/** Returns the path of the application with props. */
export function viewPath(view: View, props: AppProps = {}, more: Record<string, string> = {}): string {
  return `/view/${view}?${new URLSearchParams({ props: JSON.stringify(props), ...more })}`
}
