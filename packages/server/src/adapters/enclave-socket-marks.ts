import {
  beginMessage,
  type EnclaveOp,
  eachMessage,
  enclaveOps,
  endMessage,
  expectEnd,
  readStatusAnswer,
  type WireReader,
  type WireWriter,
  wireReader,
  wireWriter,
  writeLoadMarksRequest,
  writtenBytes,
} from '@symbolon/crypto/node'
import { EnclaveError, type LoadMarks } from '../ports/enclave.ts'
import { answerError } from './enclave-socket-answers.ts'
import type { EnclaveChannel } from './enclave-socket-handshake.ts'

const answerLimitMs = 5_000

/**
 * Has `load` bring the marks over a channel that nothing else uses yet. Rejects with what `load` rejects with, and with `EnclaveError` where the
 * enclave refuses a part or does not answer; then the channel is closed.
 */
export async function loadMarksOver(channel: EnclaveChannel, load: LoadMarks): Promise<void> {
  try {
    await load({
      isLoading: () => ask(channel, 'status', () => {}, readStatusAnswer).then(isLoading),
      load: (part) => ask(channel, 'loadMarks', (writer) => writeLoadMarksRequest(writer, part), expectEnd),
    })
  } catch (error) {
    channel.socket.destroy()
    throw error
  }
}

const isLoading = ({ phase }: { phase: string }): boolean => phase === 'loading'

/** One request and its answer. The bytes of an answer are read before the next request. */
function ask<answer>(
  channel: EnclaveChannel,
  op: EnclaveOp,
  write: (writer: WireWriter) => void,
  read: (body: WireReader) => answer,
): Promise<answer> {
  const { promise, resolve, reject } = Promise.withResolvers<answer>()
  const fail = (cause: unknown) => reject(new EnclaveError('unavailable', cause))
  const onClose = () => fail('connection lost')
  const onData = (chunk: Uint8Array) => {
    try {
      channel.frames.push(chunk)
      const frame = channel.frames.next()
      if (frame === undefined) return
      eachMessage(channel.open(frame), (_id, status, body) => {
        const error = answerError(status)
        if (error === undefined) resolve(read(wireReader(body.bytes, body.offset, body.end)))
        else reject(error)
      })
    } catch (error) {
      fail(error)
    }
  }
  const limit = setTimeout(() => fail('time limit'), answerLimitMs)
  channel.socket.on('data', onData).once('close', onClose)
  channel.socket.write(channel.seal(requestOf(op, write)))
  return promise.finally(() => {
    clearTimeout(limit)
    channel.socket.off('data', onData).off('close', onClose)
  })
}

function requestOf(op: EnclaveOp, write: (writer: WireWriter) => void): Uint8Array {
  const writer = wireWriter(1 << 10)
  const at = beginMessage(writer, 0, enclaveOps[op])
  write(writer)
  endMessage(writer, at)
  return writtenBytes(writer)
}
