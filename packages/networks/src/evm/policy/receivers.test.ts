import {
  type AbiParameter,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  parseAbi,
} from 'viem'
import { expect, test } from 'vitest'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import { checksumAddress } from '../address.ts'
import { withReceivers } from './receivers.ts'

const account = (byte: string) => checksumAddress(hexToBytes(`0x${byte.repeat(20)}`)) as Hex
const [contract, sender, friend] = [account('11'), account('22'), account('33')]
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
const read = (data: Hex) =>
  withReceivers([call], hexToBytes(data), { from: sender, value: 0n, own: [sender] })
const paidBy = (data: Hex) => read(data).effects.map(({ to }) => to)

/** As the contracts' own interfaces have them; whoever gets something is called `receiver` here. */
const methods = [
  'deposit(uint256 assets, address receiver)',
  'deposit(uint256 assets, address receiver, address controller)',
  'deposit(uint256 assets, address receiver, uint256 minShares)',
  'mint(uint256 shares, address receiver)',
  'mint(uint256 shares, address receiver, address controller)',
  'mint(uint256 shares, address receiver, uint256 maxAssets)',
  'withdraw(uint256 shares, address receiver)',
  'withdraw(uint256 shares, address receiver, uint256 maxLoss)',
  'withdraw(uint256 assets, address receiver, address owner)',
  'withdraw(uint256 assets, address receiver, address owner, uint256 maxLoss)',
  'withdraw(uint256 assets, address receiver, address owner, uint256 maxLoss, address[] strategies)',
  'redeem(uint256 shares, address receiver, address owner, uint256 maxLoss)',
  'redeem(uint256 shares, address receiver, address owner, uint256 maxLoss, address[] strategies)',
  'requestDeposit(uint256 assets, address receiver, address owner)',
  'requestRedeem(uint256 shares, address receiver, address owner)',
  'requestWithdrawals(uint256[] amounts, address receiver)',
  'claimWithdrawalsTo(uint256[] ids, uint256[] hints, address receiver)',
  'depositFor(address receiver, uint256 amount)',
  'depositTo(address receiver)',
  'stakeFor(address receiver, uint256 amount)',
  'supply(address asset, uint256 amount, address receiver, uint16 referral)',
  'deposit(address asset, uint256 amount, address receiver, uint16 referral)',
  'supplyWithPermit(address asset, uint256 amount, address receiver, uint16 referral, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'withdraw(address asset, uint256 amount, address receiver)',
  'repay(address asset, uint256 amount, uint256 mode, address receiver)',
  'depositETH(address pool, address receiver, uint16 referral)',
  'withdrawETH(address pool, uint256 amount, address receiver)',
  'withdrawETHWithPermit(address pool, uint256 amount, address receiver, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'repayETH(address pool, uint256 amount, uint256 mode, address receiver)',
  'repayETH(address pool, uint256 amount, address receiver)',
  'supplyTo(address receiver, address asset, uint256 amount)',
  'supplyFrom(address from, address receiver, address asset, uint256 amount)',
  'withdrawTo(address receiver, address asset, uint256 amount)',
  'withdrawFrom(address from, address receiver, address asset, uint256 amount)',
  'transferAsset(address receiver, address asset, uint256 amount)',
  'transferAssetFrom(address from, address receiver, address asset, uint256 amount)',
  'supply((address a, address b, address c, address d, uint256 e) market, uint256 assets, uint256 shares, address receiver, bytes data)',
  'repay((address a, address b, address c, address d, uint256 e) market, uint256 assets, uint256 shares, address receiver, bytes data)',
  'withdraw((address a, address b, address c, address d, uint256 e) market, uint256 assets, uint256 shares, address owner, address receiver)',
  'borrow((address a, address b, address c, address d, uint256 e) market, uint256 assets, uint256 shares, address owner, address receiver)',
  'supplyCollateral((address a, address b, address c, address d, uint256 e) market, uint256 assets, address receiver, bytes data)',
  'withdrawCollateral((address a, address b, address c, address d, uint256 e) market, uint256 assets, address owner, address receiver)',
  'swapExactTokensForTokens(uint256 amountIn, uint256 least, address[] path, address receiver, uint256 deadline)',
  'swapTokensForExactTokens(uint256 amountOut, uint256 most, address[] path, address receiver, uint256 deadline)',
  'swapExactETHForTokens(uint256 least, address[] path, address receiver, uint256 deadline)',
  'swapETHForExactTokens(uint256 amountOut, address[] path, address receiver, uint256 deadline)',
  'swapExactTokensForETH(uint256 amountIn, uint256 least, address[] path, address receiver, uint256 deadline)',
  'swapTokensForExactETH(uint256 amountOut, uint256 most, address[] path, address receiver, uint256 deadline)',
  'swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 least, address[] path, address receiver, uint256 deadline)',
  'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 least, address[] path, address receiver, uint256 deadline)',
  'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 least, address[] path, address receiver, uint256 deadline)',
  'addLiquidity(address a, address b, uint256 c, uint256 d, uint256 e, uint256 f, address receiver, uint256 deadline)',
  'addLiquidityETH(address token, uint256 a, uint256 b, uint256 c, address receiver, uint256 deadline)',
  'removeLiquidity(address a, address b, uint256 c, uint256 d, uint256 e, address receiver, uint256 deadline)',
  'removeLiquidityETH(address token, uint256 a, uint256 b, uint256 c, address receiver, uint256 deadline)',
  'removeLiquidityETHSupportingFeeOnTransferTokens(address token, uint256 a, uint256 b, uint256 c, address receiver, uint256 deadline)',
  'removeLiquidityWithPermit(address a, address b, uint256 c, uint256 d, uint256 e, address receiver, uint256 deadline, bool max, uint8 v, bytes32 r, bytes32 s)',
  'removeLiquidityETHWithPermit(address token, uint256 a, uint256 b, uint256 c, address receiver, uint256 deadline, bool max, uint8 v, bytes32 r, bytes32 s)',
  'removeLiquidityETHWithPermitSupportingFeeOnTransferTokens(address token, uint256 a, uint256 b, uint256 c, address receiver, uint256 deadline, bool max, uint8 v, bytes32 r, bytes32 s)',
  'exchange(int128 i, int128 j, uint256 dx, uint256 least, address receiver)',
  'exchange(uint256 i, uint256 j, uint256 dx, uint256 least, address receiver)',
  'exchange(uint256 i, uint256 j, uint256 dx, uint256 least, bool isEther, address receiver)',
  'swap((bytes32 pool, uint8 kind, address a, address b, uint256 amount, bytes data) one, (address from, bool x, address receiver, bool y) funds, uint256 limit, uint256 deadline)',
  'batchSwap(uint8 kind, (bytes32 pool, uint256 i, uint256 j, uint256 amount, bytes data)[] swaps, address[] assets, (address from, bool x, address receiver, bool y) funds, int256[] limits, uint256 deadline)',
  'joinPool(bytes32 pool, address from, address receiver, (address[] assets, uint256[] most, bytes data, bool x) request)',
  'exitPool(bytes32 pool, address from, address receiver, (address[] assets, uint256[] least, bytes data, bool x) request)',
]
/** SwapRouter02: 1 is whoever calls, 2 the router. */
const ofCallers = [
  'exactInputSingle((address a, address b, uint24 fee, address receiver, uint256 c, uint256 d, uint160 price) params)',
  'exactOutputSingle((address a, address b, uint24 fee, address receiver, uint256 c, uint256 d, uint160 price) params)',
  'exactInput((bytes path, address receiver, uint256 a, uint256 b) params)',
  'exactOutput((bytes path, address receiver, uint256 a, uint256 b) params)',
  'swapExactTokensForTokens(uint256 amountIn, uint256 least, address[] path, address receiver)',
  'swapTokensForExactTokens(uint256 amountOut, uint256 most, address[] path, address receiver)',
]
/** Contracts that hold what is for nobody, and take any other word as it stands. */
const literal = [
  'mint((address a, address b, uint24 fee, int24 lower, int24 upper, uint256 c, uint256 d, uint256 e, uint256 f, address receiver, uint256 deadline) params)',
  'exactInputSingle((address a, address b, uint24 fee, address receiver, uint256 deadline, uint256 c, uint256 d, uint160 price) params)',
  'exactOutputSingle((address a, address b, uint24 fee, address receiver, uint256 deadline, uint256 c, uint256 d, uint160 price) params)',
  'exactInput((bytes path, address receiver, uint256 deadline, uint256 a, uint256 b) params)',
  'exactOutput((bytes path, address receiver, uint256 deadline, uint256 a, uint256 b) params)',
  'collect((uint256 id, address receiver, uint128 a, uint128 b) params)',
  'unwrapWETH9(uint256 least, address receiver)',
  'sweepToken(address token, uint256 least, address receiver)',
]

type Given = AbiParameter & { components?: readonly Given[] }

/** Some argument of a type, `receiver` where it is called so. */
function some({ type, name, components = [] }: Given, receiver: Hex): unknown {
  if (type.endsWith('[]')) {
    const one: Given = { type: type.slice(0, -2), name: '', components }
    return [some(one, receiver), some(one, receiver)]
  }
  if (type === 'tuple') return Object.fromEntries(components.map((each) => [each.name, some(each, receiver)]))
  if (type === 'address') return name === 'receiver' ? receiver : account('44')
  if (type === 'bool') return true
  if (type === 'bytes') return '0x0102'
  if (type === 'bytes32') return `0x${'05'.repeat(32)}`
  return type === 'uint8' || type === 'uint16' || type.endsWith('24') ? 7 : 7n
}

function dataOf(signature: string, receiver: Hex): Hex {
  const abi = parseAbi([`function ${signature}`] as readonly string[])
  const [method] = abi
  if (method?.type !== 'function') throw new Error('That is not a method.')
  const args = method.inputs.map((input) => some(input, receiver))
  return encodeFunctionData({ abi, args } as EncodeFunctionDataParameters)
}

test.each([...methods, ...ofCallers, ...literal])('%s is for its receiver', (signature) => {
  expect(paidBy(dataOf(signature, friend))).toEqual([friend])
  expect(paidBy(dataOf(signature, sender))).toEqual([contract])
  const data = dataOf(signature, friend)
  const dirty = data.replace(
    '00'.repeat(12) + '33'.repeat(20),
    `01${'00'.repeat(11)}${'33'.repeat(20)}`,
  ) as Hex
  expect(dirty).not.toBe(data)
  expect(read(dirty).trap).toBe('payload_undecodable')
  expect(read(data.slice(0, 10) as Hex).trap).toBe('payload_undecodable')
})

const word = (number: string): Hex => `0x${number.padStart(40, '0')}`

test.each(ofCallers)('%s with a word of the router pays nobody else yet', (signature) => {
  expect(read(dataOf(signature, word('1'))).effects).toEqual([{ ...call, hasReceivers: true }])
  for (const itself of ['0', '2']) expect(read(dataOf(signature, word(itself))).effects).toEqual([call])
  expect(paidBy(dataOf(signature, word('3')))).toEqual([word('3')])
})

test.each(literal)('%s keeps what is for nobody, and pays the accounts 1 and 2', (signature) => {
  expect(read(dataOf(signature, word('0'))).effects).toEqual([call])
  for (const number of ['1', '2']) expect(paidBy(dataOf(signature, word(number)))).toEqual([word(number)])
})

test('a router that takes a fee on the way pays two', () => {
  const fee = account('66')
  const abi = parseAbi([
    'function unwrapWETH9WithFee(uint256,address,uint256,address)',
    'function sweepTokenWithFee(address,uint256,address,uint256,address)',
  ])
  const unwrapped = encodeFunctionData({
    abi,
    functionName: 'unwrapWETH9WithFee',
    args: [1n, friend, 1n, fee],
  })
  const swept = encodeFunctionData({
    abi,
    functionName: 'sweepTokenWithFee',
    args: [contract, 1n, sender, 1n, fee],
  })
  expect(paidBy(unwrapped)).toEqual([friend, fee])
  expect(paidBy(swept)).toEqual([fee])
})

test('a tuple that is not where it should be is not read', () => {
  const data = dataOf('exactInput((bytes path, address receiver, uint256 a, uint256 b) params)', friend)
  const moved = `${data.slice(0, 10)}${'40'.padStart(64, '0')}${'0'.repeat(64)}${data.slice(74)}` as Hex
  expect(read(moved).trap).toBe('payload_undecodable')
})

test('data that names no known receiver leaves the effects as they are', () => {
  for (const data of ['0x', '0x12', '0x12345678'] as const)
    expect(read(data)).toEqual({ effects: [call], trap: null })
})
