import { KeyType, PublicKey } from '@near-js/crypto'
import { type Action, actionCreators, createTransaction } from '@near-js/transactions'
import { worstMessages } from './messages.ts'
import { roomFor, times, transactionBytes, type WorstBody } from './worst-body.ts'

const room = roomFor(transactionBytes, 4 / 3) - 300
const { functionCall, deployContract, addKey, functionCallAccessKey } = actionCreators

/** Near transactions of 192 KiB, of at most 100 actions. */
export function worstNear(publicKey: Uint8Array): WorstBody[] {
  const own = new PublicKey({ keyType: KeyType.ED25519, data: publicKey })
  const body = (name: string, actions: Action[]): WorstBody => {
    const transaction = createTransaction('alice.near', own, 'wrap.near', 1n, actions, new Uint8Array(32))
    return {
      name: `transaction: ${name}`,
      body: {
        type: 'transaction',
        chain: 'near',
        transaction: Buffer.from(transaction.encode()).toString('base64'),
      },
    }
  }
  const args = (bytes: number) =>
    Buffer.from(JSON.stringify({ receiver_id: 'bob.near', amount: '1', memo: 'x'.repeat(bytes) }))
  return [
    body(
      '100 token transfers with memos of 1,800 bytes',
      times(100, () => functionCall('ft_transfer', args(1_700), 1n, 1n)),
    ),
    body('a call with arguments of 90,000 numbers', [
      functionCall('other', Buffer.from(`[${times(room / 2 - 10, () => 1).join()}]`), 1n, 1n),
    ]),
    body('a token transfer among 90,000 numbers', [
      functionCall(
        'ft_transfer',
        Buffer.from(`{"receiver_id":"bob.near","amount":"1","x":[${times(room / 2 - 60, () => 1).join()}]}`),
        1n,
        1n,
      ),
    ]),
    body('a contract of 190 KiB', [deployContract(new Uint8Array(room - 200))]),
    body(
      '100 keys with 100 methods each',
      times(100, () =>
        addKey(
          own,
          functionCallAccessKey(
            'a.near',
            times(100, () => 'method_name'),
            1n,
          ),
        ),
      ),
    ),
    ...worstMessages('near'),
  ]
}
