import { sha256 } from '@noble/hashes/sha2.js'
import { base32, base58, createBase58check } from '@scure/base'

/** What a text or body would have to contain to give a key away, with what it would be. */
type Trace = { what: string; bytes: Buffer }

/** A run of that many key bytes cannot be a coincidence. */
const windowBytes = 16

/**
 * Every form in which a 32-byte key (or 16 bytes of it in a row) is looked for: raw, hex, base64 and base64url at each
 * alignment, base58 (bare, with its public key, WIF), base32 (Stellar), decimal, lists of bytes; each also reversed.
 * Hex is lower case, lists have no spaces: what is searched is brought into that form too.
 */
export function keyTraces(key: Uint8Array, publicKey?: Uint8Array): Trace[] {
  const forward = Buffer.from(key)
  const traces = [...windowTraces(forward, 'the key'), ...windowTraces(reverse(forward), 'the key reversed')]
  for (const [bytes, what] of [
    [forward, 'the key'],
    [reverse(forward), 'the key reversed'],
  ] as const) {
    traces.push(text(`${what} in base58`, base58.encode(bytes)))
    traces.push(text(`${what} in decimal`, BigInt(`0x${bytes.toString('hex')}`).toString()))
    traces.push(text(`${what} in WIF`, wif(Buffer.concat([Buffer.of(0x80), bytes, Buffer.of(1)]))))
    traces.push(text(`${what} in WIF`, wif(Buffer.concat([Buffer.of(0x80), bytes]))))
    // Without the last characters, which a checksum decides.
    traces.push(text(`${what} in base32`, base32.encode(bytes).slice(0, 50)))
    traces.push(
      text(
        `${what} in Stellar's base32`,
        base32.encode(Buffer.concat([Buffer.of(0x90), bytes])).slice(0, 50),
      ),
    )
  }
  if (publicKey !== undefined) {
    traces.push(text('the key pair in base58', base58.encode(Buffer.concat([forward, publicKey]))))
  }
  return traces
}

function windowTraces(key: Buffer, what: string): Trace[] {
  const traces: Trace[] = []
  for (let at = 0; at + windowBytes <= key.length; at++) {
    const part = key.subarray(at, at + windowBytes)
    traces.push({ what: `${what} raw`, bytes: part })
    traces.push(text(`${what} in hex`, part.toString('hex')))
    traces.push(text(`${what} as a list`, [...part].join(',')))
    traces.push(text(`${what} as characters`, part.toString('latin1')))
    // 12 whole bytes at this alignment are 16 characters, whatever stands before and after.
    const aligned = key.subarray(at, at + 12)
    traces.push(text(`${what} in base64`, aligned.toString('base64')))
    traces.push(text(`${what} in base64url`, aligned.toString('base64url')))
  }
  return traces
}

const text = (what: string, value: string): Trace => ({ what, bytes: Buffer.from(value, 'utf8') })
const reverse = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse()
const wif = (payload: Uint8Array): string => createBase58check(sha256).encode(payload)

/** The forms of one recorded piece that are searched: as it came, lower case, and without what stands between numbers. */
export function searchedForms(piece: Buffer): Buffer[] {
  const plain = piece.toString('utf8')
  const numbers = plain.replace(/"\d+":/g, '').replace(/\s+/g, '')
  return [piece, Buffer.from(plain.toLowerCase(), 'utf8'), Buffer.from(numbers, 'utf8')]
}

/** The part of the key that the piece leaks; undefined for none. */
export function traceIn(piece: Buffer, traces: readonly Trace[]): string | undefined {
  const forms = searchedForms(piece)
  return traces.find(({ bytes }) => forms.some((form) => form.includes(bytes)))?.what
}
