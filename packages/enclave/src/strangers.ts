import type { Socket } from 'node:net'

/** The places of connections that have not proven an API key. */
export type Strangers = {
  /** Gives a new connection a place. Where there is none, the longest silent stranger is closed, else the oldest. */
  add(socket: Socket): void
  /** Notes that a stranger has said its hello. */
  heard(socket: Socket): void
  /** Gives a place back: the connection has proven a key, or is closed. */
  remove(socket: Socket): void
}

/** At most `max` places. Connections with a key have others, so that nobody without one costs them theirs. */
export function strangers(max: number): Strangers {
  // Sets keep the order of arrival.
  const silent = new Set<Socket>()
  const heard = new Set<Socket>()
  const remove = (socket: Socket) => {
    silent.delete(socket)
    heard.delete(socket)
  }
  return {
    add(socket) {
      const [oldest] = silent.size > 0 ? silent : heard
      if (silent.size + heard.size >= max && oldest !== undefined) {
        remove(oldest)
        oldest.destroy()
      }
      silent.add(socket)
    },
    heard(socket) {
      if (silent.delete(socket)) heard.add(socket)
    },
    remove,
  }
}
