import { encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeTypedData as decode, own, refused } from '../../testing/decode-typed-data.ts'

const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const seaport = '0x0000000000000068F116a894984e2DB1123eB395'
const safe = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const permitType = 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'
const permit = { owner: own.key, spender: friend, value: '5', nonce: 0, deadline: 9 }
const permitOf = (domain?: object, change: object = {}) =>
  decode(token, { Permit: permitType }, { ...permit, ...change }, domain)

describe('permits of tokens', () => {
  test('EIP-2612 is an approval, without bound it is refused', () => {
    expect(permitOf()).toEqual([`approval ${token} 5 ${friend}`])
    expect(permitOf(undefined, { value: maxUint256.toString() })).toEqual([
      `approval ${token} null ${friend}`,
      'trap approval_not_allowed',
    ])
  })

  test.each([
    ['no chain', { verifyingContract: token }],
    ['another chain', { chainId: 1, verifyingContract: token }],
    ['no contract', { name: 'Token', chainId: 8453 }],
  ])('a domain with %s is refused', (_, domain) => {
    expect(permitOf(domain)).toEqual(refused)
  })

  test('the same name with another type is not a permit', () => {
    expect(decode(token, { Permit: `${permitType},uint8 more` }, { ...permit, more: 1 })).toEqual(refused)
    expect(decode(token, { Permit: permitType.replace('uint256 value', 'uint128 value') }, permit)).toEqual(
      refused,
    )
    const item = { spender: friend, tokenId: 1, nonce: 0, deadline: 9 }
    const itemType = 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline'
    expect(decode(token, { Permit: itemType }, item)).toEqual(refused)
  })

  test("DAI's permit is all or nothing", () => {
    const type = 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed'
    const message = { holder: own.key, spender: friend, nonce: 0, expiry: 0, allowed: false }
    expect(decode(token, { Permit: type }, message)).toEqual([`approval ${token} 0 ${friend}`])
    expect(decode(token, { Permit: type }, { ...message, allowed: true }).at(-1)).toBe(
      'trap approval_not_allowed',
    )
  })

  test('EIP-3009 is a transfer, its cancellation nothing', () => {
    const type = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
    const message = { from: own.key, to: friend, value: '5', validAfter: 0, validBefore: 1, nonce: zeroHash }
    for (const name of ['TransferWithAuthorization', 'ReceiveWithAuthorization'])
      expect(decode(token, { [name]: type }, message)).toEqual([`transfer ${token} 5 ${friend}`])
    const cancel = { CancelAuthorization: 'address authorizer,bytes32 nonce' }
    expect(decode(token, cancel, { authorizer: own.key, nonce: zeroHash })).toEqual([])
  })
})

describe('a Safe', () => {
  const type =
    'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce'
  const transaction = {
    ...{
      to: friend as Hex,
      value: '3',
      data: '0x' as Hex,
      operation: 0,
      safeTxGas: 0,
      baseGas: 0,
      gasPrice: 0 as number | string,
    },
    ...{ gasToken: zeroAddress as Hex, refundReceiver: zeroAddress as Hex, nonce: 0 },
  }
  const safeTx = (change: Partial<typeof transaction>) =>
    decode(safe, { SafeTx: type }, { ...transaction, ...change })

  test('does what its transaction says, in its own name', () => {
    expect(safeTx({})).toEqual([`transfer ETH 3 ${friend} of ${safe}`])
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5n] })
    expect(safeTx({ to: token, value: '0', data })).toEqual([`transfer ${token} 5 ${friend} of ${safe}`])
  })

  test('never runs foreign code or changes itself', () => {
    expect(safeTx({ operation: 1 }).at(-1)).toBe('trap account_admin_not_allowed')
    const abi = parseAbi(['function enableModule(address module)'])
    const data = encodeFunctionData({ abi, args: [friend] })
    expect(safeTx({ to: safe, data }).at(-1)).toBe('trap account_admin_not_allowed')
    expect(safeTx({ operation: 2 })).toEqual(['trap payload_undecodable'])
  })

  test('refunds gas as a spend, to whom it names or to anybody', () => {
    const gas = { gasPrice: 2, baseGas: 20_000, safeTxGas: 30_000 }
    expect(safeTx(gas).at(-1)).toBe(`transfer ETH 300000 null of ${safe}`)
    const named = { ...gas, gasToken: token as Hex, refundReceiver: friend as Hex }
    expect(safeTx(named).at(-1)).toBe(`transfer ${token} 300000 ${friend} of ${safe}`)
    expect(safeTx({ gasPrice: String(2n ** 250n) })).toEqual(['trap payload_undecodable'])
  })

  test('of another shape is unknown', () => {
    const odd = type.replace('uint8 operation', 'uint16 operation')
    expect(decode(safe, { SafeTx: odd }, transaction)).toEqual(refused)
  })

  test('messages of a Safe or of the smart account are hashes of anything', () => {
    expect(decode(safe, { SafeMessage: 'bytes message' }, { message: '0x00' })).toEqual(refused)
    const account = decode(own.account, { LightAccountMessage: 'bytes message' }, { message: zeroHash })
    expect(account).toEqual(refused)
  })
})

describe('Seaport', () => {
  const item =
    'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
  const types = {
    OrderComponents:
      'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
    OfferItem: item,
    ConsiderationItem: `${item},address recipient`,
  }
  const offer = { itemType: 1, token, identifierOrCriteria: 0, startAmount: '5', endAmount: '9' }
  const order = {
    ...{ offerer: own.key, zone: zeroAddress, offer: [offer], consideration: [], orderType: 0, startTime: 0 },
    ...{ endTime: 1, zoneHash: zeroHash, salt: 0, conduitKey: zeroHash, counter: 0 },
  }

  test('an offer of tokens is a transfer to anybody, of the larger amount', () => {
    expect(decode(seaport, types, order)).toEqual([`transfer ${token} 9 null`])
    const falling = { ...order, offer: [{ ...offer, startAmount: '50' }] }
    expect(decode(seaport, types, falling)).toEqual([`transfer ${token} 50 null`])
    expect(decode(seaport, types, { ...order, offer: [{ ...offer, itemType: 0 }] })).toEqual([
      'transfer ETH 9 null',
    ])
  })

  test.each([2, 3, 4, 5, 9])('an item of kind %d has an id, or none that is known', (itemType) => {
    expect(decode(seaport, types, { ...order, offer: [offer, { ...offer, itemType }] })).toEqual(refused)
  })

  test('an order that offers nothing is refused, alone and among others', () => {
    const { OrderComponents, OfferItem, ConsiderationItem } = types
    const bulk = { BulkOrder: 'OrderComponents[2] tree', ConsiderationItem, OfferItem, OrderComponents }
    const empty = { ...order, offer: [] }
    const filling = { ...empty, offerer: zeroAddress }
    expect(decode(seaport, types, empty)).toEqual(refused)
    expect(decode(seaport, types, filling)).toEqual(refused)
    expect(decode(seaport, bulk, { tree: [order, empty] })).toEqual(refused)
    expect(decode(seaport, bulk, { tree: [filling, filling] })).toEqual(refused)
  })

  test('every order of a tree counts', () => {
    const { OrderComponents, OfferItem, ConsiderationItem } = types
    const bulk = { BulkOrder: 'OrderComponents[2][2] tree', ConsiderationItem, OfferItem, OrderComponents }
    const tree = [
      [order, order],
      [order, { ...order, offerer: zeroAddress, offer: [] }],
    ]
    expect(decode(seaport, bulk, { tree })).toEqual(
      Array.from({ length: 3 }, () => `transfer ${token} 9 null`),
    )
    const odd = { ...bulk, BulkOrder: 'OrderComponents[3] tree' }
    expect(decode(seaport, odd, { tree: [order, order, order] })).toEqual(refused)
  })

  test('of another contract it is unknown', () => {
    expect(decode(friend, types, order)).toEqual(refused)
  })
})
