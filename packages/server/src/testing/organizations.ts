/** Organizations, tokens, keys and retention, for tests that go past the API. */
export { insertApiKey, type StoredKey } from '../features/api-keys/api-keys.ts'
export { readJwt } from '../features/auth/jwt.ts'
export { mintServiceToken, serviceTokens } from '../features/auth/service-token.ts'
export { tokenName } from '../features/auth/token-name.ts'
export { frameHeaders } from '../features/frame/frame-headers.ts'
export { type PlatformKey, platformKey } from '../features/jwks/platform-key.ts'
export { retentionStore } from '../features/retention/retention.store.ts'
export { deleteExpired } from '../features/retention/retention-job.ts'
