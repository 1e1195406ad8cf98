/** A body of a route that signs, with a name that says what it is the worst of. */
export type WorstBody = { readonly name: string; readonly body: Readonly<Record<string, unknown>> }

/** The largest body of a transaction, and of anything else that is signed, in bytes. */
export const transactionBytes: number = 256 << 10
export const otherBytes: number = 64 << 10

// What the members beside the payload take at most.
const frameBytes = 512

/** How many bytes a payload may have whose text is so many characters per byte long. */
export const roomFor = (bodyBytes: number, charactersPerByte: number): number =>
  Math.floor((bodyBytes - frameBytes) / charactersPerByte)

/** A list of `count` values. */
export const times = <value>(count: number, value: (index: number) => value): value[] =>
  Array.from({ length: count }, (_, index) => value(index))

/** `count` members, named by `name`. */
export const members = <value>(
  count: number,
  name: (index: number) => string,
  value: (index: number) => value,
): Record<string, value> => Object.fromEntries(times(count, (index) => [name(index), value(index)]))
