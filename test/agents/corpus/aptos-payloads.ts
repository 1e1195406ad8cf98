import {
  AccountAddress,
  ChainId,
  createObjectAddress,
  EntryFunction,
  parseTypeTag,
  RawTransaction,
  type TransactionPayload,
  TransactionPayloadEntryFunction,
  U64,
} from '@aptos-labs/ts-sdk'
import { aptosAccountAddress as accountAddress } from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { session } from './transaction-cases.ts'

type Argument = EntryFunction['args'][number]
export type Options = { gas?: bigint; price?: bigint; chainId?: number; from?: AccountAddress }

export const sender = new AccountAddress(accountAddress(testKey('ed25519', 1).publicKey))
export const [friend, thief, pool] = ['a1', 'e0', 'c0'].map((byte) =>
  AccountAddress.from(`0x${byte.repeat(32)}`),
) as [AccountAddress, AccountAddress, AccountAddress]
export const friendText = friend.toString()
export const small = AccountAddress.from(`0x00${'b'.repeat(62)}`)
export const apt = '0x1::aptos_coin::AptosCoin'
export const usdc = '0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b'
export const dex = `0x${'d7'.repeat(32)}`
export const coin = `${dex}::coin::Coin`
/** The fungible asset that the framework pairs with the coin. */
export const paired = createObjectAddress(AccountAddress.A, coin).toString()

export const raw = (
  payload: TransactionPayload,
  { gas = 2000n, price = 100n, chainId = 1, from = sender }: Options = {},
) => new RawTransaction(from, 7n, payload, gas, price, 1_800_000_000n, new ChainId(chainId))
export function entry(path: string, args: Argument[], types: string[] = []): TransactionPayloadEntryFunction {
  const [account, module, name = ''] = path.split('::')
  const tags = types.map((text) => parseTypeTag(text))
  return new TransactionPayloadEntryFunction(EntryFunction.build(`${account}::${module}`, name, tags, args))
}
export const call = (path: string, args: Argument[], types: string[] = [], options: Options = {}) =>
  raw(entry(path, args, types), options).bcsToBytes()
export const sent = (amount: number | bigint, to = friend, options: Options = {}) =>
  call('0x1::aptos_account::transfer', [to, new U64(amount)], [], options)
export const asset = (amount: number, to = friend, id = usdc) =>
  call(
    '0x1::primary_fungible_store::transfer',
    [AccountAddress.from(id), to, new U64(amount)],
    ['0x1::fungible_asset::Metadata'],
  )

export const toFriend = session({ allowed_recipients: [friendText] })
export const capped = session({ max_spend_per_tx_native: '1000', max_fee_per_tx_native: '200000' })
export const usdcOnly = session({ allowed_tokens: [{ chain: 'aptos', token: usdc, max_per_tx: '500' }] })
export const coinOnly = session({ allowed_tokens: [{ chain: 'aptos', token: coin, max_per_tx: '500' }] })
export const allowed = session({ allowed_contracts: [{ chain: 'aptos', address: dex }] })
export const framework = session({
  allowed_contracts: [
    { chain: 'aptos', address: '0x1' },
    { chain: 'aptos', address: '0x3' },
  ],
})
export const cost = (amount: bigint) => ({ 'native APT/8': amount, transactions: 1n })
export const tokenCost = (id: string, amount: bigint) => ({ [`token aptos ${id}`]: amount, transactions: 1n })
