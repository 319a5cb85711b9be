/**
 * On what kind of device somebody signs in, coarsely: the family of a browser and of its system. Clients write these headers, and
 * may write anything: what comes out is a name of the tables below, or nothing. The headers themselves are stored nowhere.
 */
import { header, type MessageHeaders } from './message.js'

/** A browser and its system, in this order, as far as they are known. */
export interface KnownDevice {
  readonly browser?: string
  readonly system?: string
}

/** By letter, which is what is stored: for ever. Names may change. */
const browsers: ReadonlyMap<string, string> = new Map([
  ['c', 'Chrome'],
  ['e', 'Edge'],
  ['f', 'Firefox'],
  ['g', 'Samsung Internet'],
  ['o', 'Opera'],
  ['s', 'Safari'],
])

const systems: ReadonlyMap<string, string> = new Map([
  ['a', 'Android'],
  ['c', 'ChromeOS'],
  ['i', 'iOS'],
  ['l', 'Linux'],
  ['m', 'macOS'],
  ['p', 'iPadOS'],
  ['w', 'Windows'],
])

/** In the place of a letter where one of both is not known. */
const unknown = '-'

/** Characters of a header that are looked at. Browsers send half as many. */
const maxLength = 512

/** The first that is there counts: most browsers also name those that they are like. */
const browserWords: ReadonlyArray<readonly [code: string, ...words: string[]]> = [
  ['e', 'Edg/', 'EdgA/', 'EdgiOS/', 'Edge/'],
  ['o', 'OPR/', 'OPT/', 'OPiOS/', 'Opera/'],
  ['g', 'SamsungBrowser/'],
  ['f', 'Firefox/', 'FxiOS/'],
  ['c', 'Chrome/', 'CriOS/', 'Chromium/'],
]

const systemWords: ReadonlyArray<readonly [code: string, ...words: string[]]> = [
  ['w', 'Windows'],
  ['p', 'iPad'],
  ['i', 'iPhone', 'iPod'],
  ['a', 'Android'],
  ['c', 'CrOS'],
  ['m', 'Macintosh'],
  ['l', 'Linux', 'X11'],
]

/** What `Sec-CH-UA-Platform` says (https://wicg.github.io/ua-client-hints/#sec-ch-ua-platform). */
const platforms: ReadonlyMap<string, string> = new Map([
  ['"Android"', 'a'],
  ['"Chrome OS"', 'c'],
  ['"Chromium OS"', 'c'],
  ['"iOS"', 'i'],
  ['"Linux"', 'l'],
  ['"macOS"', 'm'],
  ['"Windows"', 'w'],
])

/** The device of a request, in two characters for {@link deviceOf}; `undefined` where nothing of it is known. */
export function deviceCodeOf(headers: MessageHeaders): string | undefined {
  const text = (header(headers, 'user-agent') ?? '').slice(0, maxLength)
  // Browsers begin with it, and so do programs that want to be taken for one; others say what they are.
  if (!/^(?:Mozilla|Opera)\//.test(text)) return undefined
  // Newer than the user agent, which browsers of Chromium keep as it once was. An iPad calls itself a Mac in both.
  const system = platforms.get(header(headers, 'sec-ch-ua-platform') ?? '') ?? find(systemWords, text)
  const browser = find(browserWords, text) ?? (isSafari(text, system) ? 's' : undefined)
  return browser === undefined && system === undefined ? undefined : (browser ?? unknown) + (system ?? unknown)
}

function find(table: typeof systemWords, text: string): string | undefined {
  return table.find(([, ...words]) => words.some((word) => text.includes(word)))?.[0]
}

/** Others than Safari name it, too, and its version is under `Version`; so does Android's old browser. */
function isSafari(text: string, system: string | undefined): boolean {
  return text.includes('Safari/') && text.includes('Version/') && ['i', 'm', 'p'].includes(system ?? '')
}

/** What {@link deviceCodeOf} found; `undefined` for what it has never written. */
export function deviceOf(code: string | undefined): KnownDevice | undefined {
  if (code?.length !== 2) return undefined
  const browser = browsers.get(code.charAt(0))
  const system = systems.get(code.charAt(1))
  if (browser === undefined && system === undefined) return undefined
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) }
}
