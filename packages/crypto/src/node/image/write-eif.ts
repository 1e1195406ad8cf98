import { crc32 } from 'node:zlib'
import { type EifContent, EifError, eif, eifSections } from './eif.ts'

// What the parent's tool gives an enclave that is started without words of its own.
const defaultMemoryBytes = 1_073_741_824n
const defaultCpus = 2n

const crcAt = eif.headerBytes - 4

/**
 * Writes an image: the same bytes for the same content, whenever and wherever. Throws `EifError` where the format has no place for the
 * content.
 */
export function writeEif(content: EifContent): Uint8Array {
  const sections = sectionsOf(content)
  const header = Buffer.alloc(eif.headerBytes)
  header.set(eif.magic)
  header.writeUInt16BE(eif.version, 4)
  header.writeBigUInt64BE(defaultMemoryBytes, 8)
  header.writeBigUInt64BE(defaultCpus, 16)
  header.writeUInt16BE(sections.length, 26)

  const parts: Uint8Array[] = [header]
  let offset: number = eif.headerBytes
  for (const [index, { type, data }] of sections.entries()) {
    header.writeBigUInt64BE(BigInt(offset), 28 + 8 * index)
    header.writeBigUInt64BE(BigInt(data.length), 28 + 8 * (eif.sectionsMax + index))
    const sectionHeader = Buffer.alloc(eif.sectionHeaderBytes)
    sectionHeader.writeUInt16BE(type)
    sectionHeader.writeBigUInt64BE(BigInt(data.length), 4)
    parts.push(sectionHeader, data)
    offset += eif.sectionHeaderBytes + data.length
  }
  const image = Buffer.concat(parts)
  image.writeUInt32BE(eifChecksum(image), crcAt)
  return image
}

/** The CRC-32 that belongs into an image. */
export function eifChecksum(image: Uint8Array): number {
  return crc32(image.subarray(eif.headerBytes), crc32(image.subarray(0, crcAt)))
}

type Section = { type: number; data: Uint8Array }

/** In the order in which the format's own tool writes them. */
function sectionsOf({ kernel, commandLine, metadata, ramdisks, signature }: EifContent): Section[] {
  if (!/^[\x20-\x7e]*$/.test(commandLine)) throw new EifError('the command line is not printable ASCII')
  if (ramdisks.length === 0) throw new EifError('an image has at least one ramdisk')
  const text = new TextEncoder()
  const sections = [
    { type: eifSections.kernel, data: kernel },
    { type: eifSections.commandLine, data: text.encode(commandLine) },
    { type: eifSections.metadata, data: text.encode(JSON.stringify(metadata)) },
    ...ramdisks.map((data) => ({ type: eifSections.ramdisk, data })),
    ...(signature === undefined ? [] : [{ type: eifSections.signature, data: signature }]),
  ]
  if (sections.length > eif.sectionsMax)
    throw new EifError(`an image has at most ${eif.sectionsMax} sections`)
  return sections
}
