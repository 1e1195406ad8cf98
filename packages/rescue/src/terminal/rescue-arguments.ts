import { parseArgs } from 'node:util'
import type { Known } from '../rebuild-key.ts'

/** The parsed command line; it never holds a share. */
export type RescueArguments = {
  readonly shareFiles: readonly string[]
  readonly known: Known
  readonly outFile: string | undefined
  readonly isHelpWanted: boolean
}

/** How the program is called. */
export const usage = `Rebuilds the private key of a wallet from any two of its shares. Nothing leaves this machine.

  node rescue.js [--share-file <file>]... [--address <address>] [--public-key <0x…>] [--curve secp256k1|ed25519] [--out <file>]

  --share-file   a file with one share: base64, or a share file (JSON); repeat it for the second. The program asks for missing
                 shares and hides your input
  --address      an address of the wallet on any network: accept only its key
  --public-key   the wallet's public key: accept only its key
  --curve        the curve of the wallet, if neither share nor address names it
  --out          write the keys as JSON into this new file (mode 0600) instead of showing them

Never give a share on the command line: the shell and other programs could keep it.
`

/** The problem with a command line, in words that never repeat input that could be a share. */
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
  if (values['share-file'].length > 2) return { problem: 'Give at most two share files.' }
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
    if (!isKnown) return `Unknown option ${dashes}${name}.`
  }
  if (args.some((arg) => arg.startsWith('-'))) return 'An option has no value, or an argument too many.'
  return 'Give options only, no other arguments.'
}
