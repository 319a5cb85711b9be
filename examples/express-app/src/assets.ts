/**
 * Scripts for the browser, without a build of their own: the modules of two packages are served as they are, and an import
 * map tells the browser where. With a bundler you need none of this: import `server-auth/client/webauthn`, and build.
 */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'
import { Html, html } from './html.js'

/** What a script may import, and the URL of the file. Its neighbours are served, too: the modules import each other. */
const imports = {
  'server-auth/client/webauthn': '/assets/server-auth/webauthn.js',
  '@simplewebauthn/browser': '/assets/simplewebauthn/index.js',
}

const importMap = JSON.stringify({ imports })

/** To be mounted at `/assets`. */
export function assets(): Router {
  const router = Router()
  router.use('/server-auth', express.static(folderOf('server-auth/client/webauthn')))
  router.use('/simplewebauthn', express.static(folderOf('@simplewebauthn/browser')))
  return router
}

function folderOf(module: string): string {
  return fileURLToPath(new URL('.', import.meta.resolve(module)))
}

/** For the head of a page: the import map, and a module of `public/`. */
export function moduleScript(path: string): Html {
  return html`<script type="importmap">${new Html(importMap)}</script>
  <script type="module" src="${path}"></script>`
}

/** For `script-src`: the map stands in the page itself, so the policy names its hash. */
export const importMapSource = `'sha256-${createHash('sha256').update(importMap).digest('base64')}'`
