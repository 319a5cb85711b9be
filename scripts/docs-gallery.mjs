/**
 * Every built-in page in every state, as files of the documentation site: `docs/public/gallery/`. Run with tsx, by `npm run docs:build`. The
 * frames are sandboxed: a press of a button in them does nothing.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { english } from '../lib/config/site.js'
import { languages, logos, states } from '../test/browser/states.ts'

const folder = fileURLToPath(new URL('../docs/public/gallery/', import.meta.url))
const names = Object.keys(states)

rmSync(folder, { recursive: true, force: true })
for (const language of [english, ...languages]) {
  const own = language === english ? folder : `${folder}${language.locale}/`
  mkdirSync(own, { recursive: true })
  for (const { path, svg } of logos) writeFileSync(own + path.slice(1), svg)
  for (const name of names) {
    const page = states[name]({ nonce: 'gallery', theme: {}, language, host: 'app.example.com' })
    // Logos are paths of the site; here they lie beside the page.
    writeFileSync(`${own}${name}.html`, page.replaceAll(/(src|srcset)="\/(logo[\w-]*\.svg)"/g, '$1="$2"'))
  }
  writeFileSync(`${own}index.html`, index(language.locale))
}
console.log(`docs/public/gallery/: ${names.length} states in ${languages.length + 1} languages`)

function index(locale) {
  const frames = names.map(
    (name) => `<figure id="${name}">
<figcaption><a href="${name}.html">${name}</a></figcaption>
<iframe src="${name}.html" title="${name}" loading="lazy" sandbox="allow-scripts" width="360" height="640"></iframe>
</figure>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The built-in pages (${locale}) · server-auth</title>
<style>
body { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(22.5rem, 1fr)); gap: 2rem }
figure { margin: 0 }
figcaption { margin-bottom: .5rem }
iframe { max-width: 100%; border: 1px solid GrayText; border-radius: .5rem; background: Canvas }
</style>
<h1>The built-in pages (${locale})</h1>
<p><a href="${locale === 'en' ? '' : '../'}../reference/gallery.html">Back to the documentation</a></p>
<main>
${frames.join('\n')}
</main>
</html>
`
}
