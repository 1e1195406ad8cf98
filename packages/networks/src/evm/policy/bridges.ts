import { bytesToQuantity } from '../../codec/quantity.ts'
import { invalidPayload } from '../../network-error.ts'
import { accountText, type CallView, callView } from './call-view.ts'
import type { Route, RouteReader, Taken } from './route.ts'

type Bridge = { readonly signatures: readonly string[]; readonly read: RouteReader }

/** By which numbers bridges call Solana: CCTP's domain, Wormhole's chain, LayerZero's endpoints (main and test network), Across' chain. */
const solana = { cctp: 5n, wormhole: 1n, layerZero: [30168n, 40168n], across: 34_268_394_551_451n }

/** CCTP 1 and 2: amount, domain, receiver, token; a deposit that is replaced names another receiver. */
const cctp: Bridge = {
  signatures: [
    'depositForBurn(uint256,uint32,bytes32,address)',
    'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)',
    'depositForBurnWithCaller(uint256,uint32,bytes32,address,bytes32)',
  ],
  read: burnt,
}
/** What the receiver makes of the tokens is in the hook. */
const cctpHooked: Bridge = {
  signatures: ['depositForBurnWithHook(uint256,uint32,bytes32,address,bytes32,uint256,uint32,bytes)'],
  read: (data) => ({ ...burnt(data), isPartial: callView(data).bytes(7).length > 0 }),
}
const cctpReplaced: Bridge = {
  signatures: ['replaceDepositForBurn(bytes,bytes,bytes32,bytes32)'],
  read: (data) => ({ receivers: [accountText(callView(data).word(3))], taken: [] }),
}

function burnt(data: Uint8Array): Route {
  const view = callView(data)
  return {
    receivers: [accountText(view.word(2), view.uint(1) === solana.cctp)],
    taken: [{ token: view.address(3), amount: view.uint(0) }],
  }
}

const sendParameters = '(uint32,bytes32,uint256,uint256,bytes,bytes,bytes)'

/** LayerZero OFT, Stargate v2: who gets the tokens, what is dropped there, and who gets back what the message does not cost. */
const layerZero: Bridge = {
  signatures: [
    `send(${sendParameters},(uint256,uint256),address)`,
    `sendToken(${sendParameters},(uint256,uint256),address)`,
    `redeemSend(${sendParameters},(uint256,uint256),address)`,
  ],
  read(data) {
    const view = callView(data)
    const sent = view.at(0)
    const isSolana = solana.layerZero.includes(sent.uint(0))
    return {
      receivers: [
        accountText(sent.word(1), isSolana),
        view.address(3),
        ...droppedBy(sent.bytes(4)).map((bytes) => accountText(bytes, isSolana)),
      ],
      taken: [{ amount: sent.uint(2) }],
      isPartial: sent.bytes(5).length > 0,
    }
  },
}

/** Kind, amount (16 bytes) and receiver (32 bytes) of a native drop, and more of them than anybody needs. */
const dropBytes = 49
const dropsMax = 64

/** Options of type 3: a list of worker, size, type and data; a native drop (type 2 of the executor) is an amount and its receiver. */
function droppedBy(options: Uint8Array): Uint8Array[] {
  if (options.length === 0) return []
  if (options[0] !== 0 || options[1] !== 3)
    throw invalidPayload('The options are of a kind that is not read.')
  const dropped: Uint8Array[] = []
  for (let at = 2; at < options.length; ) {
    const size = ((options[at + 1] ?? 0) << 8) | (options[at + 2] ?? 0)
    const [worker, kind, end] = [options[at], options[at + 3], at + 3 + size]
    if (size < 1 || end > options.length) throw invalidPayload('The options are malformed.')
    if (worker === 1 && kind === 2) {
      if (size !== dropBytes || dropped.length === dropsMax)
        throw invalidPayload('The options drop more than is read.')
      dropped.push(options.subarray(end - 32, end))
    }
    at = end
  }
  return dropped
}

/** OFT of LayerZero 1: an account in bytes or a word, then who gets change; parameters of version 2 drop native value. */
const layerZero1: readonly Bridge[] = [
  {
    signatures: ['sendFrom(address,uint16,bytes,uint256,address,address,bytes)'],
    read(data) {
      const view = callView(data)
      const receivers = [accountText(view.bytes(2)), view.address(4), ...airdroppedBy(view.bytes(6))]
      return { receivers, taken: [{ amount: view.uint(3) }] }
    },
  },
  {
    signatures: ['sendFrom(address,uint16,bytes32,uint256,(address,address,bytes))'],
    read(data) {
      const view = callView(data)
      const given = view.at(4)
      const receivers = [accountText(view.word(2)), given.address(0), ...airdroppedBy(given.bytes(2))]
      return { receivers, taken: [{ amount: view.uint(3) }] }
    },
  },
]

/** The same with a call there. */
const layerZero1Called: Bridge = {
  signatures: ['sendAndCall(address,uint16,bytes32,uint256,bytes,uint64,(address,address,bytes))'],
  read(data) {
    const view = callView(data)
    const given = view.at(6)
    const receivers = [accountText(view.word(2)), given.address(0), ...airdroppedBy(given.bytes(2))]
    return { receivers, taken: [{ amount: view.uint(3) }], isPartial: true }
  },
}

function airdroppedBy(parameters: Uint8Array): string[] {
  if (parameters.length === 0) return []
  const version = bytesToQuantity(parameters.subarray(0, 2))
  if (version === 1n && parameters.length === 34) return []
  if (version !== 2n || parameters.length < 66) throw invalidPayload('The parameters are malformed.')
  return [accountText(parameters.subarray(66))]
}

/** Wormhole's transfers of native tokens: who gets the tokens, and who gets back what the message does not cost. */
const native: readonly Bridge[] = [
  {
    signatures: ['transfer(uint256,uint16,bytes32)'],
    read(data) {
      const view = callView(data)
      return { receivers: [accountText(view.word(2), view.uint(1) === solana.wormhole)], taken: [] }
    },
  },
  {
    signatures: ['transfer(uint256,uint16,bytes32,bytes32,bool,bytes)'],
    read(data) {
      const view = callView(data)
      const isSolana = view.uint(1) === solana.wormhole
      const receivers = [2, 3].map((word) => accountText(view.word(word), isSolana))
      return { receivers, taken: [], isPartial: true }
    },
  },
]

/** Stargate v1: who gets change, the tokens, and native value there. */
const stargate1: readonly Bridge[] = [
  {
    signatures: ['swap(uint16,uint256,uint256,address,uint256,uint256,(uint256,uint256,bytes),bytes,bytes)'],
    read(data) {
      const view = callView(data)
      const there = view.at(6)
      const dropped = there.uint(1) === 0n ? [] : [accountText(there.bytes(2))]
      const receivers = [view.address(3), accountText(view.bytes(7)), ...dropped]
      return { receivers, taken: [], isPartial: view.bytes(8).length > 0 }
    },
  },
  {
    signatures: ['swapETH(uint16,address,bytes,uint256,uint256)'],
    read(data) {
      const view = callView(data)
      return { receivers: [view.address(1), accountText(view.bytes(2))], taken: [] }
    },
  },
]

/**
 * Across: who gets back what nobody fills, and who gets the rest. Native value goes along as its wrapped token. A relayer who is named keeps
 * all that does not come out, and there may be a call there.
 */
const across: readonly Bridge[] = [
  {
    signatures: [
      'depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)',
      'deposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,uint32,bytes)',
      'depositV3Now(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,bytes)',
      'depositNow(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint32,uint32,bytes)',
      'unsafeDeposit(bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,bytes32,uint256,uint32,uint32,uint32,bytes)',
    ],
    read(data, value) {
      const view = callView(data)
      const isSolana = view.uint(6) === solana.across
      return {
        receivers: [accountText(view.word(0)), accountText(view.word(1), isSolana)],
        taken: takenOf(view, 2, 4, value),
        isPartial: true,
      }
    },
  },
  old(['deposit(address,address,uint256,uint256,int64,uint32,bytes,uint256)'], 0),
  old(['depositFor(address,address,address,uint256,uint256,int64,uint32,bytes,uint256)'], 1),
  {
    signatures: [
      'speedUpV3Deposit(address,uint256,uint256,address,bytes,bytes)',
      'speedUpDeposit(bytes32,uint256,uint256,bytes32,bytes,bytes)',
    ],
    read: (data) => ({ receivers: [accountText(callView(data).word(3))], taken: [], isPartial: true }),
  },
]

function old(signatures: readonly string[], recipient: number): Bridge {
  return {
    signatures,
    read(data, value) {
      const view = callView(data)
      const receivers = [0, recipient].map((word) => view.address(word))
      return { receivers, taken: takenOf(view, recipient + 1, recipient + 2, value), isPartial: true }
    },
  }
}

/** Old contracts take a token that is not the wrapped native asset whatever value goes along. */
function takenOf(view: CallView, token: number, amount: number, value: bigint): readonly Taken[] {
  const taken = { token: accountText(view.word(token)), amount: view.uint(amount) }
  return [value > 0n ? { ...taken, isByValue: true } : taken]
}

/** Wormhole's token bridge: token, amount, chain, receiver; native value goes along as its wrapped token. Whoever redeems gets the fee. */
const wormhole: readonly Bridge[] = [
  carried('transferTokens(address,uint256,uint16,bytes32,uint256,uint32)', 'token', 4),
  carried('transferTokensWithPayload(address,uint256,uint16,bytes32,uint32,bytes)', 'token'),
  carried('wrapAndTransferETH(uint16,bytes32,uint256,uint32)', 'value', 2),
  carried('wrapAndTransferETHWithPayload(uint16,bytes32,uint32,bytes)', 'value'),
]

/** `fee`: its word; without one, a payload that the receiver reads goes along. */
function carried(signature: string, asset: 'token' | 'value', fee?: number): Bridge {
  return {
    signatures: [signature],
    read(data) {
      const view = callView(data)
      const [chain, isToken] = [asset === 'token' ? 2 : 0, asset === 'token']
      return {
        receivers: [accountText(view.word(chain + 1), view.uint(chain) === solana.wormhole)],
        taken: isToken ? [{ token: view.address(0), amount: view.uint(1) }] : [],
        isPartial: fee === undefined || view.uint(fee) !== 0n,
      }
    },
  }
}

/** Bridges to other chains, by their methods. */
export const bridgeRoutes: readonly Bridge[] = [
  cctp,
  cctpHooked,
  cctpReplaced,
  layerZero,
  ...layerZero1,
  layerZero1Called,
  ...stargate1,
  ...across,
  ...wormhole,
  ...native,
]
