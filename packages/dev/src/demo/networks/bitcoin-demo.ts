import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { p2tr, p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import { Transaction as BitcoinjsTransaction, script } from 'bitcoinjs-lib'
import { addressOf, base64, bytesOf, type NetworkDemo } from './network-demo.ts'

const amount = 100_000n
const noBytes = new Uint8Array(0)

/** A PSBT that spends a coin of each of the wallet's two kinds of addresses. */
export const bitcoinDemo: NetworkDemo = {
  chain: 'bitcoin',
  curve: 'secp256k1',
  library: 'bitcoinjs-lib',
  make(wallet) {
    const publicKey = bytesOf(wallet.public_key)
    const [plain, taproot] = [p2wpkh(publicKey), p2tr(publicKey.slice(1))]
    const transaction = new Transaction({ version: 2 })
    for (const output of [plain, taproot]) {
      // Who signs several coins needs to know what each is really worth.
      const previous = new Transaction({ version: 2 })
      previous.addInput({ txid: new Uint8Array(32).fill(1), index: 0 })
      previous.addOutput({ script: output.script, amount })
      transaction.addInput({
        txid: previous.id,
        index: 0,
        nonWitnessUtxo: previous.unsignedTx,
        witnessUtxo: { script: output.script, amount },
        ...(output === taproot && { tapInternalKey: publicKey.slice(1) }),
      })
    }
    transaction.addOutputAddress('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 150_000n)
    transaction.addOutputAddress(addressOf(wallet, 'bitcoin'), 49_000n)
    return {
      transaction: base64(transaction.toPSBT(0)),
      isSigned({ signed_transaction, transaction_hash }) {
        const signed = BitcoinjsTransaction.fromBuffer(bytesOf(String(signed_transaction)))
        const code = Uint8Array.of(0x76, 0xa9, 0x14, ...plain.script.slice(2), 0x88, 0xac)
        const scripts = [plain.script, taproot.script]
        const digests = [
          signed.hashForWitnessV0(0, code, amount, SigHash.ALL),
          signed.hashForWitnessV1(1, scripts, [amount, amount], SigHash.DEFAULT),
        ] as const
        const [der = noBytes, key = noBytes] = signed.ins[0]?.witness ?? []
        const [flat = noBytes] = signed.ins[1]?.witness ?? []
        const compact = script.signature.decode(der).signature
        return (
          signed.getId() === transaction_hash &&
          secp256k1.verify(compact, digests[0], key, { prehash: false, lowS: true }) &&
          schnorr.verify(flat, digests[1], taproot.script.slice(2))
        )
      },
    }
  },
}
