import fc from 'fast-check'

type Field = { name: string; type: string }
/** Typed data in the JSON form of `eth_signTypedData_v4`. */
export type TypedDataJson = {
  domain: Record<string, unknown>
  types: Record<string, Field[]>
  primaryType: string
  message: Record<string, unknown>
}

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const text = fc.string({ unit: 'grapheme', maxLength: 40 })

function uint(bits: number): fc.Arbitrary<unknown> {
  const max = 2n ** BigInt(bits) - 1n
  return fc.oneof(fc.nat(255), fc.bigInt({ min: 0n, max }).map(String), fc.constant(max).map(String))
}

function int(bits: number): fc.Arbitrary<unknown> {
  const half = 2n ** BigInt(bits - 1)
  return fc.oneof(fc.integer({ min: -128, max: 127 }), fc.bigInt({ min: -half, max: half - 1n }).map(String))
}

const atomic: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  address: hex(20),
  bool: fc.boolean(),
  string: text,
  bytes: fc.uint8Array({ maxLength: 70 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  bytes1: hex(1),
  bytes4: hex(4),
  bytes32: hex(32),
  uint8: uint(8),
  uint160: uint(160),
  uint256: uint(256),
  int8: int(8),
  int128: int(128),
  int256: int(256),
}

/** Structs refer only to those behind them, so that every value is finite. */
const structNames = ['Order', 'Person', 'Item', 'Leaf']

function valuesOf(type: string, types: Record<string, Field[]>): fc.Arbitrary<unknown> {
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array) {
    const length = array[2] === '' ? {} : { minLength: Number(array[2]), maxLength: Number(array[2]) }
    return fc.array(valuesOf(array[1] ?? '', types), { maxLength: 3, ...length })
  }
  const fields = types[type]
  if (!fields) return atomic[type] ?? fc.constant(null)
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, valuesOf(field.type, types)])))
}

function fieldsOf(level: number): fc.Arbitrary<Field[]> {
  const base = fc.constantFrom(...Object.keys(atomic), ...structNames.slice(level + 1))
  const type = fc
    .tuple(base, fc.constantFrom('', '', '', '[]', '[2]', '[][1]'))
    .map((parts) => parts.join(''))
  return fc
    .array(type, { minLength: level === 0 ? 1 : 0, maxLength: 4 })
    .map((list) => list.map((entry, index) => ({ name: `field${index}`, type: entry })))
}

const domain = fc.record(
  {
    name: text,
    // viem leaves an empty version out of a domain type it derives; EIP-712 and ethers do not.
    version: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }),
    chainId: fc.nat(100_000),
    verifyingContract: hex(20),
    salt: hex(32),
  },
  { requiredKeys: [] },
)

/** Typed data over all kinds of types, without a declared domain type. */
export const randomTypedData: fc.Arbitrary<TypedDataJson> = fc
  .tuple(...structNames.map((_, level) => fieldsOf(level)))
  .map((lists) => Object.fromEntries(lists.map((fields, index) => [structNames[index] ?? '', fields])))
  .chain((types) =>
    fc.record({
      domain,
      types: fc.constant(types),
      primaryType: fc.constant('Order'),
      message: valuesOf('Order', types) as fc.Arbitrary<Record<string, unknown>>,
    }),
  )
