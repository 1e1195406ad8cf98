import { type ClientKey, newClientKey } from '@symbolon/testing/wallets'

/** A key, two of its shares as share files, and what `rescue` must show of it. */
export type SampleShares = {
  key: ClientKey
  files: [string, string]
  bare: [string, string]
  secretHex: string
}

/** Makes a fresh key and the files that its shares are kept in. */
export function sampleShares(curve: 'secp256k1' | 'ed25519' = 'secp256k1'): SampleShares {
  const key = newClientKey(curve, [7, 200, 31])
  const file = (share: Uint8Array) =>
    JSON.stringify(
      {
        type: 'symbolon-share',
        version: 1,
        wallet_id: '01997b3c-7a52-7c07-b6e6-28c6f5dd2a01',
        curve,
        public_key: key.publicKey,
        address: key.address,
        polynomial_version: 1,
        share_index: share[32],
        share: Buffer.from(share).toString('base64'),
      },
      null,
      2,
    )
  const bare = (share: Uint8Array) => Buffer.from(share).toString('base64')
  return {
    key,
    files: [file(key.device), file(key.recovery)],
    bare: [bare(key.device), bare(key.recovery)],
    secretHex: Buffer.from(key.secret).toString('hex'),
  }
}
