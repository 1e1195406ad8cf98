import { expect, test } from 'vitest'
import { encodeUtf8 } from './codec/utf8.ts'
import { parseAminoJson } from './cosmos/amino-json.ts'
import { tokenCall } from './near/token-call.ts'
import { decodeSolanaMessage } from './solana/transaction-message.ts'

const times = (count: number, value: number[]) => Array.from({ length: count }, () => value).flat()

test('a Solana transaction has at most 64 instructions', () => {
  const message = (instructions: number) =>
    decodeSolanaMessage(
      Uint8Array.from([
        ...[1, 0, 1, 2, ...times(32, [1]), ...times(32, [0]), ...times(32, [9])],
        ...[instructions, ...times(instructions, [1, 0, 0])],
      ]),
    )
  expect(message(64).instructions).toHaveLength(64)
  expect(() => message(65)).toThrow('The transaction has more than 64 instructions.')
})

test('an amino document has at most 16,384 values', () => {
  const document = (values: number) => encodeUtf8(`[${Array.from({ length: values }, () => 1).join()}]`)
  expect(parseAminoJson(document(16_384))).toHaveLength(16_384)
  expect(() => parseAminoJson(document(16_385))).toThrow('The sign document has more than 16384 values.')
})

test('a Near call is read as one of a token up to 16 KiB of arguments', () => {
  const call = (bytes: number) => {
    const start = '{"receiver_id":"bob.near","amount":"1","memo":"'
    return tokenCall('ft_transfer', encodeUtf8(`${start.padEnd(bytes - 2, 'x')}"}`))
  }
  expect(call(16_384)).toMatchObject({ kind: 'transfer', to: 'bob.near', amount: 1n })
  expect(call(16_385)).toBeUndefined()
})
