import { AttestationUnavailableError } from '@symbolon/sdk/verify'
import { attestationUsage } from './attestation-arguments.ts'
import { exportUsage } from './export-arguments.ts'
import { receiptUsage } from './receipt-arguments.ts'
import { runAttestation } from './run-attestation.ts'
import { runExport } from './run-export.ts'
import { runReceipt } from './run-receipt.ts'
import { isFileError, UnreadableError, type VerifyWorld } from './world.ts'

const commands = { attestation: runAttestation, receipt: runReceipt, export: runExport } as const

/** How the program is called. */
const usage = (called: string): string =>
  [attestationUsage, receiptUsage, exportUsage].map((part) => part(called)).join('\n')

/**
 * Runs the program; without a command, the arguments are those of `export`. Resolves with its exit code: 0 verified, 1 failed, 2
 * wrong usage, unreadable file or a platform that gives no attestation, 3 unproven.
 */
export async function runVerify(args: readonly string[], world: VerifyWorld): Promise<number> {
  const [first = '--help', ...rest] = args
  const command = Object.entries(commands).find(([name]) => name === first)?.[1]
  try {
    if (command !== undefined) return await command(rest, world)
    if (args.length > 0 && first !== '--help' && first !== '-h') return await runExport(args, world)
  } catch (error) {
    const isExpected =
      error instanceof UnreadableError || error instanceof AttestationUnavailableError || isFileError(error)
    if (!isExpected) throw error
    world.say(`${error.message}\n`)
    return 2
  }
  world.say(usage(world.called))
  return args.length === 0 ? 2 : 0
}
