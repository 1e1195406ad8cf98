import { bool, bytes, embedded, i64, list, protoSchema, text, u32 } from '../codec/protobuf/proto-type.ts'
import { shownText } from '../preview/shown-text.ts'
import type { DescribedAction } from '../preview/summarize.ts'
import { addressText } from './address.ts'
import { type ContractRow, row } from './contract-row.ts'
import { type ContractScope, called, sentNative, sentToken } from './described.ts'
import { describeMachineCall } from './machine-call.ts'

const parameter = protoSchema({ indexed: bool, name: text, type: text })
/** Methods and events of a contract, for people: nothing depends on them. */
const abi = protoSchema({
  entrys: list(
    embedded(
      protoSchema({
        anonymous: bool,
        constant: bool,
        name: text,
        inputs: list(embedded(parameter)),
        outputs: list(embedded(parameter)),
        type: u32,
        payable: bool,
        state_mutability: u32,
      }),
    ),
  ),
})

const newContract = protoSchema({
  origin_address: bytes,
  contract_address: bytes,
  abi: embedded(abi),
  bytecode: bytes,
  call_value: i64,
  consume_user_resource_percent: i64,
  name: text,
  origin_energy_limit: i64,
})

/** The message of a call of a contract. */
const trigger = {
  owner_address: bytes,
  contract_address: bytes,
  call_value: i64,
  data: bytes,
  call_token_value: i64,
  token_id: i64,
}

/** The number of calls of contracts. */
export const triggerType = 31
/** The message of such a call. */
export const triggerSchema = protoSchema(trigger)

/** Contracts of the virtual machine, by their number. */
export const machineContracts: Readonly<Record<number, ContractRow>> = {
  30: row(
    'CreateSmartContract',
    {
      owner_address: bytes,
      new_contract: embedded(newContract),
      call_token_value: i64,
      token_id: i64,
    },
    ({ new_contract, call_token_value, token_id }, scope) => {
      const { name, bytecode, call_value } = new_contract ?? {
        name: '',
        bytecode: bytes.absent,
        call_value: 0n,
      }
      const args = { name: shownText(name), bytes: String(bytecode.length) }
      const warning = 'This creates a contract.'
      return [
        ...attached(scope, null, call_value, call_token_value, token_id),
        called(scope, 'create', 'Create contract', null, args, warning),
      ]
    },
  ),
  [triggerType]: row(
    'TriggerSmartContract',
    trigger,
    ({ contract_address, call_value, data, call_token_value, token_id }, scope) => {
      const contract = addressText(contract_address)
      const sent = attached(scope, contract, call_value, call_token_value, token_id)
      return [...sent, ...describeMachineCall(data, contract, scope)]
    },
  ),
}

/** What goes along with a call: TRX and a TRC-10 token. */
function attached(
  scope: ContractScope,
  to: string | null,
  value: bigint,
  tokenValue: bigint,
  tokenId: bigint,
): DescribedAction[] {
  return [
    ...(value > 0n ? [sentNative(scope, to, value)] : []),
    ...(tokenValue > 0n ? [sentToken(scope, to, String(tokenId), tokenValue)] : []),
  ]
}
