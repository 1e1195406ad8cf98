import type { SignResponse, Wallet } from '@symbolon/api'
import { forgetRates } from '@symbolon/testing/app'
import { verifyTextOf } from '@symbolon/testing/oracles'
import { expect } from 'vitest'
import type { Holder, Outcome } from './holder.ts'
import type { Shop } from './shop.ts'

const request = { type: 'message', message: 'hello', encoding: 'utf8' }

/** Signs a message and returns the outcome; no rate limit applies. */
export async function trySigning(shop: Shop, holder: Holder): Promise<Outcome> {
  await forgetRates(shop.app)
  return holder.ask('sign', { request })
}

/** Signs and proves it: the signature is the wallet's. */
export async function signs(shop: Shop, holder: Holder, wallet: Wallet): Promise<void> {
  const { result, error } = await trySigning(shop, holder)
  if (result === undefined) throw new Error(`Nothing was signed: ${JSON.stringify(error)}`)
  const answer = result as unknown as SignResponse
  expect(answer.public_key).toBe(wallet.public_key)
  expect(answer.address).toBe(wallet.addresses['evm'])
  expect(await verifyTextOf.evm('hello', answer)).toBe(true)
}

/** The code by which signing is refused. */
export async function refusal(shop: Shop, holder: Holder): Promise<string> {
  const { error } = await trySigning(shop, holder)
  if (error === undefined) throw new Error('It was signed.')
  return error.code
}

/** Which shares of the wallet are in force. */
export async function versionOf({ app }: Shop, { id }: Wallet): Promise<number> {
  const [row] = await app.sql`select polynomial_version from wallets where id = ${id}`
  return Number(row?.['polynomial_version'])
}
