import type { EffectivePolicy } from '@symbolon/api'
import { assetKey, networks } from '@symbolon/networks'
import { expect, test } from 'vitest'
import { sessionBudget } from './session-budget.ts'

const usdc = 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
const eur = 'EUR:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'
const contractOf = (id: string) => assetKey(networks, 'stellar', id)
const xlm = { counter: 'native XLM/7', spent: 2n, reserved: 1n }

function spentUnder(
  allowed_tokens: EffectivePolicy['allowed_tokens'],
  counters: Parameters<typeof sessionBudget>[1],
) {
  const unlimited = { max_spend_total_native: null, max_spend_total: null, max_tx_count: null }
  return sessionBudget({ ...unlimited, allowed_tokens } as EffectivePolicy, counters).spent
}

test.each([eur, contractOf(eur)])('the row of an asset of Stellar has the cap of its entry: %s', (token) => {
  const counter = { counter: `token stellar ${contractOf(eur)}`, spent: 3n, reserved: 1n }
  expect(spentUnder([{ chain: 'stellar', token, max_total: '9' }], [counter])).toEqual([
    { asset: `stellar ${token}`, spent: '3', reserved: '1', remaining: '5' },
  ])
})

test('an asset that no entry names has its own name where its issuer is beyond doubt, else its contract', () => {
  const counters = [usdc, eur].map((id) => ({
    counter: `token stellar ${contractOf(id)}`,
    spent: 1n,
    reserved: 0n,
  }))
  const assets = spentUnder(null, counters).map(({ asset }) => asset)
  expect(assets).toContain(`stellar ${usdc}`)
  expect(assets).toContain(`stellar ${contractOf(eur)}`)
})

test('the row of a native asset has the cap of an entry that names it as a token', () => {
  for (const token of ['XLM', 'native', contractOf('native')])
    expect(spentUnder([{ chain: 'stellar', token, max_total: '9' }], [xlm])[0]?.remaining).toBe('6')
  expect(spentUnder([{ chain: 'base', token: 'ETH', max_total: '9' }], [xlm])[0]?.remaining).toBeNull()
})
