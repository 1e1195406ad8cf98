import { shareRefreshDomain } from '@symbolon/crypto'
import { looksLikeAptosTransaction } from './aptos/transaction-shape.ts'
import { looksLikeNearTransaction } from './near/transaction-shape.ts'
import { invalidPayload } from './network-error.ts'
import { looksLikeSolanaTransaction } from './solana/transaction-shape.ts'
import { looksLikeStellarTransaction } from './stellar/transaction-shape.ts'

/**
 * Refuses bare bytes whose ed25519 signature could be used as that of a transaction: 32 bytes (the hashes that
 * Near and Stellar sign), and whatever starts like a transaction of Solana, Near, Aptos or Stellar, or like the statement
 * by which a wallet's shares are replaced.
 */
export function assertNoTransaction(message: Uint8Array): void {
  if (message.length === 0) throw invalidPayload('The message must not be empty.')
  if (message.length === 32)
    throw invalidPayload('A raw message must not be 32 bytes long: it could be a hash.')
  if (looksLikeTransaction(message)) throw invalidPayload('The message is a transaction.')
  if (startsWith(message, shareRefreshDomain))
    throw invalidPayload('The message would replace the shares of the wallet.')
}

/** Whether bytes start like a transaction of Solana, Near, Aptos or Stellar: one key signs for all four. */
export function looksLikeTransaction(bytes: Uint8Array): boolean {
  return (
    looksLikeSolanaTransaction(bytes) ||
    looksLikeNearTransaction(bytes) ||
    looksLikeAptosTransaction(bytes) ||
    looksLikeStellarTransaction(bytes)
  )
}

const startsWith = (message: Uint8Array, domain: string): boolean =>
  new TextDecoder().decode(message.subarray(0, domain.length)) === domain
