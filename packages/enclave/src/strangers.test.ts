import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { strangers } from './strangers.ts'

const open = (sockets: readonly Socket[]) => sockets.map(({ destroyed }) => !destroyed)
const some = (count: number): Socket[] => Array.from({ length: count }, () => new Socket())

test('a new one takes the place of the longest silent one, and of the oldest where none is silent', () => {
  const places = strangers(3)
  const sockets = some(7)
  const [a, b, c, d, e, f, g] = sockets as [Socket, Socket, Socket, Socket, Socket, Socket, Socket]
  for (const socket of [a, b, c]) places.add(socket)
  places.heard(a)
  places.add(d)
  expect(open([a, b, c, d])).toEqual([true, false, true, true])
  places.add(e)
  expect(open([a, c, d, e])).toEqual([true, false, true, true])
  for (const socket of [d, e]) places.heard(socket)
  places.add(f)
  expect(open([a, d, e, f])).toEqual([false, true, true, true])
  places.add(g)
  expect(open([d, e, f, g])).toEqual([true, true, false, true])
})

test('who has proven a key needs no place and is never closed for one, and a place that was given back is free', () => {
  const places = strangers(2)
  const [known, b, c, d] = some(4) as [Socket, Socket, Socket, Socket]
  places.add(known)
  places.heard(known)
  places.remove(known)
  places.add(b)
  places.add(c)
  expect(open([known, b, c])).toEqual([true, true, true])
  places.add(d)
  expect(open([known, b, c, d])).toEqual([true, false, true, true])
  // Late word of who is gone takes no place.
  places.heard(b)
  places.remove(c)
  const e = new Socket()
  places.add(e)
  expect(open([known, d, e])).toEqual([true, true, true])
})
