/**
 * Returns the options unchanged. Throws a `TypeError` that names the required ones that are missing, which callers without types would
 * otherwise meet as an error of the engine.
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
