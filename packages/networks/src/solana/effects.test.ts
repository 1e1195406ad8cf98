import { AccountRole, address, createNoopSigner, type Instruction } from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import * as stakes from '@solana-program/stake'
import * as system from '@solana-program/system'
import * as token from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { accounts, checked, decode, own, sol, wallet } from '../testing/solana-effects.ts'

const { source, destination, mint, other, stake, usdc } = accounts

describe('SOL', () => {
  test('a transfer is what leaves the wallet', () => {
    expect(decode([sol(1_500_000_000n)])).toEqual({
      title: 'Send 1.5 SOL',
      actions: [
        {
          kind: 'transfer',
          asset: 'SOL',
          amount: 1_500_000_000n,
          from: own,
          to: other,
          amountDisplay: '1.5 SOL',
          method: 'transfer',
          args: { from: own, to: other, lamports: '1500000000' },
        },
      ],
      fee: { asset: 'SOL', amount: 5000n },
      warnings: [],
    })
  })

  test('of an account that the wallet controls by a seed is the wallet’s', () => {
    const instruction = system.getTransferSolWithSeedInstruction({
      source,
      baseAccount: wallet,
      destination: other,
      amount: 7n,
      fromSeed: 'vault',
      fromOwner: system.SYSTEM_PROGRAM_ADDRESS,
    })
    expect(decode([instruction]).actions).toMatchObject([
      { kind: 'transfer', amount: 7n, from: own, to: other },
    ])
  })

  test('of another signer is the other’s', () => {
    const theirs = createNoopSigner(other)
    const instruction = system.getTransferSolInstruction({ source: theirs, destination: own, amount: 9n })
    expect(decode([instruction]).actions).toMatchObject([{ from: other, to: own, amount: 9n }])
  })

  test('for a new account goes to who owns it in the end', () => {
    const account = createNoopSigner(source)
    const created = system.getCreateAccountInstruction({
      payer: wallet,
      newAccount: account,
      lamports: 50n,
      space: 165n,
      programAddress: token.TOKEN_PROGRAM_ADDRESS,
    })
    const opened = token.getInitializeAccount3Instruction({ account: source, mint, owner: other })
    expect(decode([created, opened]).actions).toMatchObject([
      { kind: 'transfer', asset: 'SOL', amount: 50n, from: own, to: other, method: 'createAccount' },
      { kind: 'call', method: 'initializeAccount3', args: { owner: other } },
    ])
    expect(decode([created]).actions).toMatchObject([{ to: source }])
  })

  test('for a new account that another instruction could empty before it is opened stays that account’s', () => {
    const created = system.getCreateAccountInstruction({
      payer: wallet,
      newAccount: createNoopSigner(source),
      lamports: 50n,
      space: 200n,
      programAddress: stakes.STAKE_PROGRAM_ADDRESS,
    })
    const emptied = stakes.getWithdrawInstruction({
      stake: source,
      recipient: destination,
      withdrawAuthority: createNoopSigner(source),
      args: 40n,
    })
    const opened = stakes.getInitializeInstruction({
      stake: source,
      arg0: { staker: other, withdrawer: other },
      arg1: { unixTimestamp: 0n, epoch: 0n, custodian: other },
    })
    expect(decode([created, emptied, opened]).actions[0]).toMatchObject({ amount: 50n, to: source })
  })

  test('for an account whose key somebody holds is not taken for its first owner’s', () => {
    const opened = token.getInitializeAccount3Instruction({ account: source, mint, owner: own })
    const closed = token.getCloseAccountInstruction({ account: source, destination: own, owner: wallet })
    expect(decode([opened, closed, sol(50n, source)]).actions.at(-1)).toMatchObject({
      amount: 50n,
      to: source,
    })
  })

  test('an account that is made of the wallet’s own address is a takeover, not a payment to itself', () => {
    const onto = {
      newAccount: wallet,
      lamports: 50n,
      space: 82n,
      programAddress: token.TOKEN_PROGRAM_ADDRESS,
    }
    const warning = `Account takeover: ${token.TOKEN_PROGRAM_ADDRESS} will control ${own}.`
    const changes = [
      system.getCreateAccountInstruction({ payer: wallet, ...onto }),
      system.getCreateAccountInstruction({ payer: createNoopSigner(other), ...onto }),
      system.getCreateAccountWithSeedInstruction({
        payer: wallet,
        baseAccount: wallet,
        base: own,
        seed: 'vault',
        amount: 50n,
        ...onto,
        newAccount: own,
      }),
      token.getInitializeMint2Instruction({ mint: own, decimals: 0, mintAuthority: other }),
      token.getInitializeAccount3Instruction({ account: own, mint, owner: other }),
      token.getInitializeImmutableOwnerInstruction({ account: own }),
    ]
    for (const change of changes) {
      expect(decode([change])).toMatchObject({
        actions: [{ kind: 'admin', from: own, to: token.TOKEN_PROGRAM_ADDRESS }],
        warnings: [warning],
      })
    }
  })

  test('an account given to a program is administrative', () => {
    const assigned = system.getAssignInstruction({ account: wallet, programAddress: other })
    expect(decode([assigned])).toMatchObject({
      actions: [{ kind: 'admin', from: own, to: other, method: 'assign' }],
      warnings: [`Account takeover: ${other} will control ${own}.`],
    })
    expect(decode([system.getAllocateInstruction({ newAccount: wallet, space: 1n })]).actions[0]?.kind).toBe(
      'admin',
    )
  })
})

describe('nonces', () => {
  const advance = system.getAdvanceNonceAccountInstruction({ nonceAccount: source, nonceAuthority: wallet })

  test('a transaction on a nonce says that it does not expire', () => {
    const { actions, warnings } = decode([advance, sol(1_000_000n)])
    expect(actions).toMatchObject([{ kind: 'transfer', method: 'transfer' }])
    expect(warnings).toEqual(['This transaction does not expire: it stays valid until its nonce is used.'])
    expect(decode([sol(1_000_000n), advance]).warnings).toEqual([])
  })

  test('a withdrawal from a nonce account is a transfer, a new authority a takeover', () => {
    const withdrawn = system.getWithdrawNonceAccountInstruction({
      nonceAccount: source,
      recipientAccount: other,
      nonceAuthority: wallet,
      withdrawAmount: 6n,
    })
    expect(decode([withdrawn]).actions).toMatchObject([
      { kind: 'transfer', amount: 6n, from: own, to: other },
    ])
    const authorized = system.getAuthorizeNonceAccountInstruction({
      nonceAccount: source,
      nonceAuthority: wallet,
      newNonceAuthority: other,
    })
    expect(decode([authorized]).actions).toMatchObject([{ kind: 'admin', from: own, to: other }])
  })
})

describe('look-up tables', () => {
  const table = address('AddressLookupTab1e1111111111111111111111111')

  test('a recipient or token behind a table is unknown, and said so', () => {
    for (const hidden of [other, usdc]) {
      const tables = { [table]: [stake, hidden] }
      const instructions = [hidden === usdc ? token.getTransferCheckedInstruction(checked) : sol(5n)]
      const { actions, warnings } = decode(instructions, tables)
      expect(actions).toMatchObject([{ kind: 'unknown', from: own }])
      expect(Object.values(actions[0]?.args ?? {})).toContain(`entry 1 of table ${table}`)
      expect(warnings).toEqual([
        'An account or token behind a look-up table is not known.',
        'Accounts behind address look-up tables are not known from the bytes.',
      ])
    }
  })

  test('an owner that the bytes name makes up for its account behind a table', () => {
    const opened = token.getCreateAssociatedTokenIdempotentInstruction({
      payer: wallet,
      ata: destination,
      owner: other,
      mint: usdc,
    })
    const { actions } = decode([opened, token.getTransferCheckedInstruction(checked)], {
      [table]: [destination],
    })
    expect(actions).toMatchObject([
      { kind: 'transfer', asset: 'SOL', to: other },
      { kind: 'transfer', asset: usdc, to: other },
    ])
  })

  test('places of several tables are distinct: all that are written come first', () => {
    const second = address('Config1111111111111111111111111111111111111')
    const tables = { [table]: [stake, mint], [second]: [source, other] }
    const accounts = [
      { address: mint, role: AccountRole.READONLY },
      { address: other, role: AccountRole.WRITABLE },
      { address: source, role: AccountRole.READONLY },
      { address: stake, role: AccountRole.WRITABLE },
    ]
    const [action] = decode(
      [{ programAddress: destination, accounts, data: new Uint8Array(0) }],
      tables,
    ).actions
    expect(action?.args?.['accounts']).toBe(
      [
        `entry 1 of table ${table}`,
        `entry 1 of table ${second}`,
        `entry 0 of table ${second}`,
        `entry 0 of table ${table}`,
      ].join(', '),
    )
  })
})

describe('fees', () => {
  const price = (microLamports: number) => getSetComputeUnitPriceInstruction({ microLamports })
  const limit = (units: number) => getSetComputeUnitLimitInstruction({ units })
  const fee = (...instructions: Instruction[]) => decode(instructions).fee?.amount

  test('5,000 lamports a signature', () => {
    const theirs = createNoopSigner(other)
    const second = system.getTransferSolInstruction({ source: theirs, destination: own, amount: 1n })
    expect([fee(sol(5n)), fee(sol(5n), second)]).toEqual([5000n, 10_000n])
  })

  test('bytes behind a limit or price, which the runtime does not read, hide neither', () => {
    const longer = (instruction: Instruction) => ({
      ...instruction,
      data: Uint8Array.from([...(instruction.data ?? []), 0]),
    })
    expect(fee(longer(limit(1_400_000)), longer(price(1_000_000)), sol(5n))).toBe(5000n + 1_400_000n)
  })

  test('the price of all units, rounded up, within the limit or what there is by default', () => {
    expect(fee(limit(300_000), price(1_000_001), sol(5n))).toBe(5000n + 300_001n)
    expect(fee(price(1_000_000), sol(5n))).toBe(5000n + 200_000n)
    expect(fee(price(1_000_000), sol(5n), sol(6n))).toBe(5000n + 400_000n)
    expect(fee(price(1_000_000))).toBe(5000n + 3_000n)
    expect(fee(price(1_000_000), { programAddress: other, data: Uint8Array.of(1) })).toBe(5000n + 203_000n)
    expect(fee(price(1_000_000), ...Array.from({ length: 9 }, () => sol(5n)))).toBe(5000n + 1_400_000n)
    expect(fee(limit(4_000_000), price(1_000_000), sol(5n))).toBe(5000n + 1_400_000n)
    expect(fee(limit(1_000_000), sol(5n))).toBe(5000n)
  })

  test('a signature that a program checks costs as much', () => {
    const programAddress = address('Ed25519SigVerify111111111111111111111111111')
    expect(fee(sol(5n), { programAddress, data: Uint8Array.of(3, 0) })).toBe(20_000n)
  })

  test('above a tenth of what is sent is a warning', () => {
    expect(decode([sol(50_000n)]).warnings).toEqual([])
    expect(decode([sol(49_999n)]).warnings).toEqual([
      'The fee can reach 0.000005 SOL, above 10% of what is sent.',
    ])
  })
})
