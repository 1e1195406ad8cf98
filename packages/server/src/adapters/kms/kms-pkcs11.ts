import { randomFillSync } from 'node:crypto'
import { wipe } from '@symbolon/crypto'
import { wrappedKeyAad } from '@symbolon/crypto/node'
import { installed } from './installed.ts'
import type { ApiPurpose, KeyRow, KeyService } from './key-service.ts'
import { keyTemplate, newest, versionsOf } from './pkcs11-keys.ts'
import { loadPkcs11, type Pkcs11Module } from './pkcs11-module.ts'
import { dataKeyLength, tokenSeal } from './pkcs11-seal.ts'
import { openToken, type TokenConfig, type TokenSession } from './pkcs11-token.ts'

/** A token, and the label of a purpose's keys in it: `<prefix>-<purpose>`. */
export type Pkcs11Config = TokenConfig & { prefix: string }

/**
 * A hardware security module by PKCS#11 as key service: AES-256 keys that never leave it, one object per purpose and version, whose `CKA_ID` is
 * the version in four bytes. Data keys are made here and sealed inside by AES-GCM with the header and the row as additional data. Rejects with
 * `PackageMissingError` where `pkcs11js` is not installed.
 */
export async function kmsPkcs11(
  config: Pkcs11Config,
  load: () => Promise<Pkcs11Module> = loadPkcs11,
): Promise<KeyService> {
  const module = await installed('KMS=pkcs11:…', 'pkcs11js', load)
  const token = openToken(module, config)
  const labelOf = (purpose: ApiPurpose) => `${config.prefix}-${purpose}`
  const keyId = (purpose: ApiPurpose) => `pkcs11:${config.token}/${labelOf(purpose)}`
  const headerOf = (row: KeyRow) => ({ purpose: row.purpose, keyId: keyId(row.purpose) })
  const { seal, open } = tokenSeal(module, (row, keyVersion) =>
    wrappedKeyAad({ ...headerOf(row), keyVersion }, row),
  )
  const versions = (session: TokenSession, purpose: ApiPurpose) =>
    versionsOf(module, session, labelOf(purpose))
  const current = (purpose: ApiPurpose) => token((session) => newest(versions(session, purpose)).version)

  return {
    keyId,

    async generate(row) {
      const dataKey = randomFillSync(new Uint8Array(dataKeyLength))
      try {
        return {
          dataKey,
          ...(await token((session) => seal(session, versions(session, row.purpose), row, dataKey))),
        }
      } catch (error) {
        wipe(dataKey)
        throw error
      }
    },

    unwrap: (row, wrapped) => token((session) => open(session, versions(session, row.purpose), row, wrapped)),

    rewrap: (row, wrapped) =>
      token(async (session) => {
        const known = versions(session, row.purpose)
        const dataKey = await open(session, known, row, wrapped)
        try {
          return await seal(session, known, row, dataKey)
        } finally {
          wipe(dataKey)
        }
      }),

    rotate: (purpose) =>
      token(async (session) => {
        const { version } = newest(versions(session, purpose))
        const template = keyTemplate(module, labelOf(purpose), version + 1)
        await session.generate({ mechanism: module.CKM_AES_KEY_GEN }, template)
        return newest(versions(session, purpose)).version
      }),

    currentVersion: current,

    async check(purpose) {
      await current(purpose)
    },
  }
}
