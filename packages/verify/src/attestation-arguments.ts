import {
  type ExpectedArguments,
  expectedArguments,
  expectedOptions,
  expectedUsage,
} from './expected-options.ts'
import { parsedArguments, refuseMore, UsageError } from './usage-error.ts'

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

/** Reads the command line; `help` where it is wanted. Throws `UsageError`. */
export function attestationArguments(args: readonly string[]): AttestationArguments | 'help' {
  const { values, positionals } = parsedArguments({
    args: [...args],
    allowPositionals: true,
    options: expectedOptions,
  })
  const [source, ...more] = positionals
  if (values.help) return 'help'
  if (source === undefined) throw new UsageError("A platform's base URL or a file is required.")
  refuseMore(more)
  return { source, ...expectedArguments(values), isJsonWanted: values.json }
}
