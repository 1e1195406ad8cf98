/** A real enclave process, wallets it can sign for, what they sign, and a search of its memory. */
export { makeGrant, requestsAtMs, type TestGrant } from './agent-grant.ts'
export { bootAttestation } from './boot-attestation.ts'
export {
  type EnclaveProcess,
  expectedMeasurements,
  loadNoMarks,
  restartEnclave,
  startEnclaveProcess,
} from './enclave-process.ts'
export { transferIntent } from './evm-transfer.ts'
export { expectEnclaveGuards, expectNoDebugger } from './expect-enclave-guards.ts'
export { canScanMemory, scanMemory } from './memory-scan.ts'
export { operatorOf, type TestOperator } from './operator-of.ts'
export { makePsbt, type PsbtInput } from './psbt.ts'
export { makeTeeWallet, messageIntent, type TeeWallet } from './tee-wallet.ts'
export {
  makeTestRing,
  publicApiJwk,
  type TestRing,
  testApiKey,
  testManifestContent,
  testOperator,
} from './test-ring.ts'
