import fc from 'fast-check'
import {
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  type Hex,
  hexToBytes,
  parseAbi,
  serializeTransaction,
  size,
  zeroAddress,
} from 'viem'
import { expect, test } from 'vitest'
import { NetworkError } from '../../network-error.ts'
import { chainAddress, chainByHandle, decodeForAgent, preview } from '../../testing/by-intent.ts'
import { mutated } from '../../testing/mutated.fuzz.ts'
import { testKey } from '../../testing/oracle-signer.ts'
import { ownAccounts } from './own-accounts.ts'

const { publicKey } = testKey('secp256k1', 1)
const base = chainByHandle('base')
if (!base) throw new Error('base is a chain')
const own = ownAccounts({ chain: base, address: chainAddress(base, publicKey), addresses: {} })
const [key, account] = [own.key as Hex, own.account as Hex]
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const contract = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const multiSend = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
const abi = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch(address[] to, uint256[] value, bytes[] data)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes data)[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function multiSend(bytes transactions)',
])

/** A call and the calls that its target makes of it. */
type Call = { to: Hex; value: bigint; data: Hex; inner: readonly Call[]; tokens: bigint }

const value = fc.bigInt({ min: 0n, max: 9n })
const leaf: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ to: fc.constantFrom<Hex>(friend, contract, key, account), value }).map((call) => {
    return { ...call, data: '0x' as const, inner: [], tokens: 0n }
  }),
  fc.record({ amount: value, value, isApproval: fc.boolean() }).map(({ amount, value, isApproval }) => {
    const functionName = isApproval ? 'approve' : 'transfer'
    const data = encodeFunctionData({ abi: erc20Abi, functionName, args: [friend, amount] })
    return { to: token, value, data, inner: [], tokens: amount } as const
  }),
)
const { tree } = fc.letrec<{ tree: Call; batch: Call }>((tie) => ({
  tree: fc.oneof({ maxDepth: 3 }, leaf, tie('batch')),
  batch: fc
    .record({
      to: fc.constantFrom<Hex>(account, contract),
      value,
      inner: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      form: fc.constantFrom('execute', 'batch', 'multicall', 'safe'),
    })
    .map(({ form, ...call }) => ({ ...call, tokens: 0n, ...encoded(call.to, call.inner, form) })),
}))

function encoded(to: Hex, inner: readonly Call[], form: string): Pick<Call, 'data' | 'inner'> {
  const [first] = inner
  if (form === 'execute' && first) {
    const args = [first.to, first.value, first.data] as const
    return { inner: [first], data: encodeFunctionData({ abi, functionName: 'execute', args }) }
  }
  if (form === 'multicall' && to !== account) {
    const calls = inner.map((call) => ({ ...call, target: call.to, allowFailure: false }))
    return { inner, data: encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [calls] }) }
  }
  if (form === 'safe' && to !== account) {
    const packed = inner.map((call) =>
      encodePacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, call.to, call.value, BigInt(size(call.data)), call.data],
      ).slice(2),
    )
    const sends = encodeFunctionData({ abi, functionName: 'multiSend', args: [`0x${packed.join('')}`] })
    const rest = [0n, 0n, 0n, zeroAddress, zeroAddress, '0x'] as const
    const args = [multiSend, 0n, sends, 1, ...rest] as const
    return { inner, data: encodeFunctionData({ abi, functionName: 'execTransaction', args }) }
  }
  const args = [
    inner.map((call) => call.to),
    inner.map((call) => call.value),
    inner.map((call) => call.data),
  ] as const
  return { inner, data: encodeFunctionData({ abi, functionName: 'executeBatch', args }) }
}

/** What the wallet's two accounts have less of once all calls are made, and who got anything. */
function made(call: Call, maker: Hex, got: Set<string>): { native: bigint; tokens: bigint } {
  const isOwn = (who: Hex) => who === key || who === account
  let native = (isOwn(maker) ? call.value : 0n) - (isOwn(call.to) ? call.value : 0n)
  let { tokens } = call
  if (call.value > 0n && call.inner.length === 0) got.add(call.to)
  if (call.tokens > 0n) got.add(friend)
  for (const each of call.inner) {
    const lost = made(each, call.to, got)
    native += lost.native
    tokens += lost.tokens
  }
  return { native, tokens }
}

function transactionOf(call: Call) {
  const fees = { chainId: 8453, nonce: 0, gas: 1n, maxFeePerGas: 1n, type: 'eip1559' } as const
  const bytes = hexToBytes(serializeTransaction({ ...fees, to: call.to, value: call.value, data: call.data }))
  return { kind: 'transaction', network: 'evm', chain: 'base', bytes } as const
}

test('calls never cost the wallet more than a policy evaluates', () => {
  let evaluated = 0
  fc.assert(
    fc.property(tree, (call) => {
      const { effects, trap } = decodeForAgent(transactionOf(call), 'secp256k1', publicKey)
      if (trap !== null) return
      evaluated++
      const got = new Set<string>()
      const lost = made(call, key, got)
      const sum = (isNative: boolean) =>
        effects
          .filter((each) => each.isNative === isNative)
          .reduce((all, { amount }) => all + (amount ?? 0n), 0n)
      expect(sum(true)).toBeGreaterThanOrEqual(lost.native)
      expect(sum(false)).toBe(lost.tokens)
      for (const who of got) expect(effects.some(({ to }) => to === who)).toBe(true)
    }),
    { numRuns: 300, seed: 7 },
  )
  expect(evaluated).toBeGreaterThan(200)
})

test('a person sees the token effects that a policy evaluates', () => {
  fc.assert(
    fc.property(tree, (call) => {
      const intent = transactionOf(call)
      const { effects, trap } = decodeForAgent(intent, 'secp256k1', publicKey)
      if (trap !== null) return
      const { actions } = preview(intent, 'secp256k1', publicKey)
      // A person is shown one level less.
      if (actions.some(({ kind }) => kind === 'unknown')) return
      const shown = actions.filter(({ asset }) => asset === token)
      const described = effects.filter(({ asset }) => asset === token)
      expect(described.map(({ kind, to, amount }) => ({ kind, to, amount: String(amount) }))).toMatchObject(
        shown.map(({ kind, to, amount }) => ({ kind, to, amount })),
      )
    }),
    { numRuns: 200, seed: 8 },
  )
})

test('changed bytes are decoded or refused, never anything else', () => {
  const changed = mutated(tree.map((call) => transactionOf(call).bytes))
  fc.assert(
    fc.property(changed, (bytes) => {
      try {
        decodeForAgent({ kind: 'transaction', network: 'evm', chain: 'base', bytes }, 'secp256k1', publicKey)
      } catch (error) {
        expect(error).toBeInstanceOf(NetworkError)
      }
    }),
    { numRuns: 500, seed: 9 },
  )
})
