/** Colours out of a configuration: checked, because they are written into a style element. */

import type { Theme } from '../types/theme.js'

/** A colour that may be written into CSS: `#rgb` or `#rrggbb`. Only {@link readColor} makes one. */
export type Color = string & { readonly [color]: true }
declare const color: unique symbol

/** The value as a colour; anything but `#rgb` and `#rrggbb` is none. */
export function readColor(value: unknown): Color | undefined {
  return isColor(value) ? value : undefined
}

/**
 * White where it has at least 4.5:1 on the colour (WCAG 1.4.3), else black, which then has: brands are drawn for white, and
 * the one always fits where the other does not.
 */
export function contrastingText(background: Color): '#000' | '#fff' {
  return 1.05 / (luminance(background) + 0.05) >= 4.5 ? '#fff' : '#000'
}

/**
 * White on all but pale colours: as brands draw their marks. Logos need no contrast of text (WCAG 1.4.3), yet below 2:1 a
 * shape is lost.
 */
export function markColor(background: Color): '#000' | '#fff' {
  return 1.05 / (luminance(background) + 0.05) >= 2 ? '#fff' : '#000'
}

function isColor(value: unknown): value is Color {
  return typeof value === 'string' && /^#[0-9a-f]{3}([0-9a-f]{3})?$/i.test(value)
}

/** What the `color-scheme` of a document says. Without a forced one the browser's preference decides. */
export function schemesOf({ colorScheme }: Theme): string {
  return colorScheme === 'dark' || colorScheme === 'light' ? colorScheme : 'light dark'
}

/** Relative luminance (WCAG 2.2, "relative luminance"). */
function luminance(value: Color): number {
  const digits = value.length === 4 ? value.replace(/[^#]/g, '$&$&') : value
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(digits.slice(at, at + 2), 16) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}
