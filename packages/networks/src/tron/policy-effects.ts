import type { Chain } from '../chain.ts'
import { fromBase58Check, toBase58Check } from '../codec/base58.ts'
import { fromHex, toHex } from '../codec/hex.ts'
import { isPrefixed } from '../codec/is-prefixed.ts'
import { readMessage } from '../codec/protobuf/read-message.ts'
import type { Action } from '../effect.ts'
import { checksumAddress, parseAddress } from '../evm/address.ts'
import { isAgentBatch } from '../evm/policy/batches.ts'
import { readAgentMethod } from '../evm/policy/methods.ts'
import { withReceivers } from '../evm/policy/receivers.ts'
import { isTokenCallMethod, readTokenCall } from '../evm/policy/token-calls.ts'
import type { NameKind, NetworkPolicy, TransactionScope } from '../network.ts'
import {
  type ActionReading,
  called,
  goingAlong,
  harmless,
  type MethodRule,
  readActions,
  readByMethod,
  spent,
} from '../policy/action-effects.ts'
import type { AgentEffect } from '../policy/agent-decoded.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { machineAddressText } from './address.ts'
import type { TronMethod } from './described.ts'
import { triggerSchema, triggerType } from './machine-contracts.ts'
import type { TronParsed } from './transaction.ts'

/**
 * A Tron transaction for policies: TRX and TRC-10 tokens that leave are spends, calls of contracts are read by the methods
 * that EVM contracts have too. Permissions and names are administration; stakes, votes and lent resources are refused. The fee is
 * `fee_limit` with all bandwidth paid for.
 */
function readTronTransaction({ transaction, decoded, scope }: TronParsed): AgentEffects {
  const { actions, fee } = decoded
  const { type, parameter } = transaction
  const read =
    type === triggerType
      ? readTrigger(parameter, actions, scope)
      : readActions(actions, (action) => readAction(action, scope.chain))
  return { ...read, fee: fee?.amount ?? null }
}

const rules = {
  buyToken: spent,
  cancelUnfreeze: 'contract_call_not_allowed',
  create: 'contract_creation_not_allowed',
  createAccount: 'contract_call_not_allowed',
  delegateResource: 'contract_call_not_allowed',
  freeze: 'contract_call_not_allowed',
  setAccountId: 'account_admin_not_allowed',
  undelegateResource: 'contract_call_not_allowed',
  unfreeze: 'contract_call_not_allowed',
  updateAccount: 'account_admin_not_allowed',
  updatePermissions: 'account_admin_not_allowed',
  vote: 'contract_call_not_allowed',
  withdrawRewards: harmless,
  withdrawUnfrozen: harmless,
} satisfies Readonly<Record<TronMethod, MethodRule>>

function readAction(action: Action, chain: Chain): ActionReading {
  if (action.kind === 'unknown') return 'payload_undecodable'
  const isPayment = action.kind === 'transfer' && action.method === null
  return isPayment ? spent(action, chain) : readByMethod(rules, action, chain)
}

/** What goes along with a call, then what its method does, or a call of the contract. */
function readTrigger(
  parameter: Uint8Array,
  actions: readonly Action[],
  { chain, address }: TransactionScope,
): Omit<AgentEffects, 'fee'> {
  const { contract_address, data, call_value, call_token_value } = readMessage(parameter, triggerSchema)
  const attachedCount = Number(call_value > 0n) + Number(call_token_value > 0n)
  const attached = readActions(actions.slice(0, attachedCount), (action) => readAction(action, chain))
  const selector = toHex(data.subarray(0, 4))
  const method = {
    contract: checksumAddress(contract_address.subarray(1)),
    sender: checksumAddress(fromBase58Check(address)?.payload ?? new Uint8Array(20)),
  }
  const meaning = readAgentMethod(data, selector, method)
  if (meaning) {
    const effects = meaning.effects.map(asTron)
    return { effects: [...attached.effects, ...effects], trap: attached.trap ?? meaning.trap }
  }
  const unknown = called(method.sender, method.contract, data.length < 4 ? null : `0x${selector}`)
  const taken = readTokenCall(data, method)
  const calls = taken ?? [{ ...unknown, kind: 'unknown' as const }]
  const received = withReceivers(calls, data, {
    from: method.sender,
    value: call_value,
    own: [method.sender],
  })
  const isUnread = isAgentBatch(data) || (!taken && isTokenCallMethod(data))
  const trap = isUnread ? 'payload_undecodable' : received.trap
  const effects = [...attached.effects.map(goingAlong), ...received.effects.map(asTron)]
  return { effects, trap: attached.trap ?? trap }
}

/** The virtual machine knows addresses by 20 bytes, people by T…. */
function asTron(effect: AgentEffect): AgentEffect {
  const { asset, from, to, contract } = effect
  return {
    ...effect,
    asset: asset && tronText(asset),
    from: tronText(from),
    to: to && tronText(to),
    contract: contract && tronText(contract),
  }
}

function tronText(text: string): string {
  const bytes = parseAddress(text)
  return bytes ? machineAddressText(bytes) : text
}

const addressVersion = 0x41
/** 42 digits that begin with 41, as Tron's nodes write addresses. */
const hexForm = /^(?:0[xX]0*)?([0-9a-fA-F]{42})$/

function addressKey(text: string): string | undefined {
  const [, digits] = text.length === 42 || isPrefixed(text) ? (hexForm.exec(text) ?? []) : []
  if (digits === undefined) return undefined
  const bytes = fromHex(digits, true)
  if (bytes?.[0] === addressVersion) return toBase58Check(addressVersion, bytes.subarray(1))
  return text.length === 42 ? text.toLowerCase() : undefined
}

function nameKind(text: string): NameKind | undefined {
  if (/^(?:0[xX]0*)?41[0-9a-fA-F]{40}$/.test(text)) return 'name'
  // Base58 takes time that grows with the square of the length. In upper case alone, T… may start like bech32 of Bitcoin.
  const { version, payload } = text.length === 34 ? (fromBase58Check(text) ?? {}) : {}
  return version === addressVersion && payload?.length === 20 ? 'loose' : undefined
}

/** Tron as policies see it. */
export const policyEffects: NetworkPolicy<TronParsed> = {
  isChainSigned: false,
  effects: readTronTransaction,
  selectorForm: /^0x[0-9a-fA-F]{8}$/,
  nameKind,
  // The ids of TRC-10 tokens.
  nameForm: /^[1-9][0-9]{6,18}$/,
  addressKey,
}
