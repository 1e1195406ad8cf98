/** The program's surroundings: its environment, the folder that it is called in, and its two outputs. */
export type CliWorld = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** The repository that the program belongs to: where a start keeps its data by default. */
  readonly repository: string
  /** The result. */
  print(text: string): void
  /** Usage and errors. */
  say(text: string): void
}
