import { sha256 } from '@noble/hashes/sha2.js'
import { isOfOrganization, parseCertificate } from './certificate.ts'

/** PCR index to lower-case hex of 48 bytes. */
export type Measurements = Readonly<Record<number, string>>

/**
 * Which enclaves a client talks to. Made by `nitroPolicy` or `simulatedPolicy` only: the first takes no root, so
 * that no configuration of a production server can make it accept a simulation.
 */
export type AttestationPolicy = {
  readonly simulated: boolean
  readonly rootSha256: Uint8Array
  /** Sets of registers of which one must match entirely; PCR 0, 1 and 2 (image, kernel, application) are in each. */
  readonly measurements: readonly Measurements[]
}

/** SHA-256 of AWS's root certificate G1 for Nitro Enclaves (AWS, "Verifying the root of trust"). */
export const awsNitroRootSha256 = '641a0321a3e244efe456463195d606317ed7cdcc3c1756e09893f3c68f79bb5b'

/** The same as bytes. */
export const awsNitroRoot: Uint8Array = Uint8Array.from(awsNitroRootSha256.match(/../g) ?? [], (pair) =>
  Number.parseInt(pair, 16),
)
const simulatedOrganization = 'SIMULATED NOT AWS'

/** Whether a set says which enclave it means. All zero is one in debug mode, whose memory its host reads. */
export const isComplete = (set: Measurements): boolean =>
  [0, 1, 2].every((index) => index in set) &&
  Object.values(set).every((hex) => /^[0-9a-f]{96}$/.test(hex) && /[^0]/.test(hex))

function assertMeasurements(sets: readonly Measurements[]): void {
  if (sets.length === 0 || !sets.every(isComplete)) {
    throw new TypeError('Measurements need PCR 0, 1 and 2 as hex of 48 bytes, none all zero.')
  }
}

/** Real enclaves under AWS's own root. Throws `TypeError` without complete measurements. */
export function nitroPolicy(measurements: readonly Measurements[]): AttestationPolicy {
  assertMeasurements(measurements)
  return { simulated: false, rootSha256: awsNitroRoot, measurements }
}

/** No enclave at all. */
export const closedPolicy: AttestationPolicy = {
  simulated: false,
  rootSha256: awsNitroRoot,
  measurements: [],
}

/** The development simulation under the root (DER) of this machine. Throws `TypeError` if it is not marked as such. */
export function simulatedPolicy(
  rootDer: Uint8Array,
  measurements: readonly Measurements[],
): AttestationPolicy {
  assertMeasurements(measurements)
  if (!isSimulatedRoot(rootDer)) throw new TypeError('This root is not marked as simulated.')
  return { simulated: true, rootSha256: sha256(rootDer), measurements }
}

/** Whether a certificate (DER) names itself simulated, as the roots of the development start do. */
export function isSimulatedRoot(rootDer: Uint8Array): boolean {
  try {
    return isOfOrganization(parseCertificate(rootDer).subject, simulatedOrganization)
  } catch {
    return false
  }
}
