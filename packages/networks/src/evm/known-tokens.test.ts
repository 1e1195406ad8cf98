import { encodeFunctionData, erc20Abi, getAddress, type Hex, serializeTransaction } from 'viem'
import { usdc } from 'viem/tokens'
import { describe, expect, test } from 'vitest'
import { messageBytes } from '../intent/message-bytes.ts'
import { chainByHandle, preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { knownTokens } from './known-tokens.ts'

const { publicKey } = testKey('secp256k1', 0)
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const baseUsdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const all = Object.entries(knownTokens).flatMap(([handle, tokens]) =>
  Object.entries(tokens).map(([address, token]) => ({ handle, address, ...token })),
)

/** The amount that a person is shown of a call of a token's contract. */
function displayOf(chain: string, to: Hex, functionName: 'transfer' | 'approve', amount: bigint) {
  const serialized = serializeTransaction({
    chainId: Number(chainByHandle(chain)?.chainId),
    nonce: 0,
    gas: 100_000n,
    maxFeePerGas: 10n ** 9n,
    type: 'eip1559',
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [friend, amount] }),
  })
  const bytes = messageBytes(serialized, 'hex')
  const intent = { kind: 'transaction', network: 'evm', chain, bytes } as const
  return preview(intent, 'secp256k1', publicKey).actions[0]?.amount_display
}

describe('the tokens that are beyond doubt', () => {
  test('are checksummed contracts of chains that there are, one of each symbol', () => {
    for (const { handle, address } of all) {
      expect(chainByHandle(handle)?.network).toBe('evm')
      expect(getAddress(address)).toBe(address)
    }
    const named = all.map(({ handle, symbol }) => `${handle} ${symbol}`)
    expect(new Set(named).size).toBe(named.length)
  })

  test('have the USDC that Circle names, on every chain of ours that has one', () => {
    const addresses: Readonly<Record<number, string>> = usdc.addresses
    const own = all.filter(({ symbol }) => symbol === 'USDC')
    expect(own.map(({ handle }) => handle)).toEqual(Object.keys(knownTokens))
    for (const { handle, address, decimals } of own)
      expect([address, decimals]).toEqual([addresses[Number(chainByHandle(handle)?.chainId)], usdc.decimals])
  })
})

describe('an amount', () => {
  test('of such a token has its symbol and decimals, on each chain', () => {
    for (const { handle, address, symbol, decimals } of all)
      expect(displayOf(handle, address as Hex, 'transfer', 15n * 10n ** BigInt(decimals - 1))).toBe(
        `1.5 ${symbol}`,
      )
    expect(displayOf('base', baseUsdc, 'approve', 1n)).toBe('0.000001 USDC')
  })

  test('without a bound is unlimited, and one of the same address on another chain is in smallest units', () => {
    expect(displayOf('base', baseUsdc, 'approve', 2n ** 256n - 1n)).toBe('unlimited')
    expect(displayOf('optimism', baseUsdc, 'transfer', 1_500_000n)).toBe('1500000 smallest units')
    expect(displayOf('base', friend, 'transfer', 7n)).toBe('7 smallest units')
  })

  test('in typed data is of such a token where the domain names its chain, and only there', () => {
    const fields = ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256']
    const display = (domain: object) =>
      preview(
        {
          kind: 'typed_data',
          chain: 'base',
          typedData: JSON.stringify({
            domain: { verifyingContract: baseUsdc, ...domain },
            types: {
              Permit: fields.map((field) => ({ name: field.split(' ')[0], type: field.split(' ')[1] })),
            },
            primaryType: 'Permit',
            message: { owner: friend, spender: friend, value: '1500000', nonce: 0, deadline: 9 },
          }),
        },
        'secp256k1',
        publicKey,
      ).actions[0]?.amount_display
    expect(display({ chainId: 8453 })).toBe('1.5 USDC')
    for (const domain of [{}, { chainId: 10 }]) expect(display(domain)).toBe('1500000 smallest units')
  })
})
