import { networks } from '@symbolon/networks'
import type { EnclaveLog } from '../enclave-log.ts'
import { type EnclaveState, enclaveState } from '../enclave-state.ts'
import { fileRoot } from '../ring/file-root.ts'

/** An enclave that serves with the ring in a file, over a database without marks. */
export function servingState(ringFile: string, log: EnclaveLog = () => {}): EnclaveState {
  const state = enclaveState(log, networks, Date.now)
  state.phases.enter('attested')
  state.open(fileRoot(ringFile).open())
  state.loadMarks({ isFirst: true, isLast: true, segment: undefined })
  return state
}
