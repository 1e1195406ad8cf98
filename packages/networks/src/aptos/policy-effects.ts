import type { Chain } from '../chain.ts'
import { fromHex } from '../codec/hex.ts'
import { isPrefixed } from '../codec/is-prefixed.ts'
import { decodeUtf8 } from '../codec/utf8.ts'
import type { Action } from '../effect.ts'
import type { MessageIntent } from '../intent/intent.ts'
import type { NetworkPolicy, Parsed } from '../network.ts'
import {
  type ActionReading,
  harmless,
  isAdminName,
  type MethodRule,
  paid,
  readActions,
  readByMethod,
  unread,
} from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { displayAddress } from './address.ts'
import { assetKey, typeKey } from './asset-key.ts'
import { decodeAptosEffects } from './effects.ts'
import type { KnownFunctionName } from './known-functions.ts'
import type { AptosTransaction } from './raw-transaction.ts'

/** `0x0` to `0xf`: the framework's own. */
const frameworkAddress = /^0x[0-9a-f]$/

/**
 * An Aptos transaction for policies: transfers of coins and fungible assets are spends. Any other module's function is handed the wallet's
 * signature and no cap bounds what it takes: it has to be named. Refused whatever a policy says: scripts, objects that change hands
 * (they may be stores of any amount), stores that the bytes do not name, functions of the framework that are not known, multisig
 * accounts and transactions that also act for other accounts.
 */
function readAptosTransaction({ transaction, scope }: Parsed<AptosTransaction>): AgentEffects {
  const { actions, fee } = decodeAptosEffects(transaction, scope)
  const read = readActions(actions, (action) => readAction(action, scope.chain))
  const { payload, others } = transaction
  const isOfOthers = payload.multisig !== null || (others ?? []).length > 0
  return { ...read, trap: isOfOthers ? 'payload_undecodable' : read.trap, fee: fee?.amount ?? null }
}

const rules = {
  'aptos_account::transfer': paid,
  'aptos_account::fungible_transfer_only': paid,
  'aptos_account::transfer_coins': paid,
  'aptos_account::transfer_fungible_assets': paid,
  'aptos_account::batch_transfer': paid,
  'aptos_account::batch_transfer_coins': paid,
  'aptos_account::batch_transfer_fungible_assets': paid,
  'coin::transfer': paid,
  'primary_fungible_store::transfer': paid,
  'object::transfer': 'payload_undecodable',
  'object::transfer_call': 'payload_undecodable',
  'fungible_asset::transfer': 'payload_undecodable',
  'dispatchable_fungible_asset::transfer': 'payload_undecodable',
  'delegation_pool::add_stake': paid,
  'delegation_pool::unlock': 'contract_call_not_allowed',
  'delegation_pool::reactivate_stake': 'contract_call_not_allowed',
  'delegation_pool::withdraw': 'contract_call_not_allowed',
  'stake::add_stake': paid,
  'stake::unlock': 'contract_call_not_allowed',
  'stake::reactivate_stake': 'contract_call_not_allowed',
  'stake::withdraw': 'contract_call_not_allowed',
  'stake::increase_lockup': 'contract_call_not_allowed',
  'coin::migrate_to_fungible_store': harmless,
  'managed_coin::register': harmless,
  'aptos_account::create_account': 'contract_call_not_allowed',
  'aptos_account::set_allow_direct_coin_transfers': 'contract_call_not_allowed',
} satisfies Readonly<Record<KnownFunctionName, MethodRule>>

function readAction(action: Action, chain: Chain): ActionReading {
  const { kind, method, to, from } = action
  if (kind === 'admin') return 'account_admin_not_allowed'
  if (kind !== 'unknown') return readByMethod(rules, action, chain)
  if (to === null || method === null || frameworkAddress.test(to)) return 'payload_undecodable'
  const isAdmin = isAdminName(method.slice(method.lastIndexOf(':') + 1))
  if (isAdmin) return 'account_admin_not_allowed'
  return [{ ...unread(from, to, method.slice(method.indexOf('::') + 2)), mustBeNamed: true }]
}

/** How wallets of other networks sign for an account of Aptos that is derived from them: in a sign-in (AIP-113, AIP-122). */
const execution = /\bapproving to execute transaction\b/i

function isOrder({ message }: MessageIntent): boolean {
  return execution.test(decodeUtf8(message)?.replaceAll(/\s+/g, ' ') ?? '')
}

/** An address, with or without a module and type behind it: 41 digits and more are Aptos's, fewer may be an account of EVM. */
const accountName = /^0[xX][0-9a-fA-F]{1,64}(?:::[\w:<>, ]+)?$/
const addressForm = /^0[xX]0*([0-9a-fA-F]{41,64})$/
const keyForm = /^0x([0-9a-f]{1,64})$/

/** Aptos as policies see it. */
export const policyEffects: NetworkPolicy<Parsed<AptosTransaction>> = {
  isChainSigned: true,
  effects: readAptosTransaction,
  isOrder,
  selectorForm: /^[A-Za-z_][A-Za-z0-9_]*::[A-Za-z_][A-Za-z0-9_]*$/,
  nameKind: (text) => (accountName.test(text) ? 'name' : undefined),
  addressKey(text) {
    if (!isPrefixed(text)) return undefined
    const [, digits] = addressForm.exec(text) ?? []
    return digits === undefined ? typeKey(text) : `0x${digits.toLowerCase()}`
  },
  assetKey,
  isAssetKeyAlike: true,
  addressOfKey(key) {
    const [, digits] = keyForm.exec(key) ?? []
    const bytes = digits === undefined ? undefined : fromHex(digits.padStart(64, '0'))
    return bytes && displayAddress(bytes)
  },
}
