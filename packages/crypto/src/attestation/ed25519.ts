/** Whether the key (32 bytes) made this Ed25519 signature (RFC 8032). False for malformed keys and signatures too. */
export async function isEd25519Signature(
  publicKey: Uint8Array,
  signature: Uint8Array,
  signed: Uint8Array,
): Promise<boolean> {
  try {
    const raw = Uint8Array.from(publicKey)
    const key = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify'])
    return await crypto.subtle.verify(
      { name: 'Ed25519' },
      key,
      Uint8Array.from(signature),
      Uint8Array.from(signed),
    )
  } catch {
    return false
  }
}
