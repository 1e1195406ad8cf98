import fc from 'fast-check'
import type { TransactionSerializable } from 'viem'

const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((value) => `0x${Buffer.from(value).toString('hex')}` as const)

/** Small, middling and huge amounts, each side of an RLP length boundary. */
const amount = fc.oneof(
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
  fc.bigInt({ min: 0n, max: 2n ** 128n }),
)
const common = {
  nonce: fc.oneof(fc.nat(300), fc.maxSafeNat()),
  gas: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  value: fc.oneof(amount, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
  to: fc.oneof(bytes(20, 20), fc.constant(undefined)),
  data: fc.oneof(fc.constant(undefined), bytes(0, 80), bytes(250, 600)),
}
const accessList = fc.array(
  fc.record({ address: bytes(20, 20), storageKeys: fc.array(bytes(32, 32), { maxLength: 3 }) }),
  {
    maxLength: 3,
  },
)

/** Transactions of the three types we sign, as viem takes them. */
export function randomTransaction(chainId: number): fc.Arbitrary<TransactionSerializable> {
  const id = fc.constant(chainId)
  const legacy = fc.record({ ...common, chainId: id, type: fc.constant('legacy' as const), gasPrice: amount })
  const eip2930 = fc.record({
    ...common,
    chainId: id,
    type: fc.constant('eip2930' as const),
    gasPrice: amount,
    accessList,
  })
  const eip1559 = fc
    .record({
      ...common,
      chainId: id,
      type: fc.constant('eip1559' as const),
      accessList,
      low: amount,
      high: amount,
    })
    .map(({ low, high, ...rest }) => {
      const [maxPriorityFeePerGas, maxFeePerGas] = low < high ? [low, high] : [high, low]
      return { ...rest, maxPriorityFeePerGas, maxFeePerGas }
    })
  return fc.oneof(legacy, eip2930, eip1559) as fc.Arbitrary<TransactionSerializable>
}
