/** The program's surroundings: two outputs, files to read, the network and the clock. */
export type VerifyWorld = {
  /** How a person calls it, for the usage: `node verify.js`. */
  readonly called: string
  /** For the person: usage and errors. */
  say(text: string): void
  /** The report. */
  print(text: string): void
  readFile(path: string): Uint8Array
  /** The bytes of a file, or of standard input for `-`. */
  readStream(path: string): AsyncIterable<Uint8Array>
  readonly fetch: typeof fetch
  nowMs(): number
}

/** Thrown for a file that holds something else than it should; the message is one sentence for the person. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** The text of a file. Throws `UnreadableError` where it is not UTF-8, and the system's error where there is none. */
export function readText(world: VerifyWorld, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(world.readFile(file))
  } catch (error) {
    if (error instanceof TypeError && !('syscall' in error))
      throw new UnreadableError(`${file} is not a text.`)
    throw error
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

/** Whether the system could not give a file. */
export function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
