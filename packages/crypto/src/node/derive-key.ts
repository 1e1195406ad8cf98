import { hkdfSync, type KeyObject } from 'node:crypto'

/**
 * Derives `length` bytes (at most 8160) for the use that `info` names, by HKDF-SHA256 with an empty salt (RFC 5869):
 * keys of different uses reveal nothing about each other or the master. `master` must be uniformly random.
 */
export const deriveKey = (master: Uint8Array | KeyObject, info: string, length: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, new Uint8Array(0), info, length))
