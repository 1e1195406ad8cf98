import type { KeyObject } from 'node:crypto'
import type { EnclaveKey } from '@symbolon/crypto/attestation'
import { giveOrder, operatedEnclave } from '@symbolon/crypto/node'
import type { Enclave } from '@symbolon/server/testing/ports'

/** An operator of the enclave behind a socket, who takes its attestation as it comes. */
export type TestOperator = {
  /** The new version of the ring. */
  rotate(): Promise<number>
  seal(): Promise<void>
}

/** The operator with this private key, whom the enclave's manifest must name. */
export function operatorOf(enclave: Pick<Enclave, 'attest' | 'operator'>, key: KeyObject): TestOperator {
  const order = async (orderOf: Parameters<typeof giveOrder>[2]) => {
    const { state } = await enclave.attest(null)
    const target = operatedEnclave(JSON.parse(state) as { ring_id: string; keys: EnclaveKey[] })
    if (target === undefined) throw new Error('The enclave attests no key for operators.')
    return giveOrder(enclave.operator, target, orderOf, [key])
  }
  return {
    rotate: async () => Number((await order(() => ({ order: 'rotate' })))?.['version']),
    async seal() {
      await order(() => ({ order: 'seal' }))
    },
  }
}
