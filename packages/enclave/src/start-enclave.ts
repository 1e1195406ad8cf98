import { randomFillSync } from 'node:crypto'
import type { Socket } from 'node:net'
import { documentMode } from '@symbolon/crypto/attestation'
import { type EnclavePhase, helloBinding, offerChannel, recordBytesMax } from '@symbolon/crypto/node'
import type { Networks } from '@symbolon/networks'
import { publicAttestation } from './attest.ts'
import type { Attestor } from './attestor.ts'
import { makeReceiptKey } from './boot-keys.ts'
import { boundedAnswers } from './bounded-answers.ts'
import { channelPlaces } from './channels.ts'
import { dispatcher } from './dispatch.ts'
import { dropLog } from './drop-log.ts'
import type { EnclaveLog } from './enclave-log.ts'
import { enclaveState, ringFields } from './enclave-state.ts'
import { helloDocuments } from './hello-documents.ts'
import { listen } from './listen.ts'
import { sodium } from './native.ts'
import { receiptIssuer } from './receipt-issuer.ts'
import { openWhenThere } from './ring/open-when-there.ts'
import { refreshRing } from './ring/refresh-ring.ts'
import type { RingRoot } from './ring/ring.ts'
import { secureSlots } from './secure-slots.ts'
import { serveConnection } from './session.ts'
import { strangers } from './strangers.ts'

/** `networks` are those it signs for; `root` is where its key ring comes from, `nowMs` the time that its receipts have. */
export type EnclaveInput = {
  networks: Networks
  socketPath: string
  root: RingRoot
  attestor: Attestor
  nowMs(): number
  log: EnclaveLog
}

// Connections that have proven an API key, and those that have not: none of the latter takes the place of one of the former.
const channelsMax = 128
const strangersMax = 64
// A withdrawn API key keeps its channel for no longer, even where nobody connects.
const refreshEveryMs = 5_000

/** A listening enclave. `opened` resolves once its ring is open: it serves as soon as an API process has brought the marks. It stays pending where there is none. `sealed` resolves once its keys are gone. */
export type RunningEnclave = {
  phase(): EnclavePhase
  opened: Promise<void>
  sealed: Promise<void>
  close(): Promise<void>
}

/**
 * Takes this process from `boot` to `loading`: makes the channel key, has it attested once, listens and opens the key ring. Until
 * there is a ring to open, it stays `attested`, and asks for it again. Rejects, without having listened, when the attestor fails.
 */
export async function startEnclave(input: EnclaveInput): Promise<RunningEnclave> {
  const { attestor, log } = input
  const state = enclaveState(log, input.networks, input.nowMs)
  const offer = await offerChannel()
  const document = await attestor.attest({
    publicKey: offer.publicKey,
    nonce: randomFillSync(new Uint8Array(32)),
    userData: helloBinding(state.facts()),
  })
  state.phases.enter('attested')

  const receiptKey = makeReceiptKey(secureSlots(1))
  const [sockets, channels] = [new Set<Socket>(), channelPlaces(channelsMax)]
  const refresh = () => refreshRing(input.root, state, channels)
  const refreshing = setInterval(refresh, refreshEveryMs)
  const session = {
    state,
    refreshRing: refresh,
    offer,
    helloDocuments: helloDocuments(state, { offer, attestor }),
    strangers: strangers(strangersMax),
    dispatch: boundedAnswers(
      dispatcher({
        state,
        attestation: publicAttestation({ attestor, channelKey: offer.publicKey, receiptKey, document }),
        receipts: receiptIssuer({ key: receiptKey, mode: documentMode(document), nowMs: input.nowMs }),
        log,
      }),
    ),
    channels,
    requests: sodium.sodium_malloc(recordBytesMax),
    logDrop: dropLog(log),
  }
  const server = await listen(input.socketPath, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveConnection(socket, session)
  })
  const opening = openWhenThere(input.root, log)
  const opened = opening.ring.then((ring) => {
    // Sealed while it waited: that is for good.
    if (state.phases.current() !== 'attested') return
    state.open(ring)
    log('ring opened', ringFields(ring))
  })

  return {
    phase: () => state.phases.current(),
    opened,
    sealed: state.sealed,
    close: () =>
      new Promise((resolve) => {
        opening.stop()
        clearInterval(refreshing)
        state.seal('closed')
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
