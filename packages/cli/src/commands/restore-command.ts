import path from 'node:path'
import { restoreBackup } from '@symbolon/server/operator'
import type { Command } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import { findDatabase } from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'

/** Adds `symbolon restore`, which puts a backup in the place of the database's content. */
export function restoreCommand(symbolon: Command, world: CliWorld): void {
  symbolon
    .command('restore')
    .description('Replaces the content of the database by that of a backup, while the service is stopped.')
    .requiredOption('--from <folder>', 'the folder of the backup')
    .option(...jsonOption)
    .action(async ({ from, ...options }: JsonOption & { from: string }) => {
      const report = await restoreBackup(findDatabase(world), path.resolve(world.folder, from))
      const { epoch, backup_taken_at: takenAt, organizations } = report
      const text = `The backup of ${takenAt} is restored: ${organizations} organizations, epoch ${epoch}.\n`
      printResult(world, options, report, text)
    })
}
