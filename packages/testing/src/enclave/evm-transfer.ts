import { encodeIntent } from '@symbolon/networks/testing/by-intent'
import { hexToBytes, serializeTransaction } from 'viem'

const chainIds = { ethereum: 1, base: 8453 } as const

/** The intent of an EIP-1559 transaction that sends native value, or calls a contract with it. */
export function transferIntent(transfer: {
  chain: keyof typeof chainIds
  to: string
  value: bigint
  data?: `0x${string}`
  nonce?: number
}): Uint8Array {
  const { chain, to, value, data, nonce = 0 } = transfer
  const serialized = serializeTransaction({
    type: 'eip1559',
    chainId: chainIds[chain],
    to: to as `0x${string}`,
    value,
    nonce,
    gas: data === undefined ? 21_000n : 100_000n,
    maxFeePerGas: 1_000_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
    ...(data !== undefined && { data }),
  })
  return encodeIntent({ kind: 'transaction', network: 'evm', chain, bytes: hexToBytes(serialized) })
}
