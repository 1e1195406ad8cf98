/**
 * Why the database server does not come up, in a sentence: the folder and the cause. `words` is its output, of which the first error counts:
 * what follows is its consequence. `end` is how it ended, for a server that names no error.
 */
export function databaseFault(
  attempt: 'created' | 'started',
  { folder, words, end }: { folder: string; words: string; end: string },
): Error {
  const [, said] = /\b(?:error|ERROR|FATAL|PANIC):\s+(.+)$/m.exec(words) ?? []
  const last = words.trim().split('\n').at(-1) ?? ''
  const cause = said ?? (last === '' ? end : `${end}, after "${last}"`)
  return new Error(`The database in ${folder} could not be ${attempt}: ${cause}.`)
}
