import type { OperatorOrderName } from '@symbolon/crypto/node'
import type { EnclaveState } from '../enclave-state.ts'
import { acceptState, readAcceptance } from './accept-state.ts'

/** What an order answers, in the names of the operators' commands. */
export type OrderResult = Readonly<Record<string, unknown>>

/** The members of an order beside those that every order has. */
export type OrderParameters = Readonly<Record<string, unknown>>

/** What an order with these parameters does; undefined where they are not this order's. */
export type PrepareOrder = (parameters: OrderParameters) => ((state: EnclaveState) => OrderResult) | undefined

/** A row from the reader of its parameters and what it does with them. */
function row<parameters>(
  read: (parameters: OrderParameters) => parameters | undefined,
  run: (state: EnclaveState, parameters: parameters) => OrderResult,
): PrepareOrder {
  return (members) => {
    const parameters = read(members)
    return parameters === undefined ? undefined : (state) => run(state, parameters)
  }
}

/** An order without parameters. */
const none = (parameters: OrderParameters): OrderParameters | undefined =>
  Object.keys(parameters).length === 0 ? parameters : undefined

/** All orders; `operatorOrders` says whose signatures each needs, SPEC.md prints both. */
export const orderTable: Readonly<Record<OperatorOrderName, PrepareOrder>> = {
  rotate: row(none, (state) => {
    const version = state.rotate()
    return { ring_id: state.vault().ring.id, version }
  }),
  seal: row(none, (state) => {
    const ringId = state.vault().ring.id
    state.seal('ordered by an operator')
    return { ring_id: ringId, phase: state.phases.current() }
  }),
  accept_state: row(readAcceptance, acceptState),
}
