import { toHex } from '../codec/hex.ts'
import { bytesToQuantity } from '../codec/quantity.ts'
import { invalidPayload } from '../network-error.ts'
import { type AbiReader, abiReader, readCallData } from './abi-reader.ts'
import { accountExecutions, addressOf } from './account-executions.ts'
import type { CallBytes } from './call-effects.ts'
import { entryPoint } from './entry-point.ts'
import { methodTable } from './method-table.ts'

/**
 * A call that a contract hands on. `from` is who makes it where that is not the contract; `isDelegated`: the code of `to`
 * runs as `from`; `isOperation`: the EntryPoint instructs the account to make it; `mayFail`: if it does, the contract goes on and keeps its
 * value.
 */
export type InnerCall = CallBytes & {
  readonly from?: string
  readonly isDelegated?: boolean
  readonly isOperation?: boolean
  readonly mayFail?: boolean
}

/** A method that makes calls, and which. */
export type CallBatch = {
  readonly name: string
  readonly title: string
  readonly calls: readonly InnerCall[]
}

/** Whom the batch is sent to, and by whom. */
export type Outer = { readonly contract: string; readonly sender: string }
/** How a method that makes calls is read. */
export type BatchForm = {
  readonly title: string
  read(reader: AbiReader, outer: Outer): readonly InnerCall[]
}

/** Routers and tokens that call themselves by delegatecall: who calls stays who called. */
const multicall: BatchForm['read'] = (reader, { contract, sender }) =>
  reader.bytesList().map((data) => ({ to: addressOf(BigInt(contract)), value: 0n, data, from: sender }))

/** A list of calls, each a target, whether it may fail if there is a flag, a value if it has one, and data (Multicall3, ERC-7579). */
export function listed(reader: AbiReader, flags: number, hasValue: boolean): readonly InnerCall[] {
  return reader.tuples(2 + flags + (hasValue ? 1 : 0), (call) => {
    const to = target(call)
    const mayFail = flags > 0 && call.bool()
    return { to, value: hasValue ? call.uint() : 0n, data: call.bytes(), ...(mayFail && { mayFail }) }
  })
}

/** ERC-7579: one call, several, or a delegatecall; failures revert (0) or are passed over (1), no further mode. */
const modular: BatchForm['read'] = (reader, { contract }) => {
  const [kind, onFailure = 0, ...rest] = reader.word()
  const data = reader.bytes()
  if (onFailure > 1 || rest.some((byte) => byte !== 0)) throw invalidPayload('The mode is unknown.')
  if (kind === 1) {
    const inner = abiReader(data, 1)
    const calls = listed(inner, 0, true)
    inner.end()
    return onFailure === 0 ? calls : calls.map(passedOver)
  }
  const isDelegated = kind === 0xff
  if (kind !== 0 && !isDelegated) throw invalidPayload('The mode is unknown.')
  const valueEnd = isDelegated ? 20 : 52
  if (data.length < valueEnd) throw invalidPayload('The execution ends too early.')
  const call = { to: data.subarray(0, 20), value: bytesToQuantity(data.subarray(20, valueEnd)) }
  const execution = {
    ...call,
    data: data.subarray(valueEnd),
    ...(isDelegated && { isDelegated, from: contract }),
  }
  return [onFailure === 0 ? execution : passedOver(execution)]
}

const passedOver = (call: InnerCall): InnerCall => ({ ...call, mayFail: true })

/** A Safe tells a module that its call has failed, and goes on. */
const ofModule: BatchForm['read'] = (reader, outer) => safe(reader, outer).map(passedOver)

/** The action of a Safe's owners or of a module: a call, or a delegatecall. */
const safe: BatchForm['read'] = (reader, { contract }) => {
  const call = { to: target(reader), value: reader.uint(), data: reader.bytes() }
  return [withOperation(call, reader.uint(1), contract)]
}

const batches = methodTable<BatchForm>({
  'multicall(bytes[])': { title: 'Several calls', read: multicall },
  'multicall(uint256,bytes[])': { title: 'Several calls', read: behindWord },
  'multicall(bytes32,bytes[])': { title: 'Several calls', read: behindWord },
  'aggregate((address,bytes)[])': { title: 'Several calls', read: (reader) => listed(reader, 0, false) },
  'blockAndAggregate((address,bytes)[])': {
    title: 'Several calls',
    read: (reader) => listed(reader, 0, false),
  },
  'tryAggregate(bool,(address,bytes)[])': { title: 'Several calls', read: behindFlag },
  'tryBlockAndAggregate(bool,(address,bytes)[])': { title: 'Several calls', read: behindFlag },
  'aggregate3((address,bool,bytes)[])': {
    title: 'Several calls',
    read: (reader) => listed(reader, 1, false),
  },
  'aggregate3Value((address,bool,uint256,bytes)[])': {
    title: 'Several calls',
    read: (reader) => listed(reader, 1, true),
  },
  'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)': {
    title: 'Safe transaction',
    read(reader, outer) {
      const calls = safe(reader, outer)
      const isPassedOver = reader.uint() !== 0n
      reader.uint()
      // A refund pays whoever sends it, at a price that this call sets: that is nothing a person reads.
      if (reader.uint() !== 0n) throw invalidPayload('The Safe would pay a refund.')
      reader.address()
      reader.address()
      reader.bytes()
      // With gas of its own, a call that fails does not undo the transaction.
      return isPassedOver ? calls.map(passedOver) : calls
    },
  },
  'execTransactionFromModule(address,uint256,bytes,uint8)': { title: 'Safe transaction', read: ofModule },
  'execTransactionFromModuleReturnData(address,uint256,bytes,uint8)': {
    title: 'Safe transaction',
    read: ofModule,
  },
  'multiSend(bytes)': { title: 'Several calls', read: multiSend },
  'execute(bytes32,bytes)': { title: 'Calls of an account', read: modular },
  'executeBatch((address,uint256,bytes)[])': {
    title: 'Calls of an account',
    read: (reader) => listed(reader, 0, true),
  },
  'executeFromExecutor(bytes32,bytes)': { title: 'Calls of an account', read: modular },
  'handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)': {
    title: 'Submit operations of accounts',
    read: handleOps,
  },
  ...Object.fromEntries(
    Object.entries(accountExecutions).map(([signature, { read }]) => [
      signature,
      { title: 'Calls of an account', read },
    ]),
  ),
})

/**
 * The calls that call data makes a contract hand on, or `undefined`: Multicall3 and routers, Safe and its MultiSend, accounts
 * of ERC-7579 and of the Light Account kind, operations at the EntryPoint v0.7.
 */
export function readCallBatch(data: Uint8Array, outer: Outer): CallBatch | undefined {
  const form = batches.get(toHex(data.subarray(0, 4)))
  const calls = form && readCallData(data, form.argumentCount, (reader) => form.read(reader, outer))
  return form && calls && { name: form.name, title: form.title, calls }
}

/** Whether call data has the selector of a method that makes calls, whatever its arguments are. */
export function isCallBatch(data: Uint8Array): boolean {
  return batches.has(toHex(data.subarray(0, 4)))
}

/** Safe's MultiSend and MultiSendCallOnly, 1.3.0 and 1.4.1: made to be run by delegatecall, the same on every chain. */
export const multiSends: ReadonlySet<string> = new Set([
  '0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761',
  '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D',
  '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
])

function behindWord(reader: AbiReader, outer: Outer): readonly InnerCall[] {
  reader.word()
  return multicall(reader, outer)
}

function behindFlag(reader: AbiReader): readonly InnerCall[] {
  reader.bool()
  return listed(reader, 0, false)
}

/** The next argument, an address. */
export function target(reader: AbiReader): Uint8Array {
  return addressOf(reader.uint(160))
}

/** Operation 1 is a delegatecall, which sends no value: nobody reads the one that is given. */
export function withOperation(call: InnerCall, operation: bigint, from: string): InnerCall {
  return operation === 0n ? call : { ...call, isDelegated: true, from }
}

/** MultiSend packs operation (1 byte), target (20), value (32), length (32) and data of each, without padding. */
function multiSend(reader: AbiReader, { contract }: Outer): readonly InnerCall[] {
  const packed = reader.bytes()
  const calls: InnerCall[] = []
  for (let at = 0; at < packed.length; ) {
    const start = at + 85
    const length = bytesToQuantity(packed.subarray(at + 53, start))
    const operation = packed[at] ?? 0
    if (start > packed.length || operation > 1 || length > BigInt(packed.length - start))
      throw invalidPayload('The packed calls are malformed.')
    const end = start + Number(length)
    const call = {
      to: packed.subarray(at + 1, at + 21),
      value: bytesToQuantity(packed.subarray(at + 21, at + 53)),
      data: packed.subarray(start, end),
    }
    calls.push(withOperation(call, BigInt(operation), contract))
    at = end
  }
  return calls
}

/** What each account is instructed to do; who creates and who pays for it is their own affair. */
function handleOps(reader: AbiReader, { contract }: Outer): readonly InnerCall[] {
  if (contract !== entryPoint) throw invalidPayload('This is not the EntryPoint.')
  const calls = reader.tuples(9, (operation) => {
    const to = target(operation)
    operation.uint()
    operation.bytes()
    const data = operation.bytes()
    for (let word = 0; word < 3; word++) operation.word()
    operation.bytes()
    operation.bytes()
    return { to, value: 0n, data, isOperation: true }
  })
  reader.address()
  return calls
}
