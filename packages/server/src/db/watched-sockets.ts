import { connect, type NetConnectOpts, type Socket } from 'node:net'

const tickMs = 500

type Watched = {
  bytesRead: number
  /** How much had been written when something was last read. */
  bytesAnswered: number
  /** Ticks since anything was read, and since we have been waiting for it. */
  quietTicks: number
  silentTicks: number
}

/**
 * Opens connections that end with an error (`ETIMEDOUT`) once the other side has left something unanswered for
 * `silenceMs`. A host that vanished without a word would otherwise be waited for until TCP gives up, a quarter of an hour.
 * Idle ones that have been as quiet for as long end with it: they lead to the same host. Time is counted in ticks of our
 * own event loop: while that stands still, nobody is blamed.
 */
export function watchedSockets(silenceMs: number): (target: NetConnectOpts) => Socket {
  const sockets = new Map<Socket, Watched>()
  const ticksMax = Math.ceil(silenceMs / tickMs)
  let timer: NodeJS.Timeout | undefined

  function tick() {
    let isAnySilent = false
    for (const [socket, watched] of sockets) {
      if (socket.destroyed) sockets.delete(socket)
      else if (isSilent(socket, watched)) isAnySilent = true
    }
    if (isAnySilent) endQuiet()
    if (sockets.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  function isSilent(socket: Socket, watched: Watched): boolean {
    if (socket.bytesRead === watched.bytesRead) {
      watched.quietTicks++
      watched.silentTicks = socket.bytesWritten > watched.bytesAnswered ? watched.silentTicks + 1 : 0
      return watched.silentTicks >= ticksMax
    }
    watched.bytesRead = socket.bytesRead
    watched.quietTicks = 0
    watched.silentTicks = 0
    // Below TLS no data is seen, only the count of its bytes.
    if (socket.listenerCount('data') === 0) watched.bytesAnswered = socket.bytesWritten
    return false
  }

  function endQuiet() {
    for (const [socket, { quietTicks }] of sockets) {
      if (quietTicks < ticksMax) continue
      socket.destroy(Object.assign(new Error('The database does not answer.'), { code: 'ETIMEDOUT' }))
    }
  }

  return (target) => {
    const socket = connect(target)
    const watched = { bytesRead: 0, bytesAnswered: 0, quietTicks: 0, silentTicks: 0 }
    sockets.set(socket, watched)
    socket.on('data', () => {
      watched.bytesAnswered = socket.bytesWritten
    })
    timer ??= setInterval(tick, tickMs).unref()
    return socket
  }
}
