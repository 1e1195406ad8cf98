import fc from 'fast-check'
import { verifyTypedData, hashTypedData as viemHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomTypedData, type TypedDataJson } from '../testing/random-typed-data.fuzz.ts'
import { vectorJson, vectorText } from '../testing/vectors.ts'
import { hashTypedData } from './typed-data.ts'

type ViemTypedData = Parameters<typeof viemHash>[0]

const mail: TypedDataJson = {
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

const hashOf = (typed: unknown) => toHex0x(hashTypedData(JSON.stringify(typed)))
const one = (type: string, value: unknown) => ({
  domain: {},
  types: { One: [{ name: 'value', type }] },
  primaryType: 'One',
  message: { value },
})

function refused(text: string): void {
  expect(() => hashTypedData(text)).toThrow(expect.objectContaining({ code: 'invalid_payload' }))
}

describe('typed data', () => {
  test('the example of EIP-712 has its hash', () => {
    expect(hashOf(mail)).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2')
  })

  test('generated typed data hashes as in viem', () => {
    fc.assert(
      fc.property(randomTypedData, (typed) => {
        expect(hashOf(typed)).toBe(viemHash(typed as ViemTypedData))
      }),
      { numRuns: 300 },
    )
  })

  test('a signature passes viem', async () => {
    for (const [index, typed] of fc.sample(randomTypedData, 20).entries()) {
      const key = testKey('secp256k1', index)
      const answer = signIntent({ kind: 'typed_data', chain: 'base', typedData: JSON.stringify(typed) }, key)
      const address = answer.address as `0x${string}`
      const signature = answer.signature as `0x${string}`
      const parameters = { ...(typed as ViemTypedData), address, signature }
      expect(await verifyTypedData(parameters as Parameters<typeof verifyTypedData>[0])).toBe(true)
    }
  })

  test('a bare domain hashes as in viem', () => {
    const typed = { domain: { name: 'x' }, types: {}, primaryType: 'EIP712Domain', message: {} }
    expect(hashOf(typed)).toBe(
      viemHash({
        ...typed,
        types: { EIP712Domain: [{ name: 'name', type: 'string' }] },
      } as unknown as ViemTypedData),
    )
  })

  test.each([
    ['uint256', 'a'],
    ['uint256', ''],
    ['uint256', '01'],
    ['uint256', '+1'],
    ['uint256', '1.0'],
    ['uint256', '1e3'],
    ['uint256', ' 1'],
    ['uint256', '0x'],
    ['uint256', '0x01'],
    ['uint256', '-1'],
    ['uint256', -1],
    ['uint256', 1.5],
    ['uint256', 2 ** 53],
    ['uint256', true],
    ['uint256', null],
    ['uint256', [1]],
    ['uint256', (2n ** 256n).toString()],
    ['uint8', 256],
    ['int8', 128],
    ['int8', -129],
    ['int8', '-0'],
    ['bool', 'true'],
    ['bool', 1],
    ['string', 5],
    ['string', '\ud800'],
    ['bytes', '0x1'],
    ['bytes', 'ab'],
    ['bytes', [1]],
    ['bytes4', '0x0000'],
    ['bytes4', '0x0000000000'],
    ['address', '0x'],
    ['address', `0x${'1'.repeat(39)}`],
    ['address', '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD827'],
    ['uint256[]', 5],
    ['uint256[2]', [1]],
    ['uint256[2]', { 0: 1, 1: 2, length: 2 }],
    ['uint7', 1],
    ['uint0', 1],
    ['uint264', 1],
    ['uint', -1],
    ['uints', 1],
    ['bytes33', `0x${'00'.repeat(33)}`],
    ['bytes0', '0x'],
    ['Missing', {}],
    ['uint256[-1]', [1]],
    ['uint256[0]', []],
    ['uint256]', 1],
    ['[]', []],
  ])('a %s of %j is refused', (type, value) => {
    refused(JSON.stringify(one(type, value)))
  })

  const named = (typeName: string, memberName: string) =>
    JSON.stringify({
      domain: {},
      types: { [typeName]: [{ name: memberName, type: 'uint8' }] },
      primaryType: typeName,
      message: { [memberName]: 1 },
    })
  const oddNames = ['', '1a', 'a(b', 'a)', 'a,b', 'a b', ' a', 'a\n', 'a-b', 'a.b', 'é', 'a[]', 'a\u200b']
  test.each([...oddNames, 'uint', 'int', 'uint8', 'address'])('a type named %j is refused', (name) => {
    refused(named(name, 'a'))
  })
  test.each([...oddNames, 'a:b', ':'])('a member named %j is refused', (name) => refused(named('A', name)))
  test.each(['A:B', 'A:', '$', '_a1$:'])('a type named %j is taken', (name) => {
    expect(() => hashTypedData(named(name, '$_a1'))).not.toThrow()
  })

  test('a type named with a colon, as all of Hyperliquid are, hashes as viem hashes it', () => {
    const typed = {
      domain: {
        name: 'HyperliquidSignTransaction',
        version: '1',
        chainId: 42161,
        verifyingContract: `0x${'0'.repeat(40)}`,
      },
      types: {
        'HyperliquidTransaction:UsdSend': [
          { name: 'hyperliquidChain', type: 'string' },
          { name: 'destination', type: 'string' },
          { name: 'amount', type: 'string' },
          { name: 'time', type: 'uint64' },
        ],
      },
      primaryType: 'HyperliquidTransaction:UsdSend',
      message: {
        hyperliquidChain: 'Mainnet',
        destination: `0x${'1'.repeat(40)}`,
        amount: '1',
        time: 1_700_000_000_000,
      },
    } as const
    expect(hashOf(typed)).toBe(
      viemHash({ ...typed, message: { ...typed.message, time: 1_700_000_000_000n } }),
    )
  })

  test.each([
    ['uint', 7, 'uint256'],
    ['int', -7, 'int256'],
    ['uint[]', [7], 'uint256[]'],
    ['int[2]', [7, -7], 'int256[2]'],
  ])('%s is another name of its full type', (type, value, full) => {
    expect(hashOf(one(type, value))).toBe(hashOf(one(full, value)))
  })

  test('unknown and missing members, fields and types are refused', () => {
    const { message, types, domain } = mail
    for (const typed of [
      { ...mail, extra: 1 },
      { ...mail, message: { ...message, extra: 1 } },
      { ...mail, message: { from: message['from'], to: message['to'] } },
      { ...mail, message: { ...message, to: { name: 'Bob' } } },
      { ...mail, message: { ...message, to: null } },
      { ...mail, domain: { ...domain, extra: 1 } },
      { ...mail, domain: { name: 'Ether Mail' } },
      { ...mail, primaryType: 'Letter' },
      { ...mail, primaryType: 'toString' },
      {
        ...mail,
        types: { ...types, Person: [...(types['Person'] ?? []), { name: 'name', type: 'string' }] },
      },
      { ...mail, types: { ...types, Mail: 'Person' } },
      { ...mail, types: { ...types, uint256: [] } },
      { ...mail, types: { ...types, uint: [] } },
      ...['a b', 'a,b', 'a(b', 'a)b', ':a', 'a\u00e9'].map((name) => ({
        ...mail,
        types: { ...types, [name]: [] },
      })),
      { ...mail, types: { ...types, Extra: [{ name: 'a:b', type: 'string' }] } },
      { ...mail, types: { ...types, EIP712Domain: [{ name: 'name', type: 'bytes' }] } },
      { ...mail, domain: { chainId: 1, other: 2 }, types: { ...types, EIP712Domain: undefined } },
      { domain, types, primaryType: 'Mail' },
      [],
      null,
      'mail',
    ]) {
      refused(JSON.stringify(typed))
    }
    refused('{')
    refused(JSON.stringify(mail).replace('"contents":', '"__proto__":'))
  })

  test.each([
    [
      { message: { ...mail.message, to: { name: 'Bob' } } },
      'A Person of the typed data lacks the field wallet.',
    ],
    [
      { message: { ...mail.message, secret: 1 } },
      'A Mail of the typed data has a field that its type does not declare.',
    ],
    [
      { types: { ...mail.types, Mail: [{ name: 'to', type: 'adress' }] } },
      'The typed data uses a type that it does not declare: adress.',
    ],
    [
      { types: { ...mail.types, Mail: [{ name: 'to', type: '<b>' }] } },
      'The typed data uses a type that it does not declare.',
    ],
  ])('a refusal names the type and field at fault, and no other text of the request (%#)', (change, text) => {
    expect(() => hashTypedData(JSON.stringify({ ...mail, ...change }))).toThrow(text)
  })

  test('a recursive type is bounded in depth, and ends', () => {
    const types = { Node: [{ name: 'next', type: 'Node[]' }] }
    const nested = (depth: number): unknown => ({ next: depth === 0 ? [] : [nested(depth - 1)] })
    const typed = (depth: number) => ({ domain: {}, types, primaryType: 'Node', message: nested(depth) })
    expect(hashOf(typed(10))).toMatch(/^0x/)
    refused(JSON.stringify(typed(40)))
    refused(JSON.stringify(typed(2000)))
  })

  test('a chain of 40 nested structs is refused, one of 20 is not', () => {
    const typed = (depth: number) => {
      const types = Object.fromEntries(
        Array.from({ length: depth }, (_, level) => [
          `S${level}`,
          level === depth - 1 ? [] : [{ name: 'next', type: `S${level + 1}` }],
        ]),
      )
      const message = Array.from({ length: depth - 1 }).reduce<object>((next) => ({ next }), {})
      return { domain: {}, types, primaryType: 'S0', message }
    }
    expect(hashOf(typed(20))).toBe(viemHash(typed(20) as unknown as ViemTypedData))
    refused(JSON.stringify(typed(40)))
  })

  test('types that would hash megabytes of their own names are refused soon', () => {
    const types: Record<string, unknown> = {
      Top: Array.from({ length: 250 }, (_, i) => ({ name: `f${i}`, type: `T${i}` })),
    }
    for (let index = 0; index < 250; index++) {
      types[`T${index}`] = Array.from({ length: 8 }, (_, field) => ({
        name: `${'n'.repeat(100)}${field}`,
        type: `T${(index + 1 + field) % 250}[]`,
      }))
    }
    const empty = Object.fromEntries(
      Array.from({ length: 8 }, (_, field) => [`${'n'.repeat(100)}${field}`, []]),
    )
    const message = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, empty]))
    const start = process.cpuUsage()
    refused(JSON.stringify({ domain: {}, types, primaryType: 'Top', message }))
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000)
  })

  test('typed data has at most 4,096 values, the structs of domain and message among them', () => {
    const list = (count: number) => JSON.stringify(one('uint8[]', Array(count).fill(1)))
    expect(() => hashTypedData(list(4_093))).not.toThrow()
    refused(list(4_094))
  })

  test('typed data takes at most 2,048 blocks of keccak, short texts as well as long ones', () => {
    const texts = (count: number) => JSON.stringify(one('string[]', Array(count).fill('x')))
    expect(() => hashTypedData(texts(1_600))).not.toThrow()
    refused(texts(2_000))
    expect(() => hashTypedData(JSON.stringify(one('string', 'x'.repeat(270_000))))).not.toThrow()
    refused(JSON.stringify(one('string', 'x'.repeat(280_000))))
  })

  test('mangled typed data is refused with NetworkError or hashes as in viem', () => {
    const mangled = fc
      .tuple(randomTypedData, fc.nat(), fc.constantFrom('"', '0', '}', 'a', '\\', '-', '['))
      .map(([typed, at, character]) => {
        const text = JSON.stringify(typed)
        const cut = at % text.length
        return text.slice(0, cut) + character + text.slice(cut + 1)
      })
    fc.assert(
      fc.property(mangled, (text) => {
        try {
          hashTypedData(text)
        } catch (error) {
          expect(error).toBeInstanceOf(NetworkError)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('the typed data of ethers has its digests', () => {
    type Case = {
      name: string
      domain: object
      primaryType: string
      types: object
      data: object
      digest: string
    }
    const cases = vectorJson<Case[]>('ethereum/ethers_typed-data_a.json')
    for (const { domain, primaryType, types, data, digest } of cases ?? []) {
      expect(hashOf({ domain, types, primaryType, message: data })).toBe(digest)
    }
    expect(cases?.length).not.toBe(0)
    expect(vectorText('ethereum/eip-712.md')?.includes('Ether Mail') ?? true).toBe(true)
  })
})
