/** Extends Markdown: links to the sources, marks with an id, diagrams. HTML is text. */
import { readFileSync } from 'node:fs'
import type { MarkdownOptions } from 'vitepress'
import { isSource, sourceUrl } from './links.js'
import { drawSequence } from './sequence.js'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

export function bindMarkdown(md: MarkdownIt): void {
  linkSources(md)
  readMarks(md)
  showBraces(md)
  drawDiagrams(md)
  leaveCornersEmpty(md)
}

/** `[the proxy](../examples/next-app/proxy.ts)` leads to the repository. */
function linkSources(md: MarkdownIt): void {
  const { link_open: open } = md.renderer.rules
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index]
    const target = token?.attrGet('href')
    const page: string = env.relativePath ?? ''
    if (target && isSource(page, target)) token?.attrSet('href', sourceUrl(page, target))
    // The contents are the front page.
    else if (target) token?.attrSet('href', target.replace(/^((?:\.\.?\/)*)README\.md(?=#|$)/, '$1index.md'))
    return open ? open(tokens, index, options, env, self) : self.renderToken(tokens, index, options)
  }
}

/** `<a id="google"></a>` on a line of its own is an anchor: GitHub knows no other way. */
function readMarks(md: MarkdownIt): void {
  md.block.ruler.before('paragraph', 'mark', (state, startLine, _endLine, silent) => {
    const line = state.src.slice(
      (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0),
      state.eMarks[startLine],
    )
    const [, id] = /^<a id="([\w.-]+)"><\/a>$/.exec(line) ?? []
    if (id === undefined) return false
    if (silent) return true
    const token = state.push('mark', 'a', 0)
    token.attrSet('id', id)
    state.line = startLine + 1
    return true
  })
  // Where a heading has the id already, as most providers' have, it is the anchor.
  md.core.ruler.push('mark', (state) => {
    const headings = new Set(
      state.tokens.filter(({ type }) => type === 'heading_open').map((token) => token.attrGet('id')),
    )
    state.tokens = state.tokens.filter((token) => token.type !== 'mark' || !headings.has(token.attrGet('id')))
  })
  md.renderer.rules.mark = (tokens, index) => `<a id="${tokens[index]?.attrGet('id')}"></a>\n`
}

/** Pages are compiled as templates: two braces in a sentence would be code. */
function showBraces(md: MarkdownIt): void {
  md.renderer.rules.text = (tokens, index) =>
    md.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('{{', '&#123;&#123;')
}

/** A block of Mermaid, and an image of `diagrams/`, are part of the page: so they take its colours, and their text is text. */
function drawDiagrams(md: MarkdownIt): void {
  const { fence, image } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index]
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, options, env, self) ?? ''
    return figure(drawSequence(token.content, `diagram-${index}`))
  }
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const source = tokens[index]?.attrGet('src') ?? ''
    if (!/^(?:\.\.?\/)?diagrams\/[\w-]+\.svg$/.test(source)) return image?.(tokens, index, options, env, self) ?? ''
    const file = new URL(`../diagrams/${source.replace(/^.*\//, '')}`, import.meta.url)
    // Styles of the file are for GitHub. Here those of the theme have the same names.
    return figure(
      readFileSync(file, 'utf8')
        .replace(/<style>.*?<\/style>\s*/s, '')
        .replaceAll(/\s*\n\s*/g, ''),
    )
  }
}

/** Above a column without a name there is no heading, but an empty cell. */
function leaveCornersEmpty(md: MarkdownIt): void {
  md.core.ruler.push('corner', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [content, end] = [tokens[index + 1], tokens[index + 2]]
      if (token.type === 'th_open' && content?.content === '' && end) token.tag = end.tag = 'td'
    }
  })
}

/** Wider than a phone: it can be moved, by keyboard as well. `v-pre`: nothing in it is a template. */
const figure = (svg: string) =>
  `<span class="figure" tabindex="0" role="group" aria-label="Diagram" v-pre>${svg}</span>\n`
