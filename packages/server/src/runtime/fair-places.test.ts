import { describe, expect, test } from 'vitest'
import { fairPlaces } from './fair-places.ts'

/** Places whose clock the test moves, and requests that hold theirs until the test ends them. */
function placesOf() {
  const clock = { nowMs: 0 }
  const places = fairPlaces({
    nowMs: () => clock.nowMs,
    refuse: (afterSeconds) => new Error(`again in ${afterSeconds}`),
  })
  const held: Record<string, (() => void)[]> = {}
  const refused: Record<string, number> = {}
  const ask = (group: string, count = 1, bytes = 26_000) => {
    for (let i = 0; i < count; i++)
      void places.take(group, bytes).then(
        (giveBack) => {
          held[group] = [...(held[group] ?? []), giveBack]
        },
        () => {
          refused[group] = (refused[group] ?? 0) + 1
        },
      )
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { clock, places, held, refused, ask, settle }
}

describe('places of groups', () => {
  test('a group beside others has few at once, and each that is given back is the next one’s', async () => {
    const { ask, held, settle } = placesOf()
    ask('other')
    ask('flood', 50)
    await settle()
    expect(held['flood']).toHaveLength(2)
    held['flood']?.[0]?.()
    await settle()
    expect(held['flood']).toHaveLength(3)
  })

  test('eight short bodies are served at once where two long ones are', async () => {
    const { ask, held, settle } = placesOf()
    ask('other')
    ask('flood', 50, 1_024)
    await settle()
    expect(held['flood']).toHaveLength(8)
    ask('mixed', 1, 1_025)
    ask('mixed', 50, 0)
    await settle()
    expect(held['mixed']).toHaveLength(7)
  })

  test('a place that is given back twice counts once', async () => {
    const { ask, held, settle } = placesOf()
    ask('other')
    ask('flood', 50)
    await settle()
    held['flood']?.[0]?.()
    held['flood']?.[0]?.()
    await settle()
    expect(held['flood']).toHaveLength(3)
  })

  test('the flood of one group takes no place of another', async () => {
    const { ask, held, settle } = placesOf()
    ask('flood', 500)
    ask('other', 2)
    await settle()
    expect(held['other']).toHaveLength(2)
  })

  test('a group alone has many at once, and fewer as soon as another one comes', async () => {
    const { ask, held, settle } = placesOf()
    ask('flood', 50)
    await settle()
    expect(held['flood']).toHaveLength(16)
    ask('other')
    await settle()
    for (const giveBack of held['flood'] ?? []) giveBack()
    await settle()
    expect(held['flood']).toHaveLength(16 + 2)
  })

  test('a group is alone again once the others were silent for a while', async () => {
    const { ask, clock, held, settle } = placesOf()
    ask('other')
    clock.nowMs = 5_001
    ask('flood', 50)
    await settle()
    expect(held['flood']).toHaveLength(16)
  })

  test('what would wait for longer than two seconds is refused, and the others are not', async () => {
    const { ask, clock, held, refused, settle } = placesOf()
    ask('other')
    ask('flood', 3)
    await settle()
    for (let round = 0; round < 40; round++) {
      clock.nowMs += 1_000
      held['flood']?.shift()?.()
      ask('flood')
      ask('other')
      await settle()
    }
    expect(refused['flood']).toBeUndefined()
    ask('flood', 100)
    await settle()
    expect(refused['flood']).toBeGreaterThan(80)
    expect(refused['other']).toBeUndefined()
  })
})
