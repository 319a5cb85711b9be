/**
 * Scripts for the browser, without a build of their own: the modules of two packages are served as they are, and an import
 * map tells the browser where. With a bundler you need none of this: import `server-auth/client/webauthn`, and build.
 */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import express, { Router } from 'express'

/**
 * The modules that `public/passkeys.js` may import, with their URLs. The neighbouring files are served too, because the
 * modules import each other.
 */
const importMap = JSON.stringify({
  imports: {
    'server-auth/client/webauthn': '/assets/server-auth/webauthn.js',
    '@simplewebauthn/browser': '/assets/simplewebauthn/index.js',
  },
})

/** The hash for `script-src`: the map is in the page itself, so the policy names its hash. */
export const importMapHash = `'sha256-${createHash('sha256').update(importMap).digest('base64')}'`

/** For the head of a page: the map, and a module of `public/`. */
export function moduleScript(path: string): string {
  return `<script type="importmap">${importMap}</script><script type="module" src="${path}"></script>`
}

/** To be mounted at `/assets`. */
export function browserModules(): Router {
  const folderOf = (module: string) => express.static(fileURLToPath(new URL('.', import.meta.resolve(module))))
  return Router()
    .use('/server-auth', folderOf('server-auth/client/webauthn'))
    .use('/simplewebauthn', folderOf('@simplewebauthn/browser'))
}
