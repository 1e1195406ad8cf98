import {
  type AbiParameter,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  pad,
  parseAbi,
} from 'viem'
import { expect, test } from 'vitest'
import { chainAddress, chainByHandle } from '../../testing/by-intent.ts'
import { testKey } from '../../testing/oracle-signer.ts'
import { checksumAddress } from '../address.ts'
import { readCalls } from './calls.ts'
import { ownAccounts } from './own-accounts.ts'
import { receiverSignatures } from './receiver-places.ts'
import { routeSignatures } from './routes.ts'
import { tokenCallSignatures } from './token-calls.ts'

const { publicKey } = testKey('secp256k1', 1)
const base = chainByHandle('base')
if (!base) throw new Error('base is a chain')
const own = ownAccounts({ chain: base, address: chainAddress(base, publicKey), addresses: {} })
const account = (byte: string) => checksumAddress(hexToBytes(`0x${byte.repeat(20)}`)) as Hex
const [contract, stranger] = [account('11'), account('5a')]

/** The sender, an account like any, and what readers take for something of its own: nobody, and two names of the native asset. */
const fillings: readonly Hex[] = [
  own.key as Hex,
  account('33'),
  account('00'),
  account('ee'),
  '0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000',
]

/** Where a stranger's account is put, and what stands at all other places for one. */
type Place = { readonly at: string; readonly filling: Hex }
type Given = AbiParameter & { components?: readonly Given[] }

function some({ type, components = [] }: Given, path: string, place: Place): unknown {
  if (type.endsWith('[]')) return [some({ type: type.slice(0, -2), components }, `${path}.0`, place)]
  const one = path === place.at ? stranger : place.filling
  if (type === 'tuple') return components.map((each, index) => some(each, `${path}.${index}`, place))
  if (type === 'address') return one
  if (type === 'bytes32') return pad(one)
  if (type === 'bool') return true
  if (type === 'string') return 'x'
  if (type === 'bytes') return '0x'
  return /^u?int(?:8|16|24|32)$/.test(type) ? 7 : 7n
}

/** The paths of all words that may be an account: arguments, and what tuples and lists hold. */
function accountsOf(given: readonly Given[], path = ''): string[] {
  return given.flatMap(({ type, components = [] }, index) => {
    const at = `${path}${index}`
    if (type.endsWith('[]')) return accountsOf([{ type: type.slice(0, -2), components }], `${at}.`)
    if (type === 'tuple') return accountsOf(components, `${at}.`)
    return type === 'address' || type === 'bytes32' ? [at] : []
  })
}

/** Tuples are encoded by their places. */
const unnamed = (given: readonly Given[]): Given[] =>
  given.map(({ type, components }) => ({
    type,
    ...(components && { components: unnamed(components) }),
  }))

/** Whether an effect names the stranger, or the call is for nobody, or for those alone who trust its method. */
function isSeen(data: Hex, value: bigint): boolean {
  const call = { from: own.key, to: hexToBytes(contract), value, data: hexToBytes(data) }
  const { effects, trap } = readCalls([call], own)
  if (trap !== null) return true
  return effects.some(
    ({ kind, hasReceivers, to, asset }) =>
      to === stranger || asset === stranger || (kind === 'unknown' && hasReceivers !== true),
  )
}

/** The places of a method where a stranger's account is seen by nobody, whatever stands at the others. */
function unseen(signature: string): string[] {
  const [method] = parseAbi([`function ${signature}`] as readonly string[])
  if (method?.type !== 'function') throw new Error('That is not a method.')
  const inputs = unnamed(method.inputs)
  const isSeenAt = (place: Place) => {
    const args = inputs.map((input, index) => some(input, String(index), place))
    const abi = [{ ...method, inputs }]
    const data = encodeFunctionData({ abi, args } as EncodeFunctionDataParameters)
    return isSeen(data, 0n) && isSeen(data, 1n)
  }
  return accountsOf(inputs).filter((at) => !fillings.every((filling) => isSeenAt({ at, filling })))
}

/**
 * The places that may name a stranger unseen, since nobody is paid there: tokens, pools and markets (whose prices no policy knows), whose tokens
 * are taken by their allowance, who may deliver or pays for a message, and halves of signatures.
 */
const unpaid: Readonly<Record<string, string>> = {
  'burnFrom(address,uint256)': 'holder 0',
  'operatorBurn(address,uint256,bytes,bytes)': 'holder 0',
  'redeem(uint256,address,address)': 'holder 2',
  'depositForBurn(uint256,uint32,bytes32,address,bytes32,uint256,uint32)': 'caller there 4',
  'depositForBurnWithCaller(uint256,uint32,bytes32,address,bytes32)': 'caller there 4',
  'depositForBurnWithHook(uint256,uint32,bytes32,address,bytes32,uint256,uint32,bytes)': 'caller there 4',
  'replaceDepositForBurn(bytes,bytes,bytes32,bytes32)': 'caller there 2',
  'sendFrom(address,uint16,bytes,uint256,address,address,bytes)': 'holder 0, payer 5',
  'sendFrom(address,uint16,bytes32,uint256,(address,address,bytes))': 'holder 0, payer 4.1',
  'deposit(uint256,address,address)': 'holder 2',
  'mint(uint256,address,address)': 'holder 2',
  'redeem(uint256,address,address,uint256)': 'holder 2',
  'redeem(uint256,address,address,uint256,address[])': 'holder 2, strategy 4.0',
  'requestDeposit(uint256,address,address)': 'holder 2',
  'requestRedeem(uint256,address,address)': 'holder 2',
  'withdraw(uint256,address,address)': 'holder 2',
  'withdraw(uint256,address,address,uint256)': 'holder 2',
  'withdraw(uint256,address,address,uint256,address[])': 'holder 2, strategy 4.0',
  'supplyTo(address,address,uint256)': 'token 1',
  'transferAsset(address,address,uint256)': 'token 1',
  'withdrawTo(address,address,uint256)': 'token 1',
  'supplyFrom(address,address,address,uint256)': 'holder 0, token 2',
  'transferAssetFrom(address,address,address,uint256)': 'holder 0, token 2',
  'withdrawFrom(address,address,address,uint256)': 'holder 0, token 2',
  'deposit(address,uint256,address,uint16)': 'token 0',
  'supply(address,uint256,address,uint16)': 'token 0',
  'supplyWithPermit(address,uint256,address,uint16,uint256,uint8,bytes32,bytes32)': 'token 0, signature 6 7',
  'withdraw(address,uint256,address)': 'token 0',
  'withdrawETH(address,uint256,address)': 'pool 0',
  'withdrawETHWithPermit(address,uint256,address,uint256,uint8,bytes32,bytes32)': 'pool 0, signature 5 6',
  'repay(address,uint256,uint256,address)': 'token 0',
  'repay((address,address,address,address,uint256),uint256,uint256,address,bytes)': 'market 0.0 0.1 0.2 0.3',
  'withdrawCollateral((address,address,address,address,uint256),uint256,address,address)':
    'market 0.0 0.1 0.2 0.3, holder 2',
  'withdraw((address,address,address,address,uint256),uint256,uint256,address,address)':
    'market 0.0 0.1 0.2 0.3, holder 3',
  'swapExactETHForTokens(uint256,address[],address,uint256)': 'token 1.0',
  'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)': 'token 1.0',
  'swapETHForExactTokens(uint256,address[],address,uint256)': 'token 1.0',
  'exitPool(bytes32,address,address,(address[],uint256[],bytes,bool))': 'pool 0, holder 1, token 3.0.0',
  'joinPool(bytes32,address,address,(address[],uint256[],bytes,bool))': 'pool 0, holder 1, token 3.0.0',
  'swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)':
    'pool 0.0, token 0.2 0.3, holder 1.0',
  'swapExactTokensForETH(uint256,uint256,address[],address,uint256)': 'token 2.0',
  'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)':
    'token 2.0',
  'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)': 'token 2.0',
  'swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)':
    'token 2.0',
  'swapTokensForExactETH(uint256,uint256,address[],address,uint256)': 'token 2.0',
  'swapTokensForExactTokens(uint256,uint256,address[],address,uint256)': 'token 2.0',
  'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)': 'token 0',
  'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)': 'token 0',
  'removeLiquidityETHSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256)':
    'token 0',
  'removeLiquidityETHWithPermit(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)':
    'token 0, signature 8 9',
  'removeLiquidityETHWithPermitSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)':
    'token 0, signature 8 9',
  'batchSwap(uint8,(bytes32,uint256,uint256,uint256,bytes)[],address[],(address,bool,address,bool),int256[],uint256)':
    'pool 1.0.0, token 2.0, holder 3.0',
  'removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)': 'token 0 1',
  'removeLiquidityWithPermit(address,address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)':
    'token 0 1, signature 9 10',
  'addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)': 'token 0 1',
  'mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))':
    'token 0.0 0.1',
  'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))': 'token 0.0 0.1',
  'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))': 'token 0.0 0.1',
  'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))': 'token 0.0 0.1',
  'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))': 'token 0.0 0.1',
  'swapExactTokensForTokens(uint256,uint256,address[],address)': 'token 2.0',
  'swapTokensForExactTokens(uint256,uint256,address[],address)': 'token 2.0',
  'sweepToken(address,uint256,address)': 'token 0',
  'sweepTokenWithFee(address,uint256,address,uint256,address)': 'token 0',
}

const signatures = [...new Set([...tokenCallSignatures, ...routeSignatures, ...receiverSignatures])]

test('every method that is read names a stranger wherever one may be paid', () => {
  const found = signatures.map((signature) => [signature, unseen(signature)] as const)
  const expected = signatures.map((signature) => [signature, unpaid[signature]?.match(/\d[\d.]*/g) ?? []])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
  expect(Object.keys(unpaid).filter((signature) => !signatures.includes(signature))).toEqual([])
})

test('who gets ETH from a bridge of a rollup is named by its old name too', () => {
  const abi = parseAbi(['function withdrawTo(address,address,uint256,uint32,bytes)'])
  const effectsFor = (to: Hex) => {
    const args = ['0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000', to, 5n, 0, '0x'] as const
    const data = hexToBytes(encodeFunctionData({ abi, functionName: 'withdrawTo', args }))
    return readCalls([{ from: own.key, to: hexToBytes(contract), value: 5n, data }], own).effects
  }
  const sent = { kind: 'transfer', asset: 'ETH', amount: 5n, to: contract, isAttached: true }
  expect(effectsFor(stranger)).toMatchObject([
    sent,
    { kind: 'call', asset: null, amount: null, to: stranger },
  ])
  expect(effectsFor(own.key as Hex)).toMatchObject([sent, { kind: 'call', asset: null, to: contract }])
})
