import { randomUUID } from 'node:crypto'
import type { Receipt } from '@symbolon/crypto/attestation'
import type { WireReceipt } from '@symbolon/crypto/node'
import type { ReceiptKey } from './boot-keys.ts'
import { EnclaveFault } from './enclave-fault.ts'
import { sodium } from './native.ts'
import { type ReceiptFacts, receiptJson } from './receipt-json.ts'

/** Signs receipts with the receipt key of this boot, and counts them for each organization. */
export type ReceiptIssuer = {
  /**
   * Throws `EnclaveFault('unavailable')` where no receipt could be counted for an organization (16 bytes), so that nothing is signed whose
   * receipt could not be issued.
   */
  assertCountable(organization: Uint8Array): void
  /** Issues the next receipt of an organization. Throws as `assertCountable`. */
  issue(organization: Uint8Array, facts: ReceiptFacts): WireReceipt
}

/** `nowMs` is Unix time; `organizationsMax` is how many organizations may have receipts of one boot. */
type ReceiptIssuerInput = {
  key: ReceiptKey
  mode: Receipt['mode']
  nowMs(): number
  organizationsMax?: number
}

/** About 10 MiB. An organization gets a number once a key of its own has signed; a restart forgets them all, with the receipt key. */
const organizationsDefaultMax = 65_536
const signatureBytes = 64
const textBytes = 4_096

/** Makes the issuer of a boot. */
export function receiptIssuer({
  key,
  mode,
  nowMs,
  organizationsMax = organizationsDefaultMax,
}: ReceiptIssuerInput): ReceiptIssuer {
  const counters = new Map<string, number>()
  const header = `${base64Url(JSON.stringify({ alg: 'EdDSA', kid: key.kid, typ: 'symbolon-receipt+jws' }))}.`
  // A receipt is public, and made within one turn: its bytes are written into the same place each time.
  const signature = Buffer.alloc(signatureBytes)
  let text = withHeader(header, textBytes)

  function nextOf(organization: string): number {
    const last = counters.get(organization)
    // A number that was given once is never given again: nothing is evicted.
    if (last === undefined && counters.size >= organizationsMax)
      throw new EnclaveFault('unavailable', 'too many organizations have receipts of this boot')
    return (last ?? 0) + 1
  }

  /** Signs `header ‖ payload`, both ASCII. */
  function sign(payload: string): string {
    const length = header.length + payload.length
    if (length > text.length) text = withHeader(header, length * 2)
    text.write(payload, header.length, 'latin1')
    sodium.crypto_sign_detached(signature, text.subarray(0, length), key.secret.full)
    return signature.toString('base64url')
  }

  return {
    assertCountable(organization) {
      nextOf(nameOf(organization))
    },
    issue(organization, facts) {
      const name = nameOf(organization)
      const counter = nextOf(name)
      const issuedAt = nowMs()
      const receiptId = receiptIdOf(issuedAt)
      const payload = base64Url(receiptJson({ mode, receiptId, counter, issuedAt, facts }))
      const jws = `${header}${payload}.${sign(payload)}`
      counters.set(name, counter)
      return { jws, receiptId, kid: key.kid, counter, issuedAt }
    },
  }
}

const nameOf = (organization: Uint8Array): string => Buffer.from(organization).toString('latin1')

const base64Url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url')

function withHeader(header: string, bytes: number): Buffer {
  const text = Buffer.alloc(bytes)
  text.write(header, 'latin1')
  return text
}

/** A UUID of version 7 (RFC 9562, section 5.7): ids sort by time, as all of the platform do. */
function receiptIdOf(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
