import { parseArgs } from 'node:util'
import { arePcrs, type ExpectedArguments, expectedOptions, expectedUsage } from './expected-options.ts'

/** The parsed command line of `verify attestation`. */
export type AttestationArguments = ExpectedArguments & {
  /** A URL or a path. */
  readonly source: string
  readonly isJsonWanted: boolean
}

/** How `verify attestation` is called. */
export const attestationUsage = `Verifies which enclave a platform runs, without trusting the platform.

  node verify.js attestation <base URL | file> [--ring <id>] [--release <file>] [--pcr <index>=<hex>]...
                 [--allow-simulated [--root <file>]] [--json]

  <base URL>          the platform, which is asked with a fresh nonce; nothing else is
  <file>              an answer of GET /v1/attestation that you saved; it is unproven at best
${expectedUsage}
Exit codes: 0 verified, 1 failed, 2 wrong usage, unreadable file or no answer, 3 unproven (something was not checked).
`

/** Reads the command line; `help` where it is wanted, undefined where it makes no sense. */
export function attestationArguments(args: readonly string[]): AttestationArguments | 'help' | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: expectedOptions,
    })
    const [source, ...more] = positionals
    if (values.help) return 'help'
    if (source === undefined || more.length > 0 || !arePcrs(values.pcr)) return undefined
    return {
      source,
      ringId: values.ring,
      releaseFile: values.release,
      pcrs: values.pcr,
      isSimulatedAllowed: values['allow-simulated'],
      rootFile: values.root,
      isJsonWanted: values.json,
    }
  } catch {
    return undefined
  }
}
