import {
  bytesToHex,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  parseAbiParameters,
  serializeTransaction,
  toHex,
} from 'viem'
import { worstMessages } from './messages.ts'
import { worstTypedData } from './typed-data.ts'
import { roomFor, times, transactionBytes, type WorstBody } from './worst-body.ts'

const contract: Hex = `0x${'22'.repeat(20)}`
const addressOf = (n: number): Hex => pad(toHex(n + 1), { size: 20 })
const fees = {
  gas: 3_000_000n,
  maxFeePerGas: 1_000_000_000n,
  maxPriorityFeePerGas: 1n,
  nonce: 0,
  chainId: 8453,
}

const serialized = (name: string, data: Hex, more: object = {}, to: Hex = contract): WorstBody => ({
  name: `transaction: ${name}`,
  body: {
    type: 'transaction',
    chain: 'base',
    transaction: serializeTransaction({ ...fees, to, data, ...more }),
  },
})

const fields = (name: string, transaction: object): WorstBody => ({
  name: `transaction: ${name}`,
  body: {
    type: 'transaction',
    chain: 'base',
    transaction: {
      to: contract,
      nonce: '0x0',
      gas_limit: '0x2dc6c0',
      max_fee_per_gas: '0x3b9aca00',
      max_priority_fee_per_gas: '0x1',
      data: '0x',
      ...transaction,
    },
  },
})

/** As many commands as a router takes, each with an input of its own place. */
const routerAbi = parseAbi([
  'function execute(bytes commands, bytes[] inputs, uint256 deadline)',
  'function send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)',
])
const swapInput = encodeAbiParameters(parseAbiParameters('address,uint256,uint256,bytes,bool'), [
  contract,
  1n,
  1n,
  concatHex([contract, '0x000bb8', contract]),
  true,
])
const execute = (inputs: readonly Hex[]): Hex =>
  encodeFunctionData({
    abi: routerAbi,
    functionName: 'execute',
    args: [`0x${'00'.repeat(inputs.length)}`, inputs, 9n],
  })
/** Offsets that all lead to the one input behind them. */
const sharedInput = (): Hex => {
  const one = execute([swapInput])
  const [words, behind] = [(n: number) => pad(toHex(n), { size: 32 }), swapInput.length / 2 - 1]
  return concatHex([
    `0x${one.slice(2, 10)}`,
    ...[96, 96 + 32 + 256, 9].map(words),
    ...[words(256), `0x${'00'.repeat(256)}` as Hex],
    ...[words(256), ...times(256, () => words(256 * 32)), words(behind), swapInput],
  ])
}
/** Native drops of LayerZero, 52 bytes each. */
const dropping = (count: number): Hex =>
  encodeFunctionData({
    abi: routerAbi,
    functionName: 'send',
    args: [
      [
        ...([30184, pad(contract), 5n, 5n] as const),
        concatHex([
          '0x0003',
          ...times(count, (n) => concatHex(['0x01003102', pad(toHex(n + 1), { size: 48 })])),
        ]),
        ...(['0x', '0x'] as const),
      ],
      [1n, 0n],
      contract,
    ],
  })

const erc20 = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
])
const multicall = parseAbi([
  'function multicall(bytes[] data)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  'function executeBatch(address[] dest, uint256[] value, bytes[] func)',
])
const approve = (i: number): Hex =>
  encodeFunctionData({ abi: erc20, functionName: 'approve', args: [addressOf(i), 2n ** 256n - 1n] })

/** Batches within batches, as wide as decoders follow them. */
function nested(depth: number, width: number): Hex {
  if (depth === 0) return approve(width)
  return encodeFunctionData({
    abi: multicall,
    functionName: 'multicall',
    args: [times(width, (i) => (i === 0 ? nested(depth - 1, width) : approve(i)))],
  })
}

const room = roomFor(transactionBytes, 2) - 200

/** Transactions of 256 KiB, typed data and messages of 64 KiB. */
export const worstEvm = (): WorstBody[] => [
  serialized('128 KiB of calldata', bytesToHex(new Uint8Array(room).fill(7))),
  serialized(
    'multicall of 700 approvals',
    encodeFunctionData({ abi: multicall, functionName: 'multicall', args: [times(700, approve)] }),
  ),
  serialized('multicalls within multicalls', nested(3, 60)),
  serialized('a router of 256 swaps', execute(times(256, () => swapInput))),
  serialized(
    'multicall of 14 routers, the 256 commands of each with one input',
    encodeFunctionData({ abi: multicall, functionName: 'multicall', args: [times(14, sharedInput)] }),
  ),
  serialized('LayerZero with 2,300 native drops', dropping(2_300)),
  serialized(
    'aggregate of 64 calls of 1 KiB',
    encodeFunctionData({
      abi: multicall,
      functionName: 'aggregate3',
      args: [
        times(64, (i) => ({
          target: addressOf(i),
          allowFailure: false,
          callData: concatHex([approve(i), bytesToHex(new Uint8Array(1_700))]),
        })),
      ],
    }),
  ),
  serialized(
    'executeBatch of 250 calls',
    encodeFunctionData({
      abi: multicall,
      functionName: 'executeBatch',
      args: [times(250, addressOf), times(250, BigInt), times(250, approve)],
    }),
  ),
  serialized('access list of 5,500 addresses', '0x', {
    accessList: times(5_300, (i) => ({ address: addressOf(i), storageKeys: [] })),
  }),
  serialized('access list of 3,800 storage keys', '0x', {
    accessList: [{ address: contract, storageKeys: times(3_800, (i) => pad(toHex(i), { size: 32 })) }],
  }),
  fields('fields with 120 KiB of calldata', { data: `0x${'07'.repeat(room - 200)}` }),
  fields('fields with an access list', {
    access_list: times(2_900, (i) => ({ address: addressOf(i), storage_keys: [] })),
  }),
  ...worstTypedData(),
  ...worstMessages('ethereum'),
]
