/** Reads the built-in pages as a browser would, and starts an application as it runs in production. */
import { get } from 'node:http'
import type { ServerAuthConfig } from '../../lib/index.js'
import { type AppOptions, startApp, type TestApp } from '../support/app.js'
import type { Answer } from '../support/http-browser.js'

/** Returns the values of all inputs of a name, in the order of the page. */
export function inputs(response: Answer, name: string): string[] {
  const tags = response.text.match(/<input[^>]*>/g) ?? []
  return tags
    .filter((tag) => tag.includes(` name="${name}"`))
    .map((tag) => unescapeHtml(/ value="([^"]*)"/.exec(tag)?.[1] ?? ''))
}

/** Returns the URLs to which the forms of a page are sent, in their order. */
export function formActions(response: Answer): string[] {
  return [...response.text.matchAll(/<form[^>]* action="([^"]*)"/g)].map(([, action = '']) => unescapeHtml(action))
}

/** Returns the paths to which the forms of a page are posted, in their order. */
export function formPaths(page: string): string[] {
  return [...page.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, url = '']) => new URL(url).pathname)
}

/** Returns the URLs of the links of a page. */
export function links(response: Answer): string[] {
  return [...response.text.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href = '']) => unescapeHtml(href))
}

/** Returns the text of the one `h1`. */
export function heading(response: Answer): string | undefined {
  return /<h1>([^<]*)<\/h1>/.exec(response.text)?.[1]
}

/** Returns a text with its character references resolved. */
export function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_whole, code) => String.fromCharCode(Number(code)))
}

/** Returns `Location` of the answer to a request target that no client library would send unchanged. */
export function rawLocation(origin: string, path: string): Promise<string | undefined> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (response) => {
      response.resume()
      resolve(response.headers.location)
    }).on('error', reject)
  })
}

/** Starts an application whose configuration is resolved with these environment variables. */
export async function startAppWithEnv(
  env: Readonly<Record<string, string>>,
  config: Partial<ServerAuthConfig> = {},
  options: AppOptions = {},
): Promise<TestApp> {
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]))
  Object.assign(process.env, env)
  try {
    return await startApp(config, options)
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
