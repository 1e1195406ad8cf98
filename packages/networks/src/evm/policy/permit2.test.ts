import { maxUint160, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { decodeTypedData as decode, own, refused } from '../../testing/decode-typed-data.ts'

const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const safe = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

describe('Permit2', () => {
  const details = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
  const entry = { token, amount: '5', expiration: 1, nonce: 0 }
  const rest = { spender: friend, nonce: 0, deadline: 1 }
  const restType = 'address spender,uint256 nonce,uint256 deadline'
  const amounts = { TokenPermissions: 'address token,uint256 amount' }

  test('allowances, one or several, at its own contract only', () => {
    const single = {
      PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline',
      PermitDetails: details,
    }
    const message = { details: entry, spender: friend, sigDeadline: 1 }
    expect(decode(permit2, single, message)).toEqual([`approval ${token} 5 ${friend}`])
    expect(decode(friend, single, message)).toEqual(refused)
    const unlimited = { ...message, details: { ...entry, amount: maxUint160.toString() } }
    expect(decode(permit2, single, unlimited).at(-1)).toBe('trap approval_not_allowed')
    const batch = {
      PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline',
      PermitDetails: details,
    }
    const both = { ...message, details: [entry, { ...entry, amount: '6' }] }
    expect(decode(permit2, batch, both)).toEqual([
      `approval ${token} 5 ${friend}`,
      `approval ${token} 6 ${friend}`,
    ])
  })

  test('transfers, one or several, with and without a witness', () => {
    const permitted = { token, amount: '7' }
    const single = { PermitTransferFrom: `TokenPermissions permitted,${restType}`, ...amounts }
    expect(decode(permit2, single, { permitted, ...rest })).toEqual([`approval ${token} 7 ${friend}`])
    const batch = { PermitBatchTransferFrom: `TokenPermissions[] permitted,${restType}`, ...amounts }
    expect(decode(permit2, batch, { permitted: [permitted, permitted], ...rest })).toHaveLength(2)
    const witnessed = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},Order witness`,
      Order: 'address swapper,uint256 minimum',
      ...amounts,
    }
    const witness = { swapper: own.key, minimum: 1 }
    expect(decode(permit2, witnessed, { permitted, ...rest, witness })).toEqual([
      `approval ${token} 7 ${friend}`,
    ])
    const several = {
      PermitBatchWitnessTransferFrom: `TokenPermissions[] permitted,${restType},bytes32 witness`,
      ...amounts,
    }
    const odd = { permitted: [permitted], ...rest, witness: zeroHash }
    expect(decode(permit2, several, odd)).toEqual([`approval ${token} 7 ${friend}`])
    const opaque = { ...odd, witness: `0x${'00'.repeat(31)}01` }
    expect(decode(permit2, several, opaque)).toEqual([
      `approval ${token} 7 ${friend}`,
      `transfer ${token} 0 null`,
    ])
  })

  test.each([
    ['an address by any name', 'address claimer', safe, safe],
    ['an address in a number', 'uint256 receiver', BigInt(safe).toString(), null],
    ['a small address in a number', 'uint256 receiver', (BigInt(safe) >> 32n).toString(), null],
    ['an address in a number that is called a nonce', 'uint256 nonceReceiver', BigInt(safe).toString(), null],
    ['who gets tokens', 'address tokenRecipient', safe, safe],
    ['where tokens go', 'address buyTokenDestination', safe, safe],
    ['who owns a filler', 'address fillerOwner', safe, safe],
    ['whom an exchange pays', 'address exchangeReceiver', safe, safe],
    ['a text', 'string memo', '=:ETH.ETH:0x1', null],
    ['bytes', 'bytes32 to', `0x${'00'.repeat(12)}${safe.slice(2)}`, null],
  ])('a witness with %s names who is paid, or anybody', (_, member, value, to) => {
    const types = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},Order witness`,
      Order: `${member},uint256 salt`,
      ...amounts,
    }
    const [, name = ''] = member.split(' ')
    const witness = { [name]: value, salt: String(2n ** 255n) }
    expect(decode(permit2, types, { permitted: { token, amount: '7' }, ...rest, witness })).toEqual([
      `approval ${token} 7 ${friend}`,
      `transfer ${token} 0 ${to}`,
    ])
  })

  test.each(['witness', 'token'])('a witness that is an address is who is paid, called %s', (name) => {
    const types = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},address ${name}`,
      ...amounts,
    }
    expect(decode(permit2, types, { permitted: { token, amount: '7' }, ...rest, [name]: safe })).toEqual([
      `approval ${token} 7 ${friend}`,
      `transfer ${token} 0 ${safe}`,
    ])
  })

  test.each(['token', 'inputToken', 'buyToken', 'tokenIn', 'makerAsset', 'exclusiveFiller', '_reactor'])(
    'nobody is paid by the member %s of a witness',
    (name) => {
      const types = {
        PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},Order witness`,
        Order: `address ${name}`,
        ...amounts,
      }
      const message = { permitted: { token, amount: '7' }, ...rest, witness: { [name]: safe } }
      expect(decode(permit2, types, message)).toEqual([`approval ${token} 7 ${friend}`])
    },
  )

  test.each([
    ['receiver', 'uint256 receiver', '7'],
    ['toAccountId', 'uint64 toAccountId', 12],
    ['recipient_id', 'uint32 recipient_id', 0],
    ['receivers', 'uint64[] receivers', [3]],
    ['destination', 'int64 destination', 5],
  ])('a number that is called %s names somebody, however small it is', (name, member, value) => {
    const types = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},Order witness`,
      Order: member,
      ...amounts,
    }
    const message = { permitted: { token, amount: '7' }, ...rest, witness: { [name]: value } }
    expect(decode(permit2, types, message)).toEqual([
      `approval ${token} 7 ${friend}`,
      `transfer ${token} 0 null`,
    ])
  })

  test.each([
    'toAmount',
    'destinationChainId',
    'dstEid',
    'recipientFeeBps',
    'minimum',
    'total',
    'toTokenAmount',
  ])('a number that is called %s is an amount or a place', (name) => {
    const types = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},Order witness`,
      Order: `uint256 ${name}`,
      ...amounts,
    }
    const message = { permitted: { token, amount: '7' }, ...rest, witness: { [name]: 5 } }
    expect(decode(permit2, types, message)).toEqual([`approval ${token} 7 ${friend}`])
  })

  test.each(['token', 'filler', 'feeToken', 'swapper'])(
    'a list of addresses that is called %s is a list of receivers',
    (name) => {
      const types = {
        PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},Order witness`,
        Order: `address[] ${name}`,
        ...amounts,
      }
      const message = { permitted: { token, amount: '7' }, ...rest, witness: { [name]: [safe, zeroAddress] } }
      expect(decode(permit2, types, message)).toEqual([
        `approval ${token} 7 ${friend}`,
        `transfer ${token} 0 ${safe}`,
      ])
    },
  )

  test('a list of no tokens is refused, whoever may spend it and whatever its witness says', () => {
    const batch = {
      PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline',
      PermitDetails: details,
    }
    expect(decode(permit2, batch, { details: [], spender: friend, sigDeadline: 1 })).toEqual(refused)
    const plain = { PermitBatchTransferFrom: `TokenPermissions[] permitted,${restType}`, ...amounts }
    expect(decode(permit2, plain, { permitted: [], ...rest })).toEqual(refused)
    const witnessed = {
      PermitBatchWitnessTransferFrom: `TokenPermissions[] permitted,${restType},Order witness`,
      Order: 'address receiver,uint256 amount',
      ...amounts,
    }
    const witness = { receiver: safe, amount: 5 }
    expect(decode(permit2, witnessed, { permitted: [], ...rest, witness })).toEqual(refused)
  })

  test('tokens of no amount leave the receivers of a witness to be judged', () => {
    const types = {
      PermitBatchWitnessTransferFrom: `TokenPermissions[] permitted,${restType},address receiver`,
      ...amounts,
    }
    const message = { permitted: [{ token, amount: 0 }], ...rest, receiver: safe }
    expect(decode(permit2, types, message)).toEqual([
      `approval ${token} 0 ${friend}`,
      `transfer ${token} 0 ${safe}`,
    ])
  })

  test('who an order of UniswapX pays is a receiver', () => {
    const types = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},LimitOrder witness`,
      LimitOrder: 'OrderInfo info,address inputToken,uint256 inputAmount,OutputToken[] outputs',
      OrderInfo:
        'address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData',
      OutputToken: 'address token,uint256 amount,address recipient',
      ...amounts,
    }
    const output = (recipient: string) => ({ token, amount: 5, recipient })
    const order = (recipients: readonly string[], data = '0x') => ({
      permitted: { token, amount: '7' },
      ...rest,
      witness: {
        info: {
          ...{ reactor: friend, swapper: own.key, nonce: 1, deadline: 2 },
          ...{ additionalValidationContract: zeroAddress, additionalValidationData: data },
        },
        ...{ inputToken: token, inputAmount: 7, outputs: recipients.map(output) },
      },
    })
    const approved = `approval ${token} 7 ${friend}`
    expect(decode(permit2, types, order([own.key]))).toEqual([approved])
    expect(decode(permit2, types, order([own.key, safe, zeroAddress, safe]))).toEqual([
      approved,
      `transfer ${token} 0 ${safe}`,
    ])
    expect(decode(permit2, types, order([own.key], '0x01'))).toEqual([approved, `transfer ${token} 0 null`])
  })

  test('a witness type with other members in front is refused', () => {
    const permitted = { token, amount: '7' }
    const swapped = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType.replace('address spender', 'address other')},bytes32 witness`,
      ...amounts,
    }
    const { spender: _, ...others } = rest
    const message = { permitted, other: friend, ...others, witness: zeroHash }
    expect(decode(permit2, swapped, message)).toEqual(refused)
    const hidden = {
      PermitWitnessTransferFrom: `TokenPermissions permitted,${restType},bytes32 witness`,
      TokenPermissions: 'address token,uint128 amount',
    }
    expect(decode(permit2, hidden, { permitted, ...rest, witness: zeroHash })).toEqual(refused)
  })
})
