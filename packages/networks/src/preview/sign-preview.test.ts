import { expect, test } from 'vitest'
import type { Action, Decoded } from '../effect.ts'
import { networks } from '../networks.ts'
import { signPreview } from './sign-preview.ts'

const [chain] = networks.list.flatMap(({ chains }) => chains)
const action: Action = {
  kind: 'transfer',
  asset: 'ETH',
  amount: 1n,
  from: 'a',
  to: 'b',
  amountDisplay: null,
  method: null,
  args: null,
}
const shown = (actions: number, warnings: number) => {
  if (chain === undefined) throw new Error('There is a chain.')
  const decoded: Decoded = {
    title: 'Send',
    actions: Array.from({ length: actions }, () => action),
    fee: null,
    warnings: Array.from({ length: warnings }, (_, i) => `warning ${i}`),
  }
  return signPreview(decoded, chain, 'a')
}

test('a preview has at most 256 actions and 64 warnings, and says how many it leaves out', () => {
  expect(shown(256, 64)).toMatchObject({ actions: { length: 256 }, warnings: { length: 64, 0: 'warning 0' } })
  expect(shown(256, 0).actions.every(({ kind }) => kind === 'transfer')).toBe(true)
  const { actions, warnings } = shown(3_000, 70)
  expect(actions).toHaveLength(256)
  expect(actions.filter(({ kind }) => kind === 'transfer')).toHaveLength(255)
  expect(actions.at(-1)).toMatchObject({ kind: 'unknown', to: null, method: null })
  expect(warnings).toHaveLength(64)
  expect(warnings[0]).toBe('2745 further actions are not shown.')
})
