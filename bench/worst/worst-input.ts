/** One accepted input of a route: the worst of its kind. A text is a body of whatever its protocol takes, anything else is JSON. */
export type WorstInput = {
  readonly name: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The worst accepted inputs of a route, made when they are asked for. */
export type WorstInputs = () => readonly WorstInput[]

const bodyBytes = 256 << 10

/** A route that takes nothing: its path is all. */
export const nothing: WorstInputs = () => [{ name: 'no input' }]

/** A route whose body is small, or that takes none: as much white space about it as a body may have. */
export const padded =
  (body: object = {}): WorstInputs =>
  () => {
    const text = JSON.stringify(body)
    return [
      { name: '256 KiB of white space', body: `${text.slice(0, -1)}${' '.repeat(bodyBytes - text.length)}}` },
    ]
  }

/** A query whose texts are as long as they may be. */
export const query =
  (values: Readonly<Record<string, string>>): WorstInputs =>
  () => [{ name: 'every filter', query: values }]

/** JSON bodies by their names. */
export const bodies =
  (made: () => Readonly<Record<string, unknown>>): WorstInputs =>
  () =>
    Object.entries(made()).map(([name, body]) => ({ name, body }))

/** Several kinds of inputs. */
export const all =
  (...kinds: readonly WorstInputs[]): WorstInputs =>
  () =>
    kinds.flatMap((kind) => kind())
