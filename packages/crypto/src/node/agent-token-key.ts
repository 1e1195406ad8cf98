import { deriveKey } from './derive-key.ts'

/**
 * The 32 bytes by which an agent session's token (`as_live_…`) opens the session's grant in the enclave: HKDF-SHA256 (RFC 5869) of the
 * token's ASCII. They tell nothing of the hash that is stored of the token, nor the hash of them.
 */
export const agentTokenKey = (token: string): Uint8Array =>
  deriveKey(Buffer.from(token, 'latin1'), 'symbolon agent token key v1', 32)
