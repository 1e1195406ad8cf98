import { at, bool, bytes, embedded, json, list, text, u64 } from '../codec/protobuf/proto-type.ts'
import { excerptText } from '../preview/excerpt.ts'
import { shownText } from '../preview/shown-text.ts'
import { checkedAccount } from './address.ts'
import { coinSchema } from './coins.ts'
import { describeContractCall } from './contract-call.ts'
import { administered, called, type MessageScope, moved } from './described.ts'
import { type MessageRow, row } from './message-row.ts'

const funds = list(embedded(coinSchema))
const instance = { sender: text, admin: text, code_id: u64, label: text, msg: json, funds }
type Instance = {
  readonly sender: string
  readonly admin: string
  readonly code_id: bigint
  readonly label: string
  readonly funds: readonly { denom: string; amount: string }[]
}

/** Messages of cosmwasm.wasm: calls of contracts, new ones and who may change one. */
export const contractMessages: readonly MessageRow[] = [
  row(
    'cosmwasm.wasm.v1.MsgExecuteContract',
    'wasm/MsgExecuteContract',
    { sender: text, contract: text, msg: json, funds: at(5, funds) },
    'sender',
    (message, scope) => {
      const from = checkedAccount(message.sender, scope.prefix)
      const contract = checkedAccount(message.contract, scope.prefix)
      const sent = { from, to: contract, method: 'funds' } as const
      const attached = message.funds.length > 0 ? moved(scope, sent, message.funds) : []
      return [...attached, describeContractCall(message.msg, from, contract, scope)]
    },
  ),
  row(
    'cosmwasm.wasm.v1.MsgInstantiateContract',
    'wasm/MsgInstantiateContract',
    instance,
    'sender',
    (message, scope) => instantiated(message, scope),
  ),
  row(
    'cosmwasm.wasm.v1.MsgInstantiateContract2',
    'wasm/MsgInstantiateContract2',
    { ...instance, salt: bytes, fix_msg: bool },
    'sender',
    (message, scope) => instantiated(message, scope),
  ),
  row(
    'cosmwasm.wasm.v1.MsgMigrateContract',
    'wasm/MsgMigrateContract',
    { sender: text, contract: text, code_id: u64, msg: json },
    'sender',
    ({ sender, contract, code_id, msg }, { prefix }) =>
      administered(
        { from: checkedAccount(sender, prefix), to: checkedAccount(contract, prefix), method: 'migrate' },
        'Upgrade a contract',
        { code_id: String(code_id), msg: excerptText(msg) },
        'The code of the contract changes.',
      ),
  ),
  row(
    'cosmwasm.wasm.v1.MsgUpdateAdmin',
    'wasm/MsgUpdateAdmin',
    { sender: text, new_admin: text, contract: text },
    'sender',
    ({ sender, new_admin, contract }, { prefix }) =>
      administered(
        { from: checkedAccount(sender, prefix), to: checkedAccount(contract, prefix), method: 'updateAdmin' },
        'Hand over a contract',
        { new_admin: checkedAccount(new_admin, prefix) },
        `${new_admin} will control the contract.`,
      ),
  ),
  row(
    'cosmwasm.wasm.v1.MsgClearAdmin',
    'wasm/MsgClearAdmin',
    { sender: text, contract: at(3, text) },
    'sender',
    ({ sender, contract }, { prefix }) =>
      administered(
        { from: checkedAccount(sender, prefix), to: checkedAccount(contract, prefix), method: 'clearAdmin' },
        'Give up a contract',
        {},
        'Nobody will be able to change the contract.',
      ),
  ),
]

function instantiated({ sender, admin, code_id, label, funds }: Instance, scope: MessageScope) {
  const parties = { from: checkedAccount(sender, scope.prefix), to: null, method: 'instantiate' } as const
  const args = { code_id: String(code_id), label: shownText(label), admin: shownText(admin) }
  const attached = funds.length > 0 ? moved(scope, parties, funds) : []
  return [...attached, called(parties, 'Create contract', args, 'This creates a contract.')]
}
