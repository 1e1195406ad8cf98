/** Simulated attestation, for tests. */
export { simulatedEnclaveEntry } from '../attestation/index.ts'
export { type DocumentInput, simulatedDocument, simulatedMeasurements } from '../attestation/simulated-nsm.ts'
export { type CertificateInput, issue, simulatedChain, simulatedRoot } from '../attestation/simulated-pki.ts'
