import type { Socket } from 'node:net'
import { type Slot, secureSlots } from './secure-slots.ts'

/** The open channels: connections that have proven an API key. */
export type Channels = {
  /**
   * Locked memory for a channel's two keys, given back when its socket closes. Throws where the socket is closed already, or there is no more
   * room. `drop` closes the channel.
   */
  open(socket: Socket, channel: Channel): Slot
  /** How many there are. */
  count(): number
  /** Closes those whose API key is no longer `isKnown`. */
  dropUnknown(isKnown: (thumbprint: Uint8Array) => boolean): void
}

/** Whose channel it is (the 32-byte RFC 7638 thumbprint of the API key), and how it ends early. */
export type Channel = { readonly thumbprint: Uint8Array; drop(reason: string): void }

/** At most `max` channels. Their memory is allocated at once. */
export function channelPlaces(max: number): Channels {
  const slots = secureSlots(max)
  const channels = new Map<Socket, Channel>()
  return {
    open(socket, channel) {
      // A slot that no 'close' would give back, or the pool's last one, must not be taken.
      if (socket.destroyed || slots.free() === 0) throw new Error('no channel now')
      const slot = slots.take()
      channels.set(socket, channel)
      socket.once('close', () => {
        channels.delete(socket)
        slots.give(slot)
      })
      return slot
    },
    count: () => channels.size,
    dropUnknown(isKnown) {
      for (const { thumbprint, drop } of channels.values())
        if (!isKnown(thumbprint)) drop('API key withdrawn')
    },
  }
}
