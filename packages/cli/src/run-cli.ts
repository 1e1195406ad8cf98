import {
  isDatabaseUnavailable,
  OperatorError,
  operatorFailure,
  withSecretFiles,
} from '@symbolon/server/operator'
import { nodeWorld, runVerify } from '@symbolon/verify/command'
import { Command, CommanderError } from 'commander'
import type { CliWorld } from './cli-world.ts'
import { backupCommand } from './commands/backup-command.ts'
import { enclaveCommand } from './commands/enclave-command.ts'
import { migrateCommand } from './commands/migrate-command.ts'
import { orgCommand } from './commands/org-command.ts'
import { restoreCommand } from './commands/restore-command.ts'
import { exitCodes } from './exit-codes.ts'
import { ownPlatform, stoppedStart } from './find-installation.ts'

/**
 * Runs one command of an operator and returns the exit code: 0 done, 1 failed, 2 usage. A result goes to `print`, with `--json` as
 * exactly one JSON value; each reason of a failure is one line on `say`. `verify` also ends with 3 for what could not be proven.
 */
export async function runCli(args: readonly string[], world: CliWorld): Promise<number> {
  // It needs no installation and no settings, and has options and exit codes of its own.
  const [command, ...rest] = args
  if (command === 'verify')
    return runVerify(
      rest,
      nodeWorld({ ...world, called: 'symbolon verify', ownPlatform: () => ownPlatform(world) }),
    )
  let settled = world
  try {
    settled = { ...world, environment: settingsOf(world) }
    await program(settled).parseAsync(args, { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // The parser has said what is wrong with the arguments; help that was asked for is a result.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    const isAway = isDatabaseUnavailable(error)
    const reason = (isAway ? stoppedStart(settled) : undefined) ?? operatorFailure(error) ?? unexpected(error)
    for (const line of reason.split('\n')) world.say(`symbolon: ${line}\n`)
    return exitCodes.failed
  }
}

/** The environment, with the secrets that are in files. */
function settingsOf({ environment }: CliWorld): CliWorld['environment'] {
  const complaints: string[] = []
  const { environment: settings } = withSecretFiles(environment, (name, says) =>
    complaints.push(`${name} ${says}.`),
  )
  if (complaints.length > 0) throw new OperatorError(complaints.join('\n'))
  return settings
}

function program(world: CliWorld): Command {
  const symbolon = new Command('symbolon')
    .description('Operates an installation of Symbolon: the running `npm start`, or the one at DATABASE_URL.')
    .exitOverride()
    .configureOutput({ writeOut: world.print, writeErr: world.say })
    .helpCommand(false)
  for (const add of [enclaveCommand, migrateCommand, backupCommand, restoreCommand, orgCommand])
    add(symbolon, world)
  // For the list of commands alone: its arguments never get here.
  symbolon
    .command('verify')
    .description('Verifies attestations, receipts, the wallet frame and exports of the audit log.')
  return symbolon
}

/** A fault that nobody has a sentence for. Its message may hold anything, so that only its kind is said. */
function unexpected(error: unknown): string {
  const kind = error instanceof Error ? error.name : typeof error
  return `This failed unexpectedly (${kind}); please report it.`
}
