import path from 'node:path'
import { writeBackup } from '@symbolon/server/operator'
import type { Command } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import { findDatabase } from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'

/** Adds `symbolon backup`, which copies the database into a folder while the service runs. */
export function backupCommand(symbolon: Command, world: CliWorld): void {
  symbolon
    .command('backup')
    .description('Writes a consistent backup of the database into a new folder, while the service runs.')
    .requiredOption('--to <folder>', 'the folder of the backup, which must not exist or be empty')
    .option(...jsonOption)
    .action(async ({ to, ...options }: JsonOption & { to: string }) => {
      const report = await writeBackup(findDatabase(world), path.resolve(world.folder, to))
      const { folder, tables, bytes, organizations, epoch } = report
      const text = `${folder}: ${tables} tables of ${organizations} organizations, ${bytes} bytes, epoch ${epoch}.\n`
      printResult(world, options, report, text)
    })
}
