import { type Address, address, createNoopSigner, type Instruction } from '@solana/kit'
import * as system from '@solana-program/system'
import type { Decoded } from '../effect.ts'
import { decodeIntentEffects } from './by-intent.ts'
import { testKey } from './oracle-signer.ts'
import { kitTransaction, solanaAddress, wireBytes } from './solana-transaction.ts'

/** The wallet of the tests. */
export const wallet = createNoopSigner(solanaAddress(1))
/** Its address. */
export const own = wallet.address
const { publicKey } = testKey('ed25519', 1)

/** Accounts of the tests: some of the wallet's, somebody else's. */
export const accounts = {
  source: solanaAddress(10),
  destination: solanaAddress(11),
  mint: solanaAddress(12),
  other: solanaAddress(13),
  stake: solanaAddress(14),
  usdc: address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
}

/** The effects of instructions in one transaction that the wallet pays for. */
export function decode(instructions: readonly Instruction[], tables = {}): Decoded {
  const bytes = wireBytes(kitTransaction(instructions, own, { tables }))
  const intent = { kind: 'transaction', network: 'solana', chain: 'solana', bytes } as const
  return decodeIntentEffects(intent, 'ed25519', publicKey, own)
}

/** A transfer of the wallet's lamports. */
export function sol(amount: bigint, to: Address = accounts.other) {
  return system.getTransferSolInstruction({ source: wallet, destination: to, amount })
}

/** The parts of a transfer of 2.5 USDC. */
export const checked = {
  source: accounts.source,
  mint: accounts.usdc,
  destination: accounts.destination,
  authority: wallet,
  amount: 2_500_000n,
  decimals: 6,
}
