/** The program's surroundings: two outputs, files to read, the network and the clock. */
export type VerifyWorld = {
  /** How a person calls it, for the usage: `node verify.js`. */
  readonly called: string
  /** For the person: usage and errors. */
  say(text: string): void
  /** The report. */
  print(text: string): void
  /** The bytes of a file. Throws `UnreadableError` where the system gives none. */
  readFile(path: string): Uint8Array
  /** The bytes of a file, or of standard input for `-`; throws as `readFile` does. */
  readStream(path: string): AsyncIterable<Uint8Array>
  readonly fetch: typeof fetch
  nowMs(): number
  /** The installation that the program belongs to, where it belongs to one: its address, and of a development start the simulated root (DER). */
  ownPlatform?(): { readonly baseUrl: string; readonly simulatedRoot?: Uint8Array } | undefined
}

/** Thrown for a file that holds something else than it should; the message is one sentence for the person. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** The text of a file. Throws `UnreadableError` where there is none, or it is not UTF-8. */
export function readText(world: VerifyWorld, file: string): string {
  const bytes = world.readFile(file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableError(`${file} is not a text.`)
  }
}

/** The JSON of a file. Throws `UnreadableError` where it is none; `what` says what it should be. */
export function readJson(world: VerifyWorld, file: string, what: string): unknown {
  const text = readText(world, file)
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableError(`${file} is not ${what}.`)
  }
}
