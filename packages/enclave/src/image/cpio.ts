/**
 * What a ramdisk can hold. Paths are relative, of printable ASCII without a blank, folders before what is in them; `mode` is the
 * permission bits. A link's target is not looked up; a device is a character device.
 */
export type CpioEntry = { path: string } & (
  | { kind: 'folder'; mode: number }
  | { kind: 'file'; mode: number; data: Uint8Array }
  | { kind: 'link'; target: string }
  | { kind: 'device'; mode: number; major: number; minor: number }
)

/** An archive that is not of the format, or entries that make none; the message is one sentence. */
export class CpioError extends Error {
  override name = 'CpioError'
}

/** Of `newc`, the only format that the kernel unpacks: 6 bytes of magic and 13 numbers of 8 hex digits each. */
export const cpio: { readonly magic: string; readonly headerBytes: 110; readonly trailer: string } = {
  magic: '070701',
  headerBytes: 110,
  trailer: 'TRAILER!!!',
}

/** The kind of an entry, as the upper bits of its mode say it (`S_IFMT`). */
export const cpioKinds = { folder: 0o040000, file: 0o100000, link: 0o120000, device: 0o020000 } as const

const path = /^(?!\.{1,2}(\/|$))[!-.0-~]+(\/(?!\.{1,2}(\/|$))[!-.0-~]+)*$/

/** Throws where an entry is twice there, stands before its folder, or has a path that does not stay below the root. */
export function assertTree(entries: readonly CpioEntry[]): void {
  const kinds = new Map<string, CpioEntry['kind']>()
  for (const entry of entries) {
    if (!path.test(entry.path)) throw new CpioError(`${JSON.stringify(entry.path)} is no path for a ramdisk`)
    if (kinds.has(entry.path)) throw new CpioError(`${entry.path} is there twice`)
    const parent = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/')))
    if (parent !== '' && kinds.get(parent) !== 'folder') throw new CpioError(`${entry.path} is in no folder`)
    kinds.set(entry.path, entry.kind)
  }
}
