/** Writes the generated blocks of pages. A page has a pair of marks for each block. */
import { readFileSync, writeFileSync } from 'node:fs'

const end = '<!-- to here -->'

/**
 * Puts the blocks of a script into a page, in their order. With `--check` it writes nothing.
 * @param command The command that writes the page, for the message.
 * @returns The fault if the page was out of date, or has other marks; otherwise `undefined`.
 */
export function writeBlocks(page, script, blocks, command) {
  const begin = `<!-- Written by scripts/${script}, from here -->`
  const text = readFileSync(page, 'utf8')
  const [head, ...parts] = text.split(begin)
  if (parts.length !== blocks.length || !parts.every((part) => part.includes(end)))
    return `${page}: ${blocks.length} blocks are needed, each between "${begin}" and "${end}"`
  const written = parts.map((part, at) => `${begin}\n\n${blocks[at]}\n\n${part.slice(part.indexOf(end))}`).join('')
  if (!process.argv.includes('--check')) writeFileSync(page, head + written)
  else if (head + written !== text) return `${page} is out of date. Run \`${command}\`.`
  return undefined
}

/** Writes the blocks as {@link writeBlocks} does, and prints a fault, or that the page is up to date. */
export function writePage(page, script, blocks, command) {
  const fault = writeBlocks(page, script, blocks, command)
  if (fault === undefined) console.log(`${page} is up to date.`)
  else {
    console.error(fault)
    process.exitCode = 1
  }
}
