/** A text of at most `length` characters, and what it makes expensive where a reader is careless. */
export type HostileText = { readonly name: string; readonly text: string }

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length)

/**
 * Texts that cost a reader more than their length where it looks back (expressions that begin anew at each character) or sorts
 * (normalization of combining marks). All end with what no reader expects there.
 */
export function hostileTexts(length: number): HostileText[] {
  const marks = repeated('\u0301', (length - 2) / 2) + repeated('\u0327', (length - 2) / 2)
  const parts = [
    '=',
    ' ',
    '\n',
    '\t',
    '\0',
    '0',
    '9.',
    'a',
    'A',
    'aA',
    '.',
    '-',
    '/',
    ':',
    '@',
    '%',
    '\\',
    '"',
    '{',
    '[',
    'a ',
    '0x',
    '::',
  ]
  return [
    { name: 'combining marks of two classes', text: `a${marks}@` },
    ...parts.map((part) => ({ name: JSON.stringify(part), text: `${repeated(part, length - 1)}\u001f` })),
  ]
}

const runsMax = 12

/**
 * The least CPU time of some runs, in ms; the first one that takes at most `enoughMs` ends it. The clock counts every thread of the process,
 * and a core whose other half is busy works at half its speed, so a single dear run says nothing.
 */
export function leastCpuMs(run: () => unknown, enoughMs: number): number {
  let least = Infinity
  for (let runs = 0; runs < runsMax && least > enoughMs; runs++) {
    const before = process.cpuUsage()
    run()
    least = Math.min(least, process.cpuUsage(before).user / 1_000)
  }
  return least
}
