import type { KeyObject } from 'node:crypto'
import type { PublicJwk } from '../../jwk.ts'
import { pointOf, sealOperatorFrame } from './operator-frame.ts'
import {
  formatOperatorMessage,
  type OperatorMessage,
  type OperatorOrderName,
  type OperatorState,
  signOrder,
} from './operator-order.ts'

/** Whom an order is for: ring and boot of an enclave, and the key (65 bytes, P-256) of that boot that frames are sealed to. */
export type OperatedEnclave = { ringId: string; bootKey: string; frameKey: Uint8Array }

/** An order without what makes it one for a boot. */
export type NewOrder = { order: OperatorOrderName; [parameter: string]: unknown }

type AttestedKeys = readonly { readonly kid: string; readonly use: string; readonly jwk: PublicJwk }[]

/** The same of what an enclave attested, which the caller has verified; undefined where it attests no such keys. */
export function operatedEnclave(attested: {
  readonly ring_id: string
  readonly keys: AttestedKeys
}): OperatedEnclave | undefined {
  const keyFor = (use: string) => attested.keys.find((key) => key.use === use)
  const [channel, frames] = [keyFor('channel'), keyFor('import')]
  if (channel === undefined || frames === undefined) return undefined
  return { ringId: attested.ring_id, bootKey: channel.kid, frameKey: pointOf(frames.jwk) }
}

/**
 * Gives an enclave the order that `orderOf` makes of its state, signed by these operators (private keys on P-256; the first of them seals the frames), and
 * answers what it did; undefined where there is nothing to order. `send` carries a frame and answers the enclave's. Rejects as `send` does, and with
 * `OperatorFrameError` where the answer is not that enclave's.
 */
export async function giveOrder(
  send: (frame: Uint8Array) => Promise<Uint8Array>,
  enclave: OperatedEnclave,
  orderOf: (state: OperatorState) => NewOrder | undefined,
  operators: readonly [KeyObject, ...KeyObject[]],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const say = async (message: OperatorMessage): Promise<unknown> => {
    const { frame, openAnswer } = sealOperatorFrame(
      formatOperatorMessage(message),
      operators[0],
      enclave.frameKey,
    )
    return JSON.parse(new TextDecoder().decode(openAnswer(await send(frame))))
  }
  const state = (await say({ ask: 'state' })) as OperatorState
  const order = orderOf(state)
  if (order === undefined) return undefined
  const statement = {
    ...order,
    version: 1,
    ring_id: enclave.ringId,
    boot_key: enclave.bootKey,
    number: state.number,
  } as const
  return (await say(signOrder(statement, operators))) as Record<string, unknown>
}
