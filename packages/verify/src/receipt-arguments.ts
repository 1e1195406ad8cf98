import { parseArgs } from 'node:util'
import { arePcrs, type ExpectedArguments, expectedOptions, expectedUsage } from './expected-options.ts'

/** The parsed command line of `verify receipt`. */
export type ReceiptArguments = ExpectedArguments & {
  readonly receiptFile: string
  /** A URL or a path. */
  readonly attestationSource: string
  readonly proofFile: string | undefined
  readonly keyFiles: readonly string[]
  readonly isJsonWanted: boolean
}

/** How `verify receipt` is called. */
export const receiptUsage = `Verifies that an attested enclave made a signature, from its receipt.

  node verify.js receipt <file> --attestation <base URL | file> [--proof <file>] [--jwks <file>]... [--ring <id>]
                 [--release <file>] [--pcr <index>=<hex>]... [--allow-simulated [--root <file>]] [--json]

  <file>              the receipt, or JSON with a member receipt
  --attestation       the platform, which is asked for the attestation of the receipt's key, or a file with its answer
  --proof             JSON with the audit event of the signature, its proof and the checkpoint: {event, proof, checkpoint}
  --jwks              the platform's public keys (/.well-known/jwks.json), which sign the checkpoint; repeatable
${expectedUsage}
Exit codes as for attestation. The age of an attestation does not count here.
`

/** Reads the command line; `help` where it is wanted, undefined where it makes no sense. */
export function receiptArguments(args: readonly string[]): ReceiptArguments | 'help' | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...expectedOptions,
        attestation: { type: 'string' },
        proof: { type: 'string' },
        jwks: { type: 'string', multiple: true, default: [] },
      },
    })
    const [receiptFile, ...more] = positionals
    const { attestation, pcr } = values
    if (values.help) return 'help'
    if (receiptFile === undefined || attestation === undefined || more.length > 0) return undefined
    if (!arePcrs(pcr)) return undefined
    return {
      receiptFile,
      attestationSource: attestation,
      proofFile: values.proof,
      keyFiles: values.jwks,
      ringId: values.ring,
      releaseFile: values.release,
      pcrs: pcr,
      isSimulatedAllowed: values['allow-simulated'],
      rootFile: values.root,
      isJsonWanted: values.json,
    }
  } catch {
    return undefined
  }
}
