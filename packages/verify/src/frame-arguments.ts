import {
  type ExpectedArguments,
  expectedArguments,
  expectedOptions,
  expectedUsage,
} from './expected-options.ts'
import { parsedArguments, refuseMore } from './usage-error.ts'

/** The parsed command line of `verify frame`. */
export type FrameArguments = ExpectedArguments & {
  /** Undefined for the installation of this machine. */
  readonly source: string | undefined
  readonly publishableKey: string | undefined
  readonly isJsonWanted: boolean
}

/** How `verify frame` is called by a person who calls the program `called`. */
export const frameUsage = (
  called: string,
): string => `Verifies that the wallet frame is the one that the attested manifest of the enclave names.

  ${called} frame <base URL> [--publishable-key <key>] [--ring <id>] [--release <file> [--release-key <file>]]
                 [--pcr <index>=<hex>]... [--allow-simulated [--root <file>]] [--json]

  <base URL>          the platform, which is asked with a fresh nonce, and the origin of its frame; nothing else is
  --publishable-key   compares the page of this key, as your own pages get it, instead of the page without a configuration
${expectedUsage}
Exit codes: 0 verified, 1 failed, 2 wrong usage, unreadable file or no answer, 3 unproven (something was not checked).
`

/** Reads the command line; `help` where it is wanted. Throws `UsageError`. */
export function frameArguments(args: readonly string[]): FrameArguments | 'help' {
  const { values, positionals } = parsedArguments({
    args: [...args],
    allowPositionals: true,
    options: { ...expectedOptions, 'publishable-key': { type: 'string' } },
  })
  const [source, ...more] = positionals
  if (values.help) return 'help'
  refuseMore(more)
  return {
    source,
    publishableKey: values['publishable-key'],
    ...expectedArguments(values),
    isJsonWanted: values.json,
  }
}
