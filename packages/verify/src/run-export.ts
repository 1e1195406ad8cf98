import { type ExportReport, verifyExport } from '@symbolon/sdk/verify'
import { exitCodes } from './exit-codes.ts'
import { type ExportArguments, exportArguments, exportUsage } from './export-arguments.ts'
import { exportText } from './export-text.ts'
import { keysOf } from './key-sets.ts'
import { readText, type VerifyWorld } from './world.ts'

/** Runs `verify export`. Resolves with the exit code. */
export async function runExport(args: readonly string[], world: VerifyWorld): Promise<number> {
  const options = exportArguments(args)
  if (options === undefined || options.isHelpWanted || options.exportFile === undefined) {
    world.say(exportUsage(world.called))
    return options?.isHelpWanted === true ? 0 : 2
  }
  const report = await verify(options.exportFile, options, world)
  world.print(options.isJsonWanted ? `${JSON.stringify(report, null, 2)}\n` : exportText(report))
  return exitCodes[report.verdict]
}

function verify(exportFile: string, options: ExportArguments, world: VerifyWorld): Promise<ExportReport> {
  const { checkpointFile, keyFiles, earlierFiles, organizationId, host } = options
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
