import {
  Account,
  Asset,
  Memo,
  Networks,
  nativeToScVal,
  Operation,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-base'
import { chainAddress, chainByHandle } from '@symbolon/networks/testing/by-intent'
import { worstMessages } from './messages.ts'
import { times, type WorstBody } from './worst-body.ts'

/** Stellar transactions: 100 operations, and contract calls whose values fill 190 KiB. */
export function worstStellar(publicKey: Uint8Array): WorstBody[] {
  const chain = chainByHandle('stellar')
  if (chain === undefined) throw new Error('stellar is not a chain')
  const own = chainAddress(chain, publicKey)
  const body = (name: string, operations: xdr.Operation[]): WorstBody => {
    const builder = new TransactionBuilder(new Account(own, '1'), {
      fee: '100',
      networkPassphrase: Networks.PUBLIC,
      memo: Memo.none(),
    })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.setTimeout(0).build()
    return {
      name: `transaction: ${name}`,
      body: { type: 'transaction', chain: 'stellar', transaction: transaction.toEnvelope().toXDR('base64') },
    }
  }
  const contract = 'CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA'
  const call = (args: xdr.ScVal[]) => Operation.invokeContractFunction({ contract, function: 'call', args })
  let deep: xdr.ScVal = nativeToScVal(1, { type: 'u32' })
  for (let i = 0; i < 30; i++) deep = xdr.ScVal.scvVec([deep])
  return [
    body(
      '100 payments',
      times(100, () => Operation.payment({ destination: own, asset: Asset.native(), amount: '1' })),
    ),
    body(
      '100 entries of data',
      times(100, (i) => Operation.manageData({ name: `name ${i}`.padEnd(64, 'x'), value: Buffer.alloc(64) })),
    ),
    body('a call with 20,000 numbers', [
      call([xdr.ScVal.scvVec(times(20_000, () => nativeToScVal(1, { type: 'u32' })))]),
    ]),
    body('a call with nested lists', [call(times(450, () => deep))]),
    body('a call with 180 KiB of bytes', [call([nativeToScVal(Buffer.alloc(180_000))])]),
    ...worstMessages('stellar'),
  ]
}
