import { strictJsonObject } from '../codec/strict-json-object.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import type { MessageIntent } from '../intent/intent.ts'
import type { NetworkPolicy, Parsed, TransactionScope } from '../network.ts'
import {
  type ActionReading,
  attached,
  isAdminName,
  paid,
  readActions,
  spent,
  unread,
} from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { isAccountId } from './account-id.ts'
import type { NearAction } from './actions.ts'
import { nearEffects } from './effects.ts'
import { isTokenCall } from './fee.ts'
import type { NearTransaction } from './raw-transaction.ts'
import { tokenCall } from './token-call.ts'

type FunctionCall = Extract<NearAction, { type: 'functionCall' }>

/** Methods of token standards (NEP-141, NEP-171, NEP-178, NEP-245) that move or lend tokens, however they are spelled out. */
const tokenName = /^(?:ft|nft|mt)_.*(?:transfer|approve|burn|withdraw)/

/**
 * A Near transaction for policies: NEAR and deposits that leave are spends, `ft_transfer` one of its contract's token, other
 * calls are calls of the contract. Keys, code, stake, the end of an account, relayed actions of others and calls of the wallet's own
 * account are administration. The yoctoNEAR that token calls attach is part of the fee. A delegate action (NEP-366) has no fee:
 * its relayer pays.
 */
function readNearTransaction({ transaction, bytes, scope }: Parsed<NearTransaction>): AgentEffects {
  const { fee } = nearEffects(transaction, bytes.length, scope)
  const read = readActions(transaction.actions, (action) => readAction(action, transaction, scope))
  return { ...read, fee: transaction.isDelegate ? null : (fee?.amount ?? null) }
}

function readAction(
  action: NearAction,
  { signer, receiver }: NearTransaction,
  { chain }: TransactionScope,
): ActionReading {
  switch (action.type) {
    case 'transfer':
      return paid(native(action.deposit, signer, receiver, chain.nativeAsset.symbol), chain)
    case 'functionCall':
      return readCall(action, signer, receiver, chain)
    case 'createAccount':
      return 'contract_call_not_allowed'
    default:
      return 'account_admin_not_allowed'
  }
}

function readCall(
  call: FunctionCall,
  signer: string,
  receiver: string,
  chain: TransactionScope['chain'],
): ActionReading {
  // Contracts keep methods for themselves by who calls them.
  if (receiver === signer || isAdminName(call.method)) return 'account_admin_not_allowed'
  if (isTokenCall(call)) return readTokenCall(call, signer, receiver, chain)
  if (tokenName.test(call.method)) return 'payload_undecodable'
  const holder = call.method === 'storage_deposit' ? storageHolder(call.args, signer) : signer
  if (holder === undefined) return 'payload_undecodable'
  const { symbol } = chain.nativeAsset
  const given =
    holder === signer
      ? attached(native(call.deposit, signer, receiver, symbol), chain)
      : spent(native(call.deposit, signer, holder, symbol), chain)
  const deposit = call.deposit === 0n ? [] : given
  return typeof deposit === 'string' ? deposit : [...deposit, unread(signer, receiver, call.method)]
}

/** Whose a deposit for storage (NEP-145) is: who can withdraw it again. */
function storageHolder(args: Uint8Array, signer: string): string | undefined {
  const given = strictJsonObject(args)
  const holder = given?.['account_id'] ?? signer
  return given !== undefined && typeof holder === 'string' && isAccountId(holder) ? holder : undefined
}

function readTokenCall(
  { method, args }: FunctionCall,
  signer: string,
  contract: string,
  chain: TransactionScope['chain'],
): ActionReading {
  const token = tokenCall(method, args)
  if (token === undefined) return 'payload_undecodable'
  if (token.kind === 'approval') return 'approval_not_allowed'
  // The id of an item is not an amount.
  if (!method.startsWith('ft_')) return 'contract_call_not_allowed'
  const moved = spent({ ...token, asset: contract, from: signer }, chain)
  if (typeof moved === 'string' || method === 'ft_transfer') return moved
  // Whoever receives is called with a message of the caller's.
  return token.to === null ? 'payload_undecodable' : [...moved, unread(signer, token.to, 'ft_on_transfer')]
}

function native(amount: bigint, from: string, to: string, asset: string) {
  return { kind: 'transfer', asset, amount, from, to } as const
}

/** The contract of NEAR Intents, which takes a signed message for an order. */
const intentsContract = 'intents.near'

/** NEAR Intents moves value by messages of several networks: NEP-413, ERC-191, TIP-191, SEP-53, in one JSON form. */
function isOrder({ message, recipient }: MessageIntent): boolean {
  if (recipient === intentsContract) return true
  const text = decodeUtf8(message)
  if (!text?.includes('{')) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'intents' in value && Array.isArray(value.intents)
  } catch {
    return false
  }
}

/** An account with an EVM address for its name, as it is compared by. */
const evmKey = /^0x([0-9a-f]{1,40})$/

/** Near as policies see it. Most words in lower case are a possible name of an account. */
export const policyEffects: NetworkPolicy<Parsed<NearTransaction>> = {
  isChainSigned: false,
  effects: readNearTransaction,
  isOrder,
  selectorForm: /^[A-Za-z_][A-Za-z0-9_.$-]*$/,
  nameKind(text) {
    if (/^[0-9a-fA-F]{64}$/.test(text)) return 'name'
    return isAccountId(text) ? 'loose' : undefined
  },
  // Accounts of Ethereum's keys, in its own spelling too.
  nameForm: /^0[xX][0-9a-fA-F]{40}$/,
  addressKey: (text) =>
    text.length === 64 && /^[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : undefined,
  addressOfKey(key) {
    const [, digits] = evmKey.exec(key) ?? []
    return digits === undefined ? undefined : `0x${digits.padStart(40, '0')}`
  },
}
