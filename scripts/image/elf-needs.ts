import { ImageError } from './image-error.ts'

// System V ABI, chapter 5, and its gABI: 64-bit little-endian files.
const [segmentDynamic, segmentLoad, segmentInterpreter] = [2, 1, 3]
const [tagNeeded, tagStrings] = [1n, 5n]

type Segment = { type: number; offset: number; address: bigint; bytes: number }

/**
 * What an x86-64 ELF file asks of the file system when it starts: the names of its shared libraries, in their order, and the path of its
 * loader. Both are empty for a static program. Throws `ImageError` for any other file.
 */
export function elfNeeds(file: Uint8Array): { libraries: string[]; loader: string | undefined } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  try {
    const segments = segmentsOf(bytes)
    const interpreter = segments.find(({ type }) => type === segmentInterpreter)
    return {
      libraries: librariesOf(bytes, segments),
      loader: interpreter === undefined ? undefined : textAt(bytes, interpreter.offset),
    }
  } catch (error) {
    throw error instanceof ImageError ? error : new ImageError('this is no whole ELF file')
  }
}

function segmentsOf(bytes: Buffer): Segment[] {
  const isOurs = bytes.readUInt32BE(0) === 0x7f454c46 && bytes[4] === 2 && bytes[5] === 1
  if (!isOurs || bytes.readUInt16LE(18) !== 62) throw new ImageError('this is no ELF file for x86-64')
  const [start, size, count] = [
    Number(bytes.readBigUInt64LE(32)),
    bytes.readUInt16LE(54),
    bytes.readUInt16LE(56),
  ]
  return Array.from({ length: count }, (_, index) => {
    const at = start + size * index
    return {
      type: bytes.readUInt32LE(at),
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      address: bytes.readBigUInt64LE(at + 16),
      bytes: Number(bytes.readBigUInt64LE(at + 32)),
    }
  })
}

function librariesOf(bytes: Buffer, segments: readonly Segment[]): string[] {
  const dynamic = segments.find(({ type }) => type === segmentDynamic)
  if (dynamic === undefined) return []
  const entries = Array.from({ length: Math.floor(dynamic.bytes / 16) }, (_, index) => {
    const at = dynamic.offset + 16 * index
    return { tag: bytes.readBigUInt64LE(at), value: bytes.readBigUInt64LE(at + 8) }
  })
  const strings = entries.find(({ tag }) => tag === tagStrings)
  if (strings === undefined) throw new ImageError('the ELF file has no names')
  const start = fileOffset(segments, strings.value)
  return entries
    .filter(({ tag }) => tag === tagNeeded)
    .map(({ value }) => textAt(bytes, start + Number(value)))
}

function fileOffset(segments: readonly Segment[], address: bigint): number {
  const segment = segments.find(
    (one) => one.type === segmentLoad && one.address <= address && address < one.address + BigInt(one.bytes),
  )
  if (segment === undefined) throw new ImageError('the ELF file has names outside of itself')
  return segment.offset + Number(address - segment.address)
}

function textAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at)
  if (end < 0) throw new ImageError('the ELF file has a name without an end')
  return bytes.toString('latin1', at, end)
}
