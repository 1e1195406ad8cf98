import { expect, test } from 'vitest'
import { fairLine } from './fair-line.ts'

/** Takes everything out, charging each item's cost, and names the groups in the order of their turns. */
function drain(line: ReturnType<typeof fairLine<number>>): string {
  let order = ''
  for (let next = line.shift(); next !== undefined; next = line.shift()) {
    line.charge(next.group, next.item)
    order += next.group
  }
  return order
}

test('groups share what is charged equally, however many items each has', () => {
  const line = fairLine<number>()
  for (let i = 0; i < 20; i++) line.push('a', 1)
  for (let i = 0; i < 3; i++) line.push('b', 1)
  expect(drain(line).slice(0, 6)).toBe('ababab')
})

test('a group with expensive items waits until the others have had as much', () => {
  const line = fairLine<number>()
  for (let i = 0; i < 3; i++) line.push('a', 10)
  for (let i = 0; i < 25; i++) line.push('b', 1)
  const order = drain(line)
  // The first one costs as much as ten of the others, and so does the second.
  expect(order.indexOf('a', 1)).toBeGreaterThanOrEqual(10)
  expect(order.slice(0, 22).split('a').length - 1).toBeLessThanOrEqual(3)
  expect(order).toHaveLength(28)
})

test('a group that comes late is not owed what the others had before', () => {
  const line = fairLine<number>()
  for (let i = 0; i < 4; i++) line.push('a', 5)
  for (let i = 0; i < 2; i++) {
    const next = line.shift()
    line.charge(next?.group ?? '', 5)
  }
  for (let i = 0; i < 4; i++) line.push('b', 5)
  expect(drain(line).slice(0, 4)).toMatch(/^(ba|ab)(ab|ba|bb)/)
})

test('within its group the first that came is first, and an empty line has nothing', () => {
  const line = fairLine<number>()
  for (const item of [3, 1, 2]) line.push('a', item)
  expect([line.shift()?.item, line.shift()?.item, line.shift()?.item, line.shift()]).toEqual([
    3,
    1,
    2,
    undefined,
  ])
  expect([line.size, line.waitingOf('a'), line.waitingOf('b')]).toEqual([0, 0, 0])
})
