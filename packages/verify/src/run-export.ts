import { type ExportReport, verifyExport } from '@symbolon/sdk/verify'
import { exitCodes } from './exit-codes.ts'
import { type ExportArguments, exportArguments, exportUsage } from './export-arguments.ts'
import { exportText } from './export-text.ts'
import { keysOf } from './key-sets.ts'
import { readText, type VerifyWorld } from './world.ts'

/** Runs `verify export`. Resolves with the exit code. */
export async function runExport(args: readonly string[], world: VerifyWorld): Promise<number> {
  const options = exportArguments(args)
  if (options === 'help') {
    world.say(exportUsage(world.called))
    return 0
  }
  const report = await verify(options, world)
  world.print(options.isJsonWanted ? `${JSON.stringify(report, null, 2)}\n` : exportText(report))
  return exitCodes[report.verdict]
}

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
