import { type ExportReport, verifyExport } from '@symbolon/sdk/verify'
import { exitCodes } from './exit-codes.ts'
import { type ExportArguments, exportArguments, exportUsage } from './export-arguments.ts'
import { exportText } from './export-text.ts'
import { keysOf } from './key-sets.ts'
import { readText, UnreadableError, type VerifyWorld } from './world.ts'

/** Runs `verify export`. Resolves with the exit code. */
export async function runExport(args: readonly string[], world: VerifyWorld): Promise<number> {
  const options = exportArguments(args)
  if (options === 'help') {
    world.say(exportUsage(world.called))
    return 0
  }
  const report = await verify(options, world)
  if (isNoExport(report))
    throw new UnreadableError(
      `${nameOf(options.exportFile)} is not the export of an audit log: not one of its lines is an event.`,
    )
  world.print(options.isJsonWanted ? `${JSON.stringify(report, null, 2)}\n` : exportText(report))
  return exitCodes[report.verdict]
}

/** What lines are that nobody has made of an event: a changed event is another matter, which the report tells. */
const foreign = new Set(['not_utf8', 'not_json', 'not_an_event', 'line_too_long'])

/** Whether a file has lines, but none that is or was an event of any audit log. */
function isNoExport({ size, firstAt, findings }: ExportReport): boolean {
  const onLines = findings.filter(({ line }) => line !== undefined)
  return size > 0 && firstAt === undefined && onLines.every(({ code }) => foreign.has(code))
}

const nameOf = (file: string): string => (file === '-' ? 'The standard input' : file)

function verify(options: ExportArguments, world: VerifyWorld): Promise<ExportReport> {
  const { exportFile, checkpointFile, keyFiles, earlierFiles, organizationId, host } = options
  return verifyExport({
    // Report unreadable files before reading the export.
    keys: keysOf(keyFiles, world),
    checkpoint: checkpointFile === undefined ? undefined : readText(world, checkpointFile),
    consistentWith: earlierFiles.map((file) => readText(world, file)),
    organizationId,
    host,
    stream: world.readStream(exportFile),
  })
}
