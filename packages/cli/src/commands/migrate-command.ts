import { type MigrationReport, runMigration } from '@symbolon/server/operator'
import type { Command } from 'commander'
import type { CliWorld } from '../cli-world.ts'
import { findDatabase } from '../find-installation.ts'
import { type JsonOption, jsonOption, printResult } from '../print-result.ts'

/** Adds `symbolon migrate`, which brings a database to the schema of this build. */
export function migrateCommand(symbolon: Command, world: CliWorld): void {
  symbolon
    .command('migrate')
    .description('Brings the database to the schema of this build.')
    .option('--dry-run', 'say what is missing and change nothing')
    .option(...jsonOption)
    .action(async ({ dryRun = false, ...options }: JsonOption & { dryRun?: boolean }) => {
      const report = await runMigration(findDatabase(world), { isDryRun: dryRun })
      const { from, to, pending, applied } = report
      printResult(world, options, { from, to, pending, applied }, migrationText(report, dryRun))
    })
}

function migrationText(
  { from, to, pending, functions, applied }: MigrationReport,
  isDryRun: boolean,
): string {
  if (pending.length === 0 && functions.length === 0)
    return `The database is at schema ${from}: nothing to do.\n`
  const lines = pending.map(
    ({ version, name, phase, transactional }) =>
      `  ${version} ${name} (${phase}${transactional ? '' : ', not transactional'})\n`,
  )
  if (functions.length > 0) lines.push(`  ${functions.length} functions\n`)
  const verb = isDryRun ? 'Would apply' : applied ? 'Applied' : 'Another process applied'
  return `${verb}, from schema ${from} to ${to}:\n${lines.join('')}`
}
