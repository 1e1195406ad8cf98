import { tronAccountAddress as accountAddress, toHex } from '@symbolon/networks/testing/internals'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { tronBytes, tronJson } from '@symbolon/networks/testing/random-tron.fuzz'
import { TronWeb } from 'tronweb'
import { session } from './transaction-cases.ts'

type Values = Record<string, unknown>

export const owner = toHex(accountAddress(testKey('secp256k1', 1).publicKey))
export const ownText = TronWeb.address.fromHex(owner)
export const friend = `41${'ab'.repeat(20)}`
export const friendText = TronWeb.address.fromHex(friend)
export const thief = `41${'ee'.repeat(20)}`
export const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
export const usdtHex = TronWeb.address.toHex(usdt)
export const router = TronWeb.address.fromHex(`41${'cc'.repeat(20)}`)
export const unlimited = 2n ** 256n - 1n

export const built = (type: string, value: Values, raw: Values = {}, permission?: number) =>
  tronBytes(tronJson(owner, type, value, raw, permission))
export const sent = (amount: number, to = friend, raw: Values = {}) =>
  built('TransferContract', { to_address: to, amount }, raw)
export const word = (value: bigint) => value.toString(16).padStart(64, '0')
export const account = (hex: string) => hex.slice(2).padStart(64, '0')
export const called = (
  signature: string,
  args: string,
  value: Values = {},
  contract = usdt,
  raw: Values = {},
) =>
  built(
    'TriggerSmartContract',
    {
      contract_address: TronWeb.address.toHex(contract),
      data: TronWeb.sha3(signature).slice(2, 10) + args,
      ...value,
    },
    raw,
  )
export const token = (amount: bigint, to = friend, contract = usdt) =>
  called('transfer(address,uint256)', account(to) + word(amount), {}, contract)
export const approve = (amount: bigint) => called('approve(address,uint256)', account(friend) + word(amount))
export const trc10 = (id: string, amount: number) =>
  built('TransferAssetContract', { to_address: friend, amount, asset_name: TronWeb.fromUtf8(id).slice(2) })

export const toFriend = session({ allowed_recipients: [friendText] })
export const capped = session({ max_spend_per_tx_native: '1000', max_fee_per_tx_native: '10000000' })
export const usdtOnly = session({
  allowed_tokens: [{ chain: 'tron', token: usdt, max_per_tx: '500', max_total: '900' }],
})
export const allowed = (address = router, selectors?: readonly string[]) =>
  session({
    allowed_contracts: [{ chain: 'tron', address, ...(selectors && { selectors }) }],
    max_spend_per_tx_native: '1000',
  })
export const trx = (amount: bigint) => ({ 'native TRX/6': amount, transactions: 1n })
export const usdtCost = (amount: bigint) => ({ [`token tron ${usdt}`]: amount, transactions: 1n })
export const permission = {
  type: 0,
  id: 0,
  permission_name: 'owner',
  threshold: 1,
  keys: [{ address: thief, weight: 1 }],
}
export const selector = (signature: string) => `0x${TronWeb.sha3(signature).slice(2, 10)}`
