/** Longest frame that either side of the enclave channel accepts, in bytes without the length. */
export const frameBytesMax = 1 << 20

/** A frame announced more bytes than the limit, or none. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/** Cuts a byte stream into frames of `u32be length` + payload. */
export type FrameSplitter = {
  push(chunk: Uint8Array): void
  /** The next whole frame, or `undefined` until more bytes arrive; throws `FrameError` on no length or one above `limitBytes`. */
  next(limitBytes?: number): Uint8Array | undefined
}

/** A splitter that never copies a frame that arrived in one piece and copies any other one once. */
export function frameSplitter(): FrameSplitter {
  let chunks: Uint8Array[] = []
  let head: Uint8Array = new Uint8Array(0)
  let offset = 0
  let waiting = 0

  function gather(): void {
    head = Buffer.concat([head.subarray(offset), ...chunks])
    chunks = []
    waiting = 0
    offset = 0
  }

  return {
    push(chunk) {
      if (offset === head.length && chunks.length === 0) {
        head = chunk
        offset = 0
        return
      }
      chunks.push(chunk)
      waiting += chunk.length
    },
    next(limitBytes = frameBytesMax) {
      const available = head.length - offset + waiting
      if (available < 4) return undefined
      if (head.length - offset < 4) gather()
      const length =
        (head[offset] ?? 0) * 0x1000000 +
        (((head[offset + 1] ?? 0) << 16) | ((head[offset + 2] ?? 0) << 8) | (head[offset + 3] ?? 0))
      if (length === 0 || length > limitBytes) throw new FrameError('frame length out of range')
      if (available < 4 + length) return undefined
      if (head.length - offset < 4 + length) gather()
      const frame = head.subarray(offset + 4, offset + 4 + length)
      offset += 4 + length
      return frame
    },
  }
}

/** One frame ready for the socket. */
export function frame(payload: Uint8Array): Uint8Array {
  if (payload.length === 0 || payload.length > frameBytesMax)
    throw new FrameError('frame length out of range')
  const bytes = Buffer.allocUnsafe(4 + payload.length)
  bytes.writeUInt32BE(payload.length, 0)
  bytes.set(payload, 4)
  return bytes
}
