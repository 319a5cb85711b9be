/** Colours from a configuration. They are checked, because they are written into a style element. */

import type { Theme } from '../types/theme.js'

/** A colour that may be written into CSS: `#rgb` or `#rrggbb`. Only {@link readColor} creates one. */
export type Color = string & { readonly [color]: true }
declare const color: unique symbol

/** Returns the value as a colour; `undefined` unless it is `#rgb` or `#rrggbb`. */
export function readColor(value: unknown): Color | undefined {
  return isColor(value) ? value : undefined
}

/**
 * Returns white if its contrast on the colour is at least 4.5:1 (WCAG 1.4.3), otherwise black, whose contrast is then
 * sufficient. White is preferred, because brands are drawn for white.
 */
export function contrastingText(background: Color): '#000' | '#fff' {
  return 1.05 / (luminance(background) + 0.05) >= 4.5 ? '#fff' : '#000'
}

/**
 * Returns white on all but pale colours, as brands draw their marks. Logos need no text contrast (WCAG 1.4.3), but
 * below 2:1 a shape is hard to see.
 */
export function markColor(background: Color): '#000' | '#fff' {
  return 1.05 / (luminance(background) + 0.05) >= 2 ? '#fff' : '#000'
}

function isColor(value: unknown): value is Color {
  return typeof value === 'string' && /^#[0-9a-f]{3}([0-9a-f]{3})?$/i.test(value)
}

/** Returns the `color-scheme` of a document. Without a forced one the browser's preference decides. */
export function schemesOf({ colorScheme }: Theme): string {
  return colorScheme === 'dark' || colorScheme === 'light' ? colorScheme : 'light dark'
}

/** Returns the relative luminance (WCAG 2.2, "relative luminance"). */
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
