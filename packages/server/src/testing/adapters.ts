/** The adapters, for tests of other packages that wire them by hand. */
export {
  type AttestationPolicy,
  type Measurements,
  nitroPolicy,
  simulatedPolicy,
} from '@symbolon/crypto/attestation'
export { AssetError, builtAssets, builtPlaces } from '../adapters/built-assets.ts'
export { builtDocs, docsFolder } from '../adapters/built-docs.ts'
export { builtPortal, portalFolder } from '../adapters/built-portal.ts'
export { builtTools, toolFiles } from '../adapters/built-tools.ts'
export { enclaveSocket } from '../adapters/enclave-socket.ts'
export {
  type EnclaveChannel,
  greetEnclave,
  openEnclaveChannel,
} from '../adapters/enclave-socket-handshake.ts'
export { type EvmChainAddress, evmChainsHttp } from '../adapters/evm/evm-chains-http.ts'
export { noIdentityProvider } from '../adapters/identity-provider-openid.ts'
export { kmsLocal, makeLocalKeys } from '../adapters/kms-local.ts'
export { mailSmtp } from '../adapters/mail-smtp.ts'
export { promMetrics } from '../adapters/metrics-prom.ts'
export { configuredModel } from '../adapters/models/configured-model.ts'
export { oidcIssuer } from '../adapters/oidc-issuer.ts'
export { outboundHttp } from '../adapters/outbound-http.ts'
export { configuredPrices, type PriceSources } from '../adapters/prices/configured-prices.ts'
export { processTableOs } from '../adapters/process-table-os.ts'
export { openSecretsFile } from '../adapters/secrets-file.ts'
export { systemClock, systemIds, systemJitter, systemRandom } from '../adapters/system.ts'
export type { LoadMarks } from '../ports/enclave.ts'
