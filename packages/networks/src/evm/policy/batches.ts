import { toHex } from '../../codec/hex.ts'
import { invalidPayload } from '../../network-error.ts'
import { type AbiReader, readCallData } from '../abi-reader.ts'
import { addressOf, zipped } from '../account-executions.ts'
import {
  type BatchForm,
  type CallBatch,
  type InnerCall,
  isCallBatch,
  listed,
  type Outer,
  readCallBatch,
  target,
  withOperation,
} from '../call-batches.ts'
import { methodTable } from '../method-table.ts'

/** Accounts of others and lists of calls have many names; those whose arguments are alike are read alike. */
const alike = (
  title: string,
  read: BatchForm['read'],
  signatures: readonly string[],
): Record<string, BatchForm> =>
  Object.fromEntries(signatures.map((signature) => [signature, { title, read }]))

const oneCall: BatchForm['read'] = (reader) => [
  { to: target(reader), value: reader.uint(), data: reader.bytes() },
]

const batches = methodTable<BatchForm>({
  ...alike('Calls of an account', oneCall, [
    'executeCall(address,uint256,bytes)',
    'execFromEntryPoint(address,uint256,bytes)',
    'execute_ncC(address,uint256,bytes)',
    'forward(address,uint256,bytes)',
    'invoke(address,uint256,bytes)',
  ]),
  ...alike('Calls of an account', operated, [
    'execute(address,uint256,bytes,uint8)',
    'executeUserOp(address,uint256,bytes,uint8)',
    'executeUserOpWithErrorString(address,uint256,bytes,uint8)',
  ]),
  ...alike('Several calls', (reader) => listed(reader, 0, true), [
    'aggregate((address,uint256,bytes)[])',
    'batch((address,uint256,bytes)[])',
    'batchCall((address,uint256,bytes)[])',
    'execute((address,uint256,bytes)[])',
    'multiSend((address,uint256,bytes)[])',
    'multicall((address,uint256,bytes)[])',
  ]),
  ...alike('Several calls', (reader) => listed(reader, 0, false), ['multicall((address,bytes)[])']),
  ...alike('Several calls', targetsAndData, ['multicall(address[],bytes[])', 'callMany(address[],bytes[])']),
  'executeBatch((address,uint256,bytes,uint8)[])': {
    title: 'Calls of an account',
    read: (reader, outer) => reader.tuples(4, (call) => operated(call, outer)).flat(),
  },
  'executeBatch_y6U(address[],uint256[],bytes[])': {
    title: 'Calls of an account',
    read: (reader) => zipped(reader.uints(), reader.uints(), reader.bytesList()),
  },
  'execute(uint256,address,uint256,bytes)': {
    title: 'Calls of an account',
    read(reader, { contract }) {
      const kind = reader.uint()
      return [erc725(kind, { to: target(reader), value: reader.uint(), data: reader.bytes() }, contract)]
    },
  },
  'executeBatch(uint256[],address[],uint256[],bytes[])': {
    title: 'Calls of an account',
    read(reader, { contract }) {
      const kinds = reader.uints()
      const calls = zipped(reader.uints(), reader.uints(), reader.bytesList())
      if (kinds.length !== calls.length) throw invalidPayload('The lists of a batch differ in length.')
      return calls.map((call, index) => erc725(kinds[index] ?? -1n, call, contract))
    },
  },
  // 1inch: a permit, then a call of itself in the name of who called.
  'permitAndCall(bytes,bytes)': {
    title: 'Several calls',
    read(reader, { contract, sender }) {
      reader.bytes()
      return [{ to: addressOf(BigInt(contract)), value: 0n, data: reader.bytes(), from: sender }]
    },
  },
  // DSProxy: the code of the target runs as the proxy.
  'execute(address,bytes)': {
    title: 'Calls of an account',
    read: (reader, { contract }) => [
      { to: target(reader), value: 0n, data: reader.bytes(), isDelegated: true, from: contract },
    ],
  },
  'execute(address,uint256,bytes,bytes32,bytes32)': {
    title: 'Calls of a time lock',
    read(reader, outer) {
      const calls = oneCall(reader, outer)
      reader.word()
      reader.word()
      return calls
    },
  },
  'executeBatch(address[],uint256[],bytes[],bytes32,bytes32)': {
    title: 'Calls of a time lock',
    read(reader) {
      const calls = zipped(reader.uints(), reader.uints(), reader.bytesList())
      reader.word()
      reader.word()
      return calls
    },
  },
})

/** The calls that call data makes a contract hand on: those that previews know, and the many other names that they have. */
export function readAgentBatch(data: Uint8Array, outer: Outer): CallBatch | undefined {
  const form = batches.get(toHex(data.subarray(0, 4)))
  if (form === undefined) return readCallBatch(data, outer)
  const calls = readCallData(data, form.argumentCount, (reader) => form.read(reader, outer))
  return calls && { name: form.name, title: form.title, calls }
}

/** Whether call data has the selector of such a method, whatever its arguments are. */
export function isAgentBatch(data: Uint8Array): boolean {
  return isCallBatch(data) || batches.has(toHex(data.subarray(0, 4)))
}

/** ERC-6551, Kernel and modules of Safes: a call (0), a delegatecall (1), or a new contract (2, 3). */
function operated(reader: AbiReader, { contract }: Outer): readonly InnerCall[] {
  const call = { to: target(reader), value: reader.uint(), data: reader.bytes() }
  const operation = reader.uint(8)
  if (operation > 3n) throw invalidPayload('The operation is unknown.')
  return [operation > 1n ? { ...call, to: null } : withOperation(call, operation, contract)]
}

/** ERC-725: a call (0), a new contract (1, 2), a call that changes nothing (3), or a delegatecall (4). */
function erc725(kind: bigint, call: InnerCall, contract: string): InnerCall {
  if (kind < 0n || kind > 4n) throw invalidPayload('The operation is unknown.')
  if (kind === 1n || kind === 2n) return { ...call, to: null }
  return withOperation(call, kind === 4n ? 1n : 0n, contract)
}

function targetsAndData(reader: AbiReader): readonly InnerCall[] {
  const targets = reader.uints()
  return zipped(
    targets,
    targets.map(() => 0n),
    reader.bytesList(),
  )
}
