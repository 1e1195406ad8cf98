import { jwkThumbprint, manifestSha256 } from '@symbolon/crypto/attestation'
import {
  type EnclaveFacts,
  hpkeRecipient,
  type Manifest,
  type MarkPart,
  type StatusAnswer,
} from '@symbolon/crypto/node'
import { type Networks, policyNames } from '@symbolon/networks'
import type { PolicyNames } from '@symbolon/policy'
import { agentPolicies } from './agent-policies.ts'
import { allowedRequests } from './allowed-requests.ts'
import { type DataKeyCache, dataKeyCache } from './data-key-cache.ts'
import { EnclaveFault } from './enclave-fault.ts'
import type { EnclaveLog } from './enclave-log.ts'
import { type FreshnessMarks, freshnessMarks } from './marks/freshness-marks.ts'
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
  /** Takes the open key ring: from `attested` to `loading`. */
  open(ring: ServingRing): void
  /** Takes a part of the marks of the boot before; the last one leads from `loading` to `serving`. Throws as `FreshnessMarks.load`. */
  loadMarks(part: MarkPart): void
  /** Takes another open ring in the place of the one it has; what was opened by that one is forgotten. Where it is not the same ring, it is `loading` again. */
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

/** What the log says once an enclave serves: the marks that it began with. */
function servingFields({ ring, marks }: Vault): Record<string, string | number> {
  const { number, root } = marks.loaded()
  return { ringId: ring.id, marksNumber: number, marksRoot: Buffer.from(root).toString('hex') }
}

/** What a vault has that depends on the ring, or is the boot's own. */
const newVault = (ring: ServingRing, nowMs: () => number) => ({
  ring,
  nowMs,
  marks: marksOf(ring, nowMs),
  allowed: allowedRequests(),
  addressesOf: ownAddresses(),
  importKey: hpkeRecipient(),
})

/** The marks of a ring that was just opened. */
const marksOf = ({ markKeys, manifest }: ServingRing, nowMs: () => number): FreshnessMarks =>
  freshnessMarks({
    keys: markKeys,
    isWaiting: manifest.configuration.state_acceptance === 'operators',
    nowMs,
  })

function findApiKey({ api_keys: keys }: Manifest, thumbprint: Uint8Array): Uint8Array | undefined {
  const kid = Buffer.from(thumbprint).toString('base64url')
  const found = keys.find((jwk) => jwkThumbprint(jwk) === kid)
  return found && Buffer.from(found.x, 'base64url')
}

/** The vault with another ring in the place of its own. */
const withRing = (vault: Vault, ring: ServingRing): Vault => ({
  ...vault,
  ring,
  marks: ring.id === vault.ring.id ? vault.marks : marksOf(ring, vault.nowMs),
  allowed: allowedRequests(),
})

const factsOf = (current: Phases, vault: Vault | undefined): EnclaveFacts => ({
  phase: current.current(),
  ringId: vault?.ring.id ?? null,
  keyVersionA: vault?.ring.keys.version ?? 0,
})

/** What a boot has whatever its ring is. */
function bootParts(log: EnclaveLog, networks: Networks, nowMs: () => number) {
  const [cache, grantKeys] = sweptCaches()
  const names = policyNames(networks)
  const { library, ...signing } = allSigners(log)
  const memory = { slots: secureSlots(slotCount), cache, grantKeys }
  const vaultOf = (ring: ServingRing): Vault => ({
    ...newVault(ring, nowMs),
    ...{ networks, names, policies: agentPolicies(names) },
    ...memory,
    ...signing,
  })
  const forgetKeys = () => {
    cache.clear()
    grantKeys.clear()
  }
  return { names, library, vaultOf, forgetKeys }
}

/** A fresh state at `boot`: locked memory and signers are ready, no key is loaded. `nowMs` is the enclave's own clock. */
export function enclaveState(log: EnclaveLog, networks: Networks, nowMs: () => number): EnclaveState {
  const current = phases()
  const { names, library, vaultOf, forgetKeys } = bootParts(log, networks, nowMs)
  let vault: Vault | undefined
  const opened = (): Vault => {
    if (vault === undefined) throw new EnclaveFault('unavailable', 'no keys in this phase')
    return vault
  }
  const sealed = Promise.withResolvers<void>()
  const facts = () => factsOf(current, vault)

  return {
    phases: current,
    names,
    vault: opened,
    open(ring) {
      current.enter('loading')
      vault = vaultOf(ring)
    },
    exchange(ring) {
      if (vault === undefined) return
      forgetKeys()
      if (ring.id !== vault.ring.id && current.current() === 'serving') current.enter('loading')
      vault = withRing(vault, ring)
      log('ring replaced', ringFields(ring))
    },
    loadMarks(part) {
      opened().marks.load(part)
      if (!part.isLast) return
      current.enter('serving')
      log('serving', servingFields(opened()))
      if (opened().marks.isWaiting()) log('waiting for operators', { order: 'accept_state' })
    },
    takeLaterManifest() {
      if (vault?.ring.takeLaterManifest() !== true) return false
      log('manifest replaced', ringFields(vault.ring))
      return true
    },
    rotate() {
      const { ring } = opened()
      const version = ring.rotate()
      log('rotated', { ringId: ring.id, keyVersionA: version })
      return version
    },
    seal(reason) {
      if (current.current() === 'sealed') return
      current.enter('sealed')
      forgetKeys()
      vault = undefined
      log('sealed', { reason })
      sealed.resolve()
    },
    sealed: sealed.promise,
    status: () => ({ ...facts(), signers: library, hasUnstoredMarks: vault?.marks.hasUnstored() ?? false }),
    apiKey: (thumbprint) => vault && findApiKey(vault.ring.manifest, thumbprint),
    facts,
  }
}
