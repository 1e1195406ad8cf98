import type { Chain } from '../chain.ts'
import { isBech32 } from '../codec/bech32.ts'
import type { Action } from '../effect.ts'
import type { NameKind, NetworkPolicy } from '../network.ts'
import {
  type ActionReading,
  allowance,
  called,
  isAdminName,
  paid,
  readActions,
  spent,
} from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { addressPrefix } from './address.ts'
import { isTokenMethod } from './contract-call.ts'
import type { CosmosParsed } from './transaction.ts'

/** Messages by which coins of staking come in. */
const harmless = ['withdrawReward', 'withdrawCommission']
/** Methods of CW-20 by which the recipient is called with a message of the caller's. */
const calling = ['send', 'send_from']
/** Items of CW-721 have ids, not amounts. */
const items = ['transfer_nft', 'send_nft', 'approve', 'approve_all', 'revoke_all']

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

function readAction(action: Action, chain: Chain): ActionReading {
  const { kind, asset, method, from, to } = action
  const isContractToken = asset?.startsWith(`${addressPrefix(chain)}1`) ?? false
  switch (kind) {
    case 'transfer':
      return isContractToken ? readToken(action, chain) : readCoins(action, chain)
    case 'approval':
      return isContractToken && !items.includes(method ?? '')
        ? allowance(action, chain)
        : 'approval_not_allowed'
    case 'admin':
      return 'account_admin_not_allowed'
    case 'unknown':
      return 'payload_undecodable'
    case 'call':
      if (action.args?.['msg'] !== undefined) return readContractCall(method, from, to)
      return readMessage(action, chain)
  }
}

function readCoins(action: Action, chain: Chain): ActionReading {
  if (action.method === 'send') return paid(action, chain)
  const coins = spent(action, chain)
  if (typeof coins === 'string' || action.method !== 'ibcTransfer') return coins
  const { port = '', channel = '' } = action.args ?? {}
  return [...coins, called(action.from, `${port}/${channel}`)]
}

function readToken(action: Action, chain: Chain): ActionReading {
  const method = action.method ?? ''
  if (items.includes(method)) return 'contract_call_not_allowed'
  const tokens = spent(action, chain)
  if (typeof tokens === 'string' || !calling.includes(method)) return tokens
  return action.to === null ? 'payload_undecodable' : [...tokens, called(action.from, action.to)]
}

function readContractCall(method: string | null, from: string, contract: string | null): ActionReading {
  if (contract === null || method === null || isTokenMethod(method)) return 'payload_undecodable'
  return isAdminName(method) ? 'account_admin_not_allowed' : [called(from, contract)]
}

/** Messages of the chain's own modules. */
function readMessage(action: Action, chain: Chain): ActionReading {
  const { method, asset, from, to } = action
  if (method === 'instantiate') return 'contract_creation_not_allowed'
  if (asset !== null && to !== null) {
    const given = spent(action, chain)
    return typeof given === 'string' ? given : [...given, called(from, to)]
  }
  return method !== null && harmless.includes(method) ? [] : 'contract_call_not_allowed'
}

const bech32Form = /^((?:cosmos|osmo)(?:valoper)?)1[0-9a-z]+$/
/** Denoms of tokens that came from another chain or a factory: `ibc/…`, `factory/…`. */
const denom = /^[a-zA-Z][a-zA-Z0-9._-]*\/[a-zA-Z0-9/:._-]+$/

function nameKind(text: string): NameKind | undefined {
  if (denom.test(text)) return 'name'
  const lower = text === text.toUpperCase() ? text.toLowerCase() : text
  const [, prefix] = bech32Form.exec(lower) ?? []
  if (prefix === undefined) return undefined
  return isBech32(prefix, lower) || isBech32(prefix, lower, 'bech32m') ? 'name' : 'malformed'
}

/** The Cosmos chains as policies see them. */
export const policyEffects: NetworkPolicy<CosmosParsed> = {
  isChainSigned: true,
  effects: readCosmosTransaction,
  nameKind,
  addressKey(text) {
    if (!/^(?:cosmos|osmo)(?:valoper)?1[0-9a-z]+$/i.test(text)) return undefined
    const lower = text.toLowerCase()
    return text === lower || text === text.toUpperCase() ? lower : text
  },
}
