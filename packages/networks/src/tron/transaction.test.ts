import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, toHex0x } from '../codec/hex.ts'
import { NetworkError } from '../network-error.ts'
import { preview, signingDigest } from '../testing/by-intent.ts'
import { signIntent, testKey } from '../testing/oracle-signer.ts'
import { randomTron, type TronJson, tronBytes, tronJson } from '../testing/random-tron.fuzz.ts'
import { accountAddress, addressText } from './address.ts'
import { tronRounds } from './tron-rounds.fuzz.ts'

const key = testKey('secp256k1', 1)
const owner = toHex(accountAddress(key.publicKey))
const own = addressText(accountAddress(key.publicKey))
const friend = `41${'ab'.repeat(20)}`
const friendText = TronWeb.address.fromHex(friend)
const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

const intentOf = (bytes: Uint8Array, chain = 'tron') =>
  ({ kind: 'transaction', network: 'tron', chain, bytes }) as const
const shown = (transaction: TronJson, chain = 'tron') =>
  preview(intentOf(tronBytes(transaction), chain), 'secp256k1', key.publicKey)
const built = (type: string, value: Record<string, unknown>, raw: Partial<TronJson['raw_data']> = {}) =>
  tronJson(owner, type, value, raw)
const called = (signature: string, args: string, value: Record<string, unknown> = {}, contract = usdt) => {
  const selector = TronWeb.sha3(signature).slice(2, 10)
  const contract_address = TronWeb.address.toHex(contract)
  return built('TriggerSmartContract', { contract_address, data: selector + args, ...value })
}
const account = (hex: string) => hex.slice(2).padStart(64, '0')
const word = (value: bigint) => value.toString(16).padStart(64, '0')

describe('tron transactions beside tronweb', () => {
  const samples = fc.sample(randomTron(owner), { numRuns: propertyRuns(300), seed: 4 })

  test('those have its digest, signed form and id, and decode with the wallet as their owner', () => {
    for (const sample of samples) {
      const bytes = tronBytes(sample)
      expect(toHex(signingDigest(intentOf(bytes), 'secp256k1', key.publicKey))).toBe(sample.txID)
      const answer = signIntent(intentOf(bytes), key)
      const signed = utils.crypto.signTransaction(toHex(key.privateKey), structuredClone(sample) as never)
      const [signature = ''] = (signed as unknown as TronJson).signature ?? []
      expect(answer.signed_transaction).toEqual({
        raw_data_hex: sample.raw_data_hex,
        signature: [signature.toLowerCase()],
        txID: sample.txID,
      })
      expect(answer.signature).toBe(`0x${signature.toLowerCase()}`)
      expect(answer.transaction_hash).toBe(sample.txID)
      const { actions, from } = shown(sample)
      expect(actions.length).toBeGreaterThan(0)
      expect(from).toBe(own)
    }
  })
})

describe('tron effects', () => {
  test('a transfer is its amount, with memo, fee and expiry', () => {
    const transaction = built(
      'TransferContract',
      { to_address: friend, amount: 25_000_000 },
      { data: '6869' },
    )
    expect(shown(transaction)).toEqual({
      title: 'Send 25 TRX',
      chain: 'tron',
      from: own,
      actions: [
        {
          kind: 'transfer',
          to: friendText,
          asset: 'TRX',
          amount: '25000000',
          amount_display: '25 TRX',
          method: null,
          args: { memo: 'hi' },
        },
      ],
      // Bandwidth of 272 bytes, 1.1 TRX for a new account, 1 TRX for the memo.
      fee: { asset: 'TRX', amount: String(272_000 + 2_100_000) },
      warnings: [],
      expires_at: '2025-11-24T16:01:00.000Z',
    })
  })

  test('a fee above a tenth of what is sent is a warning', () => {
    const transaction = built('TransferContract', { to_address: friend, amount: 1_000_000 })
    expect(shown(transaction).warnings).toEqual([expect.stringContaining('above 10%')])
  })

  test('a TRC-10 transfer names its token', () => {
    const asset_name = TronWeb.fromUtf8('1002000').slice(2)
    const transaction = built('TransferAssetContract', { to_address: friend, amount: 5, asset_name })
    expect(shown(transaction).actions).toMatchObject([
      { kind: 'transfer', asset: '1002000', amount: '5', amount_display: null, to: friendText },
    ])
  })

  test('a TRC-20 transfer names token and recipient, with symbol and decimals where they are certain', () => {
    const transaction = called('transfer(address,uint256)', account(friend) + word(2_500_000n))
    const decoded = shown(transaction)
    const transfer = { kind: 'transfer', asset: usdt, amount: '2500000', to: friendText, method: 'transfer' }
    expect(decoded.title).toBe('Send 2.5 USDT')
    expect(decoded.actions).toMatchObject([{ ...transfer, amount_display: '2.5 USDT' }])
    expect(shown(transaction, 'tron-nile').actions).toMatchObject([{ ...transfer, amount_display: null }])
  })

  test('a transferFrom moves from its own source', () => {
    const args = account(friend) + account(owner) + word(7n)
    const transaction = called('transferFrom(address,address,uint256)', args, {}, friendText)
    expect(shown(transaction).actions).toMatchObject([
      { kind: 'transfer', asset: friendText, amount: '7', to: own, args: { from: friendText, to: own } },
    ])
  })

  test.each(['approve(address,uint256)', 'increaseAllowance(address,uint256)'])(
    '%s is an approval, and warned of without a bound',
    (method) => {
      const limited = shown(called(method, account(friend) + word(5n)))
      expect(limited.actions).toMatchObject([{ kind: 'approval', asset: usdt, amount: '5', to: friendText }])
      expect(limited.warnings).toEqual([])
      const unlimited = shown(called(method, account(friend) + 'f'.repeat(64)))
      expect(unlimited.actions).toMatchObject([{ kind: 'approval', amount_display: 'unlimited' }])
      expect(unlimited.warnings).toEqual([`Unlimited approval: ${friendText} may spend all of ${usdt}.`])
    },
  )

  test('a TRC-721 transfer is one item', () => {
    const args = account(owner) + account(friend) + word(9n)
    expect(shown(called('safeTransferFrom(address,address,uint256)', args)).actions).toMatchObject([
      { kind: 'transfer', amount: '1', to: friendText, args: { token_id: '9' } },
    ])
  })

  test('an owner of a contract who changes is administrative', () => {
    const decoded = shown(called('transferOwnership(address)', account(friend)))
    expect(decoded.actions).toMatchObject([{ kind: 'admin', to: usdt, args: { new_owner: friendText } }])
    expect(decoded.warnings).toEqual([`${friendText} becomes the owner of the contract.`])
  })

  test.each([
    ['an unknown method', 'ffffffff'],
    ['padding in an address that is not zero', `a9059cbb${'0'.repeat(22)}41${friend.slice(2)}${word(1n)}`],
    ['trailing bytes', `a9059cbb${account(friend)}${word(1n)}00`],
    ['no data', ''],
  ])('a call with %s is unknown, its TRX and TRC-10 tokens are not', (_, data) => {
    const value = { contract_address: friend, data, call_value: 3, call_token_value: 4, token_id: 1_000_001 }
    const decoded = shown(built('TriggerSmartContract', value))
    expect(decoded.actions).toMatchObject([
      { kind: 'transfer', asset: 'TRX', amount: '3', to: friendText },
      { kind: 'transfer', asset: '1000001', amount: '4', to: friendText },
      { kind: 'unknown', asset: null, to: friendText },
    ])
    expect(decoded.title).toBe('Unknown contract call and 2 more')
    expect(decoded.warnings).toContain('The effects of this call are unknown.')
  })

  test('the fee of a call counts its limit', () => {
    const value = { contract_address: friend, data: 'ffffffff' }
    const plain = shown(built('TriggerSmartContract', value)).fee?.amount
    const limited = shown(built('TriggerSmartContract', value, { fee_limit: 100_000_000 })).fee?.amount
    // The limit takes six bytes of its own.
    expect(BigInt(limited ?? 0) - BigInt(plain ?? 0)).toBe(100_000_000n + 6000n)
  })

  const resource = 'ENERGY'
  test.each([
    ['FreezeBalanceV2Contract', { frozen_balance: 1_500_000, resource }, 'Stake 1.5 TRX', own],
    ['UnfreezeBalanceV2Contract', { unfreeze_balance: 1_500_000, resource }, 'Unstake 1.5 TRX', own],
    [
      'FreezeBalanceContract',
      { frozen_balance: 1_000_000, frozen_duration: 3, resource, receiver_address: friend },
      'Stake 1 TRX',
      friendText,
    ],
    ['UnfreezeBalanceContract', { resource }, 'Unstake all TRX', own],
    [
      'DelegateResourceContract',
      { balance: 1_000_000, resource, receiver_address: friend, lock: true, lock_period: 28_800 },
      'Lend the resources of 1 TRX',
      friendText,
    ],
    [
      'UnDelegateResourceContract',
      { balance: 1_000_000, resource, receiver_address: friend },
      'Take back the resources of 1 TRX',
      friendText,
    ],
    ['WithdrawBalanceContract', {}, 'Withdraw rewards', own],
    ['WithdrawExpireUnfreezeContract', {}, 'Withdraw unstaked TRX', own],
    ['CancelAllUnfreezeV2Contract', {}, 'Stake again what is being unstaked', own],
    [
      'VoteWitnessContract',
      { votes: [{ vote_address: friend, vote_count: 5 }] },
      'Vote for super representatives',
      own,
    ],
  ])('%s is a call that says what it does', (type, value, title, to) => {
    const decoded = shown(built(type, value))
    expect(decoded).toMatchObject({ title, actions: [{ kind: 'call', asset: null, to }], warnings: [] })
  })

  test('new permissions are administrative, and whom they let in is warned of', () => {
    const permission = (address: string) => ({
      type: 0,
      id: 0,
      permission_name: 'owner',
      threshold: 1,
      keys: [{ address, weight: 1 }],
    })
    const taken = shown(
      built('AccountPermissionUpdateContract', { owner: permission(friend), actives: [permission(owner)] }),
    )
    expect(taken.actions).toMatchObject([
      { kind: 'admin', to: own, args: { owner: `1 of ${friendText} (1)`, active_1: `1 of ${own} (1)` } },
    ])
    expect(taken.warnings).toEqual([
      `Account takeover: ${friendText} will control this account or act for it.`,
    ])
    expect(BigInt(taken.fee?.amount ?? 0)).toBeGreaterThan(100_000_000n)
    const kept = shown(built('AccountPermissionUpdateContract', { owner: permission(owner), actives: [] }))
    expect(kept.warnings).toEqual(['This changes which keys control the account and what they may do.'])
  })

  test.each([
    ['AccountUpdateContract', { account_name: '6162' }, 'name'],
    ['SetAccountIdContract', { account_id: '6162' }, 'id'],
  ])('%s is administrative', (type, value, what) => {
    const decoded = shown(built(type, value))
    expect(decoded.actions).toMatchObject([{ kind: 'admin', args: { [what]: 'ab' } }])
    expect(decoded.warnings).toHaveLength(1)
  })

  test('a new contract is a call to nobody, with what it is given', () => {
    const value = { bytecode: '6001', call_value: 7, abi: '[]', name: 'X', consume_user_resource_percent: 1 }
    const decoded = shown(built('CreateSmartContract', { ...value, origin_energy_limit: 1 }))
    expect(decoded.actions).toMatchObject([
      { kind: 'transfer', asset: 'TRX', amount: '7', to: null },
      { kind: 'call', to: null, method: 'create', args: { name: 'X', bytes: '2' } },
    ])
    expect(decoded.warnings).toContain('This creates a contract.')
  })

  test('a type of contract that is not known is unknown, with the fee of its type', () => {
    const decoded = shown(built('WitnessCreateContract', { url: '6162' }))
    expect(decoded.actions).toMatchObject([{ kind: 'unknown', method: 'WitnessCreateContract', to: null }])
    expect(decoded.warnings).toEqual(['The effects of this call are unknown.'])
    expect(BigInt(decoded.fee?.amount ?? 0)).toBeGreaterThan(9_999_000_000n)
  })

  test('another permission than that of the owner is warned of, and costs what several signatures do', () => {
    const plain = tronJson(owner, 'WithdrawBalanceContract', {}, {})
    const transaction = tronJson(owner, 'WithdrawBalanceContract', {}, {}, 2)
    expect(shown(transaction).warnings).toEqual(['It is signed under permission 2 of the account.'])
    // Four more signatures of 67 bytes at 1,000 sun, and the network's fee for several; the field itself takes two bytes.
    const more = BigInt(shown(transaction).fee?.amount ?? 0) - BigInt(shown(plain).fee?.amount ?? 0)
    expect(more).toBe(1_000_000n + 4n * 67_000n + 2_000n)
  })

  test('an expiry beyond all times is none', () => {
    const transaction = built('WithdrawBalanceContract', {}, { expiration: Number.MAX_SAFE_INTEGER })
    expect(shown(transaction).expires_at).toBeNull()
  })
})

test('mutated transactions are refused with NetworkError or read as tronweb does', () => {
  tronRounds(propertyRuns(2000))
})

describe('tron refuses', () => {
  const hex = built('TransferContract', { to_address: friend, amount: 5 }).raw_data_hex
  const refuse = (text: string) =>
    expect(() => preview(intentOf(fromHex(text) ?? new Uint8Array(0)), 'secp256k1', key.publicKey)).toThrow(
      expect.objectContaining({ code: 'invalid_payload' }),
    )
  /** The field of the contract in `raw`, with its head. */
  const contractField = hex.slice(hex.indexOf('5a65'), hex.indexOf('70'.concat(hex.slice(-12))))

  test('the contract of another owner', () => {
    const other = toHex(accountAddress(testKey('secp256k1', 2).publicKey))
    for (const [type, value] of [
      ['TransferContract', { to_address: friend, amount: 5 }],
      ['TransferAssetContract', { to_address: owner, amount: 5, asset_name: '31' }],
      ['WitnessCreateContract', { url: '6162' }],
    ] as const) {
      refuse(tronJson(other, type, value).raw_data_hex)
    }
  })

  test('the owner of another prefix, as an owner who is not this wallet', () => {
    const bytes = fromHex(hex.replace(owner, `42${owner.slice(2)}`)) ?? new Uint8Array(0)
    expect(() => preview(intentOf(bytes), 'secp256k1', key.publicKey)).toThrow(
      'The owner is not this wallet.',
    )
  })

  test('two contracts, and none', () => {
    expect(contractField).toMatch(/^5a65.{200}/)
    refuse(hex.replace(contractField, contractField + contractField))
    refuse(hex.replace(contractField, ''))
    refuse('')
  })

  test('a contract that is not of the type it names', () => {
    // TransferContract's number 1 as that of TransferAssetContract, and of no type.
    refuse(hex.replace('5a650801', '5a650802'))
    refuse(hex.replace('5a650801', '5a650805'))
    refuse(
      hex.replace(
        toHex0x(new TextEncoder().encode('protocol.Transfer')).slice(2),
        '70726f746f636f6c2e54726166736665',
      ),
    )
  })

  test('trailing bytes, a cut, a second field, one out of order, a default value, a long varint', () => {
    const amount = '1805'
    const at = contractField.lastIndexOf(amount)
    const withAmount = (text: string) => {
      const grown = contractField.slice(0, at) + text + contractField.slice(at + amount.length)
      const more = (text.length - amount.length) / 2
      const grow = (field: string, head: string, length: number) =>
        field.replace(head, head.slice(0, -2) + (length + more).toString(16).padStart(2, '0'))
      // Lengths: of the contract, of its parameter, of the message within.
      const inner = grow(grow(grow(grown, '5a65', 0x65), '1261', 0x61), '1230', 0x30)
      return hex.replace(contractField, inner)
    }
    expect(
      preview(intentOf(fromHex(withAmount('1806')) ?? new Uint8Array(0)), 'secp256k1', key.publicKey).title,
    ).toBe('Send 0.000006 TRX')
    refuse(withAmount('18051805'))
    refuse(withAmount('1800'))
    refuse(withAmount('188500'))
    refuse(withAmount('18ffffffffffffffffff01'))
    refuse(`${hex}00`)
    refuse(hex.slice(0, -2))
    refuse(hex.slice(8) + hex.slice(0, 8))
    // Who is allowed to sign besides (auths), scripts: fields that nobody uses.
    refuse(hex.replace(contractField, `4a00${contractField}`))
    refuse(hex.replace(contractField, `${contractField}620101`))
  })

  test('an address that is none', () => {
    refuse(built('TransferContract', { to_address: `42${'ab'.repeat(20)}`, amount: 5 }).raw_data_hex)
    refuse(built('TransferContract', { to_address: `41${'ab'.repeat(19)}`, amount: 5 }).raw_data_hex)
  })

  test('a field that is not known makes the contract unknown', () => {
    const value = { contract_address: friend, data: 'ffffffff' }
    const { raw_data_hex } = built('TriggerSmartContract', value)
    expect(raw_data_hex).toContain('2204ffffffff')
    const lengths = /5a(..)081f12(..)(.*?)12(..)0a15/
    const grown = raw_data_hex
      .replace(lengths, (_, contract, parameter, url, message) => {
        const longer = (byte: string) => (Number.parseInt(byte, 16) + 2).toString(16)
        return `5a${longer(contract)}081f12${longer(parameter)}${url}12${longer(message)}0a15`
      })
      .replace('2204ffffffff', '2204ffffffff4801')
    const bytes = fromHex(grown) ?? new Uint8Array(0)
    expect(preview(intentOf(bytes), 'secp256k1', key.publicKey).actions).toMatchObject([
      { kind: 'unknown', method: 'TriggerSmartContract' },
    ])
  })

  test('a transaction of another network', () => {
    const bytes = tronBytes(built('WithdrawBalanceContract', {}))
    expect(() => preview(intentOf(bytes, 'cosmoshub'), 'secp256k1', key.publicKey)).toThrow(NetworkError)
  })
})
