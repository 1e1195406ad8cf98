import { address, createNoopSigner, type Instruction } from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getAddMemoInstruction } from '@solana-program/memo'
import {
  getDeactivateInstruction,
  getDelegateStakeInstruction,
  getWithdrawInstruction,
} from '@solana-program/stake'
import {
  getCreateAccountWithSeedInstruction,
  getTransferSolInstruction,
  getTransferSolWithSeedInstruction,
} from '@solana-program/system'
import {
  getApproveInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token'
import fc from 'fast-check'
import { kitTransaction, solanaAddress } from './solana-transaction.ts'

const u64 = fc.oneof(fc.bigInt({ min: 0n, max: 1000n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
const place = fc.integer({ min: 0, max: 12 }).map(solanaAddress)
const signer = fc.integer({ min: 1, max: 3 }).map((index) => createNoopSigner(solanaAddress(index)))
const program = fc.integer({ min: 20, max: 22 }).map(solanaAddress)
const text = fc.string({ maxLength: 30, unit: 'grapheme' })

const foreign: fc.Arbitrary<Instruction> = fc
  .tuple(
    program,
    fc.array(fc.tuple(place, fc.constantFrom(0, 1)), { maxLength: 6 }),
    fc.uint8Array({ maxLength: 60 }),
  )
  .map(([programAddress, accounts, data]) => ({
    programAddress,
    accounts: accounts.map(([account, role]) => ({ address: account, role })),
    data,
  }))

/** Instructions as the official builders make them, and some of programs that nobody knows. */
const instruction: fc.Arbitrary<Instruction> = fc.oneof(
  fc
    .tuple(signer, place, u64)
    .map(([source, destination, amount]) => getTransferSolInstruction({ source, destination, amount })),
  fc.tuple(place, signer, place, u64, text).map(([source, baseAccount, destination, amount, fromSeed]) =>
    getTransferSolWithSeedInstruction({
      source,
      baseAccount,
      destination,
      amount,
      fromSeed,
      fromOwner: source,
    }),
  ),
  fc.tuple(signer, place, u64, text).map(([payer, newAccount, amount, seed]) =>
    getCreateAccountWithSeedInstruction({
      payer,
      newAccount,
      base: payer.address,
      seed,
      amount,
      space: 165n,
      programAddress: newAccount,
    }),
  ),
  fc
    .tuple(place, place, place, signer, u64, fc.nat(9))
    .map(([source, mint, destination, authority, amount, decimals]) =>
      getTransferCheckedInstruction({ source, mint, destination, authority, amount, decimals }),
    ),
  fc
    .tuple(place, place, signer, u64)
    .map(([source, destination, authority, amount]) =>
      getTransferInstruction({ source, destination, authority, amount }),
    ),
  fc
    .tuple(place, place, signer, u64)
    .map(([source, delegate, owner, amount]) => getApproveInstruction({ source, delegate, owner, amount })),
  fc
    .tuple(place, signer, fc.nat(3), fc.option(place))
    .map(([owned, owner, authorityType, newAuthority]) =>
      getSetAuthorityInstruction({ owned, owner, authorityType, newAuthority }),
    ),
  fc
    .tuple(signer, place, place, place)
    .map(([payer, ata, owner, mint]) =>
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint }),
    ),
  fc
    .tuple(place, place, signer)
    .map(([stake, vote, stakeAuthority]) => getDelegateStakeInstruction({ stake, vote, stakeAuthority })),
  fc
    .tuple(place, signer)
    .map(([stake, stakeAuthority]) => getDeactivateInstruction({ stake, stakeAuthority })),
  fc
    .tuple(place, place, signer, u64)
    .map(([stake, recipient, withdrawAuthority, args]) =>
      getWithdrawInstruction({ stake, recipient, withdrawAuthority, args }),
    ),
  text.map((memo) => getAddMemoInstruction({ memo })),
  fc.nat(2_000_000).map((units) => getSetComputeUnitLimitInstruction({ units })),
  fc.nat(1_000_000).map((microLamports) => getSetComputeUnitPriceInstruction({ microLamports })),
  foreign,
)

/** Addresses that the table holds; those of signers stay in the message. */
const table = { [address('AddressLookupTab1e1111111111111111111111111')]: [5, 6, 7, 8, 9].map(solanaAddress) }

/**
 * Transactions of legacy and version 0, some with a look-up table. The fee payer is the test key 1 or 2, the key 1
 * always a signer; what would not fit into a packet is left out.
 */
export const randomSolanaTransaction = fc
  .record({
    instructions: fc.array(instruction, { minLength: 1, maxLength: 6 }),
    version: fc.constantFrom(0 as const, 'legacy' as const),
    payer: fc.constantFrom(1, 1, 2),
    tables: fc.constantFrom({}, table),
  })
  .map(({ instructions, version, payer, tables }) => {
    const own = getTransferSolInstruction({
      source: createNoopSigner(solanaAddress(1)),
      destination: solanaAddress(4),
      amount: 5n,
    })
    return kitTransaction(payer === 1 ? instructions : [own, ...instructions], solanaAddress(payer), {
      version,
      tables,
    })
  })
  .filter(
    ({ messageBytes, signatures }) => 1 + 64 * Object.keys(signatures).length + messageBytes.length <= 1232,
  )
