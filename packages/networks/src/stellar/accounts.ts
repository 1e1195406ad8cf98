import { invalidPayload } from '../network-error.ts'
import { strkey } from './strkey.ts'
import type { XdrReader } from './xdr-reader.ts'

/** An account by its key and address (G…); `muxed` is the M… form that names one of its customers. */
export type Account = {
  readonly key: Uint8Array
  readonly address: string
  readonly muxed: string | null
}

/** Reads an AccountID: its G… address. */
export function readAccountId(reader: XdrReader): string {
  reader.tag(1)
  return strkey('account', reader.fixed(32))
}

/** Reads a MuxedAccount (CAP-27). */
export function readAccount(reader: XdrReader): Account {
  const kind = reader.u32()
  if (kind === 0) {
    const key = reader.fixed(32)
    return { key, address: strkey('account', key), muxed: null }
  }
  if (kind === 0x100) return readMuxed(reader)
  throw invalidPayload('An account of the transaction is of an unknown kind.')
}

/** Reads the fields of a muxed account: id and key. */
export function readMuxed(reader: XdrReader): Account {
  const id = reader.fixed(8)
  const key = reader.fixed(32)
  return { key, address: strkey('account', key), muxed: strkey('muxedAccount', key, id) }
}
