/** Key services at the level of their protocol, for the adapters that call them. */

export { builtPkcs11 } from './built-pkcs11.ts'
export { awsKey, type FakeAwsKms, startFakeAwsKms } from './fake-aws-kms.ts'
export { type FakeGcpKms, startFakeGcpKms } from './fake-gcp-kms.ts'
export { type FakeVault, startFakeVault } from './fake-vault.ts'
export { gcpKey } from './gcp-kms-keys.ts'
export { transitKey } from './transit-key.ts'
