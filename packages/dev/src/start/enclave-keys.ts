import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { privateFolder, type Startup } from './startup.ts'

/** The files of the two keys of a development start, JWKs of mode 0600: the API's towards the enclave, and the operator's that signs manifests. */
export type EnclaveKeyFiles = { api: string; operator: string }

/** Where they are. */
export const enclaveKeyFiles = (startup: Startup): EnclaveKeyFiles => ({
  api: path.join(privateFolder(startup, 'secrets'), 'enclave-api-key.json'),
  operator: path.join(privateFolder(startup, 'enclave'), 'operator-key.json'),
})

/** Makes the API's key where there is none: a manifest that does not name it gets a version that does. */
export const makeApiKey = ({ api }: EnclaveKeyFiles): void => {
  if (!existsSync(api)) write(api, generateKeyPairSync('x25519').privateKey)
}

/** Makes the operator's key, where there is none. */
export const makeOperatorKey = ({ operator }: EnclaveKeyFiles): void => {
  if (!existsSync(operator)) write(operator, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
}

function write(file: string, key: KeyObject): void {
  writeFileSync(file, `${JSON.stringify(key.export({ format: 'jwk' }))}\n`, { mode: 0o600, flag: 'wx' })
}

/** Reads a private key, with its public part as a JWK. Throws the system's error, or one of `node:crypto`. */
export function readKey(file: string): { privateKey: KeyObject; jwk: JsonWebKey } {
  const key = JSON.parse(readFileSync(file, 'utf8')) as JsonWebKey
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  return { privateKey, jwk: createPublicKey(privateKey).export({ format: 'jwk' }) }
}
