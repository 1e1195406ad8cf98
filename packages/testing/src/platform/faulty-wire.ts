import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@symbolon/dev/testing/postgres'

/** A TCP relay in front of a real server, to take it out of reach the ways networks do. */
export type FaultyWire = {
  port: number
  /** Passes on what comes over new connections. Frozen ones stay silent for ever, as after a host vanished. */
  mend(): Promise<void>
  /** Closes every connection and refuses new ones: the server is gone. */
  cut(): Promise<void>
  /** Accepts, but no byte moves any more: the worst a network does. */
  freeze(): void
  close(): Promise<void>
}

/** Relays a port of its own to `target` on the loopback interface. */
export async function faultyWire(target: number): Promise<FaultyWire> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  const silent = new WeakSet<Socket>()
  let isFrozen = false
  let server = await listen()

  return { port, mend, cut, freeze, close: cut }

  async function mend() {
    isFrozen = false
    if (!server.listening) server = await listen()
  }

  async function cut() {
    for (const socket of sockets) socket.resetAndDestroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }

  function freeze() {
    isFrozen = true
    for (const socket of sockets) hush(socket)
  }

  function hush(socket: Socket) {
    silent.add(socket.pause())
  }

  function listen(): Promise<ReturnType<typeof createServer>> {
    const made = createServer((near) => {
      hold(near)
      if (isFrozen) {
        hush(near)
        return
      }
      const far = hold(connect(target, '127.0.0.1'))
      pass(near, far)
      pass(far, near)
    })
    return new Promise((resolve, reject) => {
      made.once('error', reject)
      made.listen(port, '127.0.0.1', () => resolve(made))
    })
  }

  function hold(socket: Socket): Socket {
    sockets.add(socket)
    return socket
      .on('error', () => {})
      .on('close', () => sockets.delete(socket))
      .setNoDelay(true)
  }

  function pass(from: Socket, to: Socket) {
    from.on('data', (chunk) => {
      if (!silent.has(from)) to.write(chunk)
    })
    from.on('close', () => to.destroy())
  }
}
