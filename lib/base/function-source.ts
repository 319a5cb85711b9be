/** Facts about a function that its source text proves. */

/** The head of a function with at most one parameter, which has no default: a name, or names in braces. */
const oneParameter =
  /^(?:async\s+)?(?:(?:function\s*)?(?:[\w$]+\s*)?\(\s*(?:[\w$]+|\{[\w$\s,:]*\})?\s*,?\s*\)\s*(?:=>|\{)|[\w$]+\s*=>)/

/** Words by which a body may read its other arguments: by name, by an `eval`, or in another spelling of a name. */
const otherArguments = /arguments|eval|\\u/

/**
 * Checks whether a function certainly cannot read a second argument, so that the argument need not be made.
 *
 * `length` does not say so: parameters with a default and rest parameters are not counted. The text does, because it is
 * exactly what was parsed (ECMAScript, Function.prototype.toString). Returns `false` in all doubtful cases: native, bound and
 * wrapped functions, whose text is not shown, and functions outside strict mode, whose arguments other functions can read.
 */
export function ignoresSecondArgument(value: (...given: never[]) => unknown): boolean {
  if (Object.hasOwn(value, 'arguments')) return false
  const text = Function.prototype.toString.call(value)
  return oneParameter.test(text) && !text.includes('[native code]') && !otherArguments.test(text)
}
