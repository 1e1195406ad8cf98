import { checkRing, ringsStore } from '../../features/custody/index.ts'
import { rewrapShares } from '../../features/wallets/rotation/rewrap.ts'
import { EnclaveError } from '../../ports/enclave.ts'
import type { Log } from '../../ports/log.ts'
import { type Installation, withInstallation } from './installation.ts'
import { OperatorError } from './operator-failure.ts'
import { type Operators, orderEnclave } from './order-enclave.ts'

/** The ring's newest version, and how many shares are under it now that were not before; null where nothing was put under it from here. */
export type Rotation = { ringId: string; version: number; rewrapped: number | null }

/** Has the enclave make a new version of its key ring, and nothing else. Throws an `OperatorError`. */
export async function orderRotation(operators: Operators): Promise<Rotation> {
  const { ring_id: ringId, version } = (await orderEnclave(operators, { order: 'rotate' })) as {
    ring_id: string
    version: number
  }
  return { ringId, version, rewrapped: null }
}

/** Has the enclave forget its keys until it is started anew. Throws an `OperatorError`. */
export async function orderSeal(operators: Operators): Promise<{ ringId: string; phase: string }> {
  const { ring_id: ringId, phase } = (await orderEnclave(operators, { order: 'seal' })) as {
    ring_id: string
    phase: string
  }
  return { ringId, phase }
}

/**
 * Gives the enclave's key ring a new version and wraps the data keys of all TEE wallets of the installation under it. The service goes on meanwhile.
 * Throws an `OperatorError` where the enclave is out of reach, has another ring, or refuses the order or a share.
 */
export async function rotateRing(installation: Installation, operators: Operators): Promise<Rotation> {
  return withInstallation(
    installation,
    async ({ sql, enclave }) => {
      try {
        const { ringId } = await enclave.status()
        if (ringId === null) throw new OperatorError('The enclave has no key ring.')
        const made = await orderRotation(operators)
        if (made.ringId !== ringId)
          throw new OperatorError(
            `The platform's enclave has the key ring ${made.ringId}, the one of this installation ${ringId}.`,
          )
        // An enclave that lost this version since must not serve, even before a wallet names it.
        await ringsStore.recordVersions(sql, { id: made.ringId, version: made.version })
        const { version, rewrapped, failed } = await rewrapShares({ sql, enclave, log: silent }, 'tee-a')
        if (failed.length > 0)
          throw new OperatorError(
            `The ring has version ${version}, but the enclave refuses the shares of ${failed.length} wallets: ${failed.join(', ')}.`,
          )
        return { ringId: made.ringId, version, rewrapped }
      } catch (error) {
        if (error instanceof EnclaveError && error.ring !== undefined)
          throw new OperatorError(
            `The enclave's key ring is not the one of this database (${error.ring.reason}).`,
          )
        throw error
      }
    },
    checkRing,
  )
}

/** Results and errors say all that a command has to; its standard output is for the result. */
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
