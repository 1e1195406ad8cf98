import {
  type ExpectedArguments,
  expectedArguments,
  expectedOptions,
  expectedUsage,
} from './expected-options.ts'
import { parsedArguments, refuseMore, UsageError } from './usage-error.ts'

/** The parsed command line of `verify receipt`. */
export type ReceiptArguments = ExpectedArguments & {
  readonly receiptFile: string
  /** A URL or a path. */
  readonly attestationSource: string
  readonly proofFile: string | undefined
  readonly keyFiles: readonly string[]
  readonly isJsonWanted: boolean
}

/** How `verify receipt` is called by a person who calls the program `called`. */
export const receiptUsage = (
  called: string,
): string => `Verifies that an attested enclave made a signature, from its receipt.

  ${called} receipt <file> --attestation <base URL | file> [--proof <file>] [--jwks <file>]... [--ring <id>]
                 [--release <file> [--release-key <file>]] [--pcr <index>=<hex>]...
                 [--allow-simulated [--root <file>]] [--json]

  <file>              the receipt, or JSON with a member receipt
  --attestation       the platform, which is asked for the attestation of the receipt's key, or a file with its answer
  --proof             JSON with the audit event of the signature, its proof and the checkpoint: {event, proof, checkpoint}
  --jwks              the platform's public keys (/.well-known/jwks.json), which sign the checkpoint; repeatable
${expectedUsage}
Exit codes as for attestation. The age of an attestation does not count here.
`

/** Reads the command line; `help` where it is wanted. Throws `UsageError`. */
export function receiptArguments(args: readonly string[]): ReceiptArguments | 'help' {
  const { values, positionals } = parsedArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      ...expectedOptions,
      attestation: { type: 'string' },
      proof: { type: 'string' },
      jwks: { type: 'string', multiple: true, default: [] as string[] },
    },
  })
  const [receiptFile, ...more] = positionals
  if (values.help) return 'help'
  if (receiptFile === undefined) throw new UsageError('The file of a receipt is required.')
  if (values.attestation === undefined) throw new UsageError('--attestation is required.')
  refuseMore(more)
  return {
    receiptFile,
    attestationSource: values.attestation,
    proofFile: values.proof,
    keyFiles: values.jwks,
    ...expectedArguments(values),
    isJsonWanted: values.json,
  }
}
