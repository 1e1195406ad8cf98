import { expect, test } from 'vitest'
import { crc32c } from './crc32c.ts'

const counting = Uint8Array.from({ length: 32 }, (_, i) => i)

test.each([
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(255), 0x62a8ab43],
  ['0 to 31', counting, 0x46dd794e],
  ['31 to 0', counting.toReversed(), 0x113fdb5c],
])('the checksum of %s is that of RFC 3720', (_, bytes, checksum) => {
  expect(crc32c(bytes)).toBe(checksum)
})
