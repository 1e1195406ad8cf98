import { KeyType, PublicKey } from '@near-js/crypto'
import { type Action, actionCreators, createTransaction, encodeTransaction } from '@near-js/transactions'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import type { CorpusCase } from './corpus-case.ts'
import {
  atom,
  contract as cosmosContract,
  friend as cosmosFriend,
  cost,
  doc,
  execute,
  send,
} from './cosmos-payloads.ts'
import { session, transactionCases } from './transaction-cases.ts'

const key = testKey('ed25519', 1)
const nearKey = new PublicKey({ keyType: KeyType.ED25519, data: key.publicKey })
const nearOwn = Buffer.from(key.publicKey).toString('hex')
const ping = (deposit = 0n) =>
  actionCreators.functionCall('ping', new TextEncoder().encode('{}'), 30n * 10n ** 12n, deposit)
const stored = (args: object) =>
  actionCreators.functionCall(
    'storage_deposit',
    new TextEncoder().encode(JSON.stringify(args)),
    30n * 10n ** 12n,
    5n,
  )
const near = (...actions: Action[]) =>
  encodeTransaction(createTransaction(nearOwn, nearKey, 'dex.near', 7n, actions, new Uint8Array(32).fill(9)))
const named = (chain: string, address: string, selector: string, recipient: string) =>
  session({
    allowed_contracts: [{ chain, address, selectors: [selector] }],
    allowed_recipients: [recipient],
  })
const toBob = named('near', 'dex.near', 'ping', 'bob.near')
const storing = named('near', 'dex.near', 'storage_deposit', 'bob.near')
const toFriend = named('cosmoshub', cosmosContract, 'ping', cosmosFriend)

/** A payment to a contract is one, whatever of it is called beside; what goes along with a call of it is none. */
export const barePaymentCases: readonly CorpusCase[] = [
  ...transactionCases('near', [
    [
      'bare NEAR for a contract that is called beside',
      () => near(ping(), actionCreators.transfer(5n)),
      'recipient_not_allowed',
      toBob,
    ],
    ['a deposit with that call', () => near(ping(5n)), 'allowed', toBob],
    [
      'a deposit for storage of a recipient',
      () => near(stored({ account_id: 'bob.near' })),
      'allowed',
      storing,
    ],
    ['a deposit for storage of the wallet', () => near(stored({})), 'allowed', storing],
    [
      'a deposit for storage of a stranger',
      () => near(stored({ account_id: 'thief.near' })),
      'recipient_not_allowed',
      storing,
    ],
    [
      'a deposit for storage of nobody',
      () => near(stored({ account_id: 7 })),
      'payload_undecodable',
      storing,
    ],
  ]),
  ...transactionCases('cosmoshub', [
    [
      'bare coins for a contract that is called beside',
      () => doc([execute({ ping: {} }), send([atom(5)], cosmosContract)]),
      'recipient_not_allowed',
      toFriend,
    ],
    ['coins with that call', () => doc([execute({ ping: {} }, [atom(5)])]), 'allowed', toFriend, cost(5n)],
  ]),
]
