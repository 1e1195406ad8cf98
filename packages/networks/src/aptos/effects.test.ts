import {
  AccountAddress,
  Bool,
  ChainId,
  EntryFunction,
  FeePayerRawTransaction,
  MoveVector,
  MultiAgentRawTransaction,
  MultiSig,
  MultiSigTransactionPayload,
  parseTypeTag,
  RawTransaction,
  Script,
  TransactionExecutableScript,
  TransactionExtraConfigV1,
  TransactionInnerPayloadV1,
  type TransactionPayload,
  TransactionPayloadEntryFunction,
  TransactionPayloadMultiSig,
  TransactionPayloadScript,
  U8,
  U64,
  U128,
} from '@aptos-labs/ts-sdk'
import { describe, expect, test } from 'vitest'
import { toHex0x } from '../codec/hex.ts'
import { preview } from '../testing/by-intent.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { accountAddress } from './address.ts'

type Argument = EntryFunction['args'][number]

const { publicKey } = testKey('ed25519', 3)
const sender = new AccountAddress(accountAddress(publicKey))
const [alice, bob] = [
  AccountAddress.from(`0x${'a1'.repeat(32)}`),
  AccountAddress.from(`0x${'b0'.repeat(32)}`),
]
const apt = '0x1::aptos_coin::AptosCoin'
const unknownWarning = 'The effects of this call are unknown.'

function raw(payload: TransactionPayload, expiry = 1_800_000_000n, gas = 2000n): RawTransaction {
  return new RawTransaction(sender, 7n, payload, gas, 100n, expiry, new ChainId(1))
}

const shown = (bytes: Uint8Array) =>
  preview({ kind: 'transaction', network: 'aptos', chain: 'aptos', bytes }, 'ed25519', publicKey)

function entry(path: string, args: Argument[], types: string[] = []): TransactionPayloadEntryFunction {
  const [account, module, name = ''] = path.split('::')
  const tags = types.map((text) => parseTypeTag(text))
  return new TransactionPayloadEntryFunction(EntryFunction.build(`${account}::${module}`, name, tags, args))
}

const call = (path: string, args: Argument[], types: string[] = []) =>
  shown(raw(entry(path, args, types)).bcsToBytes())

describe('transfers', () => {
  test.each([
    ['0x1::aptos_account::transfer', [], []],
    ['0x1::aptos_account::fungible_transfer_only', [], []],
    ['0x1::aptos_account::transfer_coins', [], [apt]],
    ['0x1::coin::transfer', [], [apt]],
    ['0x1::primary_fungible_store::transfer', [AccountAddress.A], ['0x1::fungible_asset::Metadata']],
    ['0x1::aptos_account::transfer_fungible_assets', [AccountAddress.A], []],
  ] as [string, Argument[], string[]][])(
    '%s of the native asset is a transfer of APT',
    (path, first, types) => {
      expect(call(path, [...first, alice, new U64(150_000_000n)], types)).toEqual({
        title: 'Send 1.5 APT',
        chain: 'aptos',
        from: sender.toStringLong(),
        actions: [
          {
            kind: 'transfer',
            to: alice.toStringLong(),
            asset: 'APT',
            amount: '150000000',
            amount_display: '1.5 APT',
            method: path.slice(5),
            args: null,
          },
        ],
        fee: { asset: 'APT', amount: '200000' },
        warnings: [],
        expires_at: '2027-01-15T08:00:00.000Z',
      })
    },
  )

  test('a token is named by its coin type or metadata address; known ones have symbol and decimals', () => {
    const usdc = AccountAddress.from('0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b')
    const send = (metadata: AccountAddress) =>
      call(
        '0x1::primary_fungible_store::transfer',
        [metadata, alice, new U64(2_500_000)],
        ['0x1::object::ObjectCore'],
      ).actions[0]
    expect(send(usdc)).toMatchObject({ asset: usdc.toStringLong(), amount_display: '2.5 USDC' })
    expect(send(bob)).toMatchObject({ asset: bob.toStringLong(), amount: '2500000', amount_display: null })
    const coin = `0x${'c'.repeat(64)}::moon::Coin<vector<u8>>`
    expect(call('0x1::coin::transfer', [alice, new U64(1)], [coin]).actions[0]).toMatchObject({
      asset: coin,
      amount_display: null,
    })
  })

  test('a batch is one transfer per recipient', () => {
    const args = [new MoveVector([alice, bob]), new MoveVector([new U64(1), new U64(2)])]
    const { actions, title } = call('0x1::aptos_account::batch_transfer', args)
    expect(title).toBe('Send to 2 recipients')
    expect(actions.map(({ to, amount, asset }) => [to, amount, asset])).toEqual([
      [alice.toStringLong(), '1', 'APT'],
      [bob.toStringLong(), '2', 'APT'],
    ])
    const uneven = [new MoveVector([alice, bob]), new MoveVector([new U64(1)])]
    expect(call('0x1::aptos_account::batch_transfer', uneven).actions[0]).toMatchObject({ kind: 'unknown' })
  })

  test('an object is one of its kind, even the one that stands for the native asset', () => {
    const { actions, title } = call('0x1::object::transfer', [AccountAddress.A, alice], ['0x4::token::Token'])
    expect(title).toBe('Send a token')
    expect(actions[0]).toMatchObject({
      kind: 'transfer',
      amount: '1',
      amount_display: null,
      to: alice.toStringLong(),
    })
    expect(actions[0]?.asset).not.toBe('APT')
  })

  test('stake that is added leaves the wallet, stake that returns does not', () => {
    expect(call('0x1::delegation_pool::add_stake', [bob, new U64(11_0000_0000)])).toMatchObject({
      title: 'Stake 11 APT',
      actions: [{ kind: 'transfer', asset: 'APT', amount: '1100000000', to: bob.toStringLong() }],
    })
    expect(call('0x1::delegation_pool::withdraw', [bob, new U64(5)]).actions).toMatchObject([
      { kind: 'call', amount: null, to: bob.toStringLong(), args: { amount: '5' } },
    ])
  })

  test('a fee that can be above a tenth of what is sent is a warning', () => {
    expect(call('0x1::aptos_account::transfer', [alice, new U64(2_000_000)]).warnings).toEqual([])
    expect(call('0x1::aptos_account::transfer', [alice, new U64(1_999_999)]).warnings).toEqual([
      'The fee can reach 0.002 APT, above 10% of what is sent.',
    ])
  })
})

describe('traps', () => {
  const bytes = MoveVector.U8(new Uint8Array(32))
  test.each([
    ['account::rotate_authentication_key', [new U8(0), bytes, new U8(0), bytes, bytes, bytes]],
    ['account::rotate_authentication_key_call', [bytes]],
    ['account::rotate_authentication_key_from_public_key', [new U8(0), bytes]],
    ['account::rotate_authentication_key_with_rotation_capability', [alice, new U8(0), bytes, bytes]],
    ['account::offer_rotation_capability', [bytes, new U8(0), bytes, alice]],
    ['account::offer_signer_capability', [bytes, new U8(0), bytes, alice]],
    ['account::upsert_ed25519_backup_key_on_keyless_account', [bytes]],
    ['account_abstraction::add_authentication_function', [alice, bytes, bytes]],
    ['multisig_account::create_with_existing_account', [bytes]],
  ] as [string, Argument[]][])('%s is a takeover', (name, args) => {
    const { actions, warnings, title } = call(`0x1::${name}`, args)
    expect(actions).toMatchObject([{ kind: 'admin', method: name }])
    expect(warnings[0]).toMatch(/^Account takeover/)
    expect(title).toContain(name)
    if (name.includes('::offer_')) expect(actions[0]?.to).toBe(alice.toStringLong())
  })

  test.each([
    ['code::publish_package_txn', [bytes, bytes]],
    ['object_code_deployment::upgrade', [bytes, bytes, alice]],
    ['multisig_account::approve_transaction', [alice, new U64(1)]],
    ['account::revoke_any_signer_capability', []],
    ['delegation_pool::delegate_voting_power', [alice, bob]],
    ['stake::set_operator', [alice]],
    ['staking_proxy::set_operator', [alice, bob]],
  ] as [string, Argument[]][])('%s changes authority', (name, args) => {
    const { actions, warnings } = call(`0x1::${name}`, args)
    expect(actions).toMatchObject([{ kind: 'admin' }])
    expect(warnings).toHaveLength(1)
  })

  test('a function of the same name in another module account is unknown', () => {
    for (const account of ['0x2', `0x${'0'.repeat(62)}10`, alice.toStringLong()]) {
      const { actions, warnings } = call(`${account}::aptos_account::transfer`, [alice, new U64(1)])
      expect(actions).toMatchObject([{ kind: 'unknown', asset: null, amount: null }])
      expect(warnings).toEqual([unknownWarning])
    }
  })

  test('a known function with other arguments or types is unknown', () => {
    for (const [args, types] of [
      [[alice], []],
      [[alice, new U64(1), new U64(1)], []],
      [[alice, new Bool(true)], []],
      [[alice, new U64(1)], [apt]],
    ] as [Argument[], string[]][]) {
      expect(call('0x1::aptos_account::transfer', args, types).actions).toMatchObject([{ kind: 'unknown' }])
    }
    expect(call('0x1::constructor::toString', []).actions).toMatchObject([{ kind: 'unknown' }])
  })

  test('a transfer between stores is unknown, since the stores do not name their asset', () => {
    const { actions, warnings } = call(
      '0x1::fungible_asset::transfer',
      [alice, bob, new U64(3)],
      ['0x1::a::B'],
    )
    expect(actions).toMatchObject([{ kind: 'unknown', args: { to_store: bob.toStringLong(), amount: '3' } }])
    expect(warnings).toHaveLength(1)
  })

  test('calls that a multisig account runs are not evaluated', () => {
    const inner = new MultiSigTransactionPayload(
      entry('0x1::coin::transfer', [alice, new U64(1)], [apt]).entryFunction,
    )
    for (const payload of [new MultiSig(bob, inner), new MultiSig(bob)]) {
      const { actions, warnings } = shown(raw(new TransactionPayloadMultiSig(payload)).bcsToBytes())
      expect(actions).toMatchObject([{ kind: 'unknown', to: bob.toStringLong() }])
      expect(warnings[0]).toContain('multisig')
    }
  })

  test('scripts are unknown, whatever their code and arguments are, and of a multisig account refused', () => {
    const args = [
      new U8(7),
      new U64(2n ** 64n - 1n),
      new U128(5),
      alice,
      MoveVector.U8([1, 2]),
      new Bool(true),
    ]
    const script = new Script(Uint8Array.of(0xa1, 0x1c, 0xeb, 0x0b), [parseTypeTag(apt)], args)
    for (const payload of [
      new TransactionPayloadScript(script),
      new TransactionInnerPayloadV1(new TransactionExecutableScript(script), new TransactionExtraConfigV1()),
    ]) {
      expect(shown(raw(payload).bcsToBytes())).toMatchObject({
        title: 'Run a script',
        actions: [
          {
            kind: 'unknown',
            to: null,
            method: 'script',
            args: {
              code: '0xa11ceb0b',
              type0: apt,
              arg0: '0x07',
              arg1: `0x${'ff'.repeat(8)}`,
              arg3: alice.toStringLong(),
              arg5: '0x01',
            },
          },
        ],
        warnings: [expect.stringContaining('unknown')],
      })
    }
    const shared = new TransactionPayloadMultiSig(
      new MultiSig(bob, new MultiSigTransactionPayload(script as never)),
    )
    expect(() => shown(raw(shared).bcsToBytes())).toThrow('kind of the transaction is unknown')
  })

  test('lengths in more bytes than they need, flags above 1 and malformed names are refused', () => {
    const bytes = raw(entry('0x1::coin::transfer', [alice, new U64(1)], [apt])).bcsToBytes()
    const moduleAt = 32 + 8 + 1 + 32
    expect(toHex0x(bytes.subarray(moduleAt, moduleAt + 5))).toBe('0x04636f696e')
    const longer = Uint8Array.of(...bytes.subarray(0, moduleAt), 0x84, 0, ...bytes.subarray(moduleAt + 1))
    expect(() => shown(longer)).toThrow('not canonical')
    const name = Uint8Array.from(bytes)
    name[moduleAt + 1] = 0x20
    expect(() => shown(name)).toThrow('malformed')
    const multisig = raw(new TransactionPayloadMultiSig(new MultiSig(bob))).bcsToBytes()
    multisig[moduleAt] = 2
    expect(() => shown(multisig)).toThrow('neither 0 nor 1')
  })

  test('types nested without end are refused', () => {
    const deep = (depth: number) => `${'vector<'.repeat(depth)}u8${'>'.repeat(depth)}`
    expect(call('0x1::a::b', [], [deep(8)]).actions).toHaveLength(1)
    expect(() => call('0x1::a::b', [], [deep(9)])).toThrow('unknown')
  })
})

describe('other signers', () => {
  const one = raw(entry('0x1::aptos_account::transfer', [alice, new U64(5)]))
  test('a fee that another account pays is not of the wallet', () => {
    expect(shown(new FeePayerRawTransaction(one, [], bob).bcsToBytes())).toMatchObject({
      fee: null,
      warnings: [],
    })
    const { fee } = shown(new FeePayerRawTransaction(one, [], sender).bcsToBytes())
    expect(fee).toEqual({ asset: 'APT', amount: '200000' })
  })

  test('further signers are a warning', () => {
    const { warnings } = shown(new MultiAgentRawTransaction(one, [alice, bob]).bcsToBytes())
    expect(warnings[0]).toBe('The function also acts for 2 other accounts, which must sign too.')
  })
})

test('a transaction that outlives the calendar has no expiry', () => {
  const payload = entry('0x1::aptos_account::transfer', [alice, new U64(5)])
  expect(shown(raw(payload, 2n ** 64n - 1n).bcsToBytes()).expires_at).toBeNull()
  expect(shown(raw(payload, 253_402_300_799n).bcsToBytes()).expires_at).toBe('9999-12-31T23:59:59.000Z')
})
