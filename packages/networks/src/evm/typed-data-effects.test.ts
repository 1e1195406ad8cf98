import { describe, expect, test } from 'vitest'
import type { SignIntent } from '../intent/intent.ts'
import { preview, walletAddresses } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'

const { publicKey } = testKey('secp256k1', 0)
const own = walletAddresses('secp256k1', publicKey)['evm'] ?? ''
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const previewIntent = (intent: SignIntent) => preview(intent, 'secp256k1', publicKey)

describe('preview of typed data', () => {
  const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
  const field = (text: string) =>
    text.split(',').map((entry) => ({ type: entry.split(' ')[0] ?? '', name: entry.split(' ')[1] ?? '' }))
  const typed = (contract: string, types: Record<string, string>, message: object, chainId = 8453) =>
    previewIntent({
      kind: 'typed_data',
      chain: 'base',
      typedData: JSON.stringify({
        domain: { name: 'Token', chainId, verifyingContract: contract },
        types: Object.fromEntries(Object.entries(types).map(([name, fields]) => [name, field(fields)])),
        primaryType: Object.keys(types)[0],
        message,
      }),
    })
  const permitType = 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'
  const permit = { owner: own, spender: friend, value: '5', nonce: 0, deadline: 9 }

  test('an EIP-2612 permit is an approval of the domain contract', () => {
    expect(typed(token, { Permit: permitType }, permit)).toMatchObject({
      title: 'Sign Permit for Token',
      actions: [{ kind: 'approval', asset: token, to: friend, amount: '5', args: { deadline: '9' } }],
      warnings: [],
    })
    expect(
      typed(token, { Permit: permitType }, { ...permit, value: (2n ** 256n - 1n).toString() }).warnings,
    ).toHaveLength(1)
  })

  test("DAI's permit is unlimited when allowed", () => {
    const type = 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed'
    const message = { holder: own, spender: friend, nonce: 0, expiry: 0, allowed: true }
    expect(typed(token, { Permit: type }, message)).toMatchObject({
      actions: [{ kind: 'approval', amount: null }],
    })
    expect(typed(token, { Permit: type }, { ...message, allowed: false }).actions).toMatchObject([
      { amount: '0' },
    ])
  })

  test('Permit2 approves the tokens it names, at its own address only', () => {
    const types = {
      PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline',
      PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce',
    }
    const entry = { token, amount: '5', expiration: 1, nonce: 0 }
    const message = { details: [entry, { ...entry, amount: '6' }], spender: friend, sigDeadline: 1 }
    expect(typed(permit2, types, message).actions).toMatchObject([
      { kind: 'approval', asset: token, to: friend, amount: '5' },
      { kind: 'approval', asset: token, to: friend, amount: '6' },
    ])
    expect(typed(friend, types, message).actions).toMatchObject([{ kind: 'unknown' }])
    const single = {
      PermitTransferFrom: 'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline',
      TokenPermissions: 'address token,uint256 amount',
    }
    const transfer = { permitted: { token, amount: '7' }, spender: friend, nonce: 0, deadline: 1 }
    expect(typed(permit2, single, transfer).actions).toMatchObject([{ kind: 'approval', amount: '7' }])
  })

  test('Permit2 with a witness is shown as policy prices it: the same tokens, whatever the witness says', () => {
    const types = {
      PermitWitnessTransferFrom:
        'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Order witness',
      TokenPermissions: 'address token,uint256 amount',
      Order: 'uint256 limit',
    }
    const message = {
      permitted: { token, amount: '7' },
      spender: friend,
      nonce: 0,
      deadline: 1,
      witness: { limit: '1' },
    }
    expect(typed(permit2, types, message)).toMatchObject({
      actions: [{ kind: 'approval', asset: token, amount: '7', to: friend }],
      warnings: [],
    })
    const listed = {
      ...types,
      PermitWitnessTransferFrom: types.PermitWitnessTransferFrom.replace('permitted', 'granted'),
    }
    expect(
      typed(permit2, listed, { ...message, granted: message.permitted, permitted: undefined }).actions,
    ).toMatchObject([{ kind: 'unknown' }])
  })

  test.each(['PermitBatchTransferFrom', 'PermitBatchWitnessTransferFrom'])(
    '%s of no tokens is unknown, with a warning',
    (name) => {
      const witness = name.includes('Witness') ? ',address receiver' : ''
      const types = {
        [name]: `TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline${witness}`,
        TokenPermissions: 'address token,uint256 amount',
      }
      const message = { permitted: [], spender: friend, nonce: 0, deadline: 1, receiver: friend }
      const { receiver: _, ...plain } = message
      expect(typed(permit2, types, witness === '' ? plain : message)).toMatchObject({
        actions: [{ kind: 'unknown', to: permit2 }],
        warnings: ['The effects of this typed data are unknown.'],
      })
    },
  )

  test('an authorization that is taken back moves nothing, and is known', () => {
    const types = { CancelAuthorization: 'address authorizer,bytes32 nonce' }
    const message = { authorizer: own, nonce: `0x${'00'.repeat(32)}` }
    expect(typed(token, types, message)).toMatchObject({
      actions: [{ kind: 'call', to: token, asset: null, method: 'CancelAuthorization' }],
      warnings: [],
    })
  })

  test('EIP-3009 is a transfer', () => {
    const type = 'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce'
    const message = {
      from: own,
      to: friend,
      value: '5',
      validAfter: 0,
      validBefore: 1,
      nonce: `0x${'00'.repeat(32)}`,
    }
    expect(typed(token, { TransferWithAuthorization: type }, message).actions).toMatchObject([
      { kind: 'transfer', asset: token, to: friend, amount: '5' },
    ])
  })

  test('other types, and a permit of another shape, are unknown with a warning', () => {
    const odd = typed(token, { Permit: `${permitType},uint8 extra` }, { ...permit, extra: 1 })
    expect(odd).toMatchObject({ actions: [{ kind: 'unknown', to: token, method: 'Permit' }] })
    expect(odd.warnings).toEqual(['The effects of this typed data are unknown.'])
  })

  test('a domain of another chain is a warning', () => {
    expect(typed(token, { Permit: permitType }, permit, 1).warnings).toEqual([
      'This is for the chain with id 1, not for Base.',
    ])
  })

  test('the name of a domain is shown cut between characters, one with hidden characters not at all', () => {
    const titleOf = (name: string) =>
      previewIntent({
        kind: 'typed_data',
        chain: 'base',
        typedData: JSON.stringify({ domain: { name }, types: {}, primaryType: 'EIP712Domain', message: {} }),
      }).title
    expect(titleOf('🚀'.repeat(70))).toBe(`Sign EIP712Domain for ${'🚀'.repeat(64)}`)
    expect(titleOf('bank\u202e')).toBe('Sign EIP712Domain')
  })

  test('a batch of more than 50 approvals is unknown, so that no preview is endless', () => {
    const types = {
      PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline',
      PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce',
    }
    const details = Array.from({ length: 51 }, () => ({ token, amount: '5', expiration: 1, nonce: 0 }))
    const { actions } = typed(permit2, types, { details, spender: friend, sigDeadline: 1 })
    expect(actions).toMatchObject([{ kind: 'unknown' }])
  })
})
