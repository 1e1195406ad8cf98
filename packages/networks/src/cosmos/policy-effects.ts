import type { Chain } from '../chain.ts'
import { isAnyBech32 } from '../codec/bech32.ts'
import type { Action } from '../effect.ts'
import type { NameKind, NetworkPolicy } from '../network.ts'
import {
  type ActionReading,
  allowance,
  attached,
  called,
  harmless,
  isAdminName,
  type MethodRule,
  paid,
  readActions,
  readByMethod,
  spent,
  unread,
} from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { addressPrefix } from './address.ts'
import { assetOf } from './coins.ts'
import { isTokenMethod, type TokenMethod } from './contract-call.ts'
import type { MessageMethod } from './described.ts'
import { isDirectDocument } from './direct.ts'
import { isSignDocument } from './sign-document.ts'
import type { CosmosParsed } from './transaction.ts'

/**
 * A Cosmos transaction of either sign mode for policies: coins that leave (sent, staked, deposited, attached to a contract
 * or swapped at most) are spends, so are CW-20 tokens, other executions are calls of their contract. A transfer to another chain
 * is also a call of the contract `port/channel`, since whoever made a channel decides what arrives behind it. Grants and
 * withdraw addresses are administration, allowances for fees approvals; acting for others, messages that are not known and
 * everything else is refused. A fee in another coin than the native one is a spend of that coin.
 */
function readCosmosTransaction({ decoded: { actions, fee }, scope }: CosmosParsed): AgentEffects {
  const { chain } = scope
  const { symbol } = chain.nativeAsset
  const isNativeFee = ({ method, asset, to }: Action) => method === 'fee' && to === null && asset === symbol
  const read = readActions(
    actions.filter((action) => !isNativeFee(action)),
    (action) => readAction(action, chain),
  )
  if (fee === null) return { ...read, fee: null }
  const first = fee.asset === symbol ? fee.amount : 0n
  const native = actions.filter(isNativeFee).reduce((sum, { amount }) => sum + (amount ?? 0n), first)
  const other =
    fee.asset === symbol ? [] : spent({ ...fee, kind: 'transfer', from: scope.address, to: null }, chain)
  return {
    effects: typeof other === 'string' ? read.effects : [...read.effects, ...other],
    trap: read.trap,
    fee: native,
  }
}

const messageRules = {
  addAuthenticator: 'account_admin_not_allowed',
  cancelProposal: 'contract_call_not_allowed',
  cancelUndelegation: 'contract_call_not_allowed',
  clearAdmin: 'account_admin_not_allowed',
  delegate: readCoins,
  deposit: readCoins,
  exec: 'contract_call_not_allowed',
  fee: readCoins,
  fundCommunityPool: readCoins,
  funds: attached,
  grant: 'account_admin_not_allowed',
  grantAllowance: 'approval_not_allowed',
  ibcTransfer: readIbcTransfer,
  instantiate: (action, chain) =>
    action.kind === 'transfer' ? spent(action, chain) : 'contract_creation_not_allowed',
  migrate: 'account_admin_not_allowed',
  redelegate: 'contract_call_not_allowed',
  removeAuthenticator: 'account_admin_not_allowed',
  revoke: 'contract_call_not_allowed',
  revokeAllowance: 'contract_call_not_allowed',
  send: (action, chain) => (action.kind === 'transfer' ? paid(action, chain) : 'contract_call_not_allowed'),
  setWithdrawAddress: 'account_admin_not_allowed',
  submitProposal: readCoins,
  swap: spentByCall,
  undelegate: 'contract_call_not_allowed',
  updateAdmin: 'account_admin_not_allowed',
  vote: 'contract_call_not_allowed',
  // By these, coins of staking come in.
  withdrawCommission: harmless,
  withdrawReward: harmless,
} satisfies Readonly<Record<MessageMethod, MethodRule>>

const tokenRules = {
  // Items of CW-721 have ids, not amounts.
  approve: 'approval_not_allowed',
  approve_all: 'approval_not_allowed',
  decrease_allowance: allowance,
  increase_allowance: allowance,
  revoke_all: 'approval_not_allowed',
  // The recipient is called with a message of the caller's.
  send: sentWithMessage,
  send_from: sentWithMessage,
  send_nft: 'contract_call_not_allowed',
  transfer: spent,
  transfer_from: spent,
  transfer_nft: 'contract_call_not_allowed',
} satisfies Readonly<Record<TokenMethod, MethodRule>>

function readAction(action: Action, chain: Chain): ActionReading {
  const { kind, asset, method, from, to, args } = action
  if (kind === 'unknown') return 'payload_undecodable'
  if (kind === 'call' && args?.['msg'] !== undefined) return readContractCall(method, from, to)
  const isContractToken = asset?.startsWith(`${addressPrefix(chain)}1`) ?? false
  return readByMethod(isContractToken ? tokenRules : messageRules, action, chain)
}

/** Coins that leave; a message that names none is a call. */
function readCoins(action: Action, chain: Chain): ActionReading {
  return action.kind === 'transfer' ? spent(action, chain) : 'contract_call_not_allowed'
}

function readIbcTransfer(action: Action, chain: Chain): ActionReading {
  const coins = readCoins(action, chain)
  const { port = '', channel = '' } = action.args ?? {}
  return typeof coins === 'string' ? coins : [...coins, called(action.from, `${port}/${channel}`)]
}

/** What a contract or module takes, and what it is called for. */
function spentByCall(action: Action, chain: Chain): ActionReading {
  const { from, to } = action
  const given = attached(action, chain)
  if (typeof given === 'string') return given
  return to === null ? 'payload_undecodable' : [...given, called(from, to)]
}

/** Tokens for a contract that is called with a message of the caller's: nobody reads what it does. */
function sentWithMessage(action: Action, chain: Chain): ActionReading {
  const { from, to } = action
  const given = spent(action, chain)
  if (typeof given === 'string') return given
  return to === null ? 'payload_undecodable' : [...given, unread(from, to, 'receive')]
}

function readContractCall(method: string | null, from: string, contract: string | null): ActionReading {
  if (contract === null || method === null || isTokenMethod(method)) return 'payload_undecodable'
  return isAdminName(method) ? 'account_admin_not_allowed' : [unread(from, contract, method)]
}

const methodName = /^[A-Za-z_][A-Za-z0-9_.$-]*$/
const bech32Form = /^((?:cosmos|osmo)(?:valoper)?)1[0-9a-z]+$/
/** Denoms of tokens that came from another chain or a factory: `ibc/…`, `factory/…`. */
const denom = /^[a-zA-Z][a-zA-Z0-9._-]*\/[a-zA-Z0-9/:._-]+$/

function nameKind(text: string): NameKind | undefined {
  if (denom.test(text)) return 'name'
  const lower = text === text.toUpperCase() ? text.toLowerCase() : text
  const [, prefix] = bech32Form.exec(lower) ?? []
  if (prefix === undefined) return undefined
  return isAnyBech32(prefix, lower) ? 'name' : 'malformed'
}

/** The Cosmos chains as policies see them. */
export const policyEffects: NetworkPolicy<CosmosParsed> = {
  isChainSigned: true,
  effects: readCosmosTransaction,
  // Chains with SIGN_MODE_EIP_191 carry out what a key signs as a message of Ethereum.
  isOrder: ({ message }) => isSignDocument(message) || isDirectDocument(message),
  selectorForm: methodName,
  nameKind,
  // Denoms (cosmos-sdk, `coin.go`).
  nameForm: /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/,
  addressKey(text) {
    if (!/^(?:cosmos|osmo)(?:valoper)?1[0-9a-z]+$/i.test(text)) return undefined
    const lower = text.toLowerCase()
    return text === lower || text === text.toUpperCase() ? lower : text
  },
  assetKey(text, chain) {
    const asset = assetOf(text, chain)
    return asset === text ? undefined : asset
  },
  isAssetKeyAlike: true,
}
