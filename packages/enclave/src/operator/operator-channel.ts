import { jwkThumbprint } from '@symbolon/crypto/attestation'
import {
  OperatorFrameError,
  type OperatorState,
  openOperatorFrame,
  operatorOrders,
  orderSigners,
  readOperatorMessage,
  type SignedOrder,
  signersMin,
} from '@symbolon/crypto/node'
import { EnclaveFault } from '../enclave-fault.ts'
import type { EnclaveLog } from '../enclave-log.ts'
import type { EnclaveState } from '../enclave-state.ts'
import { bootState } from './accept-state.ts'
import { type OrderResult, orderTable } from './order-table.ts'

/**
 * Answers one frame of the operators' channel. Throws `EnclaveFault`: `invalid_payload` for what is not a frame or holds no message, `refused` for what does
 * not open by an operator of the manifest, or is an order that is not for this boot, was executed before or is not signed as it must be.
 */
export type OperatorChannel = (frame: Uint8Array) => Uint8Array

/** The channel of one boot, whose X25519 channel key is `channelKey`. It remembers the number of the last order that it executed. */
export function operatorChannel(
  state: EnclaveState,
  channelKey: Uint8Array,
  log: EnclaveLog,
): OperatorChannel {
  const bootKey = jwkThumbprint({
    kty: 'OKP',
    crv: 'X25519',
    x: Buffer.from(channelKey).toString('base64url'),
  })
  let lastNumber = 0
  const stateNow = (): OperatorState => ({
    ring_id: state.vault().ring.id,
    boot_key: bootKey,
    number: lastNumber + 1,
    is_waiting: state.vault().marks.isWaiting(),
    ...bootState(state.vault()),
  })

  function execute(signed: SignedOrder): OrderResult {
    const { version: _, order, ring_id, boot_key, number, ...parameters } = signed.statement
    const { ring } = state.vault()
    const run = orderTable[order](parameters)
    if (run === undefined) throw new EnclaveFault('invalid_payload', 'not the parameters of this order')
    if (ring_id !== ring.id) throw new EnclaveFault('refused', 'an order for another ring')
    if (boot_key !== bootKey) throw new EnclaveFault('refused', 'an order for another boot')
    if (number <= lastNumber) throw new EnclaveFault('refused', 'an order that was executed, or is older')
    const signers = orderSigners(signed, ring.manifest.operators)
    if (signers === undefined || signers < signersMin(operatorOrders[order], ring.manifest))
      throw new EnclaveFault('refused', 'an order without the signatures that it needs')
    // Before it runs: an order that fails half-way is not executed again.
    lastNumber = number
    log('operators ordered', { order, number, operators: signed.signatures.map(({ kid }) => kid).join(' ') })
    return run(state)
  }

  return (frame) => {
    const { ring, importKey } = state.vault()
    const { message, sealAnswer } = opened(frame, importKey, ring.manifest.operators)
    const said = readOperatorMessage(message)
    if (said === undefined) throw new EnclaveFault('invalid_payload', 'not a message of an operator')
    const answer = 'ask' in said ? stateNow() : execute(said)
    return sealAnswer(Buffer.from(JSON.stringify(answer)))
  }
}

function opened(...given: Parameters<typeof openOperatorFrame>): ReturnType<typeof openOperatorFrame> {
  try {
    return openOperatorFrame(...given)
  } catch (error) {
    if (!(error instanceof OperatorFrameError)) throw error
    throw new EnclaveFault(error.code === 'malformed' ? 'invalid_payload' : 'refused', error.message)
  }
}
