import {
  abandonMessage,
  beginMessage,
  type EnclaveOp,
  enclaveOps,
  endMessage,
  recordBytesMax,
  type WireWriter,
} from '@symbolon/crypto/node'
import { EnclaveError } from '../ports/enclave.ts'

/** Requests of this tick, and those that wait for a connection: `bytes` are their messages. */
export type Unsent = { bytes: WireWriter; ids: number[]; isFlushPlanned: boolean }

/** Writes a request at once; what cannot be written leaves nothing behind. */
export function enqueue(
  { bytes, ids }: Unsent,
  id: number,
  op: EnclaveOp,
  write: (writer: WireWriter) => void,
): EnclaveError | undefined {
  const at = beginMessage(bytes, id, enclaveOps[op])
  try {
    write(bytes)
  } catch (error) {
    abandonMessage(bytes, at)
    return new EnclaveError('refused', error)
  }
  if (bytes.offset > recordBytesMax) {
    abandonMessage(bytes, at)
    return new EnclaveError('unavailable', 'record full')
  }
  endMessage(bytes, at)
  ids.push(id)
  return undefined
}
