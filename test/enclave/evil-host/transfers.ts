import { randomUUID } from 'node:crypto'
import { keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { openHpke } from '@symbolon/testing/hpke'
import { expect } from 'vitest'
import type { Campaign } from './campaign.ts'
import { makeRecipient } from './world.ts'

const opens = (open: () => unknown): boolean => {
  try {
    open()
    return true
  } catch {
    return false
  }
}

/** An answer to one user's export, shown to another user, for another wallet, or as what it is not. */
const exportsOfOthers: Campaign = {
  name: 'an export that was asked for somebody else',
  async run({ enclave, corpusWallets: { secp256k1: wallet } }, times) {
    const [own, other] = [makeRecipient(), makeRecipient()]
    for (let n = 0; n < times; n++) {
      const owner = { ...wallet, userIdentityId: randomUUID() }
      const sealed = await enclave.export({ ...owner, recipient: own.recipient })
      const as = (changed: Partial<typeof owner>, pair = own.pair, info = keyTransferInfo.export) =>
        openHpke(pair, sealed, { info, aad: keyTransferAad({ ...owner, ...changed }) })
      expect(Buffer.from(testKey('secp256k1', 1).privateKey).equals(as({}))).toBe(true)
      const others = [
        () => as({ userIdentityId: randomUUID() }),
        () => as({ walletId: randomUUID() }),
        () => as({ organizationId: randomUUID() }),
        () => as({ curve: 'ed25519' }),
        () => as({}, other.pair),
        () => as({}, own.pair, keyTransferInfo.import),
      ]
      expect(others.filter(opens)).toEqual([])
    }
  },
}

/** What a host tries with keys that leave. */
export const transferCampaigns: readonly Campaign[] = [exportsOfOthers]
