import { members, otherBytes, roomFor, times, type WorstBody } from './worst-body.ts'

const field = (type: string, name: string) => ({ type, name })

const typed = (name: string, types: object, message: object): WorstBody => ({
  name: `typed data: ${name}`,
  body: {
    type: 'typed_data',
    typed_data: {
      domain: { name: 'Worst', chainId: 1, verifyingContract: `0x${'11'.repeat(20)}` },
      types,
      primaryType: 'Root',
      message,
    },
  },
})

const list = (name: string, type: string, values: unknown[], types: object = {}): WorstBody =>
  typed(name, { ...types, Root: [field(`${type}[]`, 'list')] }, { list: values })

/** Typed data at the limits of its decoder: 4,096 values, 2,048 blocks of keccak, 64 KiB. */
export const worstTypedData = (): WorstBody[] => [
  list(
    '4,000 small numbers',
    'uint8',
    times(4_000, () => 1),
  ),
  list(
    '1,550 short texts',
    'string',
    times(1_550, (i) => `text ${i}`),
  ),
  list(
    '1,350 structs of two members',
    'Pair',
    times(1_350, (i) => ({ a: i, b: true })),
    {
      Pair: [field('uint32', 'a'), field('bool', 'b')],
    },
  ),
  list(
    '1,550 empty structs',
    'Empty',
    times(1_550, () => ({})),
    { Empty: [] },
  ),
  list(
    '1,400 addresses',
    'address',
    times(1_400, (i) => `0x${i.toString(16).padStart(40, '0')}`),
  ),
  list(
    '750 numbers of 77 digits',
    'uint256',
    times(750, () => '9'.repeat(77)),
  ),
  typed(
    'one text of 60 KiB',
    { Root: [field('string', 'text')] },
    { text: 'x'.repeat(roomFor(otherBytes, 1) - 200) },
  ),
  linkedTypes(),
  typed(
    '200 array types of 31 dimensions',
    { Root: times(200, (i) => field(`uint8${'[]'.repeat(31)}`, `f${i}`)) },
    members(
      200,
      (i) => `f${i}`,
      () => [],
    ),
  ),
]

/** Each of the types refers to the next ones, so that each of their descriptions has all of them in it. */
function linkedTypes(): WorstBody {
  const count = 60
  const nameOf = (i: number) => `T${i % count}`
  const types = members(count, nameOf, (i) => [
    field(`${nameOf(i + 1)}[]`, 'a'),
    field(`${nameOf(i + 7)}[]`, 'b'),
  ])
  const root = times(count, (i) => field(nameOf(i), `m${i}`))
  return typed(
    '60 types that refer to each other',
    { ...types, Root: root },
    members(
      count,
      (i) => `m${i}`,
      () => ({ a: [], b: [] }),
    ),
  )
}
