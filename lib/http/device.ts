/**
 * The device of a sign-in, coarsely: the browser family and the operating system. Clients can send any header, so only
 * names of the tables below are returned. The headers themselves are not stored.
 */
import { header, type MessageHeaders } from './message.js'

/** A browser and its operating system, as far as they are known. */
export interface KnownDevice {
  readonly browser?: string
  readonly system?: string
}

/** The browser names by letter. The letters are stored, so they must not change; the names may. */
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

/** The letter for an unknown browser or system. */
const unknownCode = '-'

/** The number of characters of a header that are read. Browsers send half as many. */
const maxHeaderLength = 512

/** The words that identify a browser. The first match is used, because most browsers also name similar ones. */
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

/**
 * The letters of the values of `Sec-CH-UA-Platform`.
 *
 * @see https://wicg.github.io/ua-client-hints/#sec-ch-ua-platform
 */
const platforms: ReadonlyMap<string, string> = new Map([
  ['"Android"', 'a'],
  ['"Chrome OS"', 'c'],
  ['"Chromium OS"', 'c'],
  ['"iOS"', 'i'],
  ['"Linux"', 'l'],
  ['"macOS"', 'm'],
  ['"Windows"', 'w'],
])

/** Returns the device of a request as two characters for {@link deviceFromCode}; `undefined` when nothing is known. */
export function deviceCodeOf(headers: MessageHeaders): string | undefined {
  const text = (header(headers, 'user-agent') ?? '').slice(0, maxHeaderLength)
  // Browsers begin with these names, and so do API clients that imitate them. Other clients name themselves.
  if (!/^(?:Mozilla|Opera)\//.test(text)) return undefined
  // The hint is newer than the user agent, which Chromium freezes. An iPad calls itself a Mac in both.
  const system = platforms.get(header(headers, 'sec-ch-ua-platform') ?? '') ?? findCodeByWords(systemWords, text)
  const browser = findCodeByWords(browserWords, text) ?? (isSafari(text, system) ? 's' : undefined)
  return browser === undefined && system === undefined ? undefined : (browser ?? unknownCode) + (system ?? unknownCode)
}

function findCodeByWords(table: typeof systemWords, text: string): string | undefined {
  return table.find(([, ...words]) => words.some((word) => text.includes(word)))?.[0]
}

/** Checks for Safari. Other browsers name Safari too, and Android's old browser also sends `Version`. */
function isSafari(text: string, system: string | undefined): boolean {
  return text.includes('Safari/') && text.includes('Version/') && ['i', 'm', 'p'].includes(system ?? '')
}

/** Returns the device of a code of {@link deviceCodeOf}; `undefined` for an unknown code. */
export function deviceFromCode(code: string | undefined): KnownDevice | undefined {
  if (code?.length !== 2) return undefined
  const browser = browsers.get(code.charAt(0))
  const system = systems.get(code.charAt(1))
  if (browser === undefined && system === undefined) return undefined
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) }
}
