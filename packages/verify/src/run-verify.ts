import { AttestationUnavailableError } from '@symbolon/sdk/verify'
import { attestationUsage } from './attestation-arguments.ts'
import { closestCommand } from './closest-command.ts'
import { exportUsage } from './export-arguments.ts'
import { frameUsage } from './frame-arguments.ts'
import { isUrl, withScheme } from './platform-address.ts'
import { receiptUsage } from './receipt-arguments.ts'
import { runAttestation } from './run-attestation.ts'
import { runExport } from './run-export.ts'
import { runFrame } from './run-frame.ts'
import { runReceipt } from './run-receipt.ts'
import { UsageError } from './usage-error.ts'
import { verifyVersion } from './version.ts'
import { UnreadableError, type VerifyWorld } from './world.ts'

const commands = {
  attestation: { run: runAttestation, usage: attestationUsage },
  receipt: { run: runReceipt, usage: receiptUsage },
  frame: { run: runFrame, usage: frameUsage },
  export: { run: runExport, usage: exportUsage },
} as const

/** How the program is called. */
const usage = (called: string): string =>
  [
    ...Object.values(commands).map((command) => command.usage(called)),
    '--version prints the version.\n',
  ].join('\n')

/**
 * Runs the program; without a command, the arguments are those of `export`. Resolves with its exit code: 0 verified, 1 failed, 2
 * wrong usage, unreadable file or a platform that gives no attestation, 3 unproven.
 */
export async function runVerify(args: readonly string[], world: VerifyWorld): Promise<number> {
  const [first = '', ...rest] = args
  if (first === '--version') {
    world.print(`${verifyVersion}\n`)
    return 0
  }
  if (['', '--help', '-h', 'help'].includes(first)) {
    world.say(usage(world.called))
    return args.length === 0 ? 2 : 0
  }
  const named = Object.entries(commands).find(([name]) => name === first)?.[1]
  const command = named ?? commands.export
  try {
    if (named === undefined) refuseMistaken(first, world)
    return await command.run(named === undefined ? args : rest, world)
  } catch (error) {
    if (error instanceof UsageError)
      world.say(
        `${error.message}\n\n${named === undefined ? usage(world.called) : command.usage(world.called)}`,
      )
    else if (error instanceof UnreadableError || error instanceof AttestationUnavailableError)
      world.say(`${error.message}\n`)
    else throw error
    return 2
  }
}

/** Throws for a first argument that is neither a command nor the file of an export, but looks like what else was meant. */
function refuseMistaken(first: string, world: VerifyWorld): void {
  const address = isUrl(first) ? first : withScheme(first)
  if (address !== undefined)
    throw new UnreadableError(`An address needs a command: ${world.called} attestation ${address}`)
  if (!/^[a-z]+$/i.test(first) || isFile(first, world)) return
  const meant = closestCommand(first, Object.keys(commands))
  if (meant !== undefined) throw new UsageError(`There is no command ${first}: did you mean ${meant}?`)
}

function isFile(path: string, world: VerifyWorld): boolean {
  try {
    world.readFile(path)
    return true
  } catch {
    return false
  }
}
