/** Whose key crosses the boundary: every field is bound into the sealed form. Ids are canonical UUIDs. */
export type KeyTransfer = {
  organizationId: string
  userIdentityId: string
  walletId: string
  curve: 'secp256k1' | 'ed25519'
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** The `info` of HPKE (RFC 9180 section 5.1) when a wallet's key leaves the enclave, and when one enters it. */
export const keyTransferInfo: { readonly export: Uint8Array; readonly import: Uint8Array } = {
  export: utf8('wallet-export/v1'),
  import: utf8('wallet-import/v1'),
}

/** The associated data of both directions: RFC 8785 JSON, so that a sealed key opens for this wallet of this user only. */
export function keyTransferAad(transfer: KeyTransfer): Uint8Array<ArrayBuffer> {
  const { curve, organizationId, userIdentityId, walletId } = transfer
  // The names are in the order of RFC 8785, and no value holds what it escapes otherwise than JSON.stringify.
  return utf8(
    JSON.stringify({
      curve,
      organization_id: organizationId,
      user_identity_id: userIdentityId,
      wallet_id: walletId,
    }),
  )
}

/**
 * The `user_data` of the attestation document of an import key (its `public_key`): whoever verifies it knows that the
 * enclave offers the key for exactly this import. The document's `nonce` are the 16 bytes of the wallet id, which is new.
 */
export function importKeyBinding(transfer: KeyTransfer): Uint8Array<ArrayBuffer> {
  const prefix = utf8('symbolon enclave import v1')
  const aad = keyTransferAad(transfer)
  const binding = new Uint8Array(prefix.length + aad.length)
  binding.set(prefix)
  binding.set(aad, prefix.length)
  return binding
}
