/**
 * Writes `lib/generated/common-passwords.ts`: the commonest passwords that a rule on length would let through. They come from the list of
 * @zxcvbn-ts/language-common (MIT), which is in the order of how often each was seen.
 *
 *     npm pack @zxcvbn-ts/language-common@4.1.3 && tar xzf zxcvbn-ts-language-common-4.1.3.tgz
 *     node scripts/common-passwords.mjs package/src/passwords.json
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

/** The shortest password that users may set. */
const shortest = 8
const most = 10_000
/** Checks whether a password is long enough for a least length of 15. The list has all of these. */
const isLong = (password) => password.length >= 15

const [source] = process.argv.slice(2)
if (!source) throw new Error('Say where passwords.json of @zxcvbn-ts/language-common is.')
const ranked = JSON.parse(readFileSync(source, 'utf8')).map((password) => password.normalize('NFC').toLowerCase())
const usable = [...new Set(ranked)].filter((password) => [...password].length >= shortest && !/\s/.test(password))
const chosen = [...new Set([...usable.slice(0, most), ...usable.filter(isLong)])].sort()

const text = Buffer.from(chosen.join('\n'))
const params = {
  [constants.BROTLI_PARAM_QUALITY]: 11,
  [constants.BROTLI_PARAM_LGWIN]: 22,
  [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
}
const data = brotliCompressSync(text, { params }).toString('base64')
writeFileSync(
  fileURLToPath(new URL('../lib/generated/common-passwords.ts', import.meta.url)),
  `/*!
 * The commonest passwords of ${shortest} characters and more, from @zxcvbn-ts/language-common 4.1.3.
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.; Copyright (c) 2021 @zxcvbn-ts. MIT license.
 */

/** ${chosen.length} passwords in lower case, sorted, a line each; compressed by Brotli, as base64. Made by \`scripts/common-passwords.mjs\`. */
export const commonPasswords: string =
  '${data}'
`,
)
console.log(`${chosen.length} passwords, ${chosen.filter(isLong).length} of them long: ${data.length} characters`)
