import {
  type EncodeFunctionDataParameters,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  pad,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import { checksumAddress } from '../address.ts'
import { withReceivers } from './receivers.ts'
import { readRoute } from './routes.ts'

const account = (byte: string) => checksumAddress(hexToBytes(`0x${byte.repeat(20)}`)) as Hex
const [contract, sender, friend, thief, token] = ['11', '22', '33', '44', '55'].map(account) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]
const call: AgentEffect = {
  kind: 'unknown',
  asset: null,
  amount: null,
  from: sender,
  to: contract,
  isNative: false,
  contract,
  selector: null,
}

function encoded(signature: string, args: readonly unknown[]): Hex {
  const abi = parseAbi([`function ${signature}`] as readonly string[])
  return encodeFunctionData({ abi, args } as EncodeFunctionDataParameters)
}
const read = (data: Hex, value = 0n, wrapped?: Hex) =>
  withReceivers([call], hexToBytes(data), { from: sender, value, own: [sender], wrapped })
/** Who gets something, what is taken, and whether that is all that the call says. */
function shown(data: Hex, value = 0n, wrapped?: Hex) {
  const { effects, trap } = read(data, value, wrapped)
  if (trap) return trap
  return effects.map(({ kind, asset, amount, to, hasReceivers }) =>
    kind === 'call' ? `takes ${amount} of ${asset} for ${to}` : `${hasReceivers ? '' : 'partly '}${to}`,
  )
}

test.each([
  ['3593564c', 'execute(bytes,bytes[],uint256)'],
  ['24856bc3', 'execute(bytes,bytes[])'],
  ['12aa3caf', 'swap(address,(address,address,address,address,uint256,uint256,uint256),bytes,bytes)'],
  ['07ed2379', 'swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)'],
  ['f78dc253', 'unoswapTo(address,address,uint256,uint256,uint256[])'],
  ['bc80f1a8', 'uniswapV3SwapTo(address,uint256,uint256,uint256[])'],
  ['e2c95c82', 'unoswapTo(uint256,uint256,uint256,uint256,uint256)'],
  ['175accdc', 'ethUnoswapTo(uint256,uint256,uint256)'],
  ['c4d652af', 'clipperSwapTo(address,address,uint256,address,uint256,uint256,uint256,bytes32,bytes32)'],
  ['6fd3504e', 'depositForBurn(uint256,uint32,bytes32,address)'],
  ['8e0250ee', 'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)'],
  ['c7c7f5b3', 'send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)'],
  ['cbef2aa9', 'sendToken((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)'],
  ['9fbf10fc', 'swap(uint16,uint256,uint256,address,uint256,uint256,(uint256,uint256,bytes),bytes,bytes)'],
  [
    '7b939232',
    'depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)',
  ],
  ['0f5287b0', 'transferTokens(address,uint256,uint16,bytes32,uint256,uint32)'],
  ['9981509f', 'wrapAndTransferETH(uint16,bytes32,uint256,uint32)'],
])('the method with the selector %s is read as what its service deployed', (selector, signature) => {
  expect(toFunctionSelector(signature)).toBe(`0x${selector}`)
  expect(read(`0x${selector}`).trap).toBe('payload_undecodable')
})

describe('Universal Router', () => {
  const parameters = (types: string, ...values: readonly unknown[]) =>
    encodeAbiParameters(parseAbiParameters(types), values as never)
  const execute = (commands: Hex, inputs: readonly Hex[]) =>
    encoded('execute(bytes,bytes[],uint256)', [commands, inputs, 9n])
  const v3 = (to: Hex) => parameters('address,uint256,uint256,bytes,bool', to, 5n, 1n, '0x', false)
  const three = (to: Hex) => parameters('address,address,uint256', token, to, 7n)
  const itself = '0x0000000000000000000000000000000000000002'
  const caller = '0x0000000000000000000000000000000000000001'

  test('names who gets what its commands hand out, whichever command that is', () => {
    for (const command of [0, 1, 8, 9, 11, 12]) {
      const byte = command.toString(16).padStart(2, '0')
      expect(shown(execute(`0x${byte}`, [v3(thief)]))).toEqual([thief])
      expect(shown(execute(`0x${(command | 0x80).toString(16)}`, [v3(thief)]))).toEqual([thief])
    }
    for (const command of ['04', '05', '06'])
      expect(shown(execute(`0x${command}`, [three(thief)]))).toEqual([thief])
    expect(shown(execute('0x0b0004', [v3(itself), v3(itself), three(caller)]))).toEqual([
      `partly ${contract}`,
    ])
    expect(shown(execute('0x0b0004', [v3(itself), v3(itself), three(friend)]))).toEqual([`partly ${friend}`])
    expect(shown(execute('0x04', [three(friend)]), 1n)).toEqual([`partly ${friend}`])
  })

  test('counts what it takes by Permit2', () => {
    expect(shown(execute('0x02', [three(thief)]))).toEqual([thief, `takes 7 of ${token} for ${thief}`])
    const batch = parameters('(address from,address to,uint160 amount,address token)[]', [
      { from: sender, to: friend, amount: 3n, token },
      { from: sender, to: thief, amount: 4n, token },
    ])
    expect(shown(execute('0x0d', [batch]))).toEqual([
      friend,
      thief,
      `takes 3 of ${token} for ${friend}`,
      `takes 4 of ${token} for ${friend}`,
    ])
  })

  test('is refused where one batch is taken by more commands than there are places', () => {
    const batch = parameters(
      '(address from,address to,uint160 amount,address token)[]',
      Array.from({ length: 100 }, () => ({ from: sender, to: friend, amount: 3n, token })),
    )
    const commands = (count: number): Hex => `0x${'0d'.repeat(count)}`
    expect(shown(execute(commands(2), [batch, batch]))).toHaveLength(201)
    expect(shown(execute(commands(3), [batch, batch, batch]))).toBe('payload_undecodable')
  })

  test('reads the takings of Uniswap v4 and plans within plans', () => {
    const take = parameters('address,address,uint256', token, thief, 1n)
    const v4 = parameters('bytes,bytes[]', '0x060e', ['0x', take])
    expect(shown(execute('0x10', [v4]))).toEqual([thief])
    const plan = parameters('bytes,bytes[]', '0x04', [three(thief)])
    expect(shown(execute('0x21', [plan]))).toEqual([thief])
  })

  test('is refused with a command or action that is not known, and with plans without end', () => {
    expect(shown(execute('0x40', [v3(friend)]))).toBe('payload_undecodable')
    expect(shown(execute('0x12', ['0x']))).toBe('payload_undecodable')
    expect(shown(execute('0x0000', [v3(friend)]))).toBe('payload_undecodable')
    expect(shown(execute('0x10', [parameters('bytes,bytes[]', '0x0a', ['0x'])]))).toBe('payload_undecodable')
    let plan = parameters('bytes,bytes[]', '0x04', [three(friend)])
    for (let depth = 0; depth < 4; depth++) plan = parameters('bytes,bytes[]', '0x21', [plan])
    expect(shown(execute('0x21', [plan]))).toBe('payload_undecodable')
  })
})

describe('1inch', () => {
  const swap = (to: Hex) =>
    encoded('swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)', [
      contract,
      [token, token, contract, to, 5n, 1n, 0n],
      '0x',
    ])

  test('names the receiver of a swap, which is the caller where nobody is named', () => {
    expect(shown(swap(thief))).toEqual([`partly ${thief}`])
    expect(shown(swap(`0x${'0'.repeat(40)}`))).toEqual([`partly ${contract}`])
  })
})

describe('bridges', () => {
  const solana = `0x${'77'.repeat(32)}` as Hex

  test('CCTP takes a token for an account there, by its domain', () => {
    const burn = (domain: number, to: Hex) =>
      encoded('depositForBurn(uint256,uint32,bytes32,address)', [5n, domain, to, token])
    expect(shown(burn(6, pad(thief)))).toEqual([thief, `takes 5 of ${token} for ${thief}`])
    expect(shown(burn(6, pad(sender)))).toEqual([contract, `takes 5 of ${token} for ${contract}`])
    expect(shown(burn(5, solana))[0]).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)
    expect(shown(burn(9, solana))[0]).toBe(solana)
  })

  test('LayerZero names who gets tokens, change and native drops', () => {
    const drop = `0x0003${'01'}${'0031'}${'02'}${'00'.repeat(16)}${pad(thief).slice(2)}` as Hex
    const send = (to: Hex, back: Hex, options: Hex, compose: Hex = '0x') =>
      encoded('send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)', [
        [30184, pad(to), 5n, 5n, options, compose, '0x'],
        [1n, 0n],
        back,
      ])
    const taken = (to: Hex) => `takes 5 of ${contract} for ${to}`
    expect(shown(send(friend, sender, '0x'))).toEqual([friend, taken(friend)])
    expect(shown(send(friend, thief, '0x'))).toEqual([friend, thief, taken(friend)])
    expect(shown(send(friend, sender, drop))).toEqual([friend, thief, taken(friend)])
    expect(shown(send(friend, sender, '0x', '0x01'))[0]).toBe(`partly ${friend}`)
    expect(shown(send(friend, sender, '0x0002'))).toBe('payload_undecodable')
    // A drop of another length would have its receiver in what comes before it; thousands of the right one are nobody's.
    expect(shown(send(friend, sender, `0x0003${'01000102'.repeat(20)}`))).toBe('payload_undecodable')
    const times = (count: number) => `0x0003${drop.slice(6).repeat(count)}` as Hex
    expect(shown(send(friend, sender, times(64)))).toEqual([friend, thief, taken(friend)])
    expect(shown(send(friend, sender, times(65)))).toBe('payload_undecodable')
  })

  test('Across names who gets back what nobody fills, and takes value for the wrapped native asset alone', () => {
    const deposit = (back: Hex, to: Hex, message: Hex = '0x') =>
      encoded(
        'depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)',
        [back, to, token, token, 5n, 4n, 10n, friend, 1, 2, 0, message],
      )
    expect(shown(deposit(sender, friend))).toEqual([`partly ${friend}`, `takes 5 of ${token} for ${friend}`])
    expect(shown(deposit(thief, friend))).toEqual([
      `partly ${thief}`,
      `partly ${friend}`,
      `takes 5 of ${token} for ${thief}`,
    ])
    expect(shown(deposit(sender, friend), 5n)).toHaveLength(2)
    expect(shown(deposit(sender, friend), 5n, token)).toEqual([`partly ${friend}`])
  })

  test('Stargate and Wormhole name accounts in bytes and in words', () => {
    const stargate = encoded(
      'swap(uint16,uint256,uint256,address,uint256,uint256,(uint256,uint256,bytes),bytes,bytes)',
      [101, 1n, 1n, sender, 5n, 5n, [0n, 1n, thief], friend, '0x'],
    )
    expect(shown(stargate)).toEqual([friend, thief])
    const wormhole = encoded('transferTokens(address,uint256,uint16,bytes32,uint256,uint32)', [
      token,
      5n,
      2,
      pad(thief),
      0n,
      1,
    ])
    expect(shown(wormhole)).toEqual([thief, `takes 5 of ${token} for ${thief}`])
    expect(
      shown(encoded('wrapAndTransferETH(uint16,bytes32,uint256,uint32)', [2, pad(thief), 0n, 1]), 5n),
    ).toEqual([thief])
  })

  test('LI.FI names the receiver of its bridge data, and not all where another service or a call there is told one', () => {
    const data = '(bytes32,string,string,address,address,address,uint256,uint256,bool,bool)'
    const bridge = (method: string, types: string, values: unknown, isCalled = false) =>
      encoded(`${method}(${data},${types})`, [
        [`0x${'00'.repeat(32)}`, 'x', 'y', friend, token, thief, 5n, 10n, false, isCalled],
        values,
      ])
    const across = '(bytes32,bytes32,bytes32,bytes32,uint256,uint128,bytes32,uint32,uint32,uint32,bytes)'
    const zero = `0x${'00'.repeat(32)}`
    const acrossData = [zero, zero, zero, zero, 1n, 1n, zero, 1, 1, 1, '0x']
    const taken = `takes 5 of ${token} for ${thief}`
    expect(shown(bridge('startBridgeTokensViaAcrossV4', across, acrossData))).toEqual([
      `partly ${thief}`,
      taken,
    ])
    expect(shown(bridge('startBridgeTokensViaAcrossV4', across, acrossData, true))).toEqual([
      `partly ${thief}`,
      taken,
    ])
    expect(
      shown(bridge('startBridgeTokensViaThorSwap', '(address,string,uint256)', [friend, 'memo', 1n])),
    ).toEqual([`partly ${thief}`, taken])
  })
})

test('another method has no route, and a route costs little whatever its offsets are', () => {
  expect(readRoute(Uint8Array.of(1, 2, 3, 4), 0n)).toBeUndefined()
  const loop = hexToBytes(
    `0x24856bc3${'00'.repeat(31)}40${'00'.repeat(31)}60${'00'.repeat(30)}0100${'21'.repeat(256)}`,
  )
  const startedAt = process.cpuUsage()
  expect(readRoute(loop, 0n)).toBeNull()
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(200)
})
