import type { CliWorld } from './cli-world.ts'

/** The option that every command has. */
export const jsonOption: [flags: string, description: string] = [
  '--json',
  'print the result as one JSON value',
]

/** The value of that option. */
export type JsonOption = { json?: true }

/** Prints a result: as JSON in one line where that is asked for, else as text. */
export function printResult(world: CliWorld, { json }: JsonOption, result: object, text: string): void {
  world.print(json === true ? `${JSON.stringify(result)}\n` : text)
}
