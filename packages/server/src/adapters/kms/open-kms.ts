import type { Kms } from '../../ports/kms.ts'
import { kmsLocal } from '../kms-local.ts'
import { kmsAws } from './kms-aws.ts'
import type { KmsConfig } from './kms-config.ts'
import { kmsGcp } from './kms-gcp.ts'
import { kmsPkcs11 } from './kms-pkcs11.ts'
import { kmsVault } from './kms-vault.ts'
import { remoteKms } from './remote-kms.ts'

/** The key service that the configuration names. A remote one is not contacted yet. Throws `KeyFileError` for an unfit key file. */
export async function openKms(config: KmsConfig): Promise<Kms> {
  switch (config.kind) {
    case 'local':
      return kmsLocal(config.path)
    case 'vault':
      return remoteKms(kmsVault(config))
    case 'aws':
      return remoteKms(await kmsAws(config))
    case 'gcp':
      return remoteKms(kmsGcp(config))
    case 'pkcs11':
      return remoteKms(await kmsPkcs11(config))
  }
}
