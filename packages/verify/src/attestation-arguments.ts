import { parseArgs } from 'node:util'
import {
  type ExpectedArguments,
  expectedArguments,
  expectedOptions,
  expectedUsage,
} from './expected-options.ts'

/** The parsed command line of `verify attestation`. */
export type AttestationArguments = ExpectedArguments & {
  /** A URL or a path. */
  readonly source: string
  readonly isJsonWanted: boolean
}

/** How `verify attestation` is called by a person who calls the program `called`. */
export const attestationUsage = (
  called: string,
): string => `Verifies which enclave a platform runs, without trusting the platform.

  ${called} attestation <base URL | file> [--ring <id>] [--release <file> [--release-key <file>]]
                 [--pcr <index>=<hex>]... [--allow-simulated [--root <file>]] [--json]

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
    const expected = expectedArguments(values)
    if (source === undefined || more.length > 0 || expected === undefined) return undefined
    return { source, ...expected, isJsonWanted: values.json }
  } catch {
    return undefined
  }
}
