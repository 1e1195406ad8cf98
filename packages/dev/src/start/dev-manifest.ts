import { existsSync } from 'node:fs'
import { canonicalJson, type PublicJwk } from '@symbolon/crypto/attestation'
import { type Manifest, type ManifestContent, nextManifest } from '@symbolon/crypto/node'
import {
  addManifest,
  makeManifestFile,
  manifestFileOf,
  openManifestFile,
} from '@symbolon/enclave/manifest-file'
import { enclaveVersion } from '@symbolon/enclave/version'
import { simulatedRegisters } from '../attestation/simulated-measurements.ts'
import { type EnclaveKeyFiles, makeOperatorKey, readKey } from './enclave-keys.ts'
import { frameSha256 } from './frame-sha256.ts'

/** What the manifests of a development start are made of: its keys, where platform and frame are, and who accepts what a boot begins with. */
export type DevCustody = {
  keys: EnclaveKeyFiles
  baseUrl: string
  frameUrl: string
  stateAcceptance: 'operators' | 'automatic'
}

/** Makes version 1 for the ring in `ringFile`, and the operator's key; what is there already stays. */
export function makeDevManifest(ringFile: string, custody: DevCustody): void {
  makeOperatorKey(custody.keys)
  makeManifestFile(ringFile, contentOf(custody))
}

/**
 * Signs a new version where the newest says something else than this start. Nothing happens where there is no chain, or one that does not verify: the
 * enclave serves nothing then, and the start says so. A sentence where no new version can be signed.
 */
export function renewDevManifest(ringFile: string, custody: DevCustody): string | undefined {
  const newest = newestOf(ringFile)
  if (newest === undefined) return undefined
  try {
    const content = contentOf(custody)
    if (canonicalJson(contentIn(newest)) === canonicalJson(content)) return undefined
    addManifest(ringFile, nextManifest(newest, content, [readKey(custody.keys.operator).privateKey]))
    return undefined
  } catch {
    return `enclave-simulated: the manifest stays at version ${newest.version}: the operator's key ${custody.keys.operator} is missing, or another one.`
  }
}

function newestOf(ringFile: string): Manifest | undefined {
  if (!existsSync(manifestFileOf(ringFile))) return undefined
  try {
    return openManifestFile(ringFile)
  } catch {
    return undefined
  }
}

const contentIn = ({ images, api_keys, operators, quorum, configuration }: Manifest): ManifestContent => ({
  images,
  api_keys,
  operators,
  quorum,
  configuration,
})

function contentOf({ keys, baseUrl, frameUrl, stateAcceptance }: DevCustody): ManifestContent {
  const [pcr0 = '', pcr1 = '', pcr2 = ''] = [0, 1, 2].map((index) => simulatedRegisters[index])
  return {
    images: [{ version: enclaveVersion, pcr0, pcr1, pcr2, pcr8: null }],
    api_keys: [readKey(keys.api).jwk as PublicJwk],
    operators: [readKey(keys.operator).jwk as PublicJwk],
    quorum: { k: 1, n: 1 },
    configuration: {
      state_acceptance: stateAcceptance,
      base_url: baseUrl,
      frame_url: frameUrl,
      frame_sha256: frameSha256(),
      chains_sha256: null,
      tokens_sha256: null,
      clear_signing_root: null,
      price_keys: [],
    },
  }
}
