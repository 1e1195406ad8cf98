import { byteReader } from '../codec/byte-reader.ts'
import { concat } from '../codec/concat.ts'
import { invalidPayload } from '../network-error.ts'
import { littleEndian32 } from './compact-size.ts'
import { fieldOf, type Psbt, type PsbtMap, requiredField } from './psbt.ts'
import { encodeBody, type RawTransaction, transactionOutput } from './raw-transaction.ts'

const noScript = new Uint8Array(0)
const finalSequence = littleEndian32(0xffffffff)
/** Lock times from here up are seconds, below they are block heights. */
const lockTimeThreshold = 500_000_000

/** The transaction that a PSBT is for, without any unlocking script. */
export function psbtTransaction({ unsigned, global, inputs, outputs }: Psbt): RawTransaction {
  if (unsigned !== undefined) return unsigned
  const unsignedInputs = inputs.map((map) => ({
    outpoint: concat(requiredField(map, 14), requiredField(map, 15)),
    script: noScript,
    sequence: fieldOf(map, 16) ?? finalSequence,
  }))
  const paid = outputs.map((map) => transactionOutput(requiredField(map, 3), requiredField(map, 4)))
  return {
    version: requiredField(global, 2),
    inputs: unsignedInputs,
    outputs: paid,
    body: encodeBody(unsignedInputs, paid),
    lockTime: lockTimeOf(global, inputs),
  }
}

/** BIP-370, "Determining Lock Time": what all inputs agree on, heights first, otherwise the fallback. */
function lockTimeOf(global: PsbtMap, inputs: readonly PsbtMap[]): Uint8Array {
  const times = inputs.map((map) => ({ time: required(map, 17, true), height: required(map, 18, false) }))
  const bound = times.filter(({ time, height }) => time !== undefined || height !== undefined)
  if (bound.length === 0) return fieldOf(global, 3) ?? littleEndian32(0)
  for (const kind of ['height', 'time'] as const) {
    const values = bound.flatMap((times) => times[kind] ?? [])
    if (values.length === bound.length) return littleEndian32(values.reduce((a, b) => Math.max(a, b)))
  }
  throw invalidPayload('The inputs of the PSBT have no lock time in common.')
}

function required(map: PsbtMap, type: number, isTime: boolean): number | undefined {
  const bytes = fieldOf(map, type)
  if (bytes === undefined) return undefined
  const value = byteReader(bytes).u32()
  if (value === 0 || value >= lockTimeThreshold !== isTime) {
    throw invalidPayload('A lock time of the PSBT is out of range.')
  }
  return value
}
