import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import type { PublicJwk } from '@symbolon/crypto/attestation'
import { makeRingFile } from '@symbolon/enclave/file-root'
import { makeManifestFile } from '@symbolon/enclave/manifest-file'

/**
 * Gives the test image a ring of its own, and a manifest: loaded before the enclave program, which makes neither. Both lie where the program looks for
 * them, in memory, and end with the machine. The API key that the manifest names is said on standard error, the private JWK in base64: whoever tests the
 * image has it from there, as the simulated root. The operator's is said to nobody.
 */
const place = process.env['ENCLAVE_KEY_FILE'] ?? ''
const api = generateKeyPairSync('x25519')
const operator = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicJwk = (key: JsonWebKey) => key as PublicJwk

makeRingFile(place)
makeManifestFile(place, {
  images: [],
  api_keys: [publicJwk(api.publicKey.export({ format: 'jwk' }))],
  operators: [publicJwk(operator.publicKey.export({ format: 'jwk' }))],
  quorum: { k: 1, n: 1 },
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
const secret = JSON.stringify(api.privateKey.export({ format: 'jwk' }))
process.stderr.write(`SIMULATED api-key ${Buffer.from(secret).toString('base64')}\n`)
