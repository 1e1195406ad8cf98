/**
 * Whose keys seal the wallets: the ring of the enclave and the keys of the KMS that this installation belongs to, the notes that tell the enclave what was
 * revoked or archived, and the marks that it keeps in the database.
 */

export { loadMarks } from './enclave-marks.ts'
export { type EnclaveNotesCtx, enclaveNotesJob, tellEnclave, tellEnclaveNow } from './enclave-notes.ts'
export { epochsStore } from './epochs.store.ts'
export { marksJobs } from './marks-jobs.ts'
export { recordedKms } from './recorded-kms.ts'
export { ringsStore } from './rings.store.ts'
export { adoptRing, checkRing } from './rings.ts'
