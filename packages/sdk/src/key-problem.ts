/**
 * Why a text is not the key that an option takes. Never repeats the text. `prefix` begins the keys that the option takes, and `other`
 * the kind of key that is mistaken for it, with what to say about it.
 */
export function keyProblem(
  text: unknown,
  wanted: string,
  prefix: string,
  other: readonly [prefix: string, said: string],
): string {
  const where =
    'Create one in the portal, under API keys; in development, npm start prints one, and dev.json has it.'
  const given = typeof text === 'string' ? text.trim() : ''
  if (given === '') return `${wanted}, and is empty: is the environment variable set? ${where}`
  if (given.startsWith(other[0])) return `${wanted}, and this is ${other[1]} ${where}`
  return given.startsWith(prefix)
    ? `${wanted}, and this one is not complete. ${where}`
    : `${wanted}. ${where}`
}
