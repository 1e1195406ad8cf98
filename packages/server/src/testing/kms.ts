/** The adapter of hardware modules and the contract of all key services, for the tests that need packages of the system. */
export { apiPurposes } from '../adapters/kms/key-service.ts'
export { kmsPkcs11, type Pkcs11Config } from '../adapters/kms/kms-pkcs11.ts'
export type { Pkcs11Module } from '../adapters/kms/pkcs11-module.ts'
export { remoteKms } from '../adapters/kms/remote-kms.ts'
export { kmsContract } from '../ports/kms.contract.ts'
