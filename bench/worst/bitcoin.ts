import { sha256 } from '@noble/hashes/sha2.js'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import { worstMessages } from './messages.ts'
import { roomFor, times, transactionBytes, type WorstBody } from './worst-body.ts'

const psbt = (name: string, transaction: Transaction): WorstBody => {
  const text = Buffer.from(transaction.toPSBT()).toString('base64')
  return { name: `PSBT: ${name}`, body: { type: 'transaction', chain: 'bitcoin', transaction: text } }
}

const room = roomFor(transactionBytes, 4 / 3)

/** As many as the decoder takes. */
const outputsMax = 2_000
const hashOf = (n: number) => sha256(Uint8Array.of(n, n >> 8))
const joined = (...parts: (Uint8Array | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => [...part]))
/** Scripts whose addresses cost most to write: each with a checksum of its own. */
const payees: readonly (readonly [what: string, scriptOf: (n: number) => Uint8Array])[] = [
  ['P2PKH', (n) => joined([0x76, 0xa9, 20], hashOf(n).subarray(0, 20), [0x88, 0xac])],
  ['P2WSH', (n) => joined([0, 32], hashOf(n))],
  ['P2TR', (n) => joined([0x51, 32], hashOf(n))],
]

/** A PSBT that spends so many outputs of the wallet, each of a transaction of so many bytes, and pays so many others. */
function spending(
  publicKey: Uint8Array,
  counts: {
    inputs: number
    previousOutputs?: number
    outputs?: number
    scriptOf?: (n: number) => Uint8Array
  },
): Transaction {
  const { inputs, previousOutputs = 1, outputs = 1, scriptOf } = counts
  const { script } = p2wpkh(publicKey)
  const transaction = new Transaction({ allowUnknownOutputs: true })
  for (const index of times(inputs, (i) => i)) {
    const previous = new Transaction({ allowUnknownOutputs: true })
    previous.addInput({ txid: sha256(Uint8Array.of(index, index >> 8)), index: 0 })
    for (let i = 0; i < previousOutputs; i++) previous.addOutput({ script, amount: 100_000n })
    const full = previous.unsignedTx
    transaction.addInput({
      txid: sha256(sha256(full)).reverse(),
      index: 0,
      nonWitnessUtxo: full,
      witnessUtxo: { script, amount: 100_000n },
    })
  }
  for (let i = 0; i < outputs; i++) transaction.addOutput({ script: scriptOf?.(i) ?? script, amount: 1n })
  return transaction
}

/** PSBTs of 192 KiB: as many inputs as the wallet signs, as many outputs as fit, previous transactions as long as they fit. */
export const worstBitcoin = (publicKey: Uint8Array): WorstBody[] => [
  psbt('128 inputs', spending(publicKey, { inputs: 128 })),
  psbt(
    '128 inputs with longer previous transactions',
    spending(publicKey, { inputs: 128, previousOutputs: 40 }),
  ),
  psbt(
    'one input, a previous transaction of 6,000 outputs',
    spending(publicKey, { inputs: 1, previousOutputs: Math.floor(room / 32) }),
  ),
  psbt('one input, 2,000 outputs', spending(publicKey, { inputs: 1, outputs: outputsMax })),
  ...payees.map(([what, scriptOf]) =>
    psbt(
      `one input, 2,000 outputs to others (${what})`,
      spending(publicKey, { inputs: 1, outputs: outputsMax, scriptOf }),
    ),
  ),
  psbt('128 inputs, 2,000 outputs', spending(publicKey, { inputs: 128, outputs: 2_000 })),
  ...worstMessages('bitcoin'),
]
