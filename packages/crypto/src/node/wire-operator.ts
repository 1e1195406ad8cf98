import { operatorFrameBytesMax } from './operator/operator-frame.ts'
import { expectEnd, readBytes32, WireError, type WireReader, type WireWriter, writeBytes32 } from './wire.ts'

/** Appends a frame of the operators' channel, or the answer to one. Throws `WireError` where it is longer than 64 KiB. */
export function writeOperatorFrame(writer: WireWriter, frame: Uint8Array): void {
  assertLength(frame)
  writeBytes32(writer, frame)
}

/** Reads what `writeOperatorFrame` appends into a copy of its own. */
export function readOperatorFrame(reader: WireReader): Uint8Array {
  const frame = Uint8Array.from(readBytes32(reader))
  expectEnd(reader)
  assertLength(frame)
  return frame
}

function assertLength({ length }: Uint8Array): void {
  if (length > operatorFrameBytesMax) throw new WireError('longer than a frame of an operator')
}
