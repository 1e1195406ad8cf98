import type { Chain } from '../chain.ts'
import { fromBase58 } from '../codec/base58.ts'
import type { Action } from '../effect.ts'
import type { NetworkPolicy, Parsed } from '../network.ts'
import {
  type ActionReading,
  allowance,
  payingNobody,
  readActions,
  spent,
  unread,
} from '../policy/action-effects.ts'
import type { AgentEffect, AgentTrap, TokenAccount } from '../policy/agent-decoded.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { solanaEffects } from './effects.ts'
import { computeBudgetAddress } from './fee.ts'
import { type Instruction, isChanged, readInstructions } from './instruction.ts'
import { nothing } from './program.ts'
import { type InstructionName, programs } from './programs.ts'
import type { SolanaTransaction } from './raw-transaction.ts'
import { stakeProgram } from './stake-program.ts'

/** What an instruction is to a policy beside its effect. */
type Role =
  /** It moves nothing and gives no rights. */
  | 'harmless'
  /** Lamports come back to the wallet. */
  | 'returns'
  /** Somebody pays the wallet, or the rent of a token account of its own: nothing of the wallet's, where that is another. */
  | 'receives'
  /** It ends approvals. */
  | 'revokes'
  /** It serves a durable nonce, by which a signature never expires. */
  | 'nonce'

/** Without a row, a transfer counts in full, and what moves nothing is refused. */
const roles: Readonly<Partial<Record<InstructionName, Role>>> = {
  memo: 'harmless',
  verifySignatures: 'harmless',
  initializeAccount: 'harmless',
  initializeAccount2: 'harmless',
  initializeAccount3: 'harmless',
  initializeImmutableOwner: 'harmless',
  syncNative: 'harmless',
  closeAccount: 'returns',
  withdrawExcessLamports: 'returns',
  transfer: 'receives',
  createAssociatedTokenAccount: 'receives',
  createAssociatedTokenAccountIdempotent: 'receives',
  revoke: 'revokes',
  advanceNonce: 'nonce',
  initializeNonce: 'nonce',
  authorizeNonce: 'nonce',
  upgradeNonce: 'nonce',
  withdrawNonce: 'nonce',
}

/** The role of an action: it is called like its instruction, if that is known. */
function roleOf({ method }: Action): Role | undefined {
  return method === null ? undefined : roles[method as InstructionName]
}

/**
 * A Solana transaction for policies. Lamports and tokens that leave are spends whoever owns them, those that come to the
 * wallet are none. What goes to a token account of the wallet's own, its rent or SOL that is wrapped, is one too: it is locked there, or is
 * a token from then on. Refused whatever a policy says: instructions that change the wallet's own address, accounts behind look-up tables,
 * durable nonces, unknown programs that are handed the wallet as an account (a program may use its signature for anything), stakes
 * (a lockup binds them for any time), and tokens or amounts that the bytes do not name.
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
  for (const instruction of instructions) {
    const { known, accounts, program } = instruction
    if (isChanged(instruction, wallet)) return 'account_admin_not_allowed'
    const role = known && roles[known.row.name]
    if (role === 'nonce') return 'account_admin_not_allowed'
    if (known?.program === stakeProgram) return 'contract_call_not_allowed'
    // It has no action that would be refused.
    if (known?.row.rule === nothing && role !== 'harmless') return 'payload_undecodable'
    // A program that is known reads its instruction all the same, be there a byte more.
    const isUnread = Object.hasOwn(programs, program) || accounts.includes(wallet)
    if (!known && program !== computeBudgetAddress && isUnread) return 'payload_undecodable'
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
      return roleOf(action) === 'revokes' ? [] : allowance(action, chain)
    case 'admin':
      return 'account_admin_not_allowed'
    case 'unknown':
      // Behind a look-up table, or a program that is not handed the wallet.
      return method === null && to !== null ? [unreadCall(action, from, to)] : 'payload_undecodable'
    case 'call':
      return roleOf(action) === 'harmless' ? [] : 'contract_call_not_allowed'
  }
}

/** Programs number their methods by the first 1, 4 or 8 bytes of the data: the call goes by each. */
function unreadCall({ args }: Action, from: string, to: string): AgentEffect {
  const data = args?.['data'] ?? '0x'
  const selectors = [4, 10, 18]
    .filter((length) => data.length >= length)
    .map((length) => data.slice(0, length))
  return { ...unread(from, to, selectors.at(-1) ?? null), selectors }
}

function isReturned(action: Action, wallet: string, { nativeAsset }: Chain): boolean {
  const { asset, amount, from, to } = action
  if (to !== wallet || asset !== nativeAsset.symbol || amount === null) return false
  const role = roleOf(action)
  return role === 'returns' || (role === 'receives' && from !== wallet)
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
  selectorForm: /^0x(?:[0-9a-fA-F]{2}|[0-9a-fA-F]{8}|[0-9a-fA-F]{16})$/,
  // Without a checksum: it may be a mistyped address of another network. Base58 takes time that grows with the square of the length.
  nameKind: (text) => (text.length <= 44 && fromBase58(text)?.length === 32 ? 'loose' : undefined),
}
