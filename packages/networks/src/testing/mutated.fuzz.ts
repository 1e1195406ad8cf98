import fc from 'fast-check'

/** Bytes with a few of them changed, cut out or put in: most are still nearly valid. */
export function mutated(bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }), kind: fc.nat(5) })
  return fc.tuple(bytes, fc.array(change, { minLength: 1, maxLength: 3 })).map(([start, changes]) => {
    let result = Uint8Array.from(start)
    for (const { at, byte, kind } of changes) {
      const place = at % (result.length + 1)
      const [head, tail] = [result.subarray(0, place), result.subarray(place)]
      if (kind === 0) result = Uint8Array.of(...head, byte, ...tail)
      else if (kind === 1) result = Uint8Array.of(...head, ...tail.subarray(1))
      else if (place < result.length) result[place] = kind === 2 ? (result[place] ?? 0) ^ 1 : byte
    }
    return result
  })
}
