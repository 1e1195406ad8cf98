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

/** The least CPU time of three runs, in ms: what else the machine does counts little. */
export function leastCpuMs(run: () => unknown): number {
  const once = () => {
    const before = process.cpuUsage()
    run()
    return process.cpuUsage(before).user / 1_000
  }
  return Math.min(once(), once(), once())
}
