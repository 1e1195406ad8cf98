/**
 * The options of a call, as given; throws a `TypeError` that names those that it needs and a caller without types left out, instead of
 * the engine's own words.
 */
export function given<options extends object>(
  call: string,
  options: options,
  needed: readonly (keyof options & string)[],
): options {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`${call} needs ${needed.join(' and ')}`)
  const missing = needed.filter((name) => options[name] === undefined || options[name] === null)
  if (missing.length > 0) throw new TypeError(`${call} needs ${missing.join(' and ')}`)
  return options
}
