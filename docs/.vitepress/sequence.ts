/**
 * Sequence diagrams: the part of Mermaid's language that our pages use, as an SVG. Drawn when the site is built, so that no script has
 * to do it in the browser. GitHub draws the same text by itself.
 *
 * Known are `participant A as Name`, `A->>B: text`, `A-->>B: text`, `Note over A,B: text`, `alt`, `else`, `opt`, `end`, `accTitle:` and
 * `accDescr:`. Anything else is an error of the build.
 */

interface Message {
  readonly kind: 'message'
  readonly from: number
  readonly to: number
  readonly text: string
  readonly dashed: boolean
}
interface Note {
  readonly kind: 'note'
  readonly from: number
  readonly to: number
  readonly text: string
}
interface Frame {
  readonly kind: 'begin' | 'else' | 'end'
  readonly text: string
}
type Step = Message | Note | Frame

interface Sequence {
  readonly title: string
  readonly description: string
  readonly actors: readonly { readonly id: string; readonly name: string }[]
  readonly steps: readonly Step[]
}

const head = 36
const row = 44
const selfRow = 40
const margin = 12
/** The average width of a letter at 13 px, and the least distance between two lifelines. */
const letter = 6.5
const narrowest = 120

/** The SVG. @param id Unique in its page. */
export function drawSequence(source: string, id: string): string {
  const sequence = parse(source)
  const centers = placeActors(sequence)
  const { marks, height } = drawSteps(sequence.steps, centers)
  const width = widthOf(sequence, centers)
  const lines = centers.map((x) => `<line class="life" x1="${x}" y1="${head}" x2="${x}" y2="${height}"/>`)
  const heads = sequence.actors.map(({ name }, index) => {
    const wide = name.length * letter * 1.1 + 20
    const x = centers[index] ?? 0
    return `<rect class="box" x="${x - wide / 2}" y="1" width="${wide}" height="${head - 2}" rx="6"/>${textAt(x, 23, name, 'name')}`
  })
  return `<svg class="diagram" xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${Math.ceil(width)} ${height + margin}" width="${Math.ceil(width)}" height="${height + margin}"><title id="${id}-title">${escapeXml(sequence.title)}</title><desc id="${id}-desc">${escapeXml(describe(sequence))}</desc>${[...lines, ...heads, ...marks].join('')}</svg>`
}

function parse(source: string): Sequence {
  const actors: { id: string; name: string }[] = []
  const steps: Step[] = []
  let title = ''
  let description = ''
  const indexOf = (id = '') => {
    const index = actors.findIndex((actor) => actor.id === id)
    if (index < 0) throw new Error(`sequence diagram: there is no participant ${id}`)
    return index
  }
  for (const line of source.split('\n').map((each) => each.trim())) {
    const [, word = '', rest = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? []
    const actor = /^participant (\w+) as (.+)$/.exec(line)
    const message = /^(\w+)(--?)>>(\w+): ?(.*)$/.exec(line)
    const note = /^Note over (\w+)(?:,(\w+))?: ?(.*)$/.exec(line)
    if (line === '' || line === 'sequenceDiagram') continue
    if (actor) actors.push({ id: actor[1] ?? '', name: actor[2] ?? '' })
    else if (message) {
      const [, from, dash, to, text = ''] = message
      steps.push({ kind: 'message', from: indexOf(from), to: indexOf(to), text, dashed: dash === '--' })
    } else if (note) {
      const [, from, to = from, text = ''] = note
      steps.push({ kind: 'note', from: indexOf(from), to: indexOf(to), text })
    } else if (word === 'alt' || word === 'opt') steps.push({ kind: 'begin', text: rest })
    else if (word === 'else' || word === 'end') steps.push({ kind: word, text: rest })
    else if (word === 'accTitle') title = rest
    else if (word === 'accDescr') description = rest
    else throw new Error(`sequence diagram: what is "${line}"?`)
  }
  if (title === '') throw new Error('sequence diagram: it needs a line `accTitle: …`')
  return { title, description, actors, steps }
}

/** Describes the diagram for screen readers: each message with its sender and receiver. */
function describe({ description, actors, steps }: Sequence): string {
  const name = (index: number) => actors[index]?.name ?? ''
  const sentences = steps.flatMap((step) => {
    if (step.kind === 'message') {
      return step.from === step.to
        ? `${name(step.from)}: ${step.text}.`
        : `${name(step.from)} to ${name(step.to)}: ${step.text}.`
    }
    if (step.kind === 'end') return []
    return step.kind === 'note' ? `Note: ${step.text}.` : `If ${step.text}:`
  })
  return [description, ...sentences].join(' ').trim()
}

/** The x of each line of life: far enough from the one before for what is said between both. */
function placeActors({ actors, steps }: Sequence): number[] {
  const messages = steps.filter((step) => step.kind === 'message')
  const centers: number[] = []
  for (const [index, { name }] of actors.entries()) {
    const half = (name.length * letter * 1.1 + 20) / 2
    let x = index === 0 ? half + 2 : (centers[index - 1] ?? 0) + Math.max(narrowest, half * 2 + margin)
    for (const { from, to, text } of messages) {
      const [low, high] = [Math.min(from, to), Math.max(from, to)]
      const isSelf = low === high && low === index - 1
      if (high === index && low < index) x = Math.max(x, (centers[low] ?? 0) + text.length * letter + 34)
      if (isSelf && index < actors.length) x = Math.max(x, (centers[low] ?? 0) + narrowest)
    }
    centers.push(Math.round(x))
  }
  return centers
}

function widthOf({ actors, steps }: Sequence, centers: readonly number[]): number {
  const last = actors.at(-1)?.name ?? ''
  const ends = steps.map((step) => {
    if (step.kind !== 'message' || step.from !== step.to) return 0
    return (centers[step.from] ?? 0) + 40 + step.text.length * letter
  })
  return Math.max((centers.at(-1) ?? 0) + (last.length * letter * 1.1 + 20) / 2 + 2, ...ends) + margin
}

function drawSteps(steps: readonly Step[], centers: readonly number[]): { marks: string[]; height: number } {
  const marks: string[] = []
  const frames: { top: number; text: string; depth: number }[] = []
  const right = (centers.at(-1) ?? 0) + 40
  let y = head
  for (const step of steps) {
    if (step.kind === 'message') {
      y += step.from === step.to ? selfRow : row
      marks.push(step.from === step.to ? drawSelf(step, centers, y) : drawArrow(step, centers, y))
    } else if (step.kind === 'note') {
      y += 50
      marks.push(drawNote(step, centers, y))
    } else if (step.kind === 'end') {
      const frame = frames.pop()
      y += 16
      const inset = 4 + (frame?.depth ?? 0) * 8
      if (frame) {
        marks.push(
          `<rect class="frame" x="${inset}" y="${frame.top}" width="${right - inset * 2}" height="${y - frame.top}" rx="4"/>`,
        )
      }
    } else {
      y += 30
      const inset = 4 + (step.kind === 'else' ? frames.length - 1 : frames.length) * 8
      if (step.kind === 'begin') frames.push({ top: y - 16, text: step.text, depth: frames.length })
      else marks.push(`<line class="frame" x1="${inset}" y1="${y - 14}" x2="${right - inset}" y2="${y - 14}"/>`)
      marks.push(textAt(inset + 10, y + 2, `[${step.text}]`, 'condition'))
    }
  }
  return { marks, height: y + 20 }
}

function drawArrow({ from, to, text, dashed }: Message, centers: readonly number[], y: number): string {
  const [start = 0, end = 0] = [centers[from], centers[to]]
  const direction = end > start ? -1 : 1
  return `<line class="${dashed ? 'line dashed' : 'line'}" x1="${start}" y1="${y}" x2="${end + direction * 6}" y2="${y}"/>${tip(end, y, direction)}${textAt((start + end) / 2, y - 7, text, 'label')}`
}

function drawSelf({ from, text }: Message, centers: readonly number[], y: number): string {
  const x = centers[from] ?? 0
  return `<path class="line" d="M${x} ${y - 14}h20v14h-14"/>${tip(x, y, 1)}${textAt(x + 27, y - 3, text, 'beside')}`
}

function drawNote({ from, to, text }: Note, centers: readonly number[], y: number): string {
  const [start = 0, end = 0] = [centers[from], centers[to]]
  const wide = Math.max(end - start + 60, text.length * letter + 24)
  const middle = Math.max((start + end) / 2, wide / 2 + 2)
  return `<rect class="note" x="${middle - wide / 2}" y="${y - 30}" width="${wide}" height="30" rx="4"/>${textAt(middle, y - 11, text, 'label')}`
}

/** The tip of an arrow that comes from the right (1) or from the left (-1). */
const tip = (x: number, y: number, direction: number) => `<path class="tip" d="M${x} ${y}l${direction * 9} -4.5v9z"/>`

const textAt = (x: number, y: number, text: string, name: string) =>
  `<text class="${name}" x="${x}" y="${y}">${escapeXml(text)}</text>`

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{', '&#123;')
}
