import { type EifContent, EifError, type EifMetadata, eif, eifSections } from './eif.ts'
import { eifChecksum } from './write-eif.ts'

type Section = { type: number; data: Uint8Array }

/**
 * Reads an image; the parts are views of `image`. Throws `EifError` for everything but the one way in which `writeEif` (and the format's
 * own tool) writes: sections one after the other from the header to the end of the file, kernel, command line, metadata, ramdisks,
 * signature.
 */
export function readEif(image: Uint8Array): EifContent {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const sections = sectionsOf(bytes)
  if (bytes.readUInt32BE(eif.headerBytes - 4) !== eifChecksum(image))
    throw new EifError('the checksum is wrong')
  const [kernel, commandLine, metadata, ...rest] = sections
  if (
    kernel?.type !== eifSections.kernel ||
    commandLine?.type !== eifSections.commandLine ||
    metadata?.type !== eifSections.metadata
  )
    throw new EifError('the sections are not kernel, command line, metadata, ramdisks')
  const signature = rest.at(-1)?.type === eifSections.signature ? rest.pop() : undefined
  if (rest.length === 0 || rest.some(({ type }) => type !== eifSections.ramdisk))
    throw new EifError('after the metadata come ramdisks and at most one signature')
  return {
    kernel: kernel.data,
    commandLine: asciiOf(commandLine.data),
    metadata: metadataOf(metadata.data),
    ramdisks: rest.map(({ data }) => data),
    ...(signature === undefined ? {} : { signature: signature.data }),
  }
}

/** The command line as the kernel gets it: another byte would be measured, and not shown. */
function asciiOf(data: Uint8Array): string {
  const text = Buffer.from(data).toString('latin1')
  if (!/^[\x20-\x7e]*$/.test(text)) throw new EifError('the command line is not printable ASCII')
  return text
}

function sectionsOf(bytes: Buffer): Section[] {
  if (bytes.length < eif.headerBytes || !bytes.subarray(0, 4).equals(eif.magic))
    throw new EifError('this is no enclave image')
  if (bytes.readUInt16BE(4) !== eif.version) throw new EifError(`the image is not of version ${eif.version}`)
  if (bytes.readUInt16BE(6) !== 0) throw new EifError('the image is not for x86-64')
  const count = bytes.readUInt16BE(26)
  if (count > eif.sectionsMax) throw new EifError(`an image has at most ${eif.sectionsMax} sections`)
  const sections: Section[] = []
  let offset: number = eif.headerBytes
  for (let index = 0; index < eif.sectionsMax; index++) {
    const [at, size] = [28 + 8 * index, 28 + 8 * (eif.sectionsMax + index)].map((where) =>
      bytes.readBigUInt64BE(where),
    )
    if (index >= count) {
      if (at !== 0n || size !== 0n) throw new EifError('the header names a section that there is not')
      continue
    }
    const section = sectionAt(bytes, offset)
    if (at !== BigInt(offset) || size !== BigInt(section.data.length))
      throw new EifError('the header places a section where it is not')
    sections.push(section)
    offset += eif.sectionHeaderBytes + section.data.length
  }
  if (offset !== bytes.length) throw new EifError('the image goes on behind its last section')
  return sections
}

function sectionAt(bytes: Buffer, offset: number): Section {
  const start = offset + eif.sectionHeaderBytes
  if (start > bytes.length) throw new EifError('the image ends inside of a section')
  const size = bytes.readBigUInt64BE(offset + 4)
  if (size > BigInt(bytes.length - start)) throw new EifError('the image ends inside of a section')
  if (bytes.readUInt16BE(offset + 2) !== 0) throw new EifError('a section has flags, and none are known')
  return { type: bytes.readUInt16BE(offset), data: bytes.subarray(start, start + Number(size)) }
}

function metadataOf(data: Uint8Array): EifMetadata {
  try {
    const metadata: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data))
    if (isMetadata(metadata)) return metadata
  } catch {
    // As any other that is not metadata.
  }
  throw new EifError('the metadata does not name the image and its version')
}

function isMetadata(value: unknown): value is EifMetadata {
  return (
    value !== null &&
    typeof value === 'object' &&
    typeof Reflect.get(value, 'ImageName') === 'string' &&
    typeof Reflect.get(value, 'ImageVersion') === 'string'
  )
}
