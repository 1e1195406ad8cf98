import {
  AccountAddress,
  ChainId,
  EntryFunction,
  MoveVector,
  parseTypeTag,
  RawTransaction,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk'
import { chainAddress, chainByHandle } from '@symbolon/networks/testing/by-intent'
import { worstMessages } from './messages.ts'
import { roomFor, times, transactionBytes, type WorstBody } from './worst-body.ts'

const room = roomFor(transactionBytes, 4 / 3) - 400

/** Aptos transactions of 128 KiB. */
export function worstAptos(publicKey: Uint8Array): WorstBody[] {
  const chain = chainByHandle('aptos')
  if (chain === undefined) throw new Error('aptos is not a chain')
  const sender = AccountAddress.from(chainAddress(chain, publicKey))
  const body = (name: string, call: EntryFunction): WorstBody => ({
    name: `transaction: ${name}`,
    body: {
      type: 'transaction',
      chain: 'aptos',
      transaction: Buffer.from(
        new RawTransaction(
          sender,
          1n,
          new TransactionPayloadEntryFunction(call),
          1_000n,
          100n,
          9_999_999_999n,
          new ChainId(1),
        ).bcsToBytes(),
      ).toString('base64'),
    },
  })
  const to = AccountAddress.from(`0x${'ab'.repeat(32)}`)
  const count = Math.floor(room / 41)
  const type = parseTypeTag('0x2::a::B<0x2::a::B<0x2::a::B<0x2::a::B<bool>>>>')
  return [
    body(
      '3,000 payments',
      EntryFunction.build(
        '0x1::aptos_account',
        'batch_transfer',
        [],
        [new MoveVector(times(count, () => to)), new MoveVector(times(count, () => new U64(1n)))],
      ),
    ),
    body(
      '600 nested type arguments',
      EntryFunction.build(
        '0x2::a',
        'call',
        times(600, () => type),
        [],
      ),
    ),
    body(
      'an argument of 128 KiB',
      EntryFunction.build('0x2::a', 'call', [], [MoveVector.U8(new Uint8Array(room - 100))]),
    ),
    body(
      '256 arguments',
      EntryFunction.build(
        '0x2::a',
        'call',
        [],
        times(256, () => MoveVector.U8([])),
      ),
    ),
    ...worstMessages('aptos'),
  ]
}
