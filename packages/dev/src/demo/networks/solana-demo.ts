import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  getTransactionDecoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  verifySignature,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { addressOf, type NetworkDemo } from './network-demo.ts'

const recipient = address('J3dxNj7nDRRqRRXuEMynDG57DkZK4jYRuv3Garmb1i99')

/** A transfer of SOL in a message of version 0. */
export const solanaDemo: NetworkDemo = {
  chain: 'solana',
  curve: 'ed25519',
  library: '@solana/kit',
  make(wallet) {
    const own = address(addressOf(wallet, 'solana'))
    const instruction = getTransferSolInstruction({
      source: createNoopSigner(own),
      destination: recipient,
      amount: 1_500_000_000n,
    })
    // Any 32 bytes in base58 do for one that is not sent.
    const lifetime = { blockhash: String(recipient) as Blockhash, lastValidBlockHeight: 1n }
    const paid = setTransactionMessageFeePayer(own, createTransactionMessage({ version: 0 }))
    const living = setTransactionMessageLifetimeUsingBlockhash(lifetime, paid)
    const compiled = compileTransaction(appendTransactionMessageInstructions([instruction], living))
    return {
      transaction: getBase64EncodedWireTransaction(compiled),
      async isSigned({ signed_transaction, transaction_hash }) {
        const bytes = Buffer.from(String(signed_transaction), 'base64')
        const signed = getTransactionDecoder().decode(bytes)
        const signature = signed.signatures[own]
        if (!signature) return false
        const isValid = await verifySignature(
          await getPublicKeyFromAddress(own),
          signature,
          compiled.messageBytes,
        )
        return isValid && getSignatureFromTransaction(signed) === transaction_hash
      },
    }
  },
}
