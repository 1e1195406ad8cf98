import { expect, test } from 'vitest'
import { groupRests } from './group-rests.ts'

function restsAt() {
  const clock = { ms: 0 }
  return { clock, rests: groupRests(() => clock.ms) }
}

test('beside others a group rests as long as its long work took, 30 ms at most', () => {
  const { clock, rests } = restsAt()
  rests.saw('other')
  rests.saw('one')
  rests.took('one', 20)
  expect([rests.isResting('one'), rests.isResting('other'), rests.nextMs()]).toEqual([true, false, 20])
  clock.ms = 19
  expect([rests.isResting('one'), rests.nextMs()]).toEqual([true, 1])
  clock.ms = 20
  expect([rests.isResting('one'), rests.nextMs()]).toEqual([false, undefined])
  rests.took('one', 500)
  expect(rests.nextMs()).toBe(30)
})

test('short work needs no rest, and a group that was alone for five seconds none either', () => {
  const { clock, rests } = restsAt()
  rests.saw('other')
  rests.saw('one')
  rests.took('one', 4)
  expect(rests.isResting('one')).toBe(false)
  clock.ms = 5_001
  rests.saw('one')
  rests.took('one', 20)
  expect(rests.isResting('one')).toBe(false)
})
