import { parseArgs } from 'node:util'
import type { Known } from '../rebuild-key.ts'

/** What the command line may say; never a share. */
export type RescueArguments = {
  readonly shareFiles: readonly string[]
  readonly known: Known
  readonly outFile: string | undefined
  readonly isHelpWanted: boolean
}

/** How the program is called. */
export const usage = `Rebuilds the private key of a wallet from any two of its shares. Nothing leaves this machine.

  npx @symbolon/rescue [--share-file <file>]... [--address <address>] [--public-key <0x…>] [--curve secp256k1|ed25519] [--out <file>]

  --share-file   a file with one share: base64, or a share file (JSON); twice for two. What is missing is asked for,
                 without showing it
  --address      an address of the wallet on any network: only its key is accepted then
  --public-key   the same by the wallet's public key
  --curve        which curve the wallet is of, where neither share nor address says it
  --out          write the keys as JSON into this new file (mode 0600) instead of showing them

Shares are never given on the command line, where the shell and other programs would keep them.
`

/** Reads the command line, or answers `undefined` where it makes no sense: what it says is not repeated, it may be a share. */
export function rescueArguments(args: readonly string[]): RescueArguments | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        'share-file': { type: 'string', multiple: true, default: [] },
        address: { type: 'string' },
        'public-key': { type: 'string' },
        curve: { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const { address, curve, out } = values
    const publicKey = values['public-key']
    if (curve !== undefined && curve !== 'secp256k1' && curve !== 'ed25519') return undefined
    if (values['share-file'].length > 2) return undefined
    return {
      shareFiles: values['share-file'],
      known: {
        ...(curve !== undefined && { curve }),
        ...(address !== undefined && { address }),
        ...(publicKey !== undefined && { publicKey }),
      },
      outFile: out,
      isHelpWanted: values.help,
    }
  } catch {
    return undefined
  }
}
