import type { Chain } from '../chain.ts'
import { fromBase58 } from '../codec/base58.ts'
import type { Action } from '../effect.ts'
import type { NetworkPolicy, Parsed } from '../network.ts'
import {
  type ActionReading,
  allowance,
  called,
  payingNobody,
  readActions,
  spent,
} from '../policy/action-effects.ts'
import type { AgentTrap, TokenAccount } from '../policy/agent-decoded.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { solanaEffects } from './effects.ts'
import { computeBudgetAddress } from './fee.ts'
import { type Instruction, readInstructions } from './instruction.ts'
import type { SolanaTransaction } from './raw-transaction.ts'
import { stakeProgram } from './stake-program.ts'

/** Instructions that move nothing and give no rights. */
const harmless = ['memo', 'verifySignatures']
/** By which lamports come back to the wallet. */
const returning = ['closeAccount', 'withdrawExcessLamports']
/** By which somebody pays the wallet, or the rent of a token account of its own: nothing of the wallet's, where that is another. */
const receiving = ['transfer', 'createAssociatedTokenAccount', 'createAssociatedTokenAccountIdempotent']
/** Instructions of durable nonces, by which a signature never expires. */
const nonces = ['advanceNonce', 'initializeNonce', 'authorizeNonce', 'upgradeNonce', 'withdrawNonce']

/**
 * A Solana transaction for policies. Lamports and tokens that leave are spends whoever owns them, those that come to the
 * wallet are none. What goes to a token account of the wallet's own, its rent or SOL that is wrapped, is one too: it is locked there, or is
 * a token from then on. Refused whatever a policy says: accounts behind look-up tables, durable nonces, unknown programs that are handed
 * the wallet as an account (a program may use its signature for anything), stakes (a lockup binds them for any time), and
 * tokens or amounts that the bytes do not name.
 */
function readSolanaTransaction({ transaction, scope }: Parsed<SolanaTransaction>): AgentEffects {
  const { chain, address } = scope
  const { message, place } = transaction
  const { actions, fee } = solanaEffects(message, scope, place)
  const instructions = readInstructions(message)
  const tokens = tokenAccounts(instructions)
  const read = readActions(actions, (action) => readAction(action, address, chain, tokens))
  const trap = message.tables.length > 0 ? 'payload_undecodable' : instructionTrap(instructions, address)
  return { effects: read.effects, trap: trap ?? read.trap, fee: place === 0 ? (fee?.amount ?? null) : null }
}

/** The accounts that tokens may go to, by address. If two programs are asked to pay one, the chain refuses, whichever is described. */
function tokenAccounts(instructions: readonly Instruction[]): ReadonlyMap<string, TokenAccount> {
  return new Map(
    instructions.flatMap(({ known, program }) => {
      const destination = known?.fields['destination']
      return destination === undefined ? [] : [[destination, { address: destination, program }] as const]
    }),
  )
}

function instructionTrap(instructions: readonly Instruction[], wallet: string): AgentTrap | null {
  for (const { known, accounts, program } of instructions) {
    if (known && nonces.includes(known.row.name)) return 'account_admin_not_allowed'
    if (known?.program === stakeProgram) return 'contract_call_not_allowed'
    if (!known && program !== computeBudgetAddress && accounts.includes(wallet)) return 'payload_undecodable'
  }
  return null
}

function readAction(
  action: Action,
  wallet: string,
  chain: Chain,
  tokens: ReadonlyMap<string, TokenAccount>,
): ActionReading {
  const { kind, method, to, from } = action
  switch (kind) {
    case 'transfer':
      return isReturned(action, wallet, chain) ? [] : readTransfer(action, wallet, chain, tokens)
    case 'approval':
      return method === 'revoke' ? [] : allowance(action, chain)
    case 'admin':
      return 'account_admin_not_allowed'
    case 'unknown':
      // Behind a look-up table, or a program that is not handed the wallet.
      return method === null && to !== null ? [called(from, to)] : 'payload_undecodable'
    case 'call':
      return method !== null && harmless.includes(method) ? [] : 'contract_call_not_allowed'
  }
}

function isReturned(
  { asset, amount, from, to, method }: Action,
  wallet: string,
  { nativeAsset }: Chain,
): boolean {
  if (to !== wallet || asset !== nativeAsset.symbol || amount === null || method === null) return false
  return returning.includes(method) || (receiving.includes(method) && from !== wallet)
}

/** Tokens go to a token account; its owner is known only from a transaction that opens it. */
function readTransfer(
  action: Action,
  wallet: string,
  chain: Chain,
  tokens: ReadonlyMap<string, TokenAccount>,
): ActionReading {
  const moved = spent(action, chain)
  if (typeof moved === 'string') return moved
  const { to, args } = action
  const tokenAccount = tokens.get(args?.['destination'] ?? '')
  return moved.map((effect) => {
    if (!effect.isNative) return tokenAccount === undefined ? effect : { ...effect, tokenAccount }
    if (to !== wallet) return effect
    const account = args?.['account'] ?? args?.['to'] ?? to
    return account === wallet ? payingNobody(effect) : { ...effect, to: account, isOwn: true }
  })
}

/** Solana as policies see it. */
export const policyEffects: NetworkPolicy<Parsed<SolanaTransaction>> = {
  isChainSigned: false,
  effects: readSolanaTransaction,
  // Without a checksum: it may be a mistyped address of another network. Base58 takes time that grows with the square of the length.
  nameKind: (text) => (text.length <= 44 && fromBase58(text)?.length === 32 ? 'loose' : undefined),
}
