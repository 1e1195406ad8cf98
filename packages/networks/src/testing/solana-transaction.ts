import { base58 } from '@scure/base'
import {
  type Address,
  type AddressesByLookupTableAddress,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { testKey } from './oracle-signer.ts'

/** The address of the `index`th test key. */
export function solanaAddress(index: number): Address {
  return address(base58.encode(testKey('ed25519', index).publicKey))
}

/** A transaction as kit compiles it, without signatures. */
export function kitTransaction(
  instructions: readonly Instruction[],
  payer: Address,
  { version = 0, tables = {} }: { version?: 0 | 'legacy'; tables?: AddressesByLookupTableAddress } = {},
) {
  const lifetime = { blockhash: blockhash(solanaAddress(99)), lastValidBlockHeight: 1n }
  if (version === 'legacy') {
    const legacy = setTransactionMessageFeePayer(payer, createTransactionMessage({ version }))
    const living = setTransactionMessageLifetimeUsingBlockhash(lifetime, legacy)
    return compileTransaction(appendTransactionMessageInstructions(instructions, living))
  }
  const bare = setTransactionMessageFeePayer(payer, createTransactionMessage({ version }))
  const living = setTransactionMessageLifetimeUsingBlockhash(lifetime, bare)
  const message = appendTransactionMessageInstructions(instructions, living)
  // The types of kit lose the fee payer here.
  return compileTransaction(
    compressTransactionMessageUsingAddressLookupTables(message, tables) as typeof message,
  )
}

/** The bytes of a transaction with its slots. */
export function wireBytes(transaction: ReturnType<typeof kitTransaction>): Uint8Array {
  return Uint8Array.from(getTransactionEncoder().encode(transaction))
}
