import { type Address, address, createNoopSigner, type Instruction } from '@solana/kit'
import * as token from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import { accounts, checked, decode, own, sol, wallet } from '../testing/solana-effects.ts'

const { source, destination, mint, other, stake, usdc } = accounts
const token2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

describe('tokens', () => {
  test('a checked transfer names token and amount', () => {
    expect(decode([token.getTransferCheckedInstruction(checked)])).toMatchObject({
      title: 'Send 2.5 USDC',
      actions: [{ kind: 'transfer', asset: usdc, amount: 2_500_000n, from: own, to: destination }],
      warnings: [],
    })
    const foreign = { ...checked, mint }
    expect(decode([token.getTransferCheckedInstruction(foreign)]).actions[0]).toMatchObject({
      asset: mint,
      amountDisplay: null,
    })
    // Decimals that are not the token's: the program refuses them.
    const wrong = { ...checked, decimals: 9 }
    expect(decode([token.getTransferCheckedInstruction(wrong)]).actions[0]?.amountDisplay).toBeNull()
  })

  test('the bytes of a bare transfer do not name its token', () => {
    const bare = token.getTransferInstruction({ source, destination, authority: wallet, amount: 3n })
    expect(decode([bare])).toMatchObject({
      actions: [{ kind: 'transfer', asset: null, amount: 3n, amountDisplay: null }],
      warnings: ['The bytes do not name the token that is sent.'],
    })
  })

  test('a token account that is opened on the way names owner, token and rent', () => {
    const opened = token.getCreateAssociatedTokenIdempotentInstruction({
      payer: wallet,
      ata: destination,
      owner: other,
      mint: usdc,
    })
    const bare = token.getTransferInstruction({ source, destination, authority: wallet, amount: 1_000_000n })
    expect(decode([opened, bare])).toMatchObject({
      title: 'Open a token account and 1 more',
      actions: [
        { kind: 'transfer', asset: 'SOL', amount: 2_039_280n, from: own, to: other },
        { kind: 'transfer', asset: usdc, amount: 1_000_000n, to: other, amountDisplay: '1 USDC' },
      ],
      warnings: [],
    })
  })

  test('an account is its latest owner’s, not one’s that it gets later', () => {
    const opened = (owner: Address) =>
      token.getInitializeAccount3Instruction({ account: destination, mint, owner })
    const sent = token.getTransferCheckedInstruction(checked)
    const recipients = (...instructions: Instruction[]) =>
      decode(instructions).actions.flatMap(({ asset, to }) => (asset === usdc ? [to] : []))
    expect(recipients(sent, opened(own))).toEqual([destination])
    expect(recipients(opened(other), sent)).toEqual([other])
    const closed = token.getCloseAccountInstruction({ account: destination, destination: own, owner: wallet })
    expect(recipients(opened(own), closed, opened(other), sent)).toEqual([other])
  })

  test('an associated account of a token program that nobody knows is unknown, and names no owner', () => {
    const opened = token.getCreateAssociatedTokenIdempotentInstruction({
      payer: wallet,
      ata: destination,
      owner: own,
      mint: usdc,
      tokenProgram: stake,
    })
    expect(decode([opened, sol(5n, destination)]).actions).toMatchObject([
      { kind: 'unknown' },
      { kind: 'transfer', to: destination },
    ])
  })

  test('as one of a multisig the wallet is who sends', () => {
    const authority = { ...checked, authority: other, multiSigners: [createNoopSigner(stake), wallet] }
    expect(decode([token.getTransferCheckedInstruction(authority)]).actions).toMatchObject([{ from: own }])
  })

  test('approvals name the spender, and are unlimited at the highest amount', () => {
    const approve = { source, delegate: other, owner: wallet, amount: 8n }
    expect(decode([token.getApproveInstruction(approve)]).actions).toMatchObject([
      { kind: 'approval', asset: null, amount: 8n, from: own, to: other },
    ])
    const all = { ...approve, mint: usdc, decimals: 6, amount: 2n ** 64n - 1n }
    expect(decode([token.getApproveCheckedInstruction(all)])).toMatchObject({
      title: 'Approve token spending',
      actions: [{ kind: 'approval', asset: usdc, amount: null, amountDisplay: 'unlimited', to: other }],
      warnings: [`Unlimited approval: ${other} may spend all of ${usdc}.`],
    })
    expect(decode([token.getRevokeInstruction({ source, owner: wallet })]).actions).toMatchObject([
      { kind: 'approval', amount: 0n, to: null },
    ])
  })

  test('an authority that changes is a takeover', () => {
    const change = { owned: source, owner: wallet, authorityType: 2, newAuthority: other }
    expect(decode([token.getSetAuthorityInstruction(change)])).toMatchObject({
      title: 'Change the owner of a token account or mint',
      actions: [{ kind: 'admin', from: own, to: other }],
      warnings: [`Account takeover: ${other} will control ${source}.`],
    })
    const dropped = { ...change, newAuthority: null }
    expect(decode([token.getSetAuthorityInstruction(dropped)]).actions).toMatchObject([
      { kind: 'admin', to: null },
    ])
  })

  test('burnt tokens leave the wallet, minted ones do not', () => {
    const burn = { account: source, mint: usdc, authority: wallet, amount: 4n }
    expect(decode([token.getBurnInstruction(burn)])).toMatchObject({
      title: 'Burn tokens',
      actions: [{ kind: 'transfer', asset: usdc, amount: 4n, from: own, to: usdc }],
    })
    const minted = { mint, token: destination, mintAuthority: wallet, amount: 4n }
    expect(decode([token.getMintToInstruction(minted)]).actions).toMatchObject([
      { kind: 'call', asset: null, to: token.TOKEN_PROGRAM_ADDRESS, method: 'mintTo' },
    ])
  })

  test('closing an account gives its SOL away, or keeps it', () => {
    const close = { account: source, destination: other, owner: wallet }
    expect(decode([token.getCloseAccountInstruction(close)])).toMatchObject({
      actions: [{ kind: 'transfer', asset: 'SOL', amount: null, to: other }],
      warnings: [`All SOL of the account goes to ${other}.`],
    })
    const kept = { ...close, destination: own }
    expect(decode([token.getCloseAccountInstruction(kept)])).toMatchObject({
      actions: [{ kind: 'transfer', asset: 'SOL', amount: 0n, to: own }],
      warnings: [],
    })
  })

  test('Token-2022 is read alike, its transfers with a fee too', () => {
    const plain = token.getTransferCheckedInstruction(checked, { programAddress: token2022 })
    const accounts = plain.accounts
    const data = Uint8Array.of(26, 1, ...plain.data.slice(1), 5, 0, 0, 0, 0, 0, 0, 0)
    const withFee = { programAddress: token2022, accounts, data }
    expect(decode([plain, withFee])).toMatchObject({
      actions: [
        { kind: 'transfer', asset: usdc, amount: 2_500_000n, method: 'transferChecked' },
        {
          kind: 'transfer',
          asset: usdc,
          amount: 2_500_000n,
          method: 'transferCheckedWithFee',
          args: { fee: '5' },
        },
      ],
    })
    // SPL Token has no such instruction.
    const none = { ...withFee, programAddress: token.TOKEN_PROGRAM_ADDRESS }
    expect(decode([none]).actions[0]?.kind).toBe('unknown')
  })
})
