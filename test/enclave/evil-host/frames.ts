import {
  beginMessage,
  eachMessage,
  enclaveOps,
  endMessage,
  frame,
  wireWriter,
  writeSignRequest,
  writtenBytes,
} from '@symbolon/crypto/node'
import { type EnclaveChannel, enclaveSocket, openEnclaveChannel } from '@symbolon/server/testing/adapters'
import { type EnclaveProcess, restartEnclave, type TeeWallet } from '@symbolon/testing/enclave'
import { until } from '@symbolon/testing/wait'
import { expect } from 'vitest'
import { nth } from './attack.ts'
import type { Campaign } from './campaign.ts'
import { payment, walletOf } from './world.ts'

type Frame = Uint8Array

// Documents are made for several hellos at a time; each handshake has a few seconds.
const together = 16

function signMessage(wallet: TeeWallet): Uint8Array {
  const writer = wireWriter(1024)
  const at = beginMessage(writer, 1, enclaveOps.sign)
  writeSignRequest(writer, { ...wallet, intent: payment(0) })
  endMessage(writer, at)
  return Uint8Array.from(writtenBytes(writer))
}

/** What the enclave answers to a whole frame: the payload of its own, or nothing, and then the connection is over. */
function answerTo({ socket, frames }: EnclaveChannel, sent: Frame): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const onData = (chunk: Uint8Array) => {
      frames.push(chunk)
      const next = frames.next()
      if (next === undefined) return
      socket.off('data', onData)
      resolve(Uint8Array.from(next))
    }
    socket.on('data', onData)
    socket.on('error', () => {})
    socket.once('close', () => resolve(undefined))
    if (socket.destroyed) resolve(undefined)
    else socket.write(sent)
  })
}

/** One honest request on a channel of its own: its frame and the answer's, once it is sure that it was signed. */
async function recorded(
  channel: EnclaveChannel,
  message: Uint8Array,
): Promise<{ asked: Frame; said: Frame }> {
  const asked = Uint8Array.from(channel.seal(message))
  const answer = await answerTo(channel, asked)
  if (answer === undefined) throw new Error('An honest request was not answered.')
  const statuses: number[] = []
  eachMessage(channel.open(answer), (_, status) => statuses.push(status))
  expect(statuses).toEqual([0])
  return { asked, said: frame(answer) }
}

/** Ways to send records again, or in another order; each answers what the enclave says to it. */
async function replay(client: EnclaveProcess['client'], message: Uint8Array, n: number) {
  const first = await openEnclaveChannel(client)
  const second = await openEnclaveChannel(client)
  try {
    const { asked, said } = await recorded(first, message)
    const ways: (() => Promise<Uint8Array | undefined>)[] = [
      () => answerTo(second, asked),
      () => answerTo(first, asked),
      () => answerTo(first, said),
      () => answerTo(second, said),
      () => {
        second.seal(message)
        return answerTo(second, second.seal(message))
      },
    ]
    expect(await nth(ways, n)()).toBeUndefined()
    return asked
  } finally {
    first.socket.destroy()
    second.socket.destroy()
  }
}

async function each<value, result>(values: readonly value[], use: (value: value) => Promise<result>) {
  const results: result[] = []
  for (let from = 0; from < values.length; from += together)
    results.push(...(await Promise.all(values.slice(from, from + together).map(use))))
  return results
}

/** Records of one connection on another, again, back, out of order, and after a restart. */
const replays: Campaign = {
  name: 'records of another connection, of before, and of an earlier boot',
  async run({ startEnclave }, times) {
    const child = await startEnclave()
    const enclave = enclaveSocket(child.client)
    try {
      const message = signMessage(await walletOf(enclave))
      const numbers = Array.from({ length: Math.ceil(times / 2) }, (_, n) => n)
      const frames = await each(numbers, (n) => replay(child.client, message, n))
      await restartEnclave(child)
      await until(() =>
        enclave.status().then(
          ({ phase }) => phase === 'serving',
          () => false,
        ),
      )
      const answers = await each(frames, async (asked) => {
        const channel = await openEnclaveChannel(child.client)
        const answer = await answerTo(channel, asked)
        channel.socket.destroy()
        return answer
      })
      expect(answers.filter((answer) => answer !== undefined)).toEqual([])
      // The control: the same request under this boot's keys.
      const channel = await openEnclaveChannel(child.client)
      await recorded(channel, message)
      channel.socket.destroy()
    } finally {
      await enclave.close()
      await child.stop()
    }
  },
}

/** What a host tries with the bytes of the channel. */
export const frameCampaigns: readonly Campaign[] = [replays]
