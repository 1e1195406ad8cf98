import { randomFillSync } from 'node:crypto'
import type { Socket } from 'node:net'
import { type EnclavePhase, helloBinding, offerChannel, recordBytesMax } from '@symbolon/crypto/node'
import type { Networks } from '@symbolon/networks'
import type { Attestor } from './attestor.ts'
import { dispatcher } from './dispatch.ts'
import type { EnclaveLog } from './enclave-log.ts'
import { enclaveState } from './enclave-state.ts'
import { listen } from './listen.ts'
import { sodium } from './native.ts'
import { secureSlots } from './secure-slots.ts'
import { serveConnection } from './session.ts'

/** `networks` are those it signs for; `keyFilePath` is the tee-a key file (made when absent, mode 0600), which no other process may use. */
export type EnclaveInput = {
  networks: Networks
  socketPath: string
  keyFilePath: string
  attestor: Attestor
  log: EnclaveLog
}

// More than there can be connections: a closing one still holds its slot when the next one comes.
const channelSlotCount = 96

/** A serving enclave. */
export type RunningEnclave = { phase(): EnclavePhase; close(): Promise<void> }

/**
 * Takes this process from `boot` to `serving`: makes the channel key, has it attested once, opens the key ring and
 * listens. Rejects, without having listened, when the attestor or the key file fails.
 */
export async function startEnclave(input: EnclaveInput): Promise<RunningEnclave> {
  const { attestor, log } = input
  const state = enclaveState(log, input.networks)
  const offer = await offerChannel()
  await attestor.attest({
    publicKey: offer.publicKey,
    nonce: randomFillSync(new Uint8Array(32)),
    userData: helloBinding(state.status()),
  })
  state.phases.enter('attested')
  state.serve(input.keyFilePath)

  const session = {
    state,
    offer,
    attestor,
    dispatch: dispatcher(state, attestor, log),
    channelSlots: secureSlots(channelSlotCount),
    requests: sodium.sodium_malloc(recordBytesMax),
    log,
  }
  const sockets = new Set<Socket>()
  const server = await listen(input.socketPath, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveConnection(socket, session)
  })
  log('serving', { keyVersionA: state.keyVersionA() })

  return {
    phase: () => state.phases.current(),
    close: () =>
      new Promise((resolve) => {
        state.seal('closed')
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
