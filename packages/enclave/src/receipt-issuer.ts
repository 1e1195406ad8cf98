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

/** Makes the issuer of a boot. */
export function receiptIssuer({
  key,
  mode,
  nowMs,
  organizationsMax = organizationsDefaultMax,
}: ReceiptIssuerInput): ReceiptIssuer {
  const counters = new Map<string, number>()
  const header = `${base64Url(JSON.stringify({ alg: 'EdDSA', kid: key.kid, typ: 'symbolon-receipt+jws' }))}.`

  function nextOf(organization: string): number {
    const last = counters.get(organization)
    // A number that was given once is never given again: nothing is evicted.
    if (last === undefined && counters.size >= organizationsMax)
      throw new EnclaveFault('unavailable', 'too many organizations have receipts of this boot')
    return (last ?? 0) + 1
  }

  function sign(text: string): string {
    const signature = Buffer.allocUnsafe(signatureBytes)
    sodium.crypto_sign_detached(signature, Buffer.from(text, 'latin1'), key.secret.full)
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
      const payload = receiptJson({ mode, receiptId, counter, issuedAt, facts })
      const text = header + base64Url(payload)
      const jws = `${text}.${sign(text)}`
      counters.set(name, counter)
      return { jws, receiptId, kid: key.kid, counter, issuedAt }
    },
  }
}

const nameOf = (organization: Uint8Array): string => Buffer.from(organization).toString('latin1')

const base64Url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url')

/** A UUID of version 7 (RFC 9562, section 5.7): ids sort by time, as all of the platform do. */
function receiptIdOf(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
