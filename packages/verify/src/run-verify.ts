import { type AuditKeys, type ExportReport, verifyExport } from '@symbolon/sdk/verify'
import { reportText } from './report-text.ts'
import { usage, type VerifyArguments, verifyArguments } from './verify-arguments.ts'

/** The program's surroundings: two outputs, and files to read. */
export type VerifyWorld = {
  /** For the person: usage and errors. */
  say(text: string): void
  /** The report. */
  print(text: string): void
  readFile(path: string): string
  /** The bytes of a file, or of standard input for `-`. */
  readStream(path: string): AsyncIterable<Uint8Array>
}

const exitCodes = { verified: 0, failed: 1, unproven: 3 } as const

/** Runs the program. Resolves with its exit code: 0 verified, 1 failed, 2 wrong usage or unreadable file, 3 unproven. */
export async function runVerify(args: readonly string[], world: VerifyWorld): Promise<number> {
  const options = verifyArguments(args)
  if (options === undefined || options.isHelpWanted || options.exportFile === undefined) {
    world.say(usage)
    return options?.isHelpWanted === true ? 0 : 2
  }
  try {
    const report = await verify(options.exportFile, options, world)
    world.print(options.isJsonWanted ? `${JSON.stringify(report, null, 2)}\n` : reportText(report))
    return exitCodes[report.verdict]
  } catch (error) {
    if (!(error instanceof Unreadable) && !isFileError(error)) throw error
    world.say(`${error.message}\n`)
    return 2
  }
}

function verify(exportFile: string, options: VerifyArguments, world: VerifyWorld): Promise<ExportReport> {
  const { checkpointFile, keyFiles, earlierFiles, organizationId, host } = options
  return verifyExport({
    // Report unreadable files before reading the export.
    keys: keyFiles.length === 0 ? undefined : keysOf(keyFiles, world),
    checkpoint: checkpointFile === undefined ? undefined : world.readFile(checkpointFile),
    consistentWith: earlierFiles.map((file) => world.readFile(file)),
    organizationId,
    host,
    stream: world.readStream(exportFile),
  })
}

/** Thrown for a file that holds something else than it should. */
class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

function keysOf(files: readonly string[], world: VerifyWorld): AuditKeys {
  return { keys: files.flatMap((file) => keySet(file, world.readFile(file)).keys) }
}

function keySet(file: string, text: string): AuditKeys {
  try {
    const value: unknown = JSON.parse(text)
    const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined
    if (Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)) return { keys }
  } catch {
    // Said below.
  }
  throw new Unreadable(`${file} is not a key set: save the answer of /.well-known/jwks.json.`)
}

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
