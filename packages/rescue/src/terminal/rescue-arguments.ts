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

  node rescue.js [--share-file <file>]... [--address <address>] [--public-key <0x…>] [--curve secp256k1|ed25519] [--out <file>]

  --share-file   a file with one share: base64, or a share file (JSON); twice for two. What is missing is asked for,
                 without showing it
  --address      an address of the wallet on any network: only its key is accepted then
  --public-key   the same by the wallet's public key
  --curve        which curve the wallet is of, where neither share nor address says it
  --out          write the keys as JSON into this new file (mode 0600) instead of showing them

Shares are never given on the command line, where the shell and other programs would keep them.
`

/** What is wrong with a command line, in words that repeat nothing of it that could be a share. */
export type WrongUsage = { readonly problem: string }

const options = {
  'share-file': { type: 'string', multiple: true, default: [] as string[] },
  address: { type: 'string' },
  'public-key': { type: 'string' },
  curve: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Reads the command line. */
export function rescueArguments(args: readonly string[]): RescueArguments | WrongUsage {
  const values = valuesOf(args)
  if (values === undefined) return { problem: problemOf(args) }
  const { address, curve, out } = values
  const publicKey = values['public-key']
  if (curve !== undefined && curve !== 'secp256k1' && curve !== 'ed25519')
    return { problem: '--curve takes secp256k1 or ed25519.' }
  if (values['share-file'].length > 2) return { problem: 'Two share files are enough.' }
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
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: false, options }).values
  } catch {
    return undefined
  }
}

/** An option is named only where it is a short word: whatever else was typed may be a share. */
function problemOf(args: readonly string[]): string {
  for (const arg of args) {
    const [, dashes = '', name = ''] = /^(--?)([a-z][a-z-]{0,19})(?:=|$)/.exec(arg) ?? []
    const isKnown = dashes === '--' ? Object.hasOwn(options, name) : name === 'h' || name === ''
    if (!isKnown) return `There is no option ${dashes}${name}.`
  }
  if (args.some((arg) => arg.startsWith('-')))
    return 'An option lacks its value, or something stands beside it.'
  return 'Only options are taken here.'
}
