/** Simulated attestation, for tests. */
export { simulatedEnclaveEntry } from '../attestation/index.ts'
export { loadSimulatedRoot } from '../attestation/root-file.ts'
export { simulatedMeasurements } from '../attestation/simulated-measurements.ts'
export { type DocumentInput, simulatedDocument, simulatedNsm } from '../attestation/simulated-nsm.ts'
export { type CertificateInput, issue, simulatedChain, simulatedRoot } from '../attestation/simulated-pki.ts'
