import { p2tr, p2wpkh, Transaction } from '@scure/btc-signer'

/** Whose output an input spends, and in which of a key's two forms. */
export type PsbtInput = { publicKey: Uint8Array; kind: 'p2wpkh' | 'p2tr' }

/**
 * A PSBT, made with btc-signer, that spends 100,000 satoshi from each of the inputs, with their previous transactions,
 * and pays all but 2,000 of them to somebody else.
 */
export function makePsbt(inputs: readonly PsbtInput[], version: 0 | 2 = 0): Uint8Array {
  const transaction = new Transaction({ PSBTVersion: version, version: 2 })
  const scripts = new Map<string, Uint8Array>()
  for (const [at, { publicKey, kind }] of inputs.entries()) {
    const name = `${kind} ${publicKey}`
    const script =
      scripts.get(name) ?? (kind === 'p2wpkh' ? p2wpkh(publicKey) : p2tr(publicKey.slice(1))).script
    scripts.set(name, script)
    const previous = new Transaction()
    previous.addInput({ txid: new Uint8Array(32).fill(at + 1), index: at })
    previous.addOutput({ script, amount: 100_000n })
    transaction.addInput({
      txid: previous.id,
      index: 0,
      witnessUtxo: { script, amount: 100_000n },
      nonWitnessUtxo: previous.unsignedTx,
      ...(kind === 'p2tr' && { tapInternalKey: publicKey.slice(1) }),
    })
  }
  const { script } = p2wpkh(somebody)
  transaction.addOutput({ script, amount: 100_000n * BigInt(inputs.length) - 2_000n })
  return transaction.toPSBT(version)
}

/** The generator of secp256k1, whose private key is 1. */
const somebody = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex')
