/**
 * Says whether a P-384 key (uncompressed point, 97 bytes) made an ECDSA signature (r‖s, 96 bytes) with SHA-384 of a message, by
 * WebCrypto, which browsers and Node have alike. Bytes that are not a point of the curve have signed nothing.
 */
export async function isP384Signature(
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-384' } as const
  try {
    const key = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), algorithm, false, ['verify'])
    const bytes = [Uint8Array.from(signature), Uint8Array.from(message)] as const
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-384' }, key, ...bytes)
  } catch {
    return false
  }
}
