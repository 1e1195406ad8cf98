import { chainAddress, chainByHandle } from '@symbolon/networks/testing/by-intent'
import { tronBytes, tronJson } from '@symbolon/networks/testing/random-tron.fuzz'
import { TronWeb } from 'tronweb'
import { worstMessages } from './messages.ts'
import { roomFor, times, transactionBytes, type WorstBody } from './worst-body.ts'

const room = roomFor(transactionBytes, 2) - 200
const addressOf = (n: number): string => `41${n.toString(16).padStart(40, '0')}`

/** Tron transactions of 128 KiB. */
export function worstTron(publicKey: Uint8Array): WorstBody[] {
  const chain = chainByHandle('tron')
  if (chain === undefined) throw new Error('tron is not a chain')
  const owner = TronWeb.address.toHex(chainAddress(chain, publicKey)).toLowerCase()
  const body = (name: string, type: string, value: Record<string, unknown>, raw: object = {}): WorstBody => ({
    name: `transaction: ${name}`,
    body: {
      type: 'transaction',
      chain: 'tron',
      transaction: Buffer.from(tronBytes(tronJson(owner, type, value, raw))).toString('hex'),
    },
  })
  const call = { contract_address: addressOf(7), call_value: 0 }
  return [
    body('128 KiB of calldata', 'TriggerSmartContract', { ...call, data: '07'.repeat(room) }),
    body(
      'a memo of 128 KiB',
      'TransferContract',
      { to_address: addressOf(1), amount: 1 },
      { data: '41'.repeat(room) },
    ),
    body('30 votes', 'VoteWitnessContract', {
      votes: times(30, (i) => ({ vote_address: addressOf(i), vote_count: 1 })),
    }),
    body('16 keys of a permission', 'AccountPermissionUpdateContract', {
      owner: {
        type: 0,
        permission_name: 'owner',
        threshold: 1,
        keys: times(16, (i) => ({ address: addressOf(i), weight: 1 })),
      },
      actives: [],
    }),
    ...worstMessages('tron'),
  ]
}
