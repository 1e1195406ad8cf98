import { AccountRole, type Address, address, createNoopSigner, type Instruction } from '@solana/kit'
import * as token from '@solana-program/token'
import { checked, own, wallet } from '@symbolon/networks/testing/solana-effects'
import { kitTransaction, solanaAddress, wireBytes } from '@symbolon/networks/testing/solana-transaction'
import { session } from './transaction-cases.ts'

export const [source, destination, friend, thief, account, nonce] = [10, 11, 13, 20, 21, 22].map(
  solanaAddress,
) as [Address, Address, Address, Address, Address, Address]
export const { usdc, mint } = { usdc: checked.mint, mint: solanaAddress(12) }
export const wrapped = address('So11111111111111111111111111111111111111112')
export const token2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const program = solanaAddress(30)

export const sent = (instructions: readonly Instruction[], payer: Address = own, options = {}) =>
  wireBytes(kitTransaction(instructions, payer, options))
export const usd = (amount: bigint, to: Address = destination, of: Address = usdc) =>
  token.getTransferCheckedInstruction({ ...checked, amount, destination: to, mint: of })
export const opened = (owner: Address, ata: Address = destination, of: Address = usdc) =>
  token.getCreateAssociatedTokenIdempotentInstruction({ payer: wallet, ata, owner, mint: of })
/** The same of Token-2022. */
export const opened2022 = (owner: Address, ata: Address, of: Address) =>
  token.getCreateAssociatedTokenIdempotentInstruction({
    payer: wallet,
    ata,
    owner,
    mint: of,
    tokenProgram: token2022,
  })
/** The associated token account of an owner, as the SDK derives it. */
export const associated = async (
  owner: Address,
  of: Address = usdc,
  tokenProgram: Address = token.TOKEN_PROGRAM_ADDRESS,
) => (await token.findAssociatedTokenPda({ owner, mint: of, tokenProgram }))[0]
/** A call of an unknown program, with or without the wallet among its accounts. */
export const call = (accounts: Instruction['accounts'] = [], of: Address = program): Instruction => ({
  programAddress: of,
  accounts,
  data: Uint8Array.of(1, 2, 3),
})
export const signer = { address: own, role: AccountRole.READONLY_SIGNER }
/** An instruction of Token-2022 with the accounts and bytes of one of SPL Token. */
export const on2022 = (instruction: Instruction): Instruction => ({
  ...instruction,
  programAddress: token2022,
})

export const rent = 2_039_280n
export const toFriend = session({ allowed_recipients: [friend] })
export const capped = session({ max_spend_per_tx_native: '1000', max_fee_per_tx_native: '10000' })
export const usdcOnly = session({ allowed_tokens: [{ chain: 'solana', token: usdc, max_per_tx: '500' }] })
export const openUsdc = session({ allowed_tokens: [{ chain: 'solana', token: usdc }] })
export const allowed = session({ allowed_contracts: [{ chain: 'solana', address: program }] })
export const cost = (amount: bigint) => ({ 'native SOL/9': amount, transactions: 1n })
export const usdcCost = (amount: bigint) => ({ [`token solana ${usdc}`]: amount, transactions: 1n })
export const other = createNoopSigner(thief)
