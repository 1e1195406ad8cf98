/** A new AES-GCM key of 256 bits whose bytes no script can read. */
export function newStorageKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
