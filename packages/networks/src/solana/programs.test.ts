import { AccountRole, type Address, address, createNoopSigner, type Instruction } from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import * as stakes from '@solana-program/stake'
import * as system from '@solana-program/system'
import { describe, expect, test } from 'vitest'
import { accounts, decode, own, sol, wallet } from '../testing/solana-effects.ts'

const { source, destination, mint, other, stake } = accounts

describe('stakes', () => {
  test('delegating and deactivating are calls of the program', () => {
    const delegate = stakes.getDelegateStakeInstruction({ stake, vote: other, stakeAuthority: wallet })
    expect(decode([delegate])).toMatchObject({
      title: 'Stake: delegate',
      actions: [
        { kind: 'call', to: stakes.STAKE_PROGRAM_ADDRESS, args: { stake, validator: other, authority: own } },
      ],
      warnings: [],
    })
    const deactivate = stakes.getDeactivateInstruction({ stake, stakeAuthority: wallet })
    expect(decode([deactivate]).actions).toMatchObject([{ kind: 'call', args: { stake, authority: own } }])
  })

  test('a withdrawal from a stake is a transfer, with the sysvars of older callers and without', () => {
    const withdraw = stakes.getWithdrawInstruction({
      stake,
      recipient: other,
      withdrawAuthority: wallet,
      args: 12n,
    })
    const [first, second, ...rest] = withdraw.accounts
    const sysvars = [
      'SysvarC1ock11111111111111111111111111111111',
      'SysvarStakeHistory1111111111111111111111111',
    ]
    const older = {
      ...withdraw,
      accounts: [
        first,
        second,
        ...sysvars.map((name) => ({ address: address(name), role: AccountRole.READONLY })),
        ...rest,
      ],
    }
    for (const instruction of [withdraw, older as Instruction]) {
      expect(decode([instruction])).toMatchObject({
        title: 'Withdraw stake',
        actions: [
          { kind: 'transfer', asset: 'SOL', amount: 12n, from: own, to: other, args: { authority: own } },
        ],
      })
    }
  })

  test('a sysvar in the place of the recipient is the recipient', () => {
    const clock = address('SysvarC1ock11111111111111111111111111111111')
    const withdraw = { stake, recipient: clock, withdrawAuthority: wallet, args: 12n }
    expect(decode([stakes.getWithdrawInstruction(withdraw)]).actions).toMatchObject([{ to: clock }])
  })

  test('a new staker or withdrawer is a takeover', () => {
    const authorize = { stake, authority: wallet, arg0: other, arg1: stakes.StakeAuthorize.Withdrawer }
    expect(decode([stakes.getAuthorizeInstruction(authorize)])).toMatchObject({
      title: 'Change the withdrawer of a stake account',
      actions: [{ kind: 'admin', from: own, to: other }],
      warnings: [`Account takeover: ${other} will control ${stake}.`],
    })
  })

  test('SOL for a new stake account is its withdrawer’s', () => {
    const created = system.getCreateAccountInstruction({
      payer: wallet,
      newAccount: createNoopSigner(stake),
      lamports: 70n,
      space: 200n,
      programAddress: stakes.STAKE_PROGRAM_ADDRESS,
    })
    const initialized = (withdrawer: Address) =>
      stakes.getInitializeInstruction({
        stake,
        arg0: { staker: own, withdrawer },
        arg1: { unixTimestamp: 0n, epoch: 0n, custodian: other },
      })
    expect(decode([created, initialized(own)]).actions).toMatchObject([{ amount: 70n, to: own }])
    expect(decode([created, initialized(other)]).actions).toMatchObject([{ amount: 70n, to: other }])
  })
})

describe('programs', () => {
  const loader = address('BPFLoaderUpgradeab1e11111111111111111111111')
  const account = (name: Address, role = AccountRole.WRITABLE) => ({ address: name, role })

  test('an upgrade, a new authority and the end of a program are administrative', () => {
    const sysvars = [
      'SysvarRent111111111111111111111111111111111',
      'SysvarC1ock11111111111111111111111111111111',
    ]
    const upgrade = {
      programAddress: loader,
      accounts: [
        account(source),
        account(mint),
        account(destination),
        account(other),
        ...sysvars.map((name) => account(address(name), AccountRole.READONLY)),
        account(own, AccountRole.READONLY_SIGNER),
      ],
      data: Uint8Array.of(3, 0, 0, 0),
    }
    expect(decode([upgrade])).toMatchObject({
      actions: [{ kind: 'admin', from: own, method: 'upgrade' }],
      warnings: [`The code of the program ${mint} changes.`],
    })
    const handOver = { ...upgrade, accounts: [account(source), account(own), account(other)] }
    expect(decode([{ ...handOver, data: Uint8Array.of(4, 0, 0, 0) }]).warnings).toEqual([
      `Account takeover: ${other} will control ${source}.`,
    ])
  })

  test('a memo is shown as it is, or in hex where it hides something', () => {
    expect(decode([getAddMemoInstruction({ memo: 'invoice 42' })])).toMatchObject({
      title: 'Memo: memo',
      actions: [{ kind: 'call', method: 'memo', args: { memo: 'invoice 42' } }],
      warnings: [],
    })
    const [action] = decode([getAddMemoInstruction({ memo: 'a\u202eb' })]).actions
    expect(action?.args).toEqual({ memo: '0x61e280ae62' })
  })

  test('an unknown program, and data that is not quite an instruction, are unknown', () => {
    const unknown: Instruction = {
      programAddress: other,
      accounts: [account(own), account(source)],
      data: Uint8Array.of(1, 2),
    }
    expect(decode([unknown])).toMatchObject({
      title: 'Unknown program call',
      actions: [{ kind: 'unknown', to: other, args: { accounts: `${own}, ${source}`, data: '0x0102' } }],
      warnings: [`The effects of the program ${other} are unknown.`],
    })
    const transfer = sol(5n)
    for (const data of [
      transfer.data.slice(0, -1),
      Uint8Array.of(...transfer.data, 0),
      Uint8Array.of(99, 0, 0, 0),
    ]) {
      expect(decode([{ ...transfer, data }]).actions).toMatchObject([{ kind: 'unknown', asset: null }])
    }
    expect(decode([{ ...transfer, accounts: [transfer.accounts[0]] }]).actions[0]?.kind).toBe('unknown')
  })
})
