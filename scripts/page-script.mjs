/**
 * `npm run script:page`: makes `lib/generated/passkey-script.ts`, the script of the built-in sign-in page, out of
 * `lib/client/passkey-page.ts`; with `--check` says whether it is what it would write.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const target = file('lib/generated/passkey-script.ts')

const written = toModule(await bundle())
if (!process.argv.includes('--check')) {
  writeFileSync(target, written)
  console.log(`lib/generated/passkey-script.ts: ${written.length} characters`)
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== written) {
  console.error('lib/generated/passkey-script.ts is out of date: npm run script:page')
  process.exitCode = 1
} else console.log('The script of the sign-in page is up to date.')

/** One function that is called at once. ES2020: every browser that has passkeys knows more. */
async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [file('lib/client/passkey-page.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    // Our linter takes `${` in a string for a mistake.
    supported: { 'template-literal': false },
    legalComments: 'none',
    charset: 'ascii',
    tsconfigRaw: { compilerOptions: { strict: true } },
    write: false,
  })
  const script = outputFiles[0].text.trim()
  // These texts end a script element, or make a browser read on after its end (HTML, "restrictions for contents of
  // script elements").
  const unsafe = /<\/?script|<!--/i.exec(script)
  if (unsafe) throw new Error(`${unsafe[0]} may not stand in a script element`)
  return script
}

function toModule(script) {
  const licence = readFileSync(file('node_modules/@simplewebauthn/browser/LICENSE.md'), 'utf8').trim()
  return `/**
 * The script of the built-in sign-in page. Made of \`lib/client/passkey-page.ts\` by \`npm run script:page\`: change that one.
 *
 * It contains parts of @simplewebauthn/browser:
 *
${licence.replace(/^/gm, ' * ').replace(/ +$/gm, '')}
 */
export const passkeyScript =
  ${quote(script)}
`
}

/** As the formatter writes it: in the quotes that need fewer escapes. */
function quote(text) {
  const count = (mark) => text.split(mark).length
  const mark = count("'") > count('"') ? '"' : "'"
  return mark + text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(mark, `\\${mark}`) + mark
}
