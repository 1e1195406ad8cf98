import { createHash } from 'node:crypto'
import { canonicalJson, type Receipt } from '@symbolon/crypto/attestation'

const effects = [
  {
    kind: 'native_transfer',
    asset: 'native',
    amount: '1000000000000000',
    to: '0x000000000000000000000000000000000000dEaD',
  },
]

/** The payload of a receipt for one transfer of ether, as custody.md has it. */
export const sampleReceipt = (ringId: string): Receipt => ({
  version: 1,
  mode: 'simulated',
  receipt_id: '019ab000-0000-7000-8000-000000000001',
  organization_id: '019ab000-0000-7000-8000-000000000002',
  wallet_id: '019ab000-0000-7000-8000-000000000003',
  public_key: `0x02${'79'.repeat(32)}`,
  curve: 'secp256k1',
  network: 'evm',
  chain: 'base',
  type: 'transaction',
  digests: ['a1'.repeat(32)],
  signature: `0x${'b2'.repeat(65)}`,
  signatures: ['b2'.repeat(64)],
  effects,
  effects_sha256: createHash('sha256').update(canonicalJson(effects)).digest('hex'),
  fee: { asset: 'native', amount: '21000000000000' },
  decision: {
    layers: { organization: null, wallet: null, agent: null, session: null },
    policy_version: null,
    authorization_sha256: null,
    approval_sha256: null,
  },
  budget: null,
  ring_id: ringId,
  counter: 1,
  issued_at: '2026-11-24T00:00:00.000Z',
})
