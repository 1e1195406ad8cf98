/** A place in bytes that may end too early; `read` answers -1 then, so that every check on it fails. */
type Cursor = { readonly bytes: Uint8Array; at: number }

/**
 * Whether bytes start with a Solana message (legacy or versioned) or a transaction around one.
 * Versions above 0 are taken for transactions whatever follows: their layout is not ours to know.
 */
export function looksLikeSolanaTransaction(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0
  if (first > 0x80 && first < 0xc0) return true
  if (messageAt({ bytes, at: 0 })) return true
  const cursor = { bytes, at: 0 }
  const signatures = readCompactLength(cursor)
  if (signatures < 1) return false
  cursor.at += 64 * signatures
  return (bytes[cursor.at] ?? 0) > 0x80 || messageAt(cursor)
}

/** Legacy: header, keys, blockhash, instructions. Version 0: 0x80 first, address table look-ups last. */
function messageAt(cursor: Cursor): boolean {
  const versioned = cursor.bytes[cursor.at] === 0x80
  if (versioned) cursor.at++
  const signers = read(cursor)
  const readonlySigners = read(cursor)
  const readonlyOthers = read(cursor)
  const keys = readCompactLength(cursor)
  if (signers < 1 || readonlySigners < 0 || readonlySigners >= signers || readonlyOthers < 0) return false
  if (signers + readonlyOthers > keys) return false
  cursor.at += 32 * keys + 32
  const instructions = readCompactLength(cursor)
  if (instructions < 0) return false
  for (let index = 0; index < instructions; index++) {
    if (read(cursor) < 0 || !skipArray(cursor, 1) || !skipArray(cursor, 1)) return false
  }
  return cursor.at <= cursor.bytes.length && (!versioned || skipTables(cursor))
}

function skipTables(cursor: Cursor): boolean {
  const tables = readCompactLength(cursor)
  if (tables < 0) return false
  for (let index = 0; index < tables; index++) {
    cursor.at += 32
    if (!skipArray(cursor, 1) || !skipArray(cursor, 1)) return false
  }
  return cursor.at <= cursor.bytes.length
}

function skipArray(cursor: Cursor, size: number): boolean {
  const length = readCompactLength(cursor)
  if (length < 0) return false
  cursor.at += length * size
  return cursor.at <= cursor.bytes.length
}

/** compact-u16: seven bits a byte, at most three bytes. */
function readCompactLength(cursor: Cursor): number {
  let value = 0
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = read(cursor)
    if (byte < 0) return -1
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return value
  }
  return -1
}

function read(cursor: Cursor): number {
  return cursor.bytes[cursor.at++] ?? -1
}
