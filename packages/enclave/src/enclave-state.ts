import { jwkThumbprint, manifestSha256 } from '@symbolon/crypto/attestation'
import { type EnclaveFacts, hpkeRecipient, type Manifest, type StatusAnswer } from '@symbolon/crypto/node'
import { type Networks, policyNames } from '@symbolon/networks'
import type { PolicyNames } from '@symbolon/policy'
import { agentPolicies } from './agent-policies.ts'
import { allowedRequests } from './allowed-requests.ts'
import { type DataKeyCache, dataKeyCache } from './data-key-cache.ts'
import { EnclaveFault } from './enclave-fault.ts'
import type { EnclaveLog } from './enclave-log.ts'
import { freshnessMarks } from './marks/freshness-marks.ts'
import { ownAddresses } from './own-addresses.ts'
import { type Phases, phases } from './phases.ts'
import type { ServingRing } from './ring/ring.ts'
import { secureSlots } from './secure-slots.ts'
import { signerEd25519 } from './signer-ed25519.ts'
import { signerSecp256k1 } from './signer-secp256k1.ts'
import { signerTaproot } from './signer-taproot.ts'
import type { Vault } from './vault.ts'
import { wasmSecp256k1 } from './wasm-secp256k1.ts'

/** The state of one enclave process: its phase and, while it serves, its vault. */
export type EnclaveState = {
  readonly phases: Phases
  /** When two texts of policies name the same. */
  readonly names: PolicyNames
  /** The secrets; throws `EnclaveFault('unavailable')` in a phase without any. */
  vault(): Vault
  /** Takes the open key ring: from `attested` to `serving`. */
  serve(ring: ServingRing): void
  /** Takes another open ring in the place of the one it serves with; what was opened by that one is forgotten. */
  exchange(ring: ServingRing): void
  /** Takes the later manifest that the ring's root has by now; false where there is none. */
  takeLaterManifest(): boolean
  /** Makes a new version of the ring and returns its number. Throws `RingError`. */
  rotate(): number
  /** Forgets all keys for good. */
  seal(reason: string): void
  /** Resolves once it is sealed. */
  readonly sealed: Promise<void>
  status(): StatusAnswer
  /** The API key with this RFC 7638 thumbprint (both 32 bytes) in the manifest that it serves under; undefined where there is none. */
  apiKey(thumbprint: Uint8Array): Uint8Array | undefined
  /** What a handshake says in clear. */
  facts(): EnclaveFacts
}

// A sign or an export takes 4 slots at a time, an agent's signature 5, a generate or an import 6; requests run one after the other.
const slotCount = 8
const cacheEntriesMax = 1024
// With the sweep every 5 s no data key is held longer than 60 s.
const cacheLifetimeMs = 55_000
const sweepEveryMs = 5_000

const newCache = () => dataKeyCache(cacheEntriesMax, cacheLifetimeMs, () => performance.now())

/** Two caches of data keys: for what is sealed at rest, and for grants. */
function sweptCaches(): [DataKeyCache, DataKeyCache] {
  const caches: [DataKeyCache, DataKeyCache] = [newCache(), newCache()]
  setInterval(() => {
    for (const cache of caches) cache.sweep()
  }, sweepEveryMs).unref()
  return caches
}

function allSigners(log: EnclaveLog) {
  const wasm = wasmSecp256k1()
  const { signer, library } = signerSecp256k1(wasm)
  log('signers', { secp256k1: library, ed25519: 'libsodium' })
  return { signers: { secp256k1: signer, ed25519: signerEd25519 }, taproot: signerTaproot(wasm), library }
}

/** What the log says of a ring. */
export const ringFields = ({ id, keys, manifest }: ServingRing): Record<string, string | number> => ({
  ringId: id,
  keyVersionA: keys.version,
  manifestVersion: manifest.version,
  manifestSha256: manifestSha256(manifest),
})

function findApiKey({ api_keys: keys }: Manifest, thumbprint: Uint8Array): Uint8Array | undefined {
  const kid = Buffer.from(thumbprint).toString('base64url')
  const found = keys.find((jwk) => jwkThumbprint(jwk) === kid)
  return found && Buffer.from(found.x, 'base64url')
}

/** A fresh state at `boot`: locked memory and signers are ready, no key is loaded. `nowMs` is the enclave's own clock. */
export function enclaveState(log: EnclaveLog, networks: Networks, nowMs: () => number): EnclaveState {
  const [current, names, slots] = [phases(), policyNames(networks), secureSlots(slotCount)]
  const [cache, grantKeys] = sweptCaches()
  const { library, ...signing } = allSigners(log)

  let vault: Vault | undefined
  const sealed = Promise.withResolvers<void>()
  const facts = (): EnclaveFacts => ({
    phase: current.current(),
    ringId: vault?.ring.id ?? null,
    keyVersionA: vault?.ring.keys.version ?? 0,
  })

  return {
    phases: current,
    names,
    vault() {
      if (vault === undefined) throw new EnclaveFault('unavailable', 'no keys in this phase')
      return vault
    },
    serve(ring) {
      current.enter('serving')
      const known = { networks, addressesOf: ownAddresses(), names, policies: agentPolicies(names) }
      const memory = { cache, grantKeys, allowed: allowedRequests(), marks: freshnessMarks({ nowMs }), nowMs }
      vault = { ...known, slots, ...memory, ring, ...signing, importKey: hpkeRecipient() }
    },
    exchange(ring) {
      if (vault === undefined) return
      cache.clear()
      grantKeys.clear()
      vault = { ...vault, ring, allowed: allowedRequests() }
      log('ring replaced', ringFields(ring))
    },
    takeLaterManifest() {
      if (vault?.ring.takeLaterManifest() !== true) return false
      log('manifest replaced', ringFields(vault.ring))
      return true
    },
    rotate() {
      if (vault === undefined) throw new EnclaveFault('unavailable', 'no keys in this phase')
      const version = vault.ring.rotate()
      log('rotated', { ringId: vault.ring.id, keyVersionA: version })
      return version
    },
    seal(reason) {
      if (current.current() === 'sealed') return
      current.enter('sealed')
      cache.clear()
      grantKeys.clear()
      vault = undefined
      log('sealed', { reason })
      sealed.resolve()
    },
    sealed: sealed.promise,
    status: () => ({ ...facts(), signers: library }),
    apiKey: (thumbprint) => vault && findApiKey(vault.ring.manifest, thumbprint),
    facts,
  }
}
