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

const toSomebody = { ...common, to: bytes(20, 20), value: amount }
const fees = fc.tuple(amount, amount).map(([low, high]) => {
  const [maxPriorityFeePerGas, maxFeePerGas] = low < high ? [low, high] : [high, low]
  return { maxPriorityFeePerGas, maxFeePerGas }
})

/** Transactions with blobs (EIP-4844, no sidecar), as viem takes them. */
export function randomBlobTransaction(chainId: number): fc.Arbitrary<TransactionSerializable> {
  const hash = bytes(31, 31).map((rest) => `0x01${rest.slice(2)}` as const)
  const own = fc.record({
    ...toSomebody,
    chainId: fc.constant(chainId),
    type: fc.constant('eip4844' as const),
    accessList,
    maxFeePerBlobGas: amount,
    blobVersionedHashes: fc.array(hash, { minLength: 1, maxLength: 9 }),
  })
  return fc.tuple(own, fees).map((parts) => Object.assign({}, ...parts))
}

/** Transactions with authorizations (EIP-7702), as viem takes them. */
export function randomDelegation(chainId: number): fc.Arbitrary<TransactionSerializable> {
  const authorization = fc.record({
    address: bytes(20, 20),
    chainId: fc.constantFrom(0, chainId, 1),
    nonce: fc.oneof(fc.nat(300), fc.maxSafeNat()),
    yParity: fc.nat(1),
    r: bytes(32, 32),
    s: bytes(32, 32),
  })
  const own = fc.record({
    ...toSomebody,
    chainId: fc.constant(chainId),
    type: fc.constant('eip7702' as const),
    accessList,
    authorizationList: fc.array(authorization, { minLength: 1, maxLength: 4 }),
  })
  return fc.tuple(own, fees).map((parts) => Object.assign({}, ...parts))
}
