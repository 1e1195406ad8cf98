import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { PublicJwk } from '@symbolon/crypto/attestation'
import type { ApiKey, Manifest, ManifestContent } from '@symbolon/crypto/node'
import { makeRingFile } from '@symbolon/enclave/file-root'
import { makeManifestFile } from '@symbolon/enclave/manifest-file'

/** A key ring with the first of its manifests, and the private halves of the keys that it names. */
export type TestRing = { ringId: string; apiKey: ApiKey; operator: KeyObject; manifest: Manifest }

/** A fresh key of an API process towards the enclave. */
export const testApiKey = (): ApiKey =>
  generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' }) as ApiKey

/** The public half of such a key, as a manifest names it. */
export const publicApiJwk = ({ kty, crv, x }: ApiKey): PublicJwk => ({ kty, crv, x })

/** A fresh pair of an operator: what signs, and what a manifest names. */
export function testOperator(): { operator: KeyObject; jwk: PublicJwk } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { operator: privateKey, jwk: publicKey.export({ format: 'jwk' }) as PublicJwk }
}

/** The content of a manifest that names these keys, one operator's signature being enough. */
export const testManifestContent = (apiKeys: PublicJwk[], operators: PublicJwk[]): ManifestContent => ({
  images: [],
  api_keys: apiKeys,
  operators,
  quorum: { k: 1, n: operators.length },
  configuration: {
    state_acceptance: 'automatic',
    base_url: null,
    frame_url: null,
    frame_sha256: null,
    chains_sha256: null,
    tokens_sha256: null,
    clear_signing_root: null,
    price_keys: [],
  },
})

/** Makes a ring file, unless there is one, and its manifest beside it, for a fresh API key unless one is given. */
export function makeTestRing(path: string, apiKey: ApiKey = testApiKey()): TestRing {
  const { operator, jwk } = testOperator()
  const ringId = makeRingFile(path)
  const manifest = makeManifestFile(path, testManifestContent([publicApiJwk(apiKey)], [jwk]))
  return { ringId, apiKey, operator, manifest }
}
