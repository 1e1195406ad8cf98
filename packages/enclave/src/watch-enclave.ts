import { randomFillSync } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import {
  decodeEnclaveHello,
  type EnclavePhase,
  encodeClientHello,
  frame,
  frameSplitter,
} from '@symbolon/crypto/node'

/** Why an enclave has to be started again: its keys are gone for good, or it has not answered for too long. */
export type EnclaveWatchFault = 'sealed' | 'stuck'

/** A watch over one enclave process. */
export type EnclaveWatch = { stop(): void }

const tickMs = 1_000
const silentTicksMax = 15
/** Of a process that does not listen yet: it loads first, and other programs may start at the same time. */
const startTicksMax = 60

/**
 * Asks the enclave at `socketPath` for its hello every second, as any stranger may, and calls `onFault` once when it says that it is sealed, or
 * when it has said nothing for 15 s (60 s while it does not listen yet). The hello is not verified: a watch decides about a restart, and trusts the
 * enclave with nothing. Silence is counted in turns of this process, so that a machine that slept, or one without time for the watch, costs no enclave
 * its life.
 */
export function watchEnclave({
  socketPath,
  onFault,
}: {
  socketPath: string
  onFault: (fault: EnclaveWatchFault) => void
}): EnclaveWatch {
  let asking: Socket | undefined
  let silentTicks = 0
  let hasListened = false

  const ask = () => {
    asking = askForPhase(socketPath, {
      onListening() {
        if (!hasListened) silentTicks = 0
        hasListened = true
      },
      onEnd(answer) {
        asking = undefined
        if (answer !== undefined) silentTicks = 0
        if (answer === 'sealed') end('sealed')
      },
    })
  }
  const end = (fault: EnclaveWatchFault) => {
    stop()
    onFault(fault)
  }
  const stop = () => {
    clearInterval(timer)
    asking?.destroy()
  }
  const timer = setInterval(() => {
    silentTicks += 1
    if (silentTicks > (hasListened ? silentTicksMax : startTicksMax)) end('stuck')
    else if (asking === undefined) ask()
  }, tickMs).unref()
  return { stop }
}

/**
 * Says hello, calls `onListening` once the system has made the connection, and `onEnd` at its end: with the phase that the enclave names, with `busy` where it closed the connection instead (so it lives: it
 * may have more strangers than places), with undefined where nobody accepted the connection.
 */
function askForPhase(
  socketPath: string,
  { onListening, onEnd }: { onListening(): void; onEnd(answer: EnclavePhase | 'busy' | undefined): void },
): Socket {
  const frames = frameSplitter()
  let isConnected = false
  let answer: EnclavePhase | 'busy' | undefined
  const socket = connect(socketPath)
  socket.once('connect', () => {
    isConnected = true
    onListening()
    socket.write(frame(encodeClientHello(randomFillSync(new Uint8Array(32)))))
  })
  socket.on('data', (chunk) => {
    try {
      frames.push(chunk)
      const hello = frames.next()
      if (hello === undefined) return
      answer = decodeEnclaveHello(hello).phase
    } catch {
      answer = 'busy'
    }
    socket.destroy()
  })
  socket.on('error', () => {})
  socket.once('close', () => onEnd(answer ?? (isConnected ? 'busy' : undefined)))
  return socket.unref()
}
