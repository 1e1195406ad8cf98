import fc from 'fast-check'
import { encodeAbiParameters, encodeErrorResult, parseAbi } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { expect, test } from 'vitest'
import { type Hex, toHex0x } from '../codec/hex.ts'
import { decodeRevert } from './decode-revert.ts'

const abi = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error NotKnown(uint256)',
])
const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const errorText = (text: string) => encodeErrorResult({ abi, errorName: 'Error', args: [text] })

test('the reason of a require is its text, of a panic what went wrong', () => {
  expect(decodeRevert(errorText('not enough funds'))).toBe('not enough funds')
  expect(decodeRevert(errorText('Grüße 🚀'))).toBe('Grüße 🚀')
  const panic = (code: bigint) => decodeRevert(encodeErrorResult({ abi, errorName: 'Panic', args: [code] }))
  expect(panic(0x11n)).toBe('Panic: arithmetic overflow or underflow')
  expect(panic(0x99n)).toBe('Panic: code 153')
})

test('known errors of tokens, the account and the EntryPoint have their names', () => {
  const balance = { abi, errorName: 'ERC20InsufficientBalance', args: [owner, 1n, 2n] } as const
  expect(decodeRevert(encodeErrorResult(balance))).toBe(`ERC20InsufficientBalance(${owner}, 1, 2)`)
  expect(decodeRevert('0x60cd402d')).toBe('InvalidSignatureType()')
  expect(decodeRevert('0xf645eedf')).toBe('ECDSAInvalidSignature()')
  expect(decodeRevert(`0xd78bce0c${'11'.repeat(32)}`)).toBe(`ECDSAInvalidSignatureS(0x${'11'.repeat(32)})`)
  const failed = { abi: entryPoint07Abi, errorName: 'FailedOp', args: [0n, 'AA24 signature error'] } as const
  expect(decodeRevert(encodeErrorResult(failed))).toBe('AA24 signature error')
  const inner = (data: Hex) =>
    decodeRevert(
      encodeErrorResult({
        abi: entryPoint07Abi,
        errorName: 'FailedOpWithRevert',
        args: [0n, 'AA23 reverted', data],
      }),
    )
  expect(inner(errorText('why'))).toBe('AA23 reverted: why')
  expect(inner('0x12345678')).toBe('AA23 reverted: 0x12345678')
})

test('revert data that is unknown, empty, hidden or not its own encoding stays raw hex', () => {
  const unknown = encodeErrorResult({ abi, errorName: 'NotKnown', args: [1n] })
  for (const data of [
    '0x',
    '0x12',
    unknown,
    errorText(''),
    errorText('a\u202eb'),
    errorText('a\u0000b'),
    `${errorText('x')}00`,
    '0x60cd402d00',
    `0x08c379a0${encodeAbiParameters([{ type: 'uint256' }], [32n]).slice(2)}`,
  ] as Hex[]) {
    expect(decodeRevert(data)).toBe(data)
  }
})

test('a reason is one line of bounded length', () => {
  expect(decodeRevert(errorText('a\nb'))).toBe('a b')
  expect(decodeRevert(errorText('x'.repeat(100_000)))).toBe(`${'x'.repeat(512)}…`)
  expect(decodeRevert(`0x${'ee'.repeat(100_000)}`)).toBe(`0x${'ee'.repeat(2048)}…`)
  let nested = errorText('deep')
  for (let depth = 0; depth < 50; depth++) {
    nested = encodeErrorResult({
      abi: entryPoint07Abi,
      errorName: 'FailedOpWithRevert',
      args: [0n, 'AA', nested],
    })
  }
  expect(decodeRevert(nested)).toMatch(/^AA: AA: AA: 0x65c8fd4d[0-9a-f]+…$/)
})

test('no data makes it throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('08c379a0', '4e487b71', '220266b6', '65c8fd4d', 'e450d38c', ''),
      fc.uint8Array({ maxLength: 200 }),
      (selector, bytes) => {
        expect(typeof decodeRevert(`0x${selector}${toHex0x(bytes).slice(2)}`)).toBe('string')
      },
    ),
    { numRuns: 1000 },
  )
  expect(decodeRevert('0x1')).toBe('malformed revert data')
})
