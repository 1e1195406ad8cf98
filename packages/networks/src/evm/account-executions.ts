import { toHex } from '../codec/hex.ts'
import { quantityToWord } from '../codec/quantity.ts'
import { invalidPayload } from '../network-error.ts'
import { type AbiReader, readCallData } from './abi-reader.ts'
import type { CallBytes } from './call-effects.ts'
import { methodTable } from './method-table.ts'

type Execution = { read(reader: AbiReader): readonly CallBytes[] }

/** How an account is instructed to make calls, by signature. */
export const accountExecutions: Readonly<Record<string, Execution>> = {
  'execute(address,uint256,bytes)': {
    read: (reader) => zipped([reader.uint(160)], [reader.uint()], [reader.bytes()]),
  },
  'executeBatch(address[],bytes[])': {
    read(reader) {
      const targets = reader.uints()
      const values = targets.map(() => 0n)
      return zipped(targets, values, reader.bytesList())
    },
  },
  'executeBatch(address[],uint256[],bytes[])': {
    read: (reader) => zipped(reader.uints(), reader.uints(), reader.bytesList()),
  },
}

const executions = methodTable(accountExecutions)

/** The calls that call data for an account's `execute` or `executeBatch` hands on; other data is `undefined`. */
export function readExecution(data: Uint8Array): readonly CallBytes[] | undefined {
  const execution = executions.get(toHex(data.subarray(0, 4)))
  return execution && readCallData(data, execution.argumentCount, execution.read)
}

/** Calls of lists of their targets, values and data; lists of two lengths are `invalid_payload`. */
export function zipped(
  targets: readonly bigint[],
  values: readonly bigint[],
  data: readonly Uint8Array[],
): readonly CallBytes[] {
  if (targets.length !== values.length || targets.length !== data.length) {
    throw invalidPayload('The lists of a batch differ in length.')
  }
  return targets.map((target, index) => {
    return { to: addressOf(target), value: values[index] ?? 0n, data: data[index] ?? new Uint8Array(0) }
  })
}

/** The 20 bytes of an address that stands as a number; a larger one is `invalid_payload`. */
export function addressOf(target: bigint): Uint8Array {
  if (target >> 160n !== 0n) throw invalidPayload('A target of the batch is not an address.')
  return quantityToWord(target).subarray(12)
}
