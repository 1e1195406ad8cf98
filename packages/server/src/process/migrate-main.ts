import { withSecretFiles } from '../adapters/secret-files.ts'
import type { MigrationReport } from '../db/migrate.ts'
import { runMigration, SchemaError } from '../db/run-migration.ts'
import { databaseUrlComplaint } from '../db/tls-options.ts'

const usage = `Usage: migrate [--dry-run] [--json]

Brings the database at DATABASE_URL to the schema of this build.
--dry-run says what is missing and changes nothing.
--json prints {from, to, pending, applied}.
`

/** EX_CONFIG of sysexits: fix the environment first. */
const misconfigured = 78

const options = process.argv.slice(2)
let fileComplaint: string | undefined
const { environment } = withSecretFiles(process.env, (name, says) => {
  if (name === 'DATABASE_URL_FILE') fileComplaint = `it cannot come from its file: ${name} ${says}`
})
const databaseUrl = environment['DATABASE_URL'] ?? ''
const complaint =
  fileComplaint ?? (databaseUrl === '' ? 'it must be a postgres:// URL' : databaseUrlComplaint(databaseUrl))
if (options.some((option) => option !== '--dry-run' && option !== '--json')) {
  process.stderr.write(usage)
  process.exitCode = 2
} else if (complaint !== undefined) {
  process.stderr.write(`symbolon: DATABASE_URL: ${complaint}.\n`)
  process.exitCode = misconfigured
} else {
  const isDryRun = options.includes('--dry-run')
  try {
    const report = await runMigration(databaseUrl, { isDryRun })
    process.stdout.write(options.includes('--json') ? json(report) : text(report, isDryRun))
  } catch (error) {
    process.stderr.write(`symbolon: ${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}

function json({ from, to, pending, applied }: MigrationReport): string {
  return `${JSON.stringify({ from, to, pending, applied })}\n`
}

function text({ from, to, pending, functions, applied }: MigrationReport, isDryRun: boolean): string {
  if (pending.length === 0 && functions.length === 0)
    return `The database is at schema ${from}: nothing to do.\n`
  const lines = pending.map(
    ({ version, name, phase, transactional }) =>
      `  ${version} ${name} (${phase}${transactional ? '' : ', not transactional'})`,
  )
  if (functions.length > 0) lines.push(`  ${functions.length} functions`)
  const verb = isDryRun ? 'Would apply' : applied ? 'Applied' : 'Another process applied'
  return `${verb}, from schema ${from} to ${to}:\n${lines.join('\n')}\n`
}

function reasonOf(error: unknown): string {
  if (error instanceof SchemaError) return error.message
  const { message, code } = error as NodeJS.ErrnoException
  return `The database at DATABASE_URL could not be migrated (${message || code}).`
}
