import { toHex } from '../hex.ts'
import { invalidPayload } from '../network-error.ts'
import { quantityToWord } from '../quantity.ts'
import { type AbiReader, readCallData } from './abi-reader.ts'
import { selectorOf } from './selector.ts'
import type { CallBytes } from './transaction-effects.ts'

type Execution = { readonly argumentCount: number; read(reader: AbiReader): readonly CallBytes[] }

/** How an account is told to make calls. */
const executions: ReadonlyMap<string, Execution> = new Map([
  [
    selectorOf('execute(address,uint256,bytes)'),
    {
      argumentCount: 3,
      read: (reader) => calls([reader.uint(160)], [reader.uint()], [reader.bytes()]),
    },
  ],
  [
    selectorOf('executeBatch(address[],bytes[])'),
    {
      argumentCount: 2,
      read: (reader) => {
        const targets = reader.uints()
        return calls(
          targets,
          targets.map(() => 0n),
          reader.bytesList(),
        )
      },
    },
  ],
  [
    selectorOf('executeBatch(address[],uint256[],bytes[])'),
    { argumentCount: 3, read: (reader) => calls(reader.uints(), reader.uints(), reader.bytesList()) },
  ],
])

/** The calls that call data for an account's `execute` or `executeBatch` hands on; other data is `undefined`. */
export function readExecution(data: Uint8Array): readonly CallBytes[] | undefined {
  const execution = executions.get(toHex(data.subarray(0, 4)))
  return execution && readCallData(data, execution.argumentCount, execution.read)
}

function calls(
  targets: readonly bigint[],
  values: readonly bigint[],
  data: readonly Uint8Array[],
): readonly CallBytes[] {
  if (targets.length !== values.length || targets.length !== data.length) {
    throw invalidPayload('The lists of a batch differ in length.')
  }
  return targets.map((target, index) => {
    if (target >> 160n !== 0n) throw invalidPayload('A target of the batch is not an address.')
    return {
      to: quantityToWord(target).subarray(12),
      value: values[index] ?? 0n,
      data: data[index] ?? new Uint8Array(0),
    }
  })
}
