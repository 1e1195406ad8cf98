import { assertTree, type CpioEntry, CpioError, cpio, cpioKinds } from './cpio.ts'

type Record = { name: string; mode: number; data: Uint8Array; major: number; minor: number; next: number }

/**
 * Reads a ramdisk as `writeCpio` writes it; data are views of `archive`. Throws `CpioError` for what is not of the format, for entries
 * that make no tree, and for anything but zeros behind the end.
 */
export function readCpio(archive: Uint8Array): CpioEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const entries: CpioEntry[] = []
  let record = recordAt(bytes, 0)
  while (record.name !== cpio.trailer) {
    entries.push(entryOf(record))
    record = recordAt(bytes, record.next)
  }
  if (bytes.subarray(record.next).some((byte) => byte !== 0))
    throw new CpioError('the archive goes on behind its end')
  assertTree(entries)
  return entries
}

function entryOf({ name: path, mode: full, data, major, minor }: Record): CpioEntry {
  const mode = full & 0o777
  switch (full & ~0o777) {
    case cpioKinds.folder:
      return { path, kind: 'folder', mode }
    case cpioKinds.file:
      return { path, kind: 'file', mode, data }
    case cpioKinds.link:
      return { path, kind: 'link', target: Buffer.from(data).toString('latin1') }
    case cpioKinds.device:
      return { path, kind: 'device', mode, major, minor }
    default:
      throw new CpioError(`${path} is neither folder, file, link nor character device`)
  }
}

function recordAt(bytes: Buffer, at: number): Record {
  const text = bytes.toString('latin1', at, at + cpio.headerBytes)
  if (!/^070701[0-9A-Fa-f]{104}$/.test(text)) throw new CpioError('the archive has no entry where one begins')
  const number = (index: number) => Number.parseInt(text.slice(6 + 8 * index, 14 + 8 * index), 16)
  const [nameBytes, size] = [number(11), number(6)]
  const nameEnd = at + cpio.headerBytes + nameBytes
  const dataAt = alignedTo4(nameEnd)
  const next = alignedTo4(dataAt + size)
  if (nameBytes < 2 || next > bytes.length || bytes[nameEnd - 1] !== 0)
    throw new CpioError('the archive ends inside of an entry')
  return {
    name: bytes.toString('latin1', at + cpio.headerBytes, nameEnd - 1),
    mode: number(1),
    data: bytes.subarray(dataAt, dataAt + size),
    major: number(9),
    minor: number(10),
    next,
  }
}

function alignedTo4(at: number): number {
  return at + ((4 - (at % 4)) % 4)
}
