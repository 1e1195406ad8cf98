import { checkRing } from '../../features/custody/index.ts'
import { rewrapShares, rotateKey } from '../../features/wallets/rotation/rewrap.ts'
import { EnclaveError } from '../../ports/enclave.ts'
import type { Log } from '../../ports/log.ts'
import { type Installation, withInstallation } from './installation.ts'
import { OperatorError } from './operator-failure.ts'

/** The ring's newest version, and how many shares are under it now that were not before. */
export type Rotation = { ringId: string; version: number; rewrapped: number }

/**
 * Gives the enclave's key ring a new version and wraps the data keys of all TEE wallets under it. The service goes on meanwhile.
 * Throws an `OperatorError` where the enclave is out of reach, has another ring, or refuses a share.
 */
export async function rotateRing(installation: Installation): Promise<Rotation> {
  return withInstallation(
    installation,
    async ({ sql, enclave }) => {
      try {
        await rotateKey({ sql, enclave }, 'tee-a')
        const { version, rewrapped, failed } = await rewrapShares({ sql, enclave, log: silent }, 'tee-a')
        const { ringId } = await enclave.status()
        if (ringId === null) throw new OperatorError('The enclave has no key ring.')
        if (failed.length > 0)
          throw new OperatorError(
            `The ring has version ${version}, but the enclave refuses the shares of ${failed.length} wallets: ${failed.join(', ')}.`,
          )
        return { ringId, version, rewrapped }
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
