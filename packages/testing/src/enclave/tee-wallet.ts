import { randomUUID } from 'node:crypto'
import { type KeyRing, teeContext, type WrappedKey } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import { encodeIntent } from '@symbolon/networks/testing/by-intent'
import type { Enclave } from '@symbolon/server/testing/ports'

/** All that an API process keeps of a TEE wallet, with its data key open for the test. */
export type TeeWallet = {
  organizationId: string
  walletId: string
  polynomialVersion: number
  curve: Curve
  publicKey: Uint8Array
  shareA: Uint8Array
  shareB: Uint8Array
  dataKeyB: Uint8Array
  wrappedKeyB: WrappedKey
}

/** Makes a wallet in the enclave; `ring` is the API side's key ring of purpose tee-b. */
export async function makeTeeWallet(enclave: Enclave, ring: KeyRing, curve: Curve): Promise<TeeWallet> {
  const wallet = { organizationId: randomUUID(), walletId: randomUUID(), polynomialVersion: 1, curve }
  const { dataKey, wrappedKey } = ring.generateDataKey(teeContext(wallet, 'tee-b'))
  const made = await enclave.generate({ ...wallet, dataKeyB: dataKey, wrappedKeyB: wrappedKey })
  return { ...wallet, ...made, dataKeyB: dataKey, wrappedKeyB: wrappedKey }
}

/** An intent that every wallet of the curve signs: a message on its default chain. */
export function messageIntent(curve: Curve, text: string): Uint8Array {
  const message = new TextEncoder().encode(text)
  return curve === 'secp256k1'
    ? encodeIntent({ kind: 'message', network: 'evm', chain: 'ethereum', message })
    : encodeIntent({ kind: 'message', network: 'solana', chain: 'solana', message })
}
